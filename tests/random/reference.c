/*
 * reference.c: what a random kernel has to leave, by a plain interpreter: every operation is
 * done for all threads of a block before the next one begins. It knows nothing of the simulator.
 */
#include "random.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct thread {
    uint32_t x[4];
    bool here, gone; /* here: takes part in what is under way; gone: has returned */
};

struct block {
    const struct kernel *kernel;
    const uint32_t *in, *table;
    uint32_t *out, *total;
    unsigned number, threads;
    struct thread thread[MOST_THREADS];
    uint32_t shared[2][MOST_THREADS];
};

unsigned random_word(unsigned i)
{
    uint32_t x = i * 0x9e3779b9u + 0x7f4a7c15u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}

unsigned first_total(unsigned i)
{
    return i == 1 || i == 5 ? ~0u : 0; /* of a minimum, of AND */
}

/* A place for each thread: turned by k, or turned around. */
static unsigned place(unsigned rank, unsigned k, unsigned n)
{
    return k % 2 == 0 ? (rank + k) % n : (k + n - rank) % n;
}

static uint32_t reverse_bits(uint32_t x)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (x >> i & 1) << (31 - i);
    return result;
}

static unsigned leading_zeros(uint32_t x)
{
    unsigned count = 0;
    while (count < 32 && !(x >> (31 - count) & 1))
        count++;
    return count;
}

static unsigned first_bit(uint32_t x) /* from 1, 0: none */
{
    for (unsigned i = 0; i < 32; i++)
        if (x >> i & 1)
            return i + 1;
    return 0;
}

static unsigned count_bits(uint32_t x)
{
    unsigned count = 0;
    for (; x != 0; x >>= 1)
        count += x & 1;
    return count;
}

static uint32_t choose_bytes(uint32_t low, uint32_t high, uint32_t selector)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = selector >> 4 * i & 7;
        result |= ((from < 4 ? low : high) >> 8 * (from % 4) & 255) << 8 * i;
    }
    return result;
}

static uint32_t as_float(uint32_t bits, uint32_t added)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    value += (float)added;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

