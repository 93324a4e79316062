// Variables that live on the device, what a kernel takes, and settings that change nothing here.
#include <cstdio>
#include <cstring>
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

// Variables that live on the device, seen from both sides.
namespace symbols {

struct Params { float4 colour; int n; char tag[8]; };
__constant__ Params params;
__constant__ int primes[] = {2, 3, 5, 7, 11};
__device__ float table[4][8];
__device__ int initialised = 42;
static __device__ unsigned long long ticket;
__device__ __managed__ int shared_by_both = 5;
__device__ const float third = 1.0f / 3;

typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ op_t operations[2] = {add, mul};

__global__ void use(float *out, op_t op)
{
    int t = threadIdx.x;
    table[t / 8][t % 8] += primes[t % 5];
    out[t] = op(params.colour.x + params.colour.w, (float)params.n) + table[t / 8][t % 8] + third;
    if (t == 0) {
        initialised = 43;
        shared_by_both *= 2;
        out[32] = operations[1](6, 7);
    }
    atomicAdd(&ticket, 1ull);
}

#define CK(x) if ((x) != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(cudaGetLastError())); return 1; }

static int test()
{
    Params p = {make_float4(1, 2, 3, 4), 10, "hello"};
    CK(cudaMemcpyToSymbol(params, &p, sizeof p));
    float rows[4][8];
    for (int i = 0; i < 32; i++) rows[i / 8][i % 8] = 100.0f * i;
    void *address;
    CK(cudaGetSymbolAddress(&address, table));
    CK(cudaMemcpy(address, rows, sizeof rows, cudaMemcpyHostToDevice));
    float *as_floats;
    CK(cudaGetSymbolAddress((void **)&as_floats, table));
    CK(cudaMemset(as_floats + 8, 0, 8 * sizeof(float)));
    unsigned long long zero = 0;
    CK(cudaMemcpyToSymbol(ticket, &zero, sizeof(zero), 0, cudaMemcpyHostToDevice));
    op_t host_op;
    CK(cudaMemcpyFromSymbol(&host_op, operations, sizeof(op_t)));

    float *out, h[33];
    CK(cudaMalloc(&out, sizeof h));
    use<<<1, 32>>>(out, host_op);
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    int bad = 0, value;
    const int primes_again[] = {2, 3, 5, 7, 11};
    for (int i = 0; i < 32; i++)
        bad += h[i] != 5.0f + 10 + (i / 8 == 1 ? 0 : 100.0f * i) + primes_again[i % 5] + 1.0f / 3;
    bad += h[32] != 42;
    CK(cudaMemcpyFromSymbol(&value, initialised, sizeof value));
    bad += value != 43 || shared_by_both != 10;
    CK(cudaMemcpyFromSymbol(&zero, ticket, sizeof zero));
    bad += zero != 32;
    CK(cudaMemcpyFromSymbol(rows[0], table, 4 * sizeof(float), 12 * sizeof(float)));
    bad += rows[0][0] != primes_again[12 % 5];
    if (cudaMemcpyToSymbol(primes, rows, sizeof(int) * 6) == cudaSuccess) bad++;   // too long
    cudaGetLastError();
    printf("symbols: %d wrong\n", bad);
    return bad != 0;
}

#undef CK

} // namespace symbols

// What a kernel takes: classes, and references.
namespace kernel_arguments {

// Classes as arguments of kernels. CUDA copies such an argument once, for the launch, and each thread gets its bytes: no
// thread runs a copy constructor or a destructor.
namespace classes {

static int copies, ends;

struct Buffer {
    int *p;
    explicit Buffer(int n) { cudaMalloc(&p, n * sizeof *p); }
    Buffer(const Buffer &other) : p(other.p) { copies++; }
    __host__ __device__ ~Buffer()
    {
#ifndef __CUDA_ARCH__
        ends++;
#endif
    }
};

__global__ void fill(Buffer b, int value)
{
    b.p += threadIdx.x; // each thread's own
    *b.p = value + (int)(blockIdx.x * blockDim.x);
}

template <class T, class F> __global__ void apply(T b, F f, float4 by)
{
    b.p[threadIdx.x] = f(b.p[threadIdx.x]) + (int)by.w;
}

static int test()
{
    int h[4], wrong = 0;
    Buffer b(4);
    fill<<<1, 4>>>(b, 5);
    wrong += copies != ends || copies < 1 || copies > 2;
    copies = ends = 0;
    apply<<<1, 4>>>(b, [] __device__(int x) { return 2 * x; }, make_float4(0, 0, 0, 1));
    wrong += copies != ends || copies > 2;
    copies = 0;
    int value = 3;
    void *arguments[] = {&b, &value};
    cudaLaunchKernel((const void *)fill, dim3(1), dim3(1), arguments, 0, 0);
    wrong += copies != 0;
    cudaMemcpy(h, b.p, sizeof h, cudaMemcpyDeviceToHost);
    wrong += h[0] != 3 || h[1] != 11 || h[3] != 11;
    cudaFree(b.p);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}

} // namespace classes

// Kernels with parameters that are references, to managed memory: objects that allocate themselves there.
namespace references {

struct managed {
    void *operator new(size_t bytes)
    {
        void *p;
        cudaMallocManaged(&p, bytes);
        return p;
    }
    void operator delete(void *p) { cudaFree(p); }
};

struct text : managed {
    char *characters;
    int length;
    explicit text(const char *from) : length((int)strlen(from))
    {
        cudaMallocManaged(&characters, length + 1);
        memcpy(characters, from, length + 1);
    }
    text(const text &) = delete;
    ~text() { cudaFree(characters); }
};

__global__ void capitals(text &t, int from)
{
    const int i = from + threadIdx.x;
    if (i < t.length && t.characters[i] >= 'a' && t.characters[i] <= 'z')
        t.characters[i] -= 'a' - 'A';
}

__global__ void copies(const text &from, char (&to)[32]) { to[threadIdx.x] = (int)threadIdx.x <= from.length ? from.characters[threadIdx.x] : 0; }

__managed__ char result[32];

static int test()
{
    text *t = new text("hello, world");
    capitals<<<1, 32>>>(*t, 5);
    copies<<<1, 32>>>(*t, result);
    cudaDeviceSynchronize();
    printf("%s\n", result);
    const int wrong = strcmp(result, "hello, WORLD") != 0;
    delete t;
    return wrong;
}

} // namespace references

static int test()
{
    return classes::test() | references::test();
}

} // namespace kernel_arguments

