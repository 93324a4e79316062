/* stops.cu: what ends a launch beside faults.cu: assertions, traps, what curand, textures and
 * Thrust refuse; and a kernel's name in a message, however it is declared.
 * run: KERNEL
 * expect sobol_from_the_host: ^curandSetQuasiRandomGeneratorDimensions\(\) of 40: .* has 32$
 * tier: more
 */
#include "kernels.h"
#include <cassert>
#include <curand.h>
#include <curand_kernel.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>

__global__ void asserts(int) { assert(threadIdx.x < 3); /* EXPECT false_assertion: asserts, block \(0,0,0\), thread \(3,0,0\): assertion `threadIdx\.x < 3' failed$ */ }
CASE(false_assertion) { asserts<<<1, 32>>>(0); }
KERNEL(trap, 1, 32) { if (threadIdx.x == 7) __trap(); /* EXPECT trap: trap, block \(0,0,0\), thread \(7,0,0\): __trap\(\)$ */ }
__global__ void fetch(cudaTextureObject_t t, int *p) { *p = tex2D<float>(t, 0, 0); /* EXPECT layers: reads by tex2D\(\) an array of another kind: one with layers$ */ }
CASE(layers) {
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaResourceDesc r = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    cudaMalloc3DArray(&r.res.array.array, &d, make_cudaExtent(4, 4, 2), cudaArrayLayered);
    cudaCreateTextureObject(&t, &r, &how, 0);
    fetch<<<1, 1>>>(t, device);
}

/* Sobol's numbers of more dimensions than there are. */
__global__ void start(curandDirectionVectors32_t *v) {
    curandStateSobol32 s;
    curand_init(v[threadIdx.x], 0, &s); /* EXPECT sobol_in_a_kernel: start, block \(0,0,0\), thread \(32,0,0\): curand_init\(\) gets no direction vectors: the simulator has those of 32 dimensions$ */
}
CASE(sobol_in_a_kernel) {
    curandDirectionVectors32_t *all, *v;
    curandGetDirectionVectors32(&all, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
    cudaMalloc(&v, 33 * sizeof *v);
    cudaMemcpy(v, all, 33 * sizeof *v, cudaMemcpyHostToDevice);
    start<<<1, 33>>>(v);
}
CASE(sobol_from_the_host) {
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_QUASI_DEFAULT);
    exit(curandSetQuasiRandomGeneratorDimensions(g, 40));
}

/* Thrust's algorithms are kernels: what a functor does wrong is found. */
CASE(functor) {
    thrust::device_vector<int> v(4); /* EXPECT functor: made at */
    const int *p = thrust::raw_pointer_cast(v.data());
    thrust::for_each(v.begin(), v.end(), [=] __device__(int &x) { x = p[5]; /* EXPECT functor: reads 4 bytes at byte 20 of an allocation of 16 bytes, made at */ });
}

#define STORE { int *null = nullptr; null[threadIdx.x] = 1; }
namespace a { namespace b { template <class T, int N> __global__ void k(T) STORE /* EXPECT in_namespaces: a::b::k<int, 4>, block \(0,0,0\), thread \(0,0,0\): writes 4 bytes */ } }
namespace { __global__ void k(int) STORE /* EXPECT without_a_name: \(anonymous namespace\)::k, block */ }
template <class F> __global__ void functional(F f) STORE /* EXPECT of_a_lambda: (functional<run_of_a_lambda\(\)::\{lambda\(int\)#\d\}>|\?), block */
extern "C" __global__ void as_in_c(int) STORE /* EXPECT of_c: as_in_c, block */
CASE(in_namespaces) { a::b::k<int, 4><<<1, 1>>>(0); }
CASE(without_a_name) { k<<<1, 1>>>(0); }
CASE(of_a_lambda) { functional<<<1, 1>>>([](int i) { return i; }); }
CASE(of_c) { as_in_c<<<1, 1>>>(0); }
