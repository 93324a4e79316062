/*
 * Experiment vote_cost: what do the warp's other tools cost?
 *
 * Asks:    Source 002 means all of them by its "zero or nearly zero overhead". How many cycles
 *          for a vote, a match, a reduction by one instruction, and one by five shuffles?
 * How:     see cycles.h. The result of an operation is what the next one works on: of any and
 *          all the contrary; of ballot one bit for each lane, by a test; of match the mask itself;
 *          of reduce the result plus the lane's number. All final values are checked.
 * Expect:  (written before the first run; H200. Table: CUDA C++ Programming Guide, "Throughput of
 *          Native Arithmetic Instructions")
 *          - any, all: rate 2 (64 lanes a cycle, table); latency 12: no data path of the memory's,
 *            but a result for all lanes out of all lanes, so longer than an addition.
 *          - ballot: 5 more for the test of the bit; rate 1, since the test takes as long as the
 *            vote.
 *          - match_any: not in the table. If it takes the different values one after another, the
 *            time depends on their number: 25 cycles for one, 10 for each of 32: 320.
 *          - reduce_add, reduce_max: rate 0.5 (16 lanes, table); latency 30: like a shuffle, and
 *            then the way out of a register that all lanes share.
 *          - sum_shuffles: five times shuffle and addition: 5 * (24 + 4) = 140 cycles, rate 0.2. So
 *            one reduce_add saves four fifths of the wait and has 2.5 times the rate.
 * Run:     make vote_cost && ./vote_cost
 * Prints a CSV. The simulator has no clock: there the values are checked, and no more.
 */
#include "cycles.h"

enum op { ANY, EVERY, BALLOT, MATCH, REDUCE_ADD, REDUCE_MAX, SUM_SHUFFLES };

static __device__ unsigned reduced(int op, unsigned value)
{
#ifdef REDUCE_CODE
    return op == REDUCE_ADD ? __reduce_add_sync(ALL, value) : __reduce_max_sync(ALL, value);
#else
    return op + value; /* never: main() asks the device first */
#endif
}

template <int OP> static __device__ void step(struct link *l, struct unknown u)
{
    (void)u;
    if (OP == ANY)
        l->value = !__any_sync(ALL, l->value);
    if (OP == EVERY)
        l->value = !__all_sync(ALL, l->value);
    if (OP == BALLOT)
        l->value = __ballot_sync(ALL, (l->value & 1u << l->lane) == 0);
    if (OP == MATCH)
        l->value = __match_any_sync(ALL, l->value);
    if (OP == REDUCE_ADD || OP == REDUCE_MAX)
        l->value = reduced(OP, l->value) + l->lane;
    if (OP == SUM_SHUFFLES) {
#pragma unroll
        for (int offset = 16; offset > 0; offset /= 2)
            l->value += __shfl_xor_sync(ALL, l->value, offset);
        l->value += l->lane;
    }
}

template <int OP> static __device__ unsigned result(const struct link *l)
{
    return l->value;
}

static void replay(int op, unsigned value[32], const unsigned before[32], unsigned threads)
{
    unsigned old[32], sum = 0, largest = 0, some = 0, zeros = 0;
    (void)before, (void)threads;
    memcpy(old, value, sizeof old);
    for (unsigned lane = 0; lane < 32; lane++) {
        sum += old[lane];
        largest = old[lane] > largest ? old[lane] : largest;
        some += old[lane] != 0;
        zeros |= (~old[lane] >> lane & 1) << lane;
    }
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned equal = 0;
        for (unsigned l = 0; l < 32; l++)
            equal |= (unsigned)(old[l] == old[lane]) << l;
        value[lane] = op == ANY          ? some == 0
                      : op == EVERY      ? some < 32
                      : op == BALLOT     ? zeros
                      : op == MATCH      ? equal
                      : op == REDUCE_MAX ? largest + lane
                                         : sum + lane;
    }
}

int main(int argc, char **argv)
{
    begin_program(argv[0]);
    if (argc > 1)
        return complain(STATUS_USAGE, "\"%s\": there are no options", argv[1]);
    int status = select_device(0), major = 0, wrong = 0;
    if (status >= 0)
        return status;
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    print_columns();
    wrong += measure_both<ANY>("any", 32);
    wrong += measure_both<EVERY>("all", 32);
    wrong += measure_both<BALLOT>("ballot", 32);
    wrong += measure_both<MATCH>("match_1", 1);
    wrong += measure_both<MATCH>("match_2", 2);
    wrong += measure_both<MATCH>("match_32", 32);
    if (major >= 8) {
        wrong += measure_both<REDUCE_ADD>("reduce_add", 32);
        wrong += measure_both<REDUCE_MAX>("reduce_max", 32);
    } else {
        fprintf(stderr, "vote_cost: no reductions here: they need compute capability 8.0\n");
    }
    wrong += measure_both<SUM_SHUFFLES>("sum_shuffles", 32);
    return judge("vote_cost", wrong);
}
