/* extras.cu: random numbers, textures and surfaces, tensor cores, inline PTX and functions at the
 * end of a barrier's phase, each wrong in one place, or right where that looks alike.
 * run: SIMT_STRICT=1 SIMT_SCHEDULE=0..2 KERNEL
 * tier: more
 */
#include "kernels.h"
#include <cuda/barrier>
#include <curand_kernel.h>
#include <mma.h>
namespace wmma = nvcuda::wmma;

enum { N = 64, SIDE = 8 };

struct things {
    float *in, *out;
    __half *matrix;
    curandState *states; /* no kernel has made them */
    cudaTextureObject_t floats, bytes, linear, gone;
    cudaSurfaceObject_t surface, plain; /* plain: of an array that is for no surface */
};

template <class T> static cudaResourceDesc array_of(unsigned flags) {
    const cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
    const T zeros[SIDE * SIDE] = {};
    cudaResourceDesc r = {};
    cudaMallocArray(&r.res.array.array, &desc, SIDE, SIDE, flags);
    cudaMemcpyToArray(r.res.array.array, 0, 0, zeros, sizeof zeros, cudaMemcpyHostToDevice);
    return r;
}

static things make_things(void) {
    things t;
    cudaTextureDesc how = {};
    t.in = (float *)device; /* both 0 */
    t.matrix = (__half *)other;
    cudaMalloc(&t.out, N * sizeof *t.out);
    cudaMalloc(&t.states, N * sizeof *t.states);
    cudaResourceDesc floats = array_of<float>(cudaArraySurfaceLoadStore),
                     bytes = array_of<unsigned char>(0), plain = array_of<float>(0), linear = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear = {t.in, cudaCreateChannelDesc<float>(), N * sizeof *t.in};
    cudaCreateTextureObject(&t.floats, &floats, &how, nullptr);
    cudaCreateTextureObject(&t.gone, &floats, &how, nullptr);
    cudaDestroyTextureObject(t.gone);
    cudaCreateTextureObject(&t.bytes, &bytes, &how, nullptr);
    cudaCreateTextureObject(&t.linear, &linear, &how, nullptr);
    cudaCreateSurfaceObject(&t.surface, &floats);
    cudaCreateSurfaceObject(&t.plain, &plain);
    return t;
}
#undef KERNEL
#define KERNEL(NAME) KERNEL_OF(NAME, , (things t), NAME<<<1, N>>>(make_things()))

KERNEL(state_never_made) { t.out[threadIdx.x] = curand_uniform(&t.states[threadIdx.x]); /* EXPECT state_never_made: reads global memory that no thread or copy has written */ }
KERNEL(state_of_all) {
    if (threadIdx.x == 0) curand_init(1, 0, 0, t.states);
    __syncthreads();
    t.out[threadIdx.x] = curand_uniform(t.states); /* EXPECT state_of_all: (read-write|write-write) race in global memory */
}
KERNEL(texture_of_another_type) { t.out[threadIdx.x] = tex2D<float>(t.bytes, 0, 0); /* EXPECT texture_of_another_type: fetches floats from a texture that gives unsigned numbers */ }
KERNEL(texture_destroyed) { t.out[threadIdx.x] = tex2D<float>(t.gone, 0, 0); /* EXPECT texture_destroyed: uses a texture object that was destroyed */ }
KERNEL(surface_as_texture) { t.out[threadIdx.x] = tex2D<float>(t.surface, 0, 0); /* EXPECT surface_as_texture: uses a surface object as a texture */ }
KERNEL(linear_by_coordinates) { t.out[threadIdx.x] = tex1D<float>(t.linear, 1.5f); /* EXPECT linear_by_coordinates: tex1Dfetch\(\) does */ }
KERNEL(outside_right) {
    t.out[threadIdx.x] = tex2D<float>(t.floats, -5.0f, 1e9f) + tex1Dfetch<float>(t.linear, -1) +
                         tex1Dfetch<float>(t.linear, N);
}
KERNEL(texture_written_now) {
    t.in[threadIdx.x] = 1;
    __syncthreads();
    t.out[threadIdx.x] = tex1Dfetch<float>(t.linear, threadIdx.x); /* EXPECT texture_written_now: through a texture or surface what this launch has written */
}
KERNEL(surface_written_now) {
    int x = threadIdx.x % SIDE * sizeof(float), y = threadIdx.x / SIDE;
    surf2Dwrite(1.0f, t.surface, x, y);
    t.out[threadIdx.x] = surf2Dread<float>(t.surface, x, y); /* EXPECT surface_written_now: through a texture or surface what this launch has written */
}
KERNEL(surface_in_elements) { surf2Dwrite(1.0f, t.surface, threadIdx.x % SIDE, threadIdx.x / SIDE); /* EXPECT surface_in_elements: x = \d, which counts bytes */ }
KERNEL(surface_outside) { surf2Dwrite(1.0f, t.surface, SIDE * (int)sizeof(float), 0); /* EXPECT surface_outside: a surface of 8 by 8 elements at byte 32 of row 0 */ }
KERNEL(surface_by_two) { surf2Dwrite((float)threadIdx.x, t.surface, 4, threadIdx.x / 2 % SIDE); /* EXPECT surface_by_two: write-write race in global memory */ }
KERNEL(surface_of_no_surface) { t.out[threadIdx.x] = surf2Dread<float>(t.plain, 0, 0); /* EXPECT surface_of_no_surface: without cudaArraySurfaceLoadStore */ }

