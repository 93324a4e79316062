// Settings and structures of the runtime that change nothing here, and headers of cuda/std in kernels.
#include <cstdio>
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

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

int main()
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
