/*
 * launch_forms.cu: the ways in which people spell a kernel launch and a shared array.
 * A text that only looks like one, kernel<<<1, 2>>>(x), must be left alone.
 * run: SIMT_SCHEDULE=0..3
 * tier: more
 */
#include "check.cuh"
#include <string>

template <typename T> struct Wrapper { T value; };
template <typename T, int N> struct Row { T item[N]; };
struct Limits { static const int threads = 8; };

#ifdef __maxnreg__
#define FEW_REGISTERS __maxnreg__(64)
#else // before CUDA 12.4
#define FEW_REGISTERS
#endif
__global__ void FEW_REGISTERS set(int *p, int v) { *p = v; }
__global__ void set_default(int *p, int v = 41) { *p = v; }
__global__ void nothing() {}
__global__ void is_null(const float *p, int *out) { *out = p == nullptr; }
__global__ void count_threads(int *out) { atomicAdd(out, 1); }
template <typename T> __global__ void deduced(T *out, T a, T b) { *out = a + b; }
template <int N, typename T> __global__ void partly(T *out, T v) { *out = v * N; }
template <typename T, int N = 3> __global__ void nested(int *out, Row<Wrapper<T>, N> row) {
    *out = 0;
    for (int i = 0; i < N; ++i)
        *out += row.item[i].value;
}
template <class F> __global__ void apply(int *out, F f) { out[threadIdx.x] = f(threadIdx.x); }

namespace outer { namespace inner {
__global__ void add_one(int *p) { *p += 1; }
template <typename T> __global__ void twice(T *p) { *p *= 2; }
} }
namespace {
__global__ void hidden(int *p) { *p = 7; }
}
template <typename T> static void twice_of(T *p) { outer::inner::template twice<T><<<1, 1>>>(p); }
extern "C" __global__ void c_name(int *p) { *p = 8; }