typedef wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fragment_a;
typedef wmma::fragment<wmma::accumulator, 16, 16, 16, float> fragment_sum;

KERNEL(half_a_warp) {
    fragment_a a;
    if (threadIdx.x % 32 < 16) wmma::load_matrix_sync(a, t.matrix, 16); /* EXPECT half_a_warp: takes all 32 lanes of a warp, and lane 16 has returned */
}
KERNEL(own_addresses) {
    fragment_a a;
    wmma::load_matrix_sync(a, t.matrix + 16 * (threadIdx.x % 2), 16); /* EXPECT own_addresses: lane \d+ gives another address or distance than lane 0 */
}
KERNEL(odd_distance) {
    fragment_a a;
    wmma::load_matrix_sync(a, t.matrix, 15); /* EXPECT odd_distance: rows that lie a multiple of 16 bytes apart */
}
KERNEL(store_and_read) {
    __shared__ alignas(32) float tile[256];
    fragment_sum sum;
    wmma::fill_fragment(sum, 1.0f);
    if (threadIdx.x < 32) wmma::store_matrix_sync(tile, sum, 16, wmma::mem_row_major); /* MAY store_and_read: read-write race */
    if (threadIdx.x < 32) t.out[threadIdx.x] = tile[255 - threadIdx.x]; /* MAY store_and_read: (read-write race|no thread of its block has written) */
}

__device__ void copy_async(void *to, const void *from) {
    asm volatile( "cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from));
}
KERNEL(copy_without_wait) {
    __shared__ float tile[N];
    copy_async(&tile[threadIdx.x], &t.in[threadIdx.x]);
    asm volatile("cp.async.commit_group;");
    t.out[threadIdx.x] = tile[threadIdx.x]; /* EXPECT copy_without_wait: reads shared memory that an asynchronous copy is to fill */
}
KERNEL(copy_to_generic) {
    __shared__ float tile[N];
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"l"(&tile[threadIdx.x]), "l"(t.in)); /* EXPECT copy_to_generic: is no address of shared memory */
}

/* What the function of a phase writes is known to all who waited, not to those who only arrived. */
template <class F> __device__ void add_up(things t, F wait) {
    __shared__ float values[N], sum;
    float *to = &sum; /* a variable of thread 0, as its address is in every thread */
    auto add = [&] {
        for (int i = 0; i < N; i++) *to += values[i]; /* MAY end_of_phase_unwaited: read-write race */
    };
    using barrier = cuda::barrier<cuda::thread_scope_block, decltype(add)>;
    __shared__ alignas(barrier) char storage[sizeof(barrier)];
    barrier &b = *(barrier *)storage;
    if (threadIdx.x == 0) {
        sum = 0;
        init(&b, N, add);
    }
    values[threadIdx.x] = 1;
    __syncthreads();
    auto token = b.arrive();
    wait(b, token);
    t.out[threadIdx.x] = sum; /* MAY end_of_phase_unwaited: read-write race */
}
KERNEL(end_of_phase_right) { add_up(t, [](auto &b, auto &token) { b.wait(std::move(token)); }); }
KERNEL(end_of_phase_unwaited) { add_up(t, [](auto &, auto &) {}); }
