// Classes as arguments of kernels. CUDA copies such an argument once, for the launch, and each thread gets its bytes: no
// thread runs a copy constructor or a destructor.
#include <cstdio>

static int copies, ends;

struct Buffer {
    int *p;
    explicit Buffer(int n) { cudaMalloc(&p, n * sizeof *p); }
    Buffer(const Buffer &other) : p(other.p) { copies++; }
    __host__ __device__ ~Buffer()
    {
#ifndef __CUDA_ARCH__
        ends++;
#endif
    }
};

__global__ void fill(Buffer b, int value)
{
    b.p += threadIdx.x; // each thread's own
    *b.p = value + (int)(blockIdx.x * blockDim.x);
}

template <class T, class F> __global__ void apply(T b, F f, float4 by)
{
    b.p[threadIdx.x] = f(b.p[threadIdx.x]) + (int)by.w;
}

int main()
{
    int h[4], wrong = 0;
    Buffer b(4);
    fill<<<1, 4>>>(b, 5);
    wrong += copies != ends || copies < 1 || copies > 2;
    copies = ends = 0;
    apply<<<1, 4>>>(b, [] __device__(int x) { return 2 * x; }, make_float4(0, 0, 0, 1));
    wrong += copies != ends || copies > 2;
    copies = 0;
    int value = 3;
    void *arguments[] = {&b, &value};
    cudaLaunchKernel((const void *)fill, dim3(1), dim3(1), arguments, 0, 0);
    wrong += copies != 0;
    cudaMemcpy(h, b.p, sizeof h, cudaMemcpyDeviceToHost);
    wrong += h[0] != 3 || h[1] != 11 || h[3] != 11;
    cudaFree(b.p);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
