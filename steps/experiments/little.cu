/*
 * Experiment little: how many bytes must be in flight?
 *
 * Asks:    Is it true that only the number of bytes in flight matters (Little's law: bytes in
 *          flight = bandwidth * latency), whether by many threads or by many loads of each?
 * How:     one loop; 1 to 8 blocks of 256 threads on each SM, 1 to 8 loads at once in each
 *          thread, 4 or 16 bytes each. bB_fF: B blocks, F loads of 4 bytes. bB_vF: of 16 bytes.
 * Expect:  (written before the first run; H200)
 *          - bandwidth = 132 SMs * B * 256 * F * bytes / latency, until the roof. The latency
 *            with few bytes in flight is 424 ns (step 06 at 256M: 8 KiB for each SM, 2530 GB/s).
 *            So b1_f1 320 GB/s, b2_f1 and b1_f2 640, b4_f1, b2_f2 and b1_f4 1270, b8_f1, b4_f2,
 *            b2_f4, b1_f8 and b2_v1 2550.
 *          - The roof, 4.6 TB/s, is met at 15 KiB for each SM by that latency; but a busy memory
 *            answers later, so it will take 32 KiB: b8_f4, b4_f8, b8_v1, b4_v2, b2_v4.
 *          - Equal bytes, equal bandwidth, to 10 %.
 * Run:     make little && ./little -n 64M
 */
#include "parts.h"

template <typename V, int FLIGHT>
static __global__ void sum_blocks(const float *in, float *partial, size_t n)
{
    float sum = block_sum(thread_sum<V, FLIGHT>(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

/* A GPU spreads the blocks of a grid evenly over its SMs. */
template <int BLOCKS, typename V, int FLIGHT> static void launch(struct sum *s)
{
    unsigned wanted = blocks_for(s->n, s->block), most = BLOCKS * s->sms;
    s->grid = wanted < most ? wanted : most;
    sum_blocks<V, FLIGHT><<<s->grid, s->block, 0, s->stream>>>(s->in, s->scratch, s->n);
    CUDA_CHECK(cudaGetLastError());
    sum_blocks<float, 1><<<1, s->block, 0, s->stream>>>(s->scratch, s->out, s->grid);
    CUDA_CHECK(cudaGetLastError());
    s->depth = block_depth<V, FLIGHT>(s->n, (size_t)s->grid * s->block) +
               block_depth<float, 1>(s->grid, s->block);
}

/* bB_fF or bB_vF, see above. (CUDA 12.4 cannot compile a variable that is a template, of a struct.)
 */
template <int BLOCKS, typename V, int FLIGHT>
static const struct variant *in_flight(const char *name)
{
    static const struct variant v = {
        .name = name,
        .what = sizeof(V) == sizeof(float)
                    ? "bB_fF: B blocks on each SM, F loads of 4 bytes at once"
                    : "bB_vF: B blocks on each SM, F loads of 16 bytes at once",
        .launch = launch<BLOCKS, V, FLIGHT>,
        .block_rule = BLOCK_WHOLE_WARPS,
        .min_block = 32,
    };
    return &v;
}

static const struct variant *const variants[] = {
    in_flight<1, float, 1>("b1_f1"),
    in_flight<1, float, 2>("b1_f2"),
    in_flight<1, float, 4>("b1_f4"),
    in_flight<1, float, 8>("b1_f8"),
    in_flight<1, float4, 1>("b1_v1"),
    in_flight<1, float4, 2>("b1_v2"),
    in_flight<1, float4, 4>("b1_v4"),
    in_flight<2, float, 1>("b2_f1"),
    in_flight<2, float, 2>("b2_f2"),
    in_flight<2, float, 4>("b2_f4"),
    in_flight<2, float, 8>("b2_f8"),
    in_flight<2, float4, 1>("b2_v1"),
    in_flight<2, float4, 2>("b2_v2"),
    in_flight<2, float4, 4>("b2_v4"),
    in_flight<4, float, 1>("b4_f1"),
    in_flight<4, float, 2>("b4_f2"),
    in_flight<4, float, 4>("b4_f4"),
    in_flight<4, float, 8>("b4_f8"),
    in_flight<4, float4, 1>("b4_v1"),
    in_flight<4, float4, 2>("b4_v2"),
    in_flight<4, float4, 4>("b4_v4"),
    in_flight<8, float, 1>("b8_f1"),
    in_flight<8, float, 2>("b8_f2"),
    in_flight<8, float, 4>("b8_f4"),
    in_flight<8, float, 8>("b8_f8"),
    in_flight<8, float4, 1>("b8_v1"),
    in_flight<8, float4, 2>("b8_v2"),
    in_flight<8, float4, 4>("b8_v4"),
    NULL,
};

extern const struct lesson lesson = {
    .name = "little",
    .idea = "bandwidth against bytes in flight",
    .variants = variants,
};
