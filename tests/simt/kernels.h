/*
 * kernels.h: a program of many tests, as tests/expectations.py runs it: alone it lists them, and
 * PROGRAM NAME runs one.
 */
#ifndef KERNELS_H
#define KERNELS_H
#include "../../simulator/simt.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#ifndef ALL_AT_ONCE
#define ALL_AT_ONCE false /* true: without an argument all tests run, instead of being listed */
#endif
enum { WORDS = 16384 };
static struct test { const char *name; void (*run)(void); } tests[200];
static int test_count, failed, *device, *other, host[WORDS]; /* device and other: two allocations of WORDS ints that are 0 */
static int add_test(const char *name, void (*run)(void)) { tests[test_count] = {name, run}; return test_count++; }

/* CASE(name) { ... } is a test, in host code; CHECK(...) one thing that must be true in it, OK(call) one without an error. */
#define CASE(NAME)                                                   \
    static void run_##NAME(void);                                    \
    static const int number_of_##NAME = add_test(#NAME, run_##NAME); \
    static void run_##NAME(void)
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)
#define OK(CALL)   CHECK((CALL) == 0)
static void check(bool right, const char *what, int line)
{
    if (right)
        return;
    printf("wrong, line %d: %s\n", line, what);
    exit(3);
}

/* KERNEL(name, grid, block) { ... } is one, too: a kernel that gets both allocations. What may follow: attributes.
   LAUNCHED: of other words than int, and of what it leaves in host[] RIGHT must be true for each thread t of the first block. */
#define KERNEL(NAME, GRID, BLOCK, ...) LAUNCHED(NAME, GRID, BLOCK, int, true, __VA_ARGS__)
#define LAUNCHED(NAME, GRID, BLOCK, WORD, RIGHT, ...) \
    KERNEL_OF(NAME, __VA_ARGS__, (WORD *data, WORD *more), launched<WORD>(NAME, GRID, BLOCK, [](int t) -> bool { (void)t; return RIGHT; }))
/* A kernel with other parameters, and what launches it. */
#define KERNEL_OF(NAME, ATTRIBUTES, PARAMETERS, ...) \
    __global__ void NAME PARAMETERS;                 \
    CASE(NAME) { __VA_ARGS__; }                      \
    __global__ void ATTRIBUTES NAME PARAMETERS
template <class T> static void launched(void (*kernel)(T *, T *), dim3 grid, dim3 block, bool (*right)(int t))
{
    kernel<<<grid, block, 256>>>((T *)device, (T *)other);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    CHECK(cudaGetLastError() == cudaSuccess);
    for (int t = 0; t < (int)block.x; t++) {
        if (right(t))
            continue;
        printf("wrong: thread %d; its word is %d\n", t, host[t]);
        exit(3);
    }
}

int main(int argc, char **argv)
{
    cudaMalloc(&device, sizeof host);
    cudaMalloc(&other, sizeof host);
    for (int i = 0; i < test_count; i++)
        if (argc < 2 && !ALL_AT_ONCE)
            puts(tests[i].name);
        else if (argc < 2 || !strcmp(tests[i].name, argv[1])) {
            cudaMemset(device, 0, sizeof host);
            cudaMemset(other, 0, sizeof host);
            tests[i].run();
            printf("%s ran\n", tests[i].name);
        }
    return failed;
}
#endif
