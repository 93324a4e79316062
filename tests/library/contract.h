/* contract.h: what the tests of the library's contracts share. */
#ifndef CONTRACT_H
#define CONTRACT_H

#include "../tap.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {
#include "check.h"
#include "cuda_errors.h"
#include "data.h"
#include "element.h"
}

template <class T> static T *on_host(size_t count) {
    T *p = (T *)malloc(count * sizeof(T));
    return p != NULL ? p : (exit(77), p);
}

template <class T> static T *on_gpu(size_t count) {
    T *p;
    CUDA_CHECK(cudaMalloc(&p, count * sizeof(T)));
    return p;
}

static inline void to_gpu(void *to, const void *from, size_t bytes) {
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}

static inline void to_host(void *to, const void *from, size_t bytes) {
    CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

template <class T> static T one_from(const T *from) {
    T x;
    to_host(&x, from, sizeof x);
    return x;
}

/* A workspace of exactly so many bytes, zeroed: the simulator reports an access after its end. */
template <class WORKSPACE> static WORKSPACE workspace_of(size_t bytes) {
    WORKSPACE w = {on_gpu<char>(bytes), bytes};
    CUDA_CHECK(cudaMemset(w.memory, 0, bytes));
    return w;
}

static inline cudaStream_t new_stream(void) {
    cudaStream_t stream;
    CUDA_CHECK(cudaStreamCreate(&stream));
    return stream;
}

/* What a stream has captured, as a graph that can be launched. */
static inline cudaGraphExec_t end_capture(cudaStream_t stream) {
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
    return executable;
}

/* What queue() queues, in a graph that is launched again and again: after(i) looks at each. */
template <class QUEUE, class AFTER>
static void in_a_graph(cudaStream_t stream, int launches, QUEUE queue, AFTER after) {
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    queue();
    cudaGraphExec_t executable = end_capture(stream);
    for (int i = 0; i < launches; i++) {
        CUDA_CHECK(cudaGraphLaunch(executable, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        after(i);
    }
    CUDA_CHECK(cudaGraphExecDestroy(executable));
}

template <class T> static __global__ void fill(T *x, size_t n, T value) {
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = value;
}

/* A message for each status, and for what is none. */
template <class STATUS, class MESSAGE> static bool messages_differ(STATUS last, MESSAGE message) {
    bool different = strlen(message((STATUS)99)) > 0;
    for (int i = 0; i <= last; i++)
        for (int j = 0; j < i; j++) different &= strcmp(message((STATUS)i), message((STATUS)j)) != 0;
    return different;
}

#endif
