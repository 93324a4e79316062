// A Jacobi solver that stays in one kernel: grid.sync() between iterations.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <cmath>
#include <iostream>

namespace cg = cooperative_groups;

__device__ double residual;

template <typename real>
__global__ void jacobi(real *x, real *x_new, const real *b, int n, int iterations)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block cta = cg::this_thread_block();
    __shared__ double partial;

    for (int k = 0; k < iterations; ++k) {
        for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) {
            real left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
            x_new[i] = (b[i] + left + right) / 4;
        }
        grid.sync();
        real *t = x; x = x_new; x_new = t;
    }
    if (cta.thread_rank() == 0) partial = 0;
    cta.sync();
    for (auto i = grid.thread_rank(); i < n; i += grid.size()) {
        real left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
        atomicAdd(&partial, fabs((double)(4 * x[i] - left - right - b[i])));
    }
    cta.sync();
    if (cta.thread_rank() == 0) atomicAdd(&residual, partial);
}

int main()
{
    int dev = 0, supportsCoopLaunch = 0, perSM = 0, threads = 64, n = 1000, iterations = 40;
    cudaDeviceGetAttribute(&supportsCoopLaunch, cudaDevAttrCooperativeLaunch, dev);
    if (!supportsCoopLaunch) { std::cout << "no cooperative launch here\n"; return 0; }
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, dev);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, jacobi<double>, threads, 0);

    double *x, *x_new, *b, zero = 0;
    for (double **p : {&x, &x_new, &b}) cudaMallocManaged(p, n * sizeof(double));
    for (int i = 0; i < n; ++i) { x[i] = 0; b[i] = std::sin(0.1 * i); }
    cudaMemcpyToSymbol(residual, &zero, sizeof zero);

    void *kernelArgs[] = { &x, &x_new, &b, &n, &iterations };
    dim3 dimBlock(threads, 1, 1), dimGrid(std::min(prop.multiProcessorCount * perSM, 16), 1, 1);
    cudaError_t e = cudaLaunchCooperativeKernel((void *)jacobi<double>, dimGrid, dimBlock, kernelArgs);
    if (e == cudaSuccess) e = cudaDeviceSynchronize();
    double r;
    cudaMemcpyFromSymbol(&r, residual, sizeof r);
    std::cout << cudaGetErrorString(e) << ", residual " << r << '\n';

    // a grid that cannot be resident at once
    e = cudaLaunchCooperativeKernel((void *)jacobi<double>, dim3(prop.multiProcessorCount * perSM + 1), dimBlock, kernelArgs);
    bool refused = e == cudaErrorCooperativeLaunchTooLarge;
    cudaGetLastError();
    return r > 0 && r < 1e-8 && refused ? 0 : 1;
}