/* What a thread does for itself. */
static void alone(struct block *b, unsigned rank, const struct op *op)
{
    uint32_t *x = b->thread[rank].x, *a = &x[op->a], y = x[op->b], z = x[op->c], k = op->k, old;
    const unsigned char *bytes = (const unsigned char *)b->in;
    unsigned n = b->threads, i = y + k;
    uint32_t *own = b->out + (b->number * n + place(rank, k, n)) * OUT_WORDS + op->c;
    uint32_t local[4] = {x[0], x[1], x[2], k};
    uint32_t *shared = b->shared[op->c & 1];
    uint32_t *total = b->total;
#define IS(CODE, ...)                                                                              \
    case CODE:                                                                                     \
        __VA_ARGS__;                                                                               \
        break
    switch (op->code) {
        IS(ADD, *a = y + z);
        IS(SUB, *a = y - z);
        IS(MULTIPLY, *a = y * z);
        IS(MULTIPLY_HIGH, *a = (uint32_t)((uint64_t)y * z >> 32));
        IS(AND, *a = y & z);
        IS(OR, *a = y | z);
        IS(XOR, *a = y ^ z ^ k);
        IS(SHIFT_LEFT, *a = y << k % 32);
        IS(SHIFT_RIGHT, *a = y >> k % 32 | (y >> 31 ? ~(~0u >> k % 32) : 0));
        IS(FUNNEL, *a = (uint32_t)(((uint64_t)z << 32 | y) << k % 32 >> 32));
        IS(COUNT_BITS, *a = count_bits(y));
        IS(REVERSE_BITS, *a = reverse_bits(y));
        IS(LEADING_ZEROS, *a = leading_zeros(y));
        IS(FIRST_BIT, *a = first_bit(y));
        IS(BYTES, *a = choose_bytes(y, z, k));
        IS(LESS, *a = (y ^ 1u << 31) < (z ^ 1u << 31));
        IS(LEAST, *a = y < z ? y : z);
        IS(MOST, *a = y > z ? y : z);
        IS(SELECT, *a = y & 1 ? z : *a);
        IS(DIVIDE, *a = y / (z | 1));
        IS(REMAINDER, *a = y % (z % 1000 + 1));
        IS(FLOAT, *a = (y & 4095) * (z & 1023) + 7);
        IS(DOUBLE, *a = (uint32_t)((uint64_t)y * 3 + z));
        IS(LOCAL_ARRAY, local[y & 3] += z, *a = local[z & 3] ^ local[(z >> 2 & 3)]);
        IS(CALL, *a = y > z ? y - z : (z - y) * 3 + k);
        IS(LOAD, *a = b->in[i % IN_WORDS]);
        IS(LOAD_READ_ONLY, *a = b->in[i % IN_WORDS]);
        IS(LOAD_BYTE, *a = bytes[i % (4 * IN_WORDS)]);
        IS(LOAD_SHORT, i = i % (2 * IN_WORDS) * 2, *a = bytes[i] | (uint32_t)bytes[i + 1] << 8);
        IS(LOAD_PAIR, i = i % (IN_WORDS / 2) * 2, *a = b->in[i] + 3 * b->in[i + 1]);
        IS(LOAD_FOUR, i = i % (IN_WORDS / 4) * 4,
           *a = b->in[i] + 3 * b->in[i + 1] + 5 * b->in[i + 2] + 7 * b->in[i + 3]);
        IS(LOAD_CONSTANT, *a = b->table[i % TABLE_WORDS]);
        IS(STORE, *own = y);
        IS(LOAD_BACK, *a = y ^ *own);
        IS(ADD_TO_OWN, old = *own, *own += y, *a = old);
        IS(EXCHANGE_OWN, old = *own, *own = y, *a = old);
        IS(COMPARE_AND_SWAP_OWN, old = *own, *own = old % 2 == 0 ? y : old, *a = old);
        IS(ADD_TO_TOTAL, total[0] += y);
        IS(LEAST_TO_TOTAL, total[1] = total[1] < y ? total[1] : y);
        IS(MOST_TO_TOTAL, total[2] = total[2] > y ? total[2] : y);
        IS(XOR_TO_TOTAL, total[3] ^= y);
        IS(OR_TO_TOTAL, total[4] |= y & k);
        IS(AND_TO_TOTAL, total[5] &= y | k);
        IS(FLOAT_TO_TOTAL, total[6] = as_float(total[6], y & 15));
        IS(SHARED_STORE, shared[place(rank, k, n)] = y);
        IS(SHARED_STORE_BYTE, ((unsigned char *)shared)[place(rank, k, n)] = (unsigned char)y);
        IS(SHARED_LOAD_OWN, *a = y + shared[place(rank, k, n)]);
        IS(SHARED_LOAD, *a = shared[i % n]);
        IS(SHARED_ADD, shared[i % n] += x[op->a]);
        IS(SHARED_XOR, shared[i % n] ^= x[op->a]);
        IS(SHARED_MOST, shared[i % n] = shared[i % n] > x[op->a] ? shared[i % n] : x[op->a]);
    }
}

static bool is_here(const struct block *b, unsigned rank)
{
    return b->thread[rank].here && !b->thread[rank].gone;
}

static uint32_t combine(unsigned code, uint32_t a, uint32_t b)
{
    return code == REDUCE_LEAST  ? (a < b ? a : b)
           : code == REDUCE_MOST ? (a > b ? a : b)
           : code == REDUCE_AND  ? (a & b)
           : code == REDUCE_OR   ? (a | b)
           : code == REDUCE_XOR  ? (a ^ b)
                                 : a + b;
}

/* The lane that a shuffle reads; beyond the edge of its segment a lane reads itself. */
static unsigned source(const struct op *op, unsigned lane, uint32_t y)
{
    unsigned width = 1u << op->c, first = lane / width * width, last = first + width - 1;
    unsigned k = op->k % 32;
    return op->code == SHUFFLE_UP     ? lane - (lane >= first + k ? k : 0)
           : op->code == SHUFFLE_DOWN ? lane + (lane + k <= last ? k : 0)
           : op->code == SHUFFLE_XOR  ? ((lane ^ k) <= last ? lane ^ k : lane)
                                      : first + (y + op->k) % width;
}

