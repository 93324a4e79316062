/*
 * Experiment shuffle_cost: what does a shuffle cost?
 *
 * Asks:    Source 002 calls a shuffle an exchange of "zero or nearly zero overhead". How many
 *          cycles until its result can be used (latency), and how many can an SM do (rate)?
 *          Beside it the same exchange through shared memory, barriers alone, atomics of shared
 *          memory, and plain additions. Votes, matches and reductions: vote_cost.cu.
 * How:     see cycles.h. An even number of exchanges gives each lane its own value back; the
 *          others have their own final values. All are checked.
 * Expect:  (the first four written before the first run, the others before theirs; H200. Table:
 *          CUDA C++ Programming Guide, "Throughput of Native Arithmetic Instructions")
 *          - add: latency 4 cycles; rate 4 warps a cycle (128 additions, table).
 *          - shuffle: latency about 24 cycles, that of a read of shared memory, whose data path
 *            it uses; rate 1 warp a cycle (32 lanes, the same table).
 *          - shared: a store and a load, one after the other, so twice the latency, about 50
 *            cycles, and half the rate, 0.5.
 *          - shared_barrier, as in step 04's tree: some 20 cycles more for one warp.
 *          So five shuffles are about 120 cycles: not zero, but half of what they replace. (This
 *          sentence was struck out after the run that refuted it, and is back.)
 *          - add_int: 4 cycles; rate between 2 (64 additions, table) and 4, since nvcc makes
 *            multiply-adds of some, which are another unit's. broadcast: shuffle and addition, 28;
 *            who reads whom makes no difference. shuffle_index, where the lane to read from is what
 *            the last one brought: 24, too.
 *          - syncwarp: 1 cycle, a NOP. barrier: two of them made `shared` 12 cycles longer, and
 *            some of it was hidden: 15 each; with 8 warps 20, with 32 warps 45, one more for each.
 *          - atomics of shared memory: on 32 words 50 cycles, a read and a write in one, rate 0.5;
 *            all lanes on one word, 32 turns: 50 + 31 * 2 = 112, rate 0.02. Where nvcc knows of the
 *            one address (atomic_known), it scans the lanes by 5 shuffles and sends one atomic:
 *            5 * 28 + 50 + 24 for the way back, 210 cycles, but a rate of 0.15.
 * Run:     make shuffle_cost && ./shuffle_cost
 * Prints a CSV. The simulator has no clock: there the values are checked, and no more.
 */
#include "cycles.h"

enum op {
    ADD,
    ADD_INT,
    SHUFFLE,
    BROADCAST,
    SHUFFLE_INDEX,
    SYNCWARP,
    BARRIER,
    SHARED,
    SHARED_BARRIER,
    ATOMIC,
    ATOMIC_ONE,
    ATOMIC_KNOWN
};

template <int OP> static __device__ void step(struct link *l, struct unknown u)
{
    if (OP == ADD)
        l->value = __float_as_uint(__uint_as_float(l->value) + 1.0f);
    if (OP == ADD_INT) /* Fibonacci's: a sum of constants would be folded into one */
        l->value += l->before;
    if (OP == SHUFFLE)
        l->value = __shfl_xor_sync(ALL, l->value, 1);
    if (OP == BROADCAST)
        l->value = __shfl_sync(ALL, l->value, u.source) + l->lane; /* or nvcc drops the second */
    if (OP == SHUFFLE_INDEX) /* lane x has x ^ 1: who is read next */
        l->value = __shfl_sync(ALL, l->lane ^ u.one, l->value);
    if (OP == SYNCWARP)
        __syncwarp();
    if (OP == BARRIER)
        __syncthreads();
    if (OP == SHARED || OP == SHARED_BARRIER) {
        *l->mine = l->value;
        OP == SHARED ? __syncwarp() : __syncthreads();
        l->value = *l->partner;
        OP == SHARED ? __syncwarp() : __syncthreads(); /* before the next round overwrites it */
    }
    unsigned nothing = l->value & u.zero; /* but it needs what the last one brought */
    if (OP == ATOMIC)
        l->value = atomicAdd(l->mine, nothing | u.one);
    if (OP == ATOMIC_ONE)
        l->value = atomicAdd(l->row + nothing, u.one);
    if (OP == ATOMIC_KNOWN) /* nvcc sees that all lanes have one address */
        l->value = atomicAdd(l->row, nothing | u.one);
}

template <int OP> static __device__ unsigned result(const struct link *l)
{
    return OP == ATOMIC ? *l->mine : OP >= ATOMIC_ONE ? *l->row : l->value;
}

static void replay(int op, unsigned value[32], const unsigned before[32], unsigned threads)
{
    unsigned old[32];
    memcpy(old, value, sizeof old);
    for (unsigned lane = 0; lane < 32; lane++) {
        if (op == ADD) {
            float sum;
            memcpy(&sum, &old[lane], sizeof sum);
            sum += 1.0f;
            memcpy(&value[lane], &sum, sizeof sum);
        }
        if (op == ADD_INT)
            value[lane] += before[lane];
        if (op == SHUFFLE || op == SHARED || op == SHARED_BARRIER)
            value[lane] = old[lane ^ 1];
        if (op == BROADCAST)
            value[lane] = old[5] + lane;
        if (op == SHUFFLE_INDEX)
            value[lane] = (old[lane] % 32) ^ 1;
        if (op >= ATOMIC) /* the word, when all have added their ones */
            value[lane] = ROUNDS * (op == ATOMIC ? 1 : threads);
    }
}

int main(int argc, char **argv)
{
    begin_program(argv[0]);
    if (argc > 1)
        return complain(STATUS_USAGE, "\"%s\": there are no options", argv[1]);
    int status = select_device(0), wrong = 0;
    if (status >= 0)
        return status;
    print_columns();
    wrong += measure_both<ADD>("add", 32);
    wrong += measure_both<ADD_INT>("add_int", 32);
    wrong += measure_both<SHUFFLE>("shuffle", 32);
    wrong += measure_both<BROADCAST>("broadcast", 32);
    wrong += measure_both<SHUFFLE_INDEX>("shuffle_index", 32);
    wrong += measure_both<SYNCWARP>("syncwarp", 32);
    wrong += measure<BARRIER, 1>("barrier", 32, 32);
    wrong += measure<BARRIER, 1>("barrier_8", 256, 32);
    wrong += measure<BARRIER, 1>("barrier_32", 1024, 32);
    wrong += measure_both<SHARED>("shared", 32);
    wrong += measure_both<SHARED_BARRIER>("shared_barrier", 32);
    wrong += measure_both<ATOMIC>("atomic", 32);
    wrong += measure_both<ATOMIC_ONE>("atomic_one", 32);
    wrong += measure_both<ATOMIC_KNOWN>("atomic_known", 32);
    return judge("shuffle_cost", wrong);
}
