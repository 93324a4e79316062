/*
 * random.cuh: runs random kernels, which generate.py writes after this, and compares what they
 * leave in memory with what reference.c says. Any compiler of CUDA takes it.
 */
#include "../simcc/check.cuh"
#include "random.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

__constant__ unsigned table[TABLE_WORDS];

__device__ __noinline__ unsigned differ(unsigned a, unsigned b, unsigned k)
{
    return a > b ? a - b : (b - a) * 3 + k;
}

/* The first word that differs, or count. */
static unsigned difference(const unsigned *a, const unsigned *b, unsigned count)
{
    unsigned i = 0;
    while (i < count && a[i] == b[i]) i++;
    return i;
}

static int run_all(const struct kernel *kernels, unsigned count)
{
    unsigned in[IN_WORDS], constants[TABLE_WORDS], different = 0, sum = 0;
    unsigned *device_in, *device_out, *device_total;
    const unsigned most = 4 * MOST_THREADS * OUT_WORDS;
    std::vector<unsigned> out(most), expected(most);
    for (unsigned i = 0; i < IN_WORDS; i++) in[i] = random_word(i);
    for (unsigned i = 0; i < TABLE_WORDS; i++) constants[i] = random_word(IN_WORDS + i);
    CHECK(cudaMalloc(&device_in, sizeof in));
    CHECK(cudaMalloc(&device_out, most * sizeof(unsigned)));
    CHECK(cudaMalloc(&device_total, TOTALS * sizeof(unsigned)));
    CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(table, constants, sizeof constants));
    for (const struct kernel *k = kernels; k < kernels + count; k++) {
        unsigned words = k->blocks * k->threads * OUT_WORDS, total[TOTALS], total_expected[TOTALS];
        for (unsigned i = 0; i < TOTALS; i++) total[i] = total_expected[i] = first_total(i);
        memset(expected.data(), 0xa5, words * sizeof(unsigned));
        CHECK(cudaMemset(device_out, 0xa5, words * sizeof(unsigned)));
        CHECK(cudaMemcpy(device_total, total, sizeof total, cudaMemcpyHostToDevice));
        k->launch(device_in, device_out, device_total);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out.data(), device_out, words * sizeof(unsigned), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(total, device_total, sizeof total, cudaMemcpyDeviceToHost));
        reference(k, in, constants, expected.data(), total_expected);
        unsigned at = difference(out.data(), expected.data(), words);
        unsigned at_total = difference(total, total_expected, TOTALS);
        for (unsigned i = 0; i < words; i++) sum = sum * 31 + out[i];
        for (unsigned i = 0; i < TOTALS; i++) sum = sum * 31 + total[i];
        different += at < words || at_total < TOTALS;
        if (at < words)
            printf("%s: word %u of thread %u of block %u is 0x%08x, not 0x%08x\n", k->name, at % OUT_WORDS, at / OUT_WORDS % k->threads,
                   at / OUT_WORDS / k->threads, out[at], expected[at]);
        else if (at_total < TOTALS)
            printf("%s: total %u is 0x%08x, not 0x%08x\n", k->name, at_total, total[at_total], total_expected[at_total]);
    }
    printf("%u kernels, %u differ, checksum %08x\n", count, different, sum);
    return different > 0;
}
