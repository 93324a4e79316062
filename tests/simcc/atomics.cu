#include <stdio.h>
#include <limits.h>
#include <float.h>
#include <assert.h>

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

int main()
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