// shared arrays in every usual spelling
extern __shared__ __align__(16) unsigned char raw[];
__global__ void file_scope(int *out) {
    float *f = reinterpret_cast<float *>(raw);
    int *n = (int *)(raw + blockDim.x * sizeof(float));
    f[threadIdx.x] = threadIdx.x * 0.5f;
    n[threadIdx.x] = threadIdx.x;
    __syncthreads();
    unsigned other = blockDim.x - 1 - threadIdx.x;
    out[threadIdx.x] = (int)(2 * f[other]) + n[other];
}
__global__ void function_scope(int *out) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
template <typename T> __global__ void of_type_t(T *out) {
    extern __shared__ __align__(sizeof(double)) char bytes[];
    T *s = (T *)bytes;
    s[threadIdx.x] = T(threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
__global__ void rows(int *out) {
    extern __shared__ volatile int
        tile[][4];
    tile[threadIdx.y][threadIdx.x] = 10 * threadIdx.y + threadIdx.x;
    __syncthreads();
    out[threadIdx.y * 4 + threadIdx.x] = tile[blockDim.y - 1 - threadIdx.y][threadIdx.x];
}
__global__ void fixed(int *out) {
    static __shared__ int a[32];
    volatile __shared__ int b[32];
    __shared__ alignas(16) int c[32], d;
    __shared__ struct { int x, y; } pair;
    a[threadIdx.x] = c[threadIdx.x] = threadIdx.x;
    b[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) {
        d = 5;
        pair.x = 1, pair.y = 2;
    }
    __syncthreads();
    unsigned o = 31 - threadIdx.x;
    out[threadIdx.x] = a[o] + b[o] + c[o] + d + pair.x + pair.y;
}

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define GRID dim3(1)
#define CONFIG <<<1, 1>>>

class Runner
{
  public:
    explicit Runner(int *p) : p_(p) {}
    int run() {
        set<<<1, 1>>>(p_, start_);
        kernel_<<<1, 1>>>(p_);
        return read();
    }
    int read() const {
        CHECK(cudaDeviceSynchronize());
        return *p_;
    }

  private:
    int *p_;
    int start_ = 20;
    void (*kernel_)(int *) = outer::inner::add_one;
};

template <typename T> T add_on_device(T a, T b) {
    T *d = managed<T>(1);
    deduced<T><<<1, 1>>>(d, a, b);
    CHECK(cudaDeviceSynchronize());
    return *d;
}

int main() {
    int *d = managed<int>(64);
    auto get = [&](int i = 0) {
        CHECK(cudaDeviceSynchronize());
        return d[i];
    };
    const char *text = "set<<<1, 1>>>(d, 1); \" still text <<<2>>>(x)";
    const char *raw_text = R"tag(set<<<1, 1>>>(d, "1");)tag";
    EXPECT(!strncmp(text + 3, "<" "<" "<1, 1>", 7) && !strncmp(raw_text + 3, "<" "<" "<1, 1>", 7));

    set<<<1,1>>>(d,1); EXPECT(get() == 1);
    set <<< 1 , 1 >>> ( d , 2 ) ; EXPECT(get() == 2);
    set
        <<<dim3(1, 1, 1), dim3(1)
           >>>
        (d, 3);
    EXPECT(get() == 3);
    set << <1, 1 >> > (d, 33);      // as some editors lay it out
    EXPECT(get() == 33);
    set<<<1, 1, 0>>>(d, 4); EXPECT(get() == 4);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    set<<<1, 1, 0, stream>>>(d, /* the fifth <<<1, 1>>>(d) */ 5); EXPECT(get() == 5);
    set_default<<<1, 1, 4 * (1 + 1), 0>>>(d); EXPECT(get() == 41);
    nothing<<<1, 32>>>();
    is_null<<<1, 1>>>(NULL, d); EXPECT(get() == 1);

    deduced<<<1, 1>>>(d, 4, 5); EXPECT(get() == 9);
    partly<6><<<1, 1>>>(d, 7); EXPECT(get() == 42);
    partly<(8 >> 1)> <<<(1 << 0), 1>>>(d, 7); EXPECT(get() == 28);
    Row<Wrapper<int>, 3> row = {{{1}, {2}, {3}}};
    nested<<<1, 1>>>(d, row); EXPECT(get() == 6);
    Row<Wrapper<Wrapper<int>>, 1> deep = {{{{9}}}}; // >>> not needed, >> is
    EXPECT(deep.item[0].value.value == 9);
    cudaMemset(d, 0, sizeof(int));
    count_threads<<<sizeof(Row<Wrapper<char>, 3>), Limits::threads>>>(d); EXPECT(get() == 24);

    outer::inner::add_one<<<1, 1>>>(d);
    ::outer::inner::twice<int><<<1, 1>>>(d); EXPECT(get() == 50);
    twice_of(d); EXPECT(get() == 100);
    hidden<<<1, 1>>>(d); EXPECT(get() == 7);
    c_name<<<1, 1>>>(d); EXPECT(get() == 8);

    void (*pointer)(int *) = hidden;
    pointer<<<1, 1>>>(d); EXPECT(get() == 7);
    void (*table[2])(int *) = {hidden, c_name};
    for (int i = 0; i < 2; ++i) table[i]<<<1, 1>>>(d);
    EXPECT(get() == 8);
    (*pointer)<<<1, 1>>>(d); EXPECT(get() == 7);
    EXPECT(Runner(d).run() == 21);
    EXPECT(add_on_device(1.5, 2.0) == 3.5);

    LAUNCH(set, GRID, 1, d, 11); EXPECT(get() == 11);
    LAUNCH((partly<5, int>), 1, 1, d, 3); EXPECT(get() == 15);
    set CONFIG (d, 12); EXPECT(get() == 12);
    if (get() == 12) set<<<1, 1>>>(d, 13); else set<<<1, 1>>>(d, 14);
    EXPECT(get() == 13);

    int offset = 100;
    apply<<<1, 4>>>(d, [=] __device__(int i) { return i + offset; }); EXPECT(get(3) == 103);

    dim3 gridDim(2, 1), blockDim(4, 2); // names of their own on the host
    cudaMemset(d, 0, sizeof(int));
    count_threads<<<gridDim, blockDim>>>(d); EXPECT(get() == 16);

    void *arguments[] = {&d, &offset};
    cudaLaunchKernel((const void *)set, dim3(1), dim3(1), arguments, 0, stream); EXPECT(get() == 100);
    int n = 6;
    void *more[] = {&d, &n};
    cudaLaunchKernel(partly<3, int>, 1, 1, more); EXPECT(get() == 18);

    file_scope<<<1, 8, 8 * (sizeof(float) + sizeof(int))>>>(d); EXPECT(get(0) == 14 && get(7) == 0);
    function_scope<<<1, 8, 8 * sizeof(int)>>>(d); EXPECT(get(4) == 5);
    of_type_t<int><<<1, 8, 8 * sizeof(int)>>>(d); EXPECT(get(0) == 7);
    double *dd = managed<double>(8);
    of_type_t<<<1, 8, 8 * sizeof(double)>>>(dd); LEFT(dd[1] == 6.0);
    rows<<<1, dim3(4, 3), 12 * sizeof(int)>>>(d); EXPECT(get(1) == 21);
    fixed<<<1, 32>>>(d); EXPECT(get(0) == 3 * 31 + 8);

    EXPECT(cudaGetLastError() == cudaSuccess);
    return verdict();
}
