// What these programs share.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <initializer_list>
#include <vector>

static int wrong; // EXPECT() counts what is not so, and says where; after calls of which one fails CHECK() ends the program
#define EXPECT(...) (void)((__VA_ARGS__) || (std::printf("line %d: not so: %s\n", __LINE__, #__VA_ARGS__), ++wrong))
#define CHECK(...) check_calls({__VA_ARGS__}, #__VA_ARGS__, __LINE__)
inline void check_calls(std::initializer_list<cudaError_t> errors, const char *calls, int line)
{
    for (cudaError_t error : errors)
        if (error != cudaSuccess) std::printf("line %d: %s: %s, %s\n", line, calls, cudaGetErrorName(error), cudaGetErrorString(error)), std::exit(1);
}

// After all kernels have ended: LEFT(...) must be so; EACH_LEFT(i, n, ...) for each i below n.
#define LEFT(...) (CHECK(cudaDeviceSynchronize()), EXPECT(__VA_ARGS__))
#define EACH_LEFT(i, COUNT, ...) EACH(i, (CHECK(cudaDeviceSynchronize()), COUNT), __VA_ARGS__)
#define EACH(i, COUNT, ...) for (int i = 0, count_of_##i = (int)(COUNT); i < count_of_##i; i++) EXPECT(__VA_ARGS__)

// In kernels: a table of values, each beside what is right. failures counts what is wrong there.
__managed__ int failures;
struct Same {
    double got, right;
    bool so;
    template <class A, class B> __device__ Same(A a, B b) : got((double)a), right((double)b), so(a == b) {}
};
template <int N> __device__ void compare(const Same (&table)[N], const char *what) {
    for (int i = 0; i < N; i++)
        if (!table[i].so) printf("%s, thread %d, number %d: %.17g, not %.17g\n", what, (int)threadIdx.x, i, table[i].got, table[i].right), atomicAdd(&failures, 1);
}

// Memory of both sides: zeros, or the values of a function.
template <class T> T *managed(size_t count)
{
    T *p;
    CHECK(cudaMallocManaged(&p, count * sizeof *p));
    return p;
}
template <class T, class F> T *managed(size_t count, F value)
{
    T *p = managed<T>(count);
    for (size_t i = 0; i < count; i++) p[i] = (T)value((int)i);
    return p;
}

// The status of the program.
inline int verdict()
{
    CHECK(cudaDeviceSynchronize());
    std::printf("%d wrong\n", wrong + failures);
    return wrong + failures != 0;
}
