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
    switch (op->code) {
    case ADD:
        *a = y + z;
        break;
    case SUB:
        *a = y - z;
        break;
    case MULTIPLY:
        *a = y * z;
        break;
    case MULTIPLY_HIGH:
        *a = (uint32_t)((uint64_t)y * z >> 32);
        break;
    case AND:
        *a = y & z;
        break;
    case OR:
        *a = y | z;
        break;
    case XOR:
        *a = y ^ z ^ k;
        break;
    case SHIFT_LEFT:
        *a = y << k % 32;
        break;
    case SHIFT_RIGHT:
        *a = y >> k % 32 | (y >> 31 ? ~(~0u >> k % 32) : 0);
        break;
    case FUNNEL:
        *a = (uint32_t)(((uint64_t)z << 32 | y) << k % 32 >> 32);
        break;
    case COUNT_BITS:
        *a = count_bits(y);
        break;
    case REVERSE_BITS:
        *a = reverse_bits(y);
        break;
    case LEADING_ZEROS:
        *a = leading_zeros(y);
        break;
    case FIRST_BIT:
        *a = first_bit(y);
        break;
    case BYTES:
        *a = choose_bytes(y, z, k);
        break;
    case LESS:
        *a = (y ^ 1u << 31) < (z ^ 1u << 31);
        break;
    case LEAST:
        *a = y < z ? y : z;
        break;
    case MOST:
        *a = y > z ? y : z;
        break;
    case SELECT:
        *a = y & 1 ? z : *a;
        break;
    case DIVIDE:
        *a = y / (z | 1);
        break;
    case REMAINDER:
        *a = y % (z % 1000 + 1);
        break;
    case FLOAT:
        *a = (y & 4095) * (z & 1023) + 7;
        break;
    case DOUBLE:
        *a = (uint32_t)((uint64_t)y * 3 + z);
        break;
    case LOCAL_ARRAY:
        local[y & 3] += z;
        *a = local[z & 3] ^ local[(z >> 2 & 3)];
        break;
    case CALL:
        *a = y > z ? y - z : (z - y) * 3 + k;
        break;
    case LOAD:
    case LOAD_READ_ONLY:
        *a = b->in[i % IN_WORDS];
        break;
    case LOAD_BYTE:
        *a = bytes[i % (4 * IN_WORDS)];
        break;
    case LOAD_SHORT:
        i = i % (2 * IN_WORDS) * 2;
        *a = bytes[i] | (uint32_t)bytes[i + 1] << 8;
        break;
    case LOAD_PAIR:
        i = i % (IN_WORDS / 2) * 2;
        *a = b->in[i] + 3 * b->in[i + 1];
        break;
    case LOAD_FOUR:
        i = i % (IN_WORDS / 4) * 4;
        *a = b->in[i] + 3 * b->in[i + 1] + 5 * b->in[i + 2] + 7 * b->in[i + 3];
        break;
    case LOAD_CONSTANT:
        *a = b->table[i % TABLE_WORDS];
        break;
    case STORE:
        *own = y;
        break;
    case LOAD_BACK:
        *a = y ^ *own;
        break;
    case ADD_TO_OWN:
        old = *own;
        *own += y;
        *a = old;
        break;
    case EXCHANGE_OWN:
        old = *own;
        *own = y;
        *a = old;
        break;
    case COMPARE_AND_SWAP_OWN:
        old = *own;
        *own = old % 2 == 0 ? y : old;
        *a = old;
        break;
    case ADD_TO_TOTAL:
        total[0] += y;
        break;
    case LEAST_TO_TOTAL:
        total[1] = total[1] < y ? total[1] : y;
        break;
    case MOST_TO_TOTAL:
        total[2] = total[2] > y ? total[2] : y;
        break;
    case XOR_TO_TOTAL:
        total[3] ^= y;
        break;
    case OR_TO_TOTAL:
        total[4] |= y & k;
        break;
    case AND_TO_TOTAL:
        total[5] &= y | k;
        break;
    case FLOAT_TO_TOTAL:
        total[6] = as_float(total[6], y & 15);
        break;
    case SHARED_STORE:
        shared[place(rank, k, n)] = y;
        break;
    case SHARED_STORE_BYTE:
        ((unsigned char *)shared)[place(rank, k, n)] = (unsigned char)y;
        break;
    case SHARED_LOAD_OWN:
        *a = y + shared[place(rank, k, n)];
        break;
    case SHARED_LOAD:
        *a = shared[i % n];
        break;
    case SHARED_ADD:
        shared[i % n] += x[op->a];
        break;
    case SHARED_XOR:
        shared[i % n] ^= x[op->a];
        break;
    case SHARED_MOST:
        shared[i % n] = shared[i % n] > x[op->a] ? shared[i % n] : x[op->a];
        break;
    }
}

static bool is_here(const struct block *b, unsigned rank)
{
    return b->thread[rank].here && !b->thread[rank].gone;
}

static uint32_t combine(unsigned code, uint32_t a, uint32_t b)
{
    switch (code) {
    case REDUCE_LEAST:
        return a < b ? a : b;
    case REDUCE_MOST:
        return a > b ? a : b;
    case REDUCE_AND:
        return a & b;
    case REDUCE_OR:
        return a | b;
    case REDUCE_XOR:
        return a ^ b;
    default:
        return a + b;
    }
}

/* The lane that a shuffle reads; beyond the edge of its segment a lane reads itself. */
static unsigned source(const struct op *op, unsigned lane, uint32_t y)
{
    unsigned width = 1u << op->c, first = lane / width * width, last = first + width - 1;
    unsigned k = op->k % 32;
    switch (op->code) {
    case SHUFFLE_UP:
        return lane >= first + k ? lane - k : lane;
    case SHUFFLE_DOWN:
        return lane + k <= last ? lane + k : lane;
    case SHUFFLE_XOR:
        return (lane ^ k) <= last ? lane ^ k : lane;
    default:
        return first + (y + op->k) % width;
    }
}

/* What one lane gets: of all in its warp that are here, with the registers that they had. */
static uint32_t of_warp(const struct op *op, const uint32_t x[32][4], uint32_t here, unsigned lane,
                        unsigned lanes)
{
    const unsigned p = op->b, width = 1u << op->c, k = op->k;
    uint32_t yes = 0, equal = 0, mine = x[lane][p], value = 0;
    bool first = true;
    for (unsigned l = 0; l < 32; l++) {
        if (!(here >> l & 1))
            continue;
        yes |= (x[l][p] >> k % 32 & 1) << l;
        equal |= (uint32_t)((x[l][p] & 3) == (mine & 3)) << l;
        value = first ? x[l][p] : combine(op->code, value, x[l][p]);
        first = false;
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
    switch (op->code) {
    case IF_WARP:
        return rank / 32 % 2 == op->k % 2;
    case IF_BLOCK:
        return b->number % 2 == op->k % 2;
    default:
        return b->thread[rank].x[op->b] >> op->k % 32 & 1;
    }
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
            uint32_t *x = b.thread[t].x;
            x[0] = in[(number * b.threads + t) % IN_WORDS];
            x[1] = t;
            x[2] = number * 77 + t % 32;
            x[3] = 5;
            b.thread[t].here = true;
        }
        run(&b, 0, kernel->count);
        for (unsigned t = 0; t < b.threads; t++)
            if (!b.thread[t].gone)
                finish(&b, t);
    }
}