/* What one lane gets: of all in its warp that are here, with the registers that they had. */
static uint32_t of_warp(const struct op *op, const uint32_t x[32][4], uint32_t here, unsigned lane,
                        unsigned lanes)
{
    const unsigned p = op->b, width = 1u << op->c, k = op->k;
    uint32_t yes = 0, equal = 0, mine = x[lane][p], value = 0;
    bool first = true;
    for (unsigned l = 0; l < 32; l++) {
        if (here >> l & 1) {
            yes |= (x[l][p] >> k % 32 & 1) << l;
            equal |= (uint32_t)((x[l][p] & 3) == (mine & 3)) << l;
            value = first ? x[l][p] : combine(op->code, value, x[l][p]);
            first = false;
        }
    }
    switch (op->code) {
    case WARP_EXCHANGE:
    case SHUFFLE_ANY:
        return x[(x[lane][op->c] + k) % lanes][p];
    case SHUFFLE:
    case SHUFFLE_UP:
    case SHUFFLE_DOWN:
    case SHUFFLE_XOR:
        return x[source(op, lane, x[lane][op->a])][p];
    case SHUFFLE_LONG: {
        const uint32_t *other = x[source(op, lane, x[lane][op->a])];
        return other[p] ^ other[(p + 1) % 4] * 3;
    }
    case SHUFFLE_FIRST:
        return x[first_bit(here) - 1][p];
    case SHUFFLE_LAST:
        return x[31 - leading_zeros(here)][p];
    case BALLOT:
        return yes;
    case ANY:
        return yes != 0;
    case ALL:
        return yes == here;
    case MATCH_ANY:
        return equal;
    case MATCH_ALL:
        return equal == here ? here + 1 : 0;
    case TILE_SUM:
    case TILE_SCAN:
        value = 0;
        for (unsigned l = lane / width * width; l < lane / width * width + width; l++)
            value += op->code == TILE_SUM || l <= lane ? x[l][p] : 0;
        return value;
    case TILE_ROTATE:
        return x[lane / width * width + (lane + k) % width][p];
    default:
        return value;
    }
}

static void warps(struct block *b, const struct op *op)
{
    for (unsigned w = 0; w < b->threads; w += 32) {
        unsigned lanes = b->threads - w < 32 ? b->threads - w : 32;
        uint32_t x[32][4], here = 0;
        for (unsigned l = 0; l < lanes; l++) {
            memcpy(x[l], b->thread[w + l].x, sizeof x[l]);
            here |= (uint32_t)is_here(b, w + l) << l;
        }
        for (unsigned l = 0; l < lanes; l++)
            if (here >> l & 1)
                b->thread[w + l].x[op->a] = of_warp(op, (const uint32_t(*)[4])x, here, l, lanes);
    }
}

static void barrier(struct block *b, const struct op *op)
{
    unsigned live = 0, yes = 0;
    for (unsigned t = 0; t < b->threads; t++) {
        live += is_here(b, t);
        yes += is_here(b, t) && (b->thread[t].x[op->b] >> op->k % 32 & 1);
    }
    unsigned result = op->code == SYNC_COUNT ? yes : op->code == SYNC_AND ? yes == live : yes > 0;
    for (unsigned t = 0; op->code != SYNC && t < b->threads; t++)
        if (is_here(b, t))
            b->thread[t].x[op->a] = result;
}

/* A part of the operations, from one that opens to its ELSE or END: the place after it. */
static unsigned skip(const struct op *ops, unsigned i)
{
    for (unsigned depth = 0;; i++) {
        unsigned code = ops[i].code;
        if (depth == 0 && (code == ELSE || code == END))
            return i;
        depth += code == IF || code == IF_WARP || code == IF_BLOCK || code == LOOP || code == WHILE;
        depth -= code == END;
    }
}

