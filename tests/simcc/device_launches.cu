// nvcc: -rdc=true -lcudadevrt
// Kernels that launch kernels: a tree of grids, what they leave, and launches that come after all others of their grid.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }

template <class T> __global__ void grow(T *nodes, T *leaves, int depth) {
    if (threadIdx.x > 0) return;
    atomicAdd(&nodes[depth], 1);
    if (depth < 3) grow<<<2, 32>>>(nodes, leaves, depth + 1);
    else add<<<dim3(1, 2), 4>>>(leaves, 1);
}

// Quicksort, as many a tutorial has it: the two parts are sorted by grids of their own.
__global__ void sort(int *a, int left, int right) {
    int i = left, k = right, pivot = a[(left + right) / 2];
    while (i <= k) {
        while (a[i] < pivot) i++;
        while (a[k] > pivot) k--;
        if (i <= k) {
            const int swapped = a[i];
            a[i++] = a[k], a[k--] = swapped;
        }
    }
    if (left < k) sort<<<1, 1>>>(a, left, k);
    if (i < right) sort<<<1, 1>>>(a, i, right);
}

__global__ void write(int *last, int value) { *last = value; }

__global__ void tail(int *last) {
    write<<<1, 1, 0, cudaStreamTailLaunch>>>(last, 2);
    *last = 1;
}

int main() {
    const int n = 100;
    int *m = managed<int>(6), *a = managed<int>(n, [](int i) { return i * 37 % n; });
    grow<<<1, 32>>>(m, m + 4, 0);
    tail<<<1, 1>>>(m + 5);
    sort<<<1, 1>>>(a, 0, n - 1);
    EACH_LEFT(d, 4, m[d] == 1 << d);
    EXPECT(m[4] == 8 * 8 && m[5] == 2);
    EACH(i, n, a[i] == i);
    return verdict();
}
