/* locals.cu: accesses outside of a local array, by a function that has only a pointer to it: what
 * simcc --locals sees.
 * run: SIMT_SCHEDULE=0 KERNEL
 * run: SIMT_SCHEDULE=3 KERNEL
 * build: --locals
 * tier: more
 */
#include "kernels.h"

__device__ __noinline__ void fill(int *to, int n, int from = 0) {
    for (int i = from; i < n; i++) to[i] = i; /* EXPECT past: writes 4 bytes at byte 32 of its local variable a of 32 bytes$ */ /* EXPECT before: writes 4 bytes, 4 before its local variable a of 32 bytes$ */ /* EXPECT three: writes 4 bytes at byte 12 of its local variable a of 12 bytes$ */
}
__device__ __noinline__ int sum(const int *of, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += of[i]; /* EXPECT reads: reads 4 bytes at byte 32 of its local variable a of 32 bytes$ */
    return s;
}
#define EIGHT (blockDim.x / 8)
static __device__ void fill_two(int *data, int n, int from) {
    int a[8], b[8];
    fill(b, 8);
    fill(a, n, from);
    data[threadIdx.x] = a[threadIdx.x % 8] + b[threadIdx.x % 8];
}
KERNEL(past, 2, 64) { fill_two(data, EIGHT + 1, 0); }
KERNEL(before, 2, 64) { fill_two(data, EIGHT, -1); }
KERNEL(three, 2, 64) {
    int a[3];
    fill(a, EIGHT / 2);
    data[threadIdx.x] = a[threadIdx.x % 3];
}
KERNEL(reads, 2, 64) {
    int a[8];
    fill(a, EIGHT);
    data[threadIdx.x] = sum(a, EIGHT + 1);
}
KERNEL(right, 2, 64) {
    __shared__ volatile int flag;
    int a[8];
    fill(a, EIGHT);
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    if (threadIdx.x == 33) flag = 1;
    while (threadIdx.x == 1 && flag == 0) ;
    data[threadIdx.x] = sum(a, EIGHT) + atomicAdd(&data[100], 1);
}
