// What these programs share.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static int wrong; // EXPECT() counts what is not so, and says where; after a call that fails CHECK() ends the program
#define EXPECT(...) (void)((__VA_ARGS__) || (std::printf("line %d: not so: %s\n", __LINE__, #__VA_ARGS__), ++wrong))
#define CHECK(...) check_call((__VA_ARGS__), #__VA_ARGS__, __LINE__)
inline void check_call(cudaError_t error, const char *call, int line)
{
    if (error == cudaSuccess) return;
    std::printf("line %d: %s: %s\n", line, call, cudaGetErrorString(error));
    std::exit(1);
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
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
