// Atomics: of every type; with scopes and orders; of subnormal numbers; by their newer names.
#include <assert.h>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <float.h>
#include <limits.h>
#include <stdio.h>

namespace atomics {

template <typename T> struct Results { T add, least, most, both, either, different, exchanged; };

template <typename T> __global__ void integers(Results<T> *r)
{
    T i = (T)(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(&r->add, i);
    atomicMin(&r->least, i);
    atomicMax(&r->most, i);
    atomicAnd(&r->both, ~(T)(1u << (i % 8)));
    atomicOr(&r->either, (T)1 << (i % 8));
    atomicXor(&r->different, i);
    atomicExch(&r->exchanged, (T)5);
}

__global__ void others(float *f, double *d, unsigned *wrapped, int *sub, long long *ll)
{
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
    atomicInc(&wrapped[0], 9u);
    atomicDec(&wrapped[1], 9u);
    atomicSub(sub, 2);
    atomicMin(ll, -(long long)threadIdx.x);
    atomicMax(ll + 1, (long long)threadIdx.x << 33);
    atomicAdd_system(f + 1, 1);
    atomicMax_system(&wrapped[2], threadIdx.x);
}

// maximum of floats: CUDA has none, so people write it with atomicCAS
__device__ float atomicMaxFloat(float *address, float value)
{
    int *as_int = (int *)address, old = atomicCAS(as_int, 0, 0), assumed;
    do {
        assumed = old;
        old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

// a lock: one thread of each block enters
__device__ int lock = 0;
__global__ void critical(int *total, float *most)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        __threadfence();
        *(volatile int *)total = *(volatile int *)total + 1;
        __threadfence();
        atomicExch(&lock, 0);
    }
    atomicMaxFloat(most, (float)(blockIdx.x * 7 % 13));
}

template <typename T> int test(const char *name)
{
    Results<T> h = {0, 100, 0, (T)-1, 0, 0, 0}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    integers<T><<<3, 20>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
    int ok = h.add == 1770 && h.least == 0 && h.most == 59 && (T)(h.both & 255) == 0 && h.either == 255 && h.different == 0 && h.exchanged == 5;
    if (!ok) printf("%s: wrong\n", name);
    return !ok;
}

static int test()
{
    int bad = test<int>("int") + test<unsigned>("unsigned") + test<unsigned long long>("unsigned long long");
    struct { double d; long long ll[2]; float f[2]; unsigned wrapped[3]; int sub, total; float most; } h = {}, *p;
    cudaMalloc((void **)&p, sizeof h);
    cudaMemcpy(p, &h, sizeof h, cudaMemcpyHostToDevice);
    others<<<2, 32>>>(p->f, &p->d, p->wrapped, &p->sub, p->ll);
    critical<<<11, 8>>>(&p->total, &p->most);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    bad += h.f[0] != 32 || h.d != 16 || h.f[1] != 64 || h.sub != -128 || h.ll[0] != -31 || h.ll[1] != 31LL << 33;
    bad += h.wrapped[0] != 64 % 10 || h.wrapped[1] != (1000 - 64) % 10 || h.wrapped[2] != 31;
    bad += h.total != 11 || h.most != 11;
    puts(bad ? "atomics: wrong" : "atomics: right");
    return bad;
}

} // namespace atomics

// cuda::atomic and cuda::atomic_ref: with scopes and orders, in shared, global and managed memory, and on the host.
namespace scoped_atomics {

#define CHECK(call)                                                                              \
    do {                                                                                         \
        cudaError_t status_ = (call);                                                            \
        if (status_ != cudaSuccess) {                                                            \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_));                \
            std::exit(1);                                                                        \
        }                                                                                        \
    } while (0)

struct Shared {
    cuda::atomic<int, cuda::thread_scope_device> ticket;
    cuda::atomic<unsigned, cuda::thread_scope_system> flag;
    cuda::std::atomic<unsigned long long> total;
    float largest, sum;
};

__global__ void count(Shared *s, const int *data, int n, int *bins)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> here[8];
    if (threadIdx.x < 8)
        here[threadIdx.x].store(0, cuda::memory_order_relaxed);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        here[data[i] & 7].fetch_add(1, cuda::memory_order_relaxed);
        s->total += data[i];
        cuda::atomic_ref<float, cuda::thread_scope_device> sum(s->sum), largest(s->largest);
        sum.fetch_add(float(data[i] & 3));
        largest.fetch_max(float(data[i]), cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x < 8)
        cuda::atomic_ref<int, cuda::thread_scope_device>{bins[threadIdx.x]} += here[threadIdx.x].load();
}

// A value goes from block to block; acquire and release do what fences would.
__global__ void chain(Shared *s, int *value)
{
    if (threadIdx.x != 0)
        return;
    const int turn = s->ticket.fetch_add(1, cuda::memory_order_acq_rel);
    while (s->flag.load(cuda::memory_order_acquire) != (unsigned)turn)
        ;
    *value = *value * 2 + 1;
    s->flag.store((unsigned)turn + 1, cuda::std::memory_order_release);
}

