// C++ on the device, and code that asks which pass of the compiler it is in.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <array>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

// Modern C++ on the device: functor templates, lambdas, constexpr, class methods, namespaces.
namespace functors {
namespace gpu {

template <class T> class buffer {
    T *data_ = nullptr;
    std::size_t size_ = 0;

public:
    explicit buffer(std::size_t n) : size_(n) { CHECK(cudaMalloc(&data_, n * sizeof(T))); }
    buffer(buffer &&o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(o.size_) {}
    ~buffer() { cudaFree(data_); }

    // what kernels get: a view, copied by value
    struct view {
        T *data;
        std::size_t size;
        __host__ __device__ constexpr T &operator[](std::size_t i) const { return data[i]; }
        __device__ T *begin() const { return data; }
        __device__ T *end() const { return data + size; }
    };
    operator view() const { return {data_, size_}; }
    T get(std::size_t i) const { T v; CHECK(cudaMemcpy(&v, data_ + i, sizeof v, cudaMemcpyDefault)); return v; }
};

__host__ __device__ constexpr unsigned ceil_div(unsigned a, unsigned b) { return (a + b - 1) / b; }
template <unsigned N> struct log2_of { static constexpr unsigned value = 1 + log2_of<N / 2>::value; };
template <> struct log2_of<1> { static constexpr unsigned value = 0; };

namespace detail {
template <class View, class F>
__global__ void transform(View v, F f) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < v.size; i += std::size_t(gridDim.x) * blockDim.x) v[i] = f(i, v[i]);
}

template <class T, class Op, unsigned THREADS>
__global__ void __launch_bounds__(THREADS) fold(const T *in, std::size_t n, T *out, T init, Op op) {
    __shared__ T cache[THREADS];
    T mine = init;
    for (std::size_t i = threadIdx.x; i < n; i += THREADS) mine = op(mine, in[i]);
    cache[threadIdx.x] = mine;
    #pragma unroll
    for (unsigned level = 0; level < log2_of<THREADS>::value; ++level) {
        __syncthreads();
        const unsigned half = THREADS >> (level + 1);
        if (threadIdx.x < half) cache[threadIdx.x] = op(cache[threadIdx.x], cache[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) *out = cache[0];
}
} // namespace detail

template <class T, class F> void transform(const buffer<T> &b, F f) {
    typename buffer<T>::view v = b;
    detail::transform<<<ceil_div(v.size, 128u), 128>>>(v, f);
    CHECK(cudaGetLastError());
}
template <class T, class Op> T fold(const buffer<T> &b, T init, Op op) {
    constexpr unsigned threads = 64;
    buffer<T> out(1);
    typename buffer<T>::view v = b;
    detail::fold<T, Op, threads><<<1, threads>>>(v.data, v.size, typename buffer<T>::view(out).data, init, op);
    return out.get(0);
}

template <class T> struct maximum { __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
struct multiply_add {
    double factor, summand;
    __device__ __noinline__ double operator()(std::size_t, double x) const { return apply(x); }
private:
    __device__ double apply(double x) const { return fma(x, factor, summand); }
};

// the curiously recurring template, resolved at compile time
template <class Derived> struct shape {
    __device__ float area() const { return static_cast<const Derived *>(this)->area_impl(); }
};
struct circle : shape<circle> { float r; __device__ float area_impl() const { return 3.0f * r * r; } };
struct square : shape<square> { float a; __device__ float area_impl() const { return a * a; } };
template <class... Shapes> __global__ void total_area(float *out, Shapes... shapes) { *out = (0.0f + ... + shapes.area()); }
} // namespace gpu

namespace { template <int... I> __global__ void sum_pack(int *out, std::integer_sequence<int, I...>) { *out = (I + ...); } }

static void test() {
    using namespace gpu;
    static_assert(log2_of<64>::value == 6 && ceil_div(65, 64) == 2);
    buffer<double> b(1000);
    const int shift = 3;
    transform(b, [=] __device__ (std::size_t i, double) { return double(i % 17) + shift; });
    EXPECT(b.get(16) == 19.0);
    double sum = fold(b, 0.0, [] __device__ (double x, double y) { return x + y; });
    double most = fold(b, -HUGE_VAL, maximum<double>());
    transform(b, multiply_add{2.0, -1.0});

    double expected = 0;
    for (int i = 0; i < 1000; ++i) expected += i % 17 + shift;
    buffer<float> area(1);
    circle c; c.r = 2; square s; s.a = 3;
    total_area<<<1, 1>>>(buffer<float>::view(area).data, c, s, s);
    buffer<int> packed = buffer<int>(1);
    sum_pack<<<1, 1>>>(buffer<int>::view(packed).data, std::make_integer_sequence<int, 5>());

    EXPECT(sum == expected && most == 19 && b.get(1) == 7 && area.get(0) == 30 && packed.get(0) == 10);
}
} // namespace functors

// Code that asks which pass of the compiler it is in: bodies for one architecture, fall-backs for
// old ones, functions of both kinds that differ, macros that differ.
namespace architectures {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *address, double value);   // hardware has none
#error "too old"
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#define HAS_DOUBLE_ADD 1
#endif

#ifdef __CUDA_ARCH__
#define WHERE 2
#define NAME(x) device_##x
#else
#define WHERE 1
#define NAME(x) host_##x
#endif

__global__ void guarded(int *out)
{
#if __CUDA_ARCH__ >= 700
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i + 1;
#endif
}

__global__ void chosen(int *out)
{
#if __CUDA_ARCH__ >= 900
    const int factor = 9;
#elif __CUDA_ARCH__ >= 800
    const int factor = 8;
#else
    const int factor = 1;
#endif
    out[threadIdx.x] = factor * WHERE;
}

__host__ __device__ int where()
{
#ifdef __CUDA_ARCH__
    return 10 * threadIdx.x + WHERE;
#else
    return WHERE;
#endif
}

struct counter {
    int n;
    __host__ __device__ void add(int by)
    {
        int before = by;
#ifdef __CUDA_ARCH__
        if (before >= 0) {
            atomicAdd(&n, by);
#else
        if (before >= 0 && n >= 0) {
            n += by;
#endif
        }
    }
    __host__ __device__ constexpr static int lanes()
    {
#if defined(__CUDA_ARCH__)
        return 32;
#else
        return 1;
#endif
    }
};

static __device__ int device_value() { return 5; }
static int host_value() { return 7; }
template <typename T> __host__ __device__ T value(T x) { return x + NAME(value)(); }

__global__ void mixed(int *out, counter *c)
{
    out[threadIdx.x] = where() + 1000 * value(1) + 100000 * counter::lanes();
    c->add(1);
#ifndef __CUDA_ARCH__
    out[threadIdx.x] = -1;
#endif
}

static void test()
{
    int *guarded_out = managed<int>(64), *chosen_out = managed<int>(32), *out = managed<int>(32);
    counter *c = managed<counter>(1), here = {0};
    guarded<<<2, 32>>>(guarded_out);
    chosen<<<1, 32>>>(chosen_out);
    mixed<<<1, 32>>>(out, c);
    EACH_LEFT(i, 64, guarded_out[i] == i + 1);
    EXPECT(chosen_out[3] == 9 * 2 || chosen_out[3] == 8 * 2 || chosen_out[3] == 1 * 2);
    EACH(i, 32, out[i] == 10 * i + 2 + 1000 * 6 + 100000 * 32);
    here.add(4), here.add(-4);
    EXPECT(c->n == 32 && here.n == 4 && where() == 1 && value(1) == 8 && counter::lanes() == 1 && WHERE == 1);
}

#undef HAS_DOUBLE_ADD
#undef WHERE
#undef NAME
} // namespace architectures

int main()
{
    functors::test(), architectures::test();
    return verdict();
}
