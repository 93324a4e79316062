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
#include "library/sum_f32_plan.h"

#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))
#ifndef SIMT_UNSEEN /* what the simulator does not look at: loops of the CPU */
#define SIMT_UNSEEN
#endif

static unsigned sms;
static bool hopper;

static inline bool find_device(void) { return sum_f32_device(&sms, &hopper) == SUM_F32_OK; }
static inline void say_clusters(void) { printf("# code with clusters: %s\n", hopper ? "yes" : "no"); }

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

static inline bool all_are(const void *bytes, size_t count, int value) {
    const unsigned char *byte = (const unsigned char *)bytes;
    return count == 0 || (byte[0] == value && memcmp(byte, byte + 1, count - 1) == 0);
}

/* Whether so many bytes of the GPU, at most 64, are all this one. */
static inline bool is_filled(const void *from, size_t bytes, int value) {
    char got[64];
    CUDA_CHECK(cudaDeviceSynchronize());
    to_host(got, from, bytes);
    return all_are(got, bytes, value);
}

static inline bool same_bits(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

/* A workspace of exactly so many bytes, zeroed: the simulator reports an access after its end. */
template <class WORKSPACE> static WORKSPACE workspace_of(size_t bytes) {
    WORKSPACE w = {on_gpu<char>(bytes), bytes};
    CUDA_CHECK(cudaMemset(w.memory, 0, bytes));
    return w;
}

/* Is this what one of the arguments begins with? If there are none, everything is. */
static inline bool is_chosen(char **arguments, const char *name) {
    bool chosen = *arguments == NULL;
    for (; *arguments != NULL; arguments++) chosen |= strncmp(*arguments, name, strlen(name)) == 0;
    return chosen;
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

/* What queue(stream) queues, in a graph that is launched again and again: after(i) looks at each. */
template <class QUEUE, class AFTER> static void in_a_graph(int launches, QUEUE queue, AFTER after) {
    cudaStream_t stream = new_stream();
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    queue(stream);
    cudaGraphExec_t executable = end_capture(stream);
    for (int i = 0; i < launches; i++) {
        CUDA_CHECK(cudaGraphLaunch(executable, stream));
        CUDA_CHECK(cudaStreamSynchronize(stream));
        after(i);
    }
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    CUDA_CHECK(cudaStreamDestroy(stream));
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