__global__ void lock(cuda::atomic<int, cuda::thread_scope_device> *held, int *counter)
{
    if (threadIdx.x % 32 != 0)
        return;
    int expected = 0;
    while (!held->compare_exchange_weak(expected, 1, cuda::memory_order_acquire))
        expected = 0;
    *counter += 1;
    held->store(0, cuda::memory_order_release);
}

static int test()
{
    const int n = 1000;
    int *data, *bins;
    Shared *s;
    CHECK(cudaMallocManaged(&s, sizeof *s));
    CHECK(cudaMallocManaged(&data, n * sizeof(int)));
    CHECK(cudaMallocManaged(&bins, 10 * sizeof(int)));
    new (s) Shared{};
    int expected[8] = {0}, wrong = 0, most = 0;
    unsigned long long total = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        data[i] = i * 7919 % 1009;
        expected[data[i] & 7]++;
        total += data[i];
        sum += data[i] & 3;
        most = data[i] > most ? data[i] : most;
    }
    for (int i = 0; i < 10; i++)
        bins[i] = 0;
    count<<<3, 128>>>(s, data, n, bins);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 8; i++)
        wrong += bins[i] != expected[i];
    wrong += s->total.load() != total || s->sum != float(sum) || s->largest != float(most);
    std::printf("count: %d wrong\n", wrong);

    chain<<<6, 64>>>(s, &bins[8]);
    CHECK(cudaDeviceSynchronize());
    std::printf("chain: %d\n", bins[8]);
    wrong += bins[8] != 63;

    cuda::atomic<int, cuda::thread_scope_device> *held;
    CHECK(cudaMallocManaged(&held, sizeof *held));
    held->store(0);
    lock<<<4, 128>>>(held, &bins[9]);
    CHECK(cudaDeviceSynchronize());
    std::printf("lock: %d\n", bins[9]);
    wrong += bins[9] != 16;

    int old = 5;
    cuda::atomic<int> host(5);
    wrong += !host.compare_exchange_strong(old, 9) || ++host != 10 || (host |= 5) != 15 || host.exchange(1) != 15;
    CHECK(cudaFree(s));
    return wrong != 0;
}

#undef CHECK

} // namespace scoped_atomics

// Atomic additions of floats take subnormal numbers for 0 on global memory, and keep them on shared memory (PTX: atom, red).
namespace subnormal_atomics {

#define TINY 1e-40f // subnormal: below 2^-126, 1.2e-38

template <cuda::thread_scope SCOPE> __device__ void by_reference(float *x)
{
    cuda::atomic_ref<float, SCOPE> added(x[0]), taken_away(x[1]);
    added.fetch_add(TINY);
    taken_away.fetch_sub(TINY);
}

// Each word gets TINY, or loses it; in x[7] the sum of two normal numbers is subnormal.
__device__ float all_ways(float *x)
{
    float used = atomicAdd(&x[0], TINY);
    atomicAdd(&x[1], -TINY);
    atomicAdd_block(&x[2], TINY);
    atomicAdd_system(&x[3], TINY);
    by_reference<cuda::thread_scope_device>(x + 4);
    by_reference<cuda::thread_scope_block>(x + 5);
    atomicAdd(&x[7], -0x1.8p-126f);
    return used;
}

enum { WORDS = 14 };

__global__ void add(float *global, double *doubles)
{
    __shared__ float shared[WORDS];
    float *mine = global + WORDS;
    for (int i = 0; i < WORDS; i++)
        shared[i] = global[i];
    float used = all_ways(global) + all_ways(shared), old;
    atomicAdd(&global[8], 0.0f); // a subnormal number is there
    used += atomicAdd(&shared[8], 0.0f);
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(&global[9])), "f"(TINY) : "memory");
    asm volatile("red.shared.add.f32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(&shared[9])), "f"(TINY) : "memory");
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(__cvta_generic_to_global(&global[10])), "f"(TINY) : "memory");
    used += old;
    asm volatile("atom.shared.add.f32 %0, [%1], %2;" : "=f"(old) : "r"((unsigned)__cvta_generic_to_shared(&shared[10])), "f"(TINY) : "memory");
    used += old;
    atomicAdd(&global[11], 1.0f + used);
    atomicAdd(&shared[11], 1.0f + used);
    atomicAdd(&global[12], used);
    atomicAdd(&shared[12], used);
    global[13] += TINY; // no atomic
    shared[13] += TINY;
    for (int i = 0; i < WORDS; i++)
        mine[i] = shared[i];
    atomicAdd(&doubles[0], 1e-310);
    cuda::atomic_ref<double, cuda::thread_scope_device>(doubles[1]).fetch_add(1e-310);
}

