// Atomics that name an order and a scope (__nv_atomic_...); intrinsics on the bytes and halves of a word; dot products
// of bytes.
#include <cstdio>
#include <cstdlib>

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

int main()
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
