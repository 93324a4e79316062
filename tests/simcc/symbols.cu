// Variables that live on the device, what a kernel takes, and settings that change nothing here.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

// Variables that live on the device, seen from both sides.
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

__global__ void use(float *out, op_t op) {
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

static void symbols() {
    Params p = {make_float4(1, 2, 3, 4), 10, "hello"};
    float rows[4][8], *as_floats, *out = managed<float>(33);
    void *address;
    unsigned long long count = 0;
    op_t host_op;
    CHECK(cudaMemcpyToSymbol(params, &p, sizeof p));
    for (int i = 0; i < 32; i++) rows[i / 8][i % 8] = 100.0f * i;
    CHECK(cudaGetSymbolAddress(&address, table), cudaMemcpy(address, rows, sizeof rows, cudaMemcpyHostToDevice));
    CHECK(cudaGetSymbolAddress((void **)&as_floats, table), cudaMemset(as_floats + 8, 0, 8 * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(ticket, &count, sizeof(count), 0, cudaMemcpyHostToDevice), cudaMemcpyFromSymbol(&host_op, operations, sizeof(op_t)));
    use<<<1, 32>>>(out, host_op);
    CHECK(cudaDeviceSynchronize());
    const int primes_again[] = {2, 3, 5, 7, 11};
    int value;
    EACH(i, 32, out[i] == 5.0f + 10 + (i / 8 == 1 ? 0 : 100.0f * i) + primes_again[i % 5] + 1.0f / 3);
    CHECK(cudaMemcpyFromSymbol(&value, initialised, sizeof value), cudaMemcpyFromSymbol(&count, ticket, sizeof count));
    CHECK(cudaMemcpyFromSymbol(rows[0], table, 4 * sizeof(float), 12 * sizeof(float)));
    EXPECT(out[32] == 42 && value == 43 && shared_by_both == 10 && count == 32 && rows[0][0] == primes_again[12 % 5]);
    EXPECT(cudaMemcpyToSymbol(primes, rows, sizeof(int) * 6) != cudaSuccess); // too long
    cudaGetLastError();
}

// Classes as arguments of kernels. CUDA copies such an argument once, for the launch, and each thread gets its bytes: no
// thread runs a copy constructor or a destructor.
static int copies, ends;

struct Buffer {
    int *p;
    explicit Buffer(int n) { cudaMalloc(&p, n * sizeof *p); }
    Buffer(const Buffer &other) : p(other.p) { copies++; }
    __host__ __device__ ~Buffer() {
#ifndef __CUDA_ARCH__
        ends++;
#endif
    }
};

__global__ void fill(Buffer b, int value) {
    b.p += threadIdx.x; // each thread's own
    *b.p = value + (int)(blockIdx.x * blockDim.x);
}

template <class T, class F> __global__ void apply(T b, F f, float4 by) { b.p[threadIdx.x] = f(b.p[threadIdx.x]) + (int)by.w; }

static void classes() {
    Buffer b(4);
    fill<<<1, 4>>>(b, 5);
    EXPECT(copies == ends && copies >= 1 && copies <= 2);
    copies = ends = 0;
    apply<<<1, 4>>>(b, [] __device__(int x) { return 2 * x; }, make_float4(0, 0, 0, 1));
    EXPECT(copies == ends && copies <= 2);
    copies = 0;
    int value = 3, h[4];
    void *arguments[] = {&b, &value};
    CHECK(cudaLaunchKernel((const void *)fill, dim3(1), dim3(1), arguments, 0, 0));
    EXPECT(copies == 0);
    CHECK(cudaMemcpy(h, b.p, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 3 && h[1] == 11 && h[3] == 11);
    CHECK(cudaFree(b.p));
}

// Kernels with parameters that are references, to managed memory: objects that allocate themselves there.
struct allocates_managed {
    void *operator new(size_t bytes) {
        void *p;
        cudaMallocManaged(&p, bytes);
        return p;
    }
    void operator delete(void *p) { cudaFree(p); }
};

struct text : allocates_managed {
    char *characters;
    int length;
    explicit text(const char *from) : length((int)strlen(from)) {
        cudaMallocManaged(&characters, length + 1);
        memcpy(characters, from, length + 1);
    }
    text(const text &) = delete;
    ~text() { cudaFree(characters); }
};

__global__ void capitals(text &t, int from) {
    const int i = from + threadIdx.x;
    if (i < t.length && t.characters[i] >= 'a' && t.characters[i] <= 'z') t.characters[i] -= 'a' - 'A';
}

__global__ void copies_text(const text &from, char (&to)[32]) { to[threadIdx.x] = (int)threadIdx.x <= from.length ? from.characters[threadIdx.x] : 0; }

__managed__ char result[32];

static void references() {
    text *t = new text("hello, world");
    capitals<<<1, 32>>>(*t, 5);
    copies_text<<<1, 32>>>(*t, result);
    LEFT(strcmp(result, "hello, WORLD") == 0);
    delete t;
}

// Settings and structures of the runtime that change nothing here, and headers of cuda/std in kernels.
template <class T> __global__ void largest(T *p) {
    static_assert(cuda::std::is_same<T, float>::value || cuda::std::is_integral<T>::value, "a number");
    cuda::std::array<T, 2> both = {cuda::std::numeric_limits<T>::max(), (T)7};
    const cuda::std::tuple<T, cuda::std::uint8_t> pair = cuda::std::make_tuple(both[1], (cuda::std::uint8_t)2);
    cuda::std::swap(both[0], both[1]);
    p[0] = both[1];
    p[1] = cuda::std::get<0>(pair) * cuda::std::get<1>(pair);
    p[2] = (T)UINT_MAX == (T)~0u;
}

static void settings() {
    unsigned flags = 0;
    CHECK(cudaSetDeviceFlags(cudaDeviceBlockingSync | cudaDeviceMapHost | cudaDeviceLmemResizeToMax), cudaGetDeviceFlags(&flags));
    cudaFuncCache cache;
    EXPECT(cudaDeviceSetCacheConfig(cudaFuncCachePreferEqual) == cudaSuccess && cudaDeviceGetCacheConfig(&cache) == cudaSuccess);
    CHECK(cudaFuncSetCacheConfig(largest<float>, cudaFuncCachePreferShared));
    cudaSharedMemConfig banks;
    EXPECT(cudaDeviceGetSharedMemConfig(&banks) == cudaSuccess && banks == cudaSharedMemBankSizeFourByte);

    EXPECT(cudaInitDevice(0, 0, 0) == cudaSuccess && cudaInitDevice(99, 0, 0) == cudaErrorInvalidDevice);

    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    int from[4] = {1, 2, 3, 4}, back[4] = {}, *device;
    CHECK(cudaMalloc(&device, sizeof from));
    void *to_device[] = {device, device + 2}, *to_host[] = {back + 2, back};
    const void *of_host[] = {from, from + 2}, *of_device[] = {device, device + 2};
    size_t bytes[] = {8, 8}, first = 0;
    cudaMemcpyAttributes how = {};
    EXPECT(cudaMemcpyBatchAsync(to_device, of_host, bytes, 2, &how, &first, 1, stream) == cudaErrorInvalidValue); /* no order */
    how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    EXPECT(cudaMemcpyBatchAsync(to_device, of_host, bytes, 2, &how, &first, 1, 0) == cudaErrorInvalidValue); /* no stream */
    CHECK(cudaMemcpyBatchAsync(to_device, of_host, bytes, 2, &how, &first, 1, stream));
    CHECK(cudaMemcpyBatchAsync(to_host, of_device, bytes, 2, &how, &first, 1, stream));
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && back[0] == 3 && back[1] == 4 && back[2] == 1 && back[3] == 2);
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.hitRatio = 1;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
    const cudaAccessPolicyWindow window = value.accessPolicyWindow;
    EXPECT(window.hitRatio == 1 && cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess);
    CHECK(cudaCtxResetPersistingL2Cache());

    cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    cudaMemPool_t pool;
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess && cudaMemPoolSetAccess(pool, &access, 1) == cudaSuccess);

    cudaIpcEventHandle_t handle;
    EXPECT(sizeof handle == 64);
    cudaDeviceProp p;
    CHECK(cudaGetDeviceProperties(&p, 0));
    EXPECT(p.maxTexture1D >= 65536 && p.maxTexture2D[1] >= 32768 && p.maxTexture3D[2] >= 2048 && p.maxTexture2DLayered[2] >= 2048);
    const cudaUUID_t id = p.uuid;
    EXPECT(sizeof id.bytes == 16);
    int width = 0, blocks = 0;
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, use, 32, 0, cudaOccupancyDefault) == cudaSuccess && blocks > 0);
    EXPECT(cudaDeviceGetAttribute(&width, cudaDevAttrMaxTexture3DWidth, 0) == cudaSuccess && width == p.maxTexture3D[0]);

    float *f = managed<float>(3);
    largest<<<1, 1, 0, stream>>>(f);
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(f[0] > 3.4e38f && f[1] == 14 && f[2] == 1);
    CHECK(cudaStreamDestroy(stream));
}

int main() {
    symbols(), classes(), references(), settings();
    return verdict();
}