static int test()
{
    float x[2 * WORDS] = {0}, *device_x;
    double d[2] = {0}, *device_d;
    x[1] = -0.0f;
    x[7] = 0x1p-126f;
    x[8] = TINY;
    // What is expected on global memory, then on shared memory.
    const float expected[2 * WORDS] = {
        0,    -0.0f, 0,    0,    0,    0, 0,     -0.0f,      0,    0,    0,    1, 0,    TINY,
        TINY, -TINY, TINY, TINY, TINY, 0, -TINY, -0x1p-127f, TINY, TINY, TINY, 1, TINY, TINY,
    };
    int wrong = 0;
    cudaMalloc(&device_x, sizeof x);
    cudaMalloc(&device_d, sizeof d);
    cudaMemcpy(device_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(device_d, d, sizeof d, cudaMemcpyHostToDevice);
    add<<<1, 1>>>(device_x, device_d);
    cudaMemcpy(x, device_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, device_d, sizeof d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * WORDS; i++) {
        if (x[i] != expected[i] || __builtin_signbit(x[i]) != __builtin_signbit(expected[i])) {
            printf("%s memory, word %d: %g in place of %g\n", i < WORDS ? "global" : "shared", i % WORDS, x[i], expected[i]);
            wrong++;
        }
    }
    if (d[0] != 1e-310 || d[1] != 1e-310) {
        printf("doubles: %g, %g\n", d[0], d[1]);
        wrong++;
    }
    cudaFree(device_x);
    cudaFree(device_d);
    return wrong != 0;
}

#undef TINY

} // namespace subnormal_atomics

// Atomics that name an order and a scope (__nv_atomic_...); intrinsics on the bytes and halves of a word; dot products
// of bytes.
namespace named_orders {

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

__global__ void atomics(int *p, unsigned *most, float *sum)
{
    __shared__ int ready, value;
    if (threadIdx.x == 0)
        ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 42;
        __nv_atomic_store_n(&ready, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
    } else {
        while (__nv_atomic_load_n(&ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK) == 0)
            ;
        if (value != 42)
            __nv_atomic_store_n(&p[2], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
    __nv_atomic_fetch_add(&p[0], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_sub(&p[1], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_max(most, threadIdx.x, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
    float old = 0, now;
    do
        now = old + 0.5f;
    while (!__nv_atomic_compare_exchange(sum, &old, &now, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE));
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void words(unsigned *to)
{
    int i = 0;
    to[i++] = __vabs2(0xfffe0003u);
    to[i++] = __vabs4(0xfe03ff80u);
    to[i++] = __vabsss4(0xfe03ff80u);
    to[i++] = __vadd2(0xffff0001u, 0x00010001u);
    to[i++] = __vaddss2(0x7fff8000u, 0x0001ffffu);
    to[i++] = __vsubus4(0x01020304u, 0x02010401u);
    to[i++] = __vsub4(1, 2);
    to[i++] = __vmaxu4(0x01ff02feu, 0x02fe01ffu);
    to[i++] = __vmins2(0xffff0001u, 0x0001ffffu);
    to[i++] = __vcmpeq4(0x01020304u, 0x01030304u);
    to[i++] = __vcmpgts2(0x0001ffffu, 0x00000000u);
    to[i++] = __vsetltu4(0x01020304u, 0x02020202u);
    to[i++] = __vsadu4(0x01020304u, 0x04030201u);
    to[i++] = __vabsdiffs2(0x00018000u, 0xffff7fffu);
    to[i++] = __vavgu4(0x01020304u, 0x03030303u);
    to[i++] = __vhaddu2(0xffff0003u, 0xffff0004u);
    to[i++] = __vneg2(0x0001ffffu);
    to[i++] = (unsigned)__dp4a(0x01fe0304, 0x02030405, 10);
    to[i++] = __dp4a(0x01fe0304u, 0x02030405u, 10u);
    to[i++] = (unsigned)__dp2a_lo(0x0002ffff, 0x01020304, 100);
    to[i++] = (unsigned)__dp2a_hi(0x0002ffff, 0x01020304, 100);
}

static int test()
{
    int *p, h[3];
    unsigned *w, most;
    float sum;
    cudaMalloc(&p, 8 * sizeof *p);
    cudaMemset(p, 0, 8 * sizeof *p);
    atomics<<<4, 64>>>(p, (unsigned *)p + 3, (float *)p + 4);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&most, p + 3, sizeof most, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, p + 4, sizeof sum, cudaMemcpyDeviceToHost);
    EXPECT(h[0] == 256 && h[1] == -512 && h[2] == 0 && most == 63 && sum == 128);

    const unsigned expected[] = {0x00020003, 0x02030180, 0x0203017f, 0x00000002, 0x7fff8000, 0x00010003, 0x000000ff,
                                 0x02ff02ff, 0xffffffff, 0xff00ffff, 0xffff0000, 0x01000000, 8,          0x0002ffff,
                                 0x02030304, 0xffff0003, 0xffff0001, 38,         806,        102,        100};
    const int count = sizeof expected / sizeof *expected;
    unsigned got[count];
    cudaMalloc(&w, sizeof got);
    words<<<1, 1>>>(w);
    cudaMemcpy(got, w, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++)
        if (got[i] != expected[i]) {
            std::printf("word %d is %08x, not %08x\n", i, got[i], expected[i]);
            wrong++;
        }
    cudaFree(p);
    cudaFree(w);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}

#undef EXPECT

} // namespace named_orders

int main()
{
    return atomics::test() | scoped_atomics::test() | subnormal_atomics::test() | named_orders::test();
}