// Settings and structures of the runtime that change nothing here, and headers of cuda/std in kernels.
namespace settings {

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

template <class T> __global__ void largest(T *p)
{
    static_assert(cuda::std::is_same<T, float>::value || cuda::std::is_integral<T>::value, "a number");
    cuda::std::array<T, 2> both = {cuda::std::numeric_limits<T>::max(), (T)7};
    const cuda::std::tuple<T, cuda::std::uint8_t> pair = cuda::std::make_tuple(both[1], (cuda::std::uint8_t)2);
    cuda::std::swap(both[0], both[1]);
    p[0] = both[1];
    p[1] = cuda::std::get<0>(pair) * cuda::std::get<1>(pair);
    p[2] = (T)UINT_MAX == (T)~0u;
}

static int test()
{
    unsigned flags = 0;
    EXPECT(cudaSetDeviceFlags(cudaDeviceBlockingSync | cudaDeviceMapHost | cudaDeviceLmemResizeToMax) == cudaSuccess);
    EXPECT(cudaGetDeviceFlags(&flags) == cudaSuccess);
    cudaFuncCache cache;
    EXPECT(cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual) == cudaSuccess && cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
    EXPECT(cudaFuncSetCacheConfig(largest<float>, cudaFuncCachePreferShared) == cudaSuccess);
    cudaSharedMemConfig banks;
    EXPECT(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess && banks == cudaSharedMemBankSizeFourByte);

    EXPECT(cudaInitDevice(0, 0, 0) == cudaSuccess && cudaInitDevice(99, 0, 0) == cudaErrorInvalidDevice);

    cudaStream_t stream;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    int from[4] = {1, 2, 3, 4}, back[4] = {}, *device;
    EXPECT(cudaMalloc(&device, sizeof from) == cudaSuccess);
    void *to_device[] = {device, device + 2}, *to_host[] = {back + 2, back};
    const void *of_host[] = {from, from + 2}, *of_device[] = {device, device + 2};
    size_t bytes[] = {8, 8}, first = 0;
    cudaMemcpyAttributes how = {};
    EXPECT(cudaMemcpyBatchAsync(to_device, of_host, bytes, 2, &how, &first, 1, stream) == cudaErrorInvalidValue); /* no order */
    how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    EXPECT(cudaMemcpyBatchAsync(to_device, of_host, bytes, 2, &how, &first, 1, 0) == cudaErrorInvalidValue); /* no stream */
    EXPECT(cudaMemcpyBatchAsync(to_device, of_host, bytes, 2, &how, &first, 1, stream) == cudaSuccess);
    EXPECT(cudaMemcpyBatchAsync(to_host, of_device, bytes, 2, &how, &first, 1, stream) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && back[0] == 3 && back[1] == 4 && back[2] == 1 && back[3] == 2);
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    const cudaAccessPolicyWindow window = value.accessPolicyWindow;
    EXPECT(window.hitRatio == 1 && cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess);
    EXPECT(cudaCtxResetPersistingL2Cache() == cudaSuccess);

    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    cudaMemPool_t pool;
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess && cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);

    cudaIpcEventHandle_t handle;
    EXPECT(sizeof handle == 64);
    cudaDeviceProp p;
    EXPECT(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
    EXPECT(p.maxTexture1D >= 65536 && p.maxTexture2D[1] >= 32768 && p.maxTexture3D[2] >= 2048 && p.maxTexture2DLayered[2] >= 2048);
    int width = 0;
    EXPECT(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture3DWidth, 0) == cudaSuccess && width == p.maxTexture3D[0]);

    float *f, h[3];
    cudaMalloc(&f, sizeof h);
    largest<<<1, 1, 0, stream>>>(f);
    cudaStreamSynchronize(stream);
    cudaMemcpy(h, f, sizeof h, cudaMemcpyDeviceToHost);
    EXPECT(h[0] > 3.4e38f && h[1] == 14 && h[2] == 1);
    cudaFree(f);
    cudaStreamDestroy(stream);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}

#undef EXPECT

} // namespace settings

int main()
{
    return symbols::test() | kernel_arguments::test() | settings::test();
}
