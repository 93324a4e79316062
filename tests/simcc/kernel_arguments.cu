// What a kernel takes: classes, and references.
#include <cstdio>
#include <cstring>

// Classes as arguments of kernels. CUDA copies such an argument once, for the launch, and each thread gets its bytes: no
// thread runs a copy constructor or a destructor.
namespace kernel_arguments {

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

static int test()
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

} // namespace kernel_arguments

// Kernels with parameters that are references, to managed memory: objects that allocate themselves there.
namespace references {

struct managed {
    void *operator new(size_t bytes)
    {
        void *p;
        cudaMallocManaged(&p, bytes);
        return p;
    }
    void operator delete(void *p) { cudaFree(p); }
};

struct text : managed {
    char *characters;
    int length;
    explicit text(const char *from) : length((int)strlen(from))
    {
        cudaMallocManaged(&characters, length + 1);
        memcpy(characters, from, length + 1);
    }
    text(const text &) = delete;
    ~text() { cudaFree(characters); }
};

__global__ void capitals(text &t, int from)
{
    const int i = from + threadIdx.x;
    if (i < t.length && t.characters[i] >= 'a' && t.characters[i] <= 'z')
        t.characters[i] -= 'a' - 'A';
}

__global__ void copies(const text &from, char (&to)[32]) { to[threadIdx.x] = (int)threadIdx.x <= from.length ? from.characters[threadIdx.x] : 0; }

__managed__ char result[32];

static int test()
{
    text *t = new text("hello, world");
    capitals<<<1, 32>>>(*t, 5);
    copies<<<1, 32>>>(*t, result);
    cudaDeviceSynchronize();
    printf("%s\n", result);
    const int wrong = strcmp(result, "hello, WORLD") != 0;
    delete t;
    return wrong;
}

} // namespace references

int main()
{
    return kernel_arguments::test() | references::test();
}