static bool condition(const struct block *b, unsigned rank, const struct op *op)
{
    return op->code == IF_WARP    ? rank / 32 % 2 == op->k % 2
           : op->code == IF_BLOCK ? b->number % 2 == op->k % 2
                                  : b->thread[rank].x[op->b] >> op->k % 32 & 1;
}

static void run(struct block *b, unsigned from, unsigned to);

static void branch(struct block *b, unsigned i)
{
    const struct op *ops = b->kernel->ops;
    bool before[MOST_THREADS], yes[MOST_THREADS];
    unsigned middle = skip(ops, i + 1),
             end = ops[middle].code == ELSE ? skip(ops, middle + 1) : middle;
    for (unsigned t = 0; t < b->threads; t++) {
        before[t] = b->thread[t].here;
        yes[t] = condition(b, t, &ops[i]);
    }
    for (unsigned half = 0; half < 2; half++) {
        for (unsigned t = 0; t < b->threads; t++)
            b->thread[t].here = before[t] && yes[t] == (half == 0);
        run(b, half == 0 ? i + 1 : middle + 1, half == 0 ? middle : end);
    }
    for (unsigned t = 0; t < b->threads; t++)
        b->thread[t].here = before[t];
}

static void loop(struct block *b, unsigned i)
{
    const struct op *op = &b->kernel->ops[i];
    bool before[MOST_THREADS];
    unsigned rounds[MOST_THREADS], end = skip(b->kernel->ops, i + 1);
    for (unsigned t = 0; t < b->threads; t++) {
        before[t] = b->thread[t].here;
        rounds[t] = op->code == LOOP ? op->k : b->thread[t].x[op->b] & 3;
    }
    for (unsigned round = 0; round < 4; round++) {
        for (unsigned t = 0; t < b->threads; t++)
            b->thread[t].here = before[t] && round < rounds[t];
        run(b, i + 1, end);
    }
    for (unsigned t = 0; t < b->threads; t++)
        b->thread[t].here = before[t];
}

static void finish(struct block *b, unsigned rank)
{
    memcpy(b->out + (b->number * b->threads + rank) * OUT_WORDS + 4, b->thread[rank].x,
           sizeof b->thread[rank].x);
    b->thread[rank].gone = true;
}

static void run(struct block *b, unsigned from, unsigned to)
{
    const struct op *ops = b->kernel->ops;
    for (unsigned i = from; i < to; i++) {
        const struct op *op = &ops[i];
        if (op->code == IF || op->code == IF_WARP || op->code == IF_BLOCK) {
            branch(b, i);
            i = skip(ops, i + 1);
            i = ops[i].code == ELSE ? skip(ops, i + 1) : i;
        } else if (op->code == LOOP || op->code == WHILE) {
            loop(b, i);
            i = skip(ops, i + 1);
        } else if (op->code == RETURN) {
            for (unsigned t = 0; t < b->threads; t++)
                if (is_here(b, t) && (b->thread[t].x[op->b] & 7) == op->k)
                    finish(b, t);
        } else if (op->code >= SYNC && op->code <= SYNC_OR) {
            barrier(b, op);
        } else if (op->code >= WARP_EXCHANGE) {
            warps(b, op);
        } else {
            for (unsigned t = 0; t < b->threads; t++)
                if (is_here(b, t))
                    alone(b, t, op);
        }
    }
}

void reference(const struct kernel *kernel, const unsigned *in, const unsigned *table,
               unsigned *out, unsigned *total)
{
    static struct block b;
    for (unsigned number = 0; number < kernel->blocks; number++) {
        b = (struct block){kernel, in, table, out, total, number, kernel->threads, {{{0}}}, {{0}}};
        for (unsigned t = 0; t < b.threads; t++) {
            b.thread[t] = (struct thread){
                {in[(number * b.threads + t) % IN_WORDS], t, number * 77 + t % 32, 5}, true, false};
        }
        run(&b, 0, kernel->count);
        for (unsigned t = 0; t < b.threads; t++)
            if (!b.thread[t].gone)
                finish(&b, t);
    }
}
