// Atomics: of every type; with scopes and orders; of subnormal numbers; by their newer names.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cuda/atomic>
#include <cuda/std/atomic>

template <typename T> struct Results { T add, least, most, both, either, different, exchanged; };

template <typename T> __global__ void integers(Results<T> *r) {
    T i = (T)(blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(&r->add, i);
    atomicMin(&r->least, i);
    atomicMax(&r->most, i);
    atomicAnd(&r->both, ~(T)(1u << (i % 8)));
    atomicOr(&r->either, (T)1 << (i % 8));
    atomicXor(&r->different, i);
    atomicExch(&r->exchanged, (T)5);
}

struct Others { double d; long long least, most; float f[2]; unsigned wrapped[3]; int sub, total; float largest; float2 two; float4 four; };

__global__ void others(Others *o) {
    atomicAdd(&o->f[0], 0.5f);
    atomicAdd(&o->d, 0.25);
    atomicInc(&o->wrapped[0], 9u);
    atomicDec(&o->wrapped[1], 9u);
    atomicSub(&o->sub, 2);
    atomicMin(&o->least, -(long long)threadIdx.x);
    atomicMax(&o->most, (long long)threadIdx.x << 33);
    atomicAdd_system(&o->f[1], 1);
    atomicMax_system(&o->wrapped[2], threadIdx.x);
#if __CUDA_ARCH__ >= 900
    atomicAdd_system(&o->two, make_float2(1, 2));
    atomicAdd(&o->four, make_float4(1, 2, 3, 4));
#else // which has none of vectors
    o->two = {64, 128}, o->four = {64, 128, 192, 256};
#endif
}

// maximum of floats: CUDA has none, so people write it with atomicCAS
__device__ float atomicMaxFloat(float *address, float value) {
    int *as_int = (int *)address, old = atomicCAS(as_int, 0, 0), assumed;
    do {
        assumed = old;
        old = atomicCAS(as_int, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

// a lock: one thread of each block enters
__device__ int locked = 0;
__global__ void critical(int *total, float *most) {
    if (threadIdx.x == 0) {
        while (atomicCAS(&locked, 0, 1) != 0) ;
        __threadfence();
        *(volatile int *)total = *(volatile int *)total + 1;
        __threadfence();
        atomicExch(&locked, 0);
    }
    atomicMaxFloat(most, (float)(blockIdx.x * 7 % 13));
}

template <typename T> void test_integers() {
    auto *r = managed<Results<T>>(1, [](int) { return Results<T>{0, 100, 0, (T)-1, 0, 0, 0}; });
    integers<T><<<3, 20>>>(r);
    LEFT(r->add == 1770 && r->least == 0 && r->most == 59 && (T)(r->both & 255) == 0 && r->either == 255 && r->different == 0 && r->exchanged == 5);
}

static void test_atomics() {
    test_integers<int>(), test_integers<unsigned>(), test_integers<unsigned long long>();
    Others *o = managed<Others>(1);
    others<<<2, 32>>>(o);
    critical<<<11, 8>>>(&o->total, &o->largest);
    LEFT(o->f[0] == 32 && o->d == 16 && o->f[1] == 64 && o->sub == -128 && o->least == -31 && o->most == 31LL << 33);
    EXPECT(o->two.x == 64 && o->two.y == 128 && o->four.x == 64 && o->four.y == 128 && o->four.z == 192 && o->four.w == 256);
    EXPECT(o->wrapped[0] == 64 % 10 && o->wrapped[1] == (1000 - 64) % 10 && o->wrapped[2] == 31 && o->total == 11 && o->largest == 11);
}

// cuda::atomic and cuda::atomic_ref: with scopes and orders, in shared, global and managed memory, and on the host.
struct Shared {
    cuda::atomic<int, cuda::thread_scope_device> ticket;
    cuda::atomic<unsigned, cuda::thread_scope_system> flag;
    cuda::std::atomic<unsigned long long> total;
    float largest, sum;
};

__global__ void count(Shared *s, const int *data, int n, int *bins) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> here[8];
    if (threadIdx.x < 8) here[threadIdx.x].store(0, cuda::memory_order_relaxed);
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        here[data[i] & 7].fetch_add(1, cuda::memory_order_relaxed);
        s->total += data[i];
        cuda::atomic_ref<float, cuda::thread_scope_device> sum(s->sum), largest(s->largest);
        sum.fetch_add(float(data[i] & 3));
        largest.fetch_max(float(data[i]), cuda::memory_order_relaxed);
    }
    __syncthreads();
    if (threadIdx.x < 8) cuda::atomic_ref<int, cuda::thread_scope_device>{bins[threadIdx.x]} += here[threadIdx.x].load();
}

// A value goes from block to block; acquire and release do what fences would.
__global__ void chain(Shared *s, int *value) {
    if (threadIdx.x != 0) return;
    const int turn = s->ticket.fetch_add(1, cuda::memory_order_acq_rel);
    while (s->flag.load(cuda::memory_order_acquire) != (unsigned)turn) ;
    *value = *value * 2 + 1;
    s->flag.store((unsigned)turn + 1, cuda::std::memory_order_release);
}

__global__ void lock(cuda::atomic<int, cuda::thread_scope_device> *held, int *counter) {
    if (threadIdx.x % 32 != 0) return;
    int expected = 0;
    while (!held->compare_exchange_weak(expected, 1, cuda::memory_order_acquire)) expected = 0;
    *counter += 1;
    held->store(0, cuda::memory_order_release);
}

static void scoped_atomics() {
    const int n = 1000;
    int *data = managed<int>(n, [](int i) { return i * 7919 % 1009; }), *bins = managed<int>(10), expected[8] = {0}, most = 0;
    Shared *s = new (managed<Shared>(1)) Shared{};
    unsigned long long total = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        expected[data[i] & 7]++;
        total += data[i];
        sum += data[i] & 3;
        most = data[i] > most ? data[i] : most;
    }
    count<<<3, 128>>>(s, data, n, bins);
    chain<<<6, 64>>>(s, &bins[8]);
    auto *held = managed<cuda::atomic<int, cuda::thread_scope_device>>(1);
    held->store(0);
    lock<<<4, 128>>>(held, &bins[9]);
    LEFT(memcmp(bins, expected, sizeof expected) == 0 && s->total.load() == total && s->sum == float(sum) && s->largest == float(most));
    EXPECT(bins[8] == 63 && bins[9] == 16);
    int old = 5;
    cuda::atomic<int> host(5);
    EXPECT(host.compare_exchange_strong(old, 9) && ++host == 10 && (host |= 5) == 15 && host.exchange(1) == 15);
}

// Atomic additions of floats take subnormal numbers for 0 on global memory, and keep them on shared memory (PTX: atom, red).
#define TINY 1e-40f // subnormal: below 2^-126, 1.2e-38

template <cuda::thread_scope SCOPE> __device__ void by_reference(float *x) {
    cuda::atomic_ref<float, SCOPE> added(x[0]), taken_away(x[1]);
    added.fetch_add(TINY);
    taken_away.fetch_sub(TINY);
}

// Each word gets TINY, or loses it; in x[7] the sum of two normal numbers is subnormal.
__device__ float all_ways(float *x) {
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

__global__ void add(float *global, double *doubles) {
    __shared__ float shared[WORDS];
    float *mine = global + WORDS;
    for (int i = 0; i < WORDS; i++) shared[i] = global[i];
    float used = all_ways(global) + all_ways(shared), old;
    atomicAdd(&global[8], 0.0f); // a subnormal number is there
    used += atomicAdd(&shared[8], 0.0f);
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(&global[9])), "f"(TINY) : "memory");
    asm volatile("red.shared.add.f32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(&shared[9])), "f"(TINY) : "memory");
    asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(__cvta_generic_to_global(&global[10])), "f"(TINY) : "memory");
    used += old;
    asm volatile("atom.shared.add.f32 %0, [%1], %2;" : "=f"(old) : "r"((unsigned)__cvta_generic_to_shared(&shared[10])), "f"(TINY) : "memory");
    used += old;
    for (float *x : {global, shared}) {
        atomicAdd(&x[11], 1.0f + used);
        atomicAdd(&x[12], used);
        x[13] += TINY; // no atomic
    }
    for (int i = 0; i < WORDS; i++) mine[i] = shared[i];
    atomicAdd(&doubles[0], 1e-310);
    cuda::atomic_ref<double, cuda::thread_scope_device>(doubles[1]).fetch_add(1e-310);
}

