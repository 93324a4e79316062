// nvcc: -rdc=true -lcudadevrt
// Kernels that launch kernels: a tree of grids, what they leave, and launches that come after all others of their grid.
#include <cstdio>

__global__ void add(int *sum, int value)
{
    atomicAdd(sum, value);
}

template <class T> __global__ void grow(T *nodes, T *leaves, int depth)
{
    if (threadIdx.x > 0)
        return;
    atomicAdd(&nodes[depth], 1);
    if (depth < 3)
        grow<<<2, 32>>>(nodes, leaves, depth + 1);
    else
        add<<<dim3(1, 2), 4>>>(leaves, 1);
}

// Quicksort, as many a tutorial has it: the two parts are sorted by grids of their own.
__global__ void sort(int *a, int left, int right)
{
    int i = left, k = right, pivot = a[(left + right) / 2];
    while (i <= k) {
        while (a[i] < pivot)
            i++;
        while (a[k] > pivot)
            k--;
        if (i <= k) {
            const int swapped = a[i];
            a[i++] = a[k];
            a[k--] = swapped;
        }
    }
    if (left < k)
        sort<<<1, 1>>>(a, left, k);
    if (i < right)
        sort<<<1, 1>>>(a, i, right);
}

__global__ void write(int *last, int value)
{
    *last = value;
}

__global__ void tail(int *last)
{
    write<<<1, 1, 0, cudaStreamTailLaunch>>>(last, 2);
    *last = 1;
}

int main()
{
    const int n = 100;
    int *m, wrong = 0;
    cudaMallocManaged(&m, (n + 8) * sizeof *m); // zeros
    grow<<<1, 32>>>(m, m + 4, 0);
    tail<<<1, 1>>>(m + 5);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < n; i++)
        m[8 + i] = i * 37 % n;
    sort<<<1, 1>>>(m + 8, 0, n - 1);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int d = 0; d < 4; d++)
        wrong += m[d] != 1 << d;
    wrong += m[4] != 8 * 8 || m[5] != 2;
    for (int i = 0; i < n; i++)
        wrong += m[8 + i] != i;
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
