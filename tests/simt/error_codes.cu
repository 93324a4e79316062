/* error_codes.cu: what a launch that cannot be answers, and where. docs/questions.md shows it. */
#include <cooperative_groups.h>
#include <stdio.h>

static __global__ void whole_grid(void) { cooperative_groups::this_grid().sync(); }

static __global__ void with_shared(void) {
    extern __shared__ int words[];
    words[threadIdx.x] = 0;
}

/* cudaGetLastError() after it: the next line begins without an error. */
static void show(const char *what, cudaError_t error) {
    printf("%-46s%s (%d)\n", what, cudaGetErrorName(error), (int)error);
    cudaGetLastError();
}

int main(void) {
    void *memory;
    show("cooperative launch of 100,000 blocks",
         cudaLaunchCooperativeKernel((const void *)whole_grid, 100000, 256, NULL, 0, 0));
    with_shared<<<1, 2000>>>();
    show("a block of 2000 threads", cudaGetLastError());
    with_shared<<<0, 32>>>();
    show("a grid of 0 blocks", cudaGetLastError());
    with_shared<<<1, 32, 60000>>>();
    show("60,000 bytes of shared memory, not asked for", cudaGetLastError());
    show("300,000 bytes, asked for",
         cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
    show("cudaMalloc() of 2^50 bytes", cudaMalloc(&memory, (size_t)1 << 50));
    return 0;
}