static void subnormal_atomics() {
    // What is expected on global memory, then on shared memory.
    const float expected[2 * WORDS] = {
        0,    -0.0f, 0,    0,    0,    0, 0,     -0.0f,      0,    0,    0,    1, 0,    TINY,
        TINY, -TINY, TINY, TINY, TINY, 0, -TINY, -0x1p-127f, TINY, TINY, TINY, 1, TINY, TINY,
    };
    float *x = managed<float>(2 * WORDS);
    double *d = managed<double>(2);
    x[1] = -0.0f, x[7] = 0x1p-126f, x[8] = TINY;
    add<<<1, 1>>>(x, d);
    EACH_LEFT(i, 2 * WORDS, memcmp(&x[i], &expected[i], sizeof *x) == 0 || (printf("word %d: %g in place of %g\n", i, x[i], expected[i]), false));
    EXPECT(d[0] == 1e-310 && d[1] == 1e-310);
}

// Atomics that name an order and a scope (__nv_atomic_...); intrinsics on the bytes and halves of a word; dot products of bytes.
__global__ void atomics(int *p, unsigned *most, float *sum) {
    __shared__ int ready, value;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        value = 42;
        __nv_atomic_store_n(&ready, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
    } else {
        while (__nv_atomic_load_n(&ready, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_BLOCK) == 0) ;
        if (value != 42) __nv_atomic_store_n(&p[2], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
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

__global__ void words() {
    const Same table[] = {
        {__vabs2(0xfffe0003u), 0x00020003}, {__vabs4(0xfe03ff80u), 0x02030180}, {__vabsss4(0xfe03ff80u), 0x0203017f},
        {__vadd2(0xffff0001u, 0x00010001u), 0x00000002}, {__vaddss2(0x7fff8000u, 0x0001ffffu), 0x7fff8000},
        {__vsubus4(0x01020304u, 0x02010401u), 0x00010003}, {__vsub4(1, 2), 0x000000ff}, {__vmaxu4(0x01ff02feu, 0x02fe01ffu), 0x02ff02ff},
        {__vmins2(0xffff0001u, 0x0001ffffu), 0xffffffff}, {__vcmpeq4(0x01020304u, 0x01030304u), 0xff00ffff},
        {__vcmpgts2(0x0001ffffu, 0x00000000u), 0xffff0000}, {__vsetltu4(0x01020304u, 0x02020202u), 0x01000000},
        {__vsadu4(0x01020304u, 0x04030201u), 8}, {__vabsdiffs2(0x00018000u, 0xffff7fffu), 0x0002ffff},
        {__vavgu4(0x01020304u, 0x03030303u), 0x02030304}, {__vhaddu2(0xffff0003u, 0xffff0004u), 0xffff0003}, {__vneg2(0x0001ffffu), 0xffff0001},
        {__dp4a(0x01fe0304, 0x02030405, 10), 38}, {__dp4a(0x01fe0304u, 0x02030405u, 10u), 806},
        {__dp2a_lo(0x0002ffff, 0x01020304, 100), 102}, {__dp2a_hi(0x0002ffff, 0x01020304, 100), 100}};
    compare(table, __func__);
}

static void named_orders() {
    int *p = managed<int>(4);
    float *sum = managed<float>(1);
    atomics<<<4, 64>>>(p, (unsigned *)p + 3, sum);
    words<<<1, 1>>>();
    LEFT(p[0] == 256 && p[1] == -512 && p[2] == 0 && p[3] == 63 && *sum == 128);
}

int main() {
    test_atomics(), scoped_atomics(), subnormal_atomics(), named_orders();
    return verdict();
}
