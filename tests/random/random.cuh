/*
 * random.cuh: runs random kernels, which generate.py writes after this, and compares what they
 * leave in memory with what it says. Any compiler of CUDA takes it.
 */
#include "../simcc/check.cuh"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

enum { IN_WORDS = 1024, TABLE_WORDS = 64, OUT_WORDS = 8, TOTALS = 8 };

struct kernel {
    const char *name;
    void (*launch)(const unsigned *in, unsigned *out, unsigned *total);
    unsigned blocks, threads;     // of one block
    const unsigned *out, *totals; // what it must leave in out (blocks x threads x OUT_WORDS) and in total (TOTALS)
};

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

static int run_all(const unsigned *in, const unsigned *constants, const struct kernel *kernels, unsigned count)
{
    unsigned different = 0, sum = 0, total[TOTALS], *device_in, *device_out, *device_total;
    const unsigned most = 4 * 256 * OUT_WORDS, first[TOTALS] = {0, ~0u, 0, 0, 0, ~0u, 0, 0}; // of a minimum, of AND
    std::vector<unsigned> out(most);
    CHECK(cudaMalloc(&device_in, IN_WORDS * sizeof *in));
    CHECK(cudaMalloc(&device_out, most * sizeof(unsigned)));
    CHECK(cudaMalloc(&device_total, sizeof total));
    CHECK(cudaMemcpy(device_in, in, IN_WORDS * sizeof *in, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(table, constants, sizeof table));
    for (const struct kernel *k = kernels; k < kernels + count; k++) {
        const unsigned words = k->blocks * k->threads * OUT_WORDS;
        CHECK(cudaMemset(device_out, 0xa5, words * sizeof(unsigned)));
        CHECK(cudaMemcpy(device_total, first, sizeof first, cudaMemcpyHostToDevice));
        k->launch(device_in, device_out, device_total);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(out.data(), device_out, words * sizeof(unsigned), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(total, device_total, sizeof total, cudaMemcpyDeviceToHost));
        const unsigned at = difference(out.data(), k->out, words), at_total = difference(total, k->totals, TOTALS);
        for (unsigned i = 0; i < words; i++) sum = sum * 31 + out[i];
        for (unsigned i = 0; i < TOTALS; i++) sum = sum * 31 + total[i];
        different += at < words || at_total < TOTALS;
        if (at < words)
            printf("%s: word %u of thread %u of block %u is 0x%08x, not 0x%08x\n", k->name, at % OUT_WORDS, at / OUT_WORDS % k->threads,
                   at / OUT_WORDS / k->threads, out[at], k->out[at]);
        else if (at_total < TOTALS)
            printf("%s: total %u is 0x%08x, not 0x%08x\n", k->name, at_total, total[at_total], k->totals[at_total]);
    }
    printf("%u kernels, %u differ, checksum %08x\n", count, different, sum);
    return different > 0;
}
