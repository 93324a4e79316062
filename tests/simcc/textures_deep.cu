// Textures of three dimensions, with layers, and cubemaps; gathered texels; surfaces of three dimensions and with layers.
#include <cstdio>
#include <cstring>
#include <vector>

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

enum { W = 8 };

__global__ void volume(float *to, cudaTextureObject_t t)
{
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    to[(z * W + y) * W + x] = tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f);
}

__global__ void between(float *to, cudaTextureObject_t t)
{
    to[0] = tex3D<float>(t, 2, 3, 4); // the mean of eight
    to[1] = tex3D<float>(t, -5, -5, -5);
}

__global__ void layers(float *to, cudaTextureObject_t t)
{
    const int x = threadIdx.x, y = threadIdx.y, layer = blockIdx.x;
    to[(layer * W + y) * W + x] = tex2DLayered<float>(t, (x + 0.5f) / W, (y + 0.5f) / W, layer);
}

__global__ void faces(float *to, cudaTextureObject_t t)
{
    const int x = threadIdx.x, y = threadIdx.y, face = blockIdx.x;
    const float u = (x + 0.5f) / W * 2 - 1, v = (y + 0.5f) / W * 2 - 1;
    const float3 d[6] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}};
    to[(face * W + y) * W + x] = texCubemap<float>(t, d[face].x, d[face].y, d[face].z);
}

__global__ void gather(float4 *to, cudaTextureObject_t t) { *to = tex2Dgather<float4>(t, 3, 5, 0); }

__global__ void twice(cudaSurfaceObject_t s)
{
    const int x = threadIdx.x * (int)sizeof(float);
    surf3Dwrite(2 * surf3Dread<float>(s, x, threadIdx.y, blockIdx.x), s, x, threadIdx.y, blockIdx.x);
}

__global__ void negative(cudaSurfaceObject_t s)
{
    const int x = threadIdx.x * (int)sizeof(float);
    float value;
    surf2DLayeredread(&value, s, x, threadIdx.y, blockIdx.x);
    surf2DLayeredwrite(-value, s, x, threadIdx.y, blockIdx.x);
}

static std::vector<float> numbers(int slices)
{
    std::vector<float> h(W * W * slices);
    for (size_t i = 0; i < h.size(); i++)
        h[i] = (float)i;
    return h;
}

static cudaArray_t array_of(std::vector<float> &h, unsigned flags)
{
    const size_t slices = h.size() / (W * W);
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    EXPECT(cudaMalloc3DArray(&array, &channels, make_cudaExtent(W, W, slices), flags) == cudaSuccess);
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcPtr = make_cudaPitchedPtr(h.data(), W * sizeof(float), W, W);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(W, W, slices);
    copy.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
    return array;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc r;
    std::memset(&r, 0, sizeof r);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    return r;
}

static cudaTextureObject_t texture_of(cudaArray_t array, bool normalized)
{
    const cudaResourceDesc r = resource_of(array);
    cudaTextureDesc how;
    std::memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    how.normalizedCoords = normalized;
    cudaTextureObject_t t = 0;
    EXPECT(cudaCreateTextureObject(&t, &r, &how, nullptr) == cudaSuccess);
    return t;
}

static float *device;
static std::vector<float> result(size_t count)
{
    std::vector<float> h(count);
    EXPECT(cudaMemcpy(h.data(), device, count * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess);
    return h;
}

int main()
{
    const dim3 slice(W, W);
    cudaMalloc(&device, W * W * W * sizeof(float));

    std::vector<float> h = numbers(W);
    cudaArray_t array = array_of(h, cudaArraySurfaceLoadStore);
    cudaTextureObject_t t = texture_of(array, false);
    cudaSurfaceObject_t s;
    cudaResourceDesc r = resource_of(array);
    EXPECT(cudaCreateSurfaceObject(&s, &r) == cudaSuccess);
    volume<<<W, slice>>>(device, t);
    EXPECT(result(h.size()) == h);
    between<<<1, 1>>>(device, t);
    EXPECT(result(2)[0] == (h[(3 * W + 2) * W + 1] + h[(4 * W + 3) * W + 2]) / 2);
    EXPECT(result(2)[1] == 0);
    twice<<<W, slice>>>(s);
    volume<<<W, slice>>>(device, t);
    EXPECT(result(h.size())[77] == 154);
    std::vector<float> back(h.size()); // a box of it, by a copy from the array
    cudaMemcpy3DParms copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcArray = array;
    copy.srcPos = make_cudaPos(2, 1, 3);
    copy.dstPtr = make_cudaPitchedPtr(back.data(), W * sizeof(float), W, W);
    copy.extent = make_cudaExtent(4, 5, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT(cudaMemcpy3D(&copy) == cudaSuccess);
    EXPECT(back[0] == 2 * h[(3 * W + 1) * W + 2] && back[(1 * W + 4) * W + 3] == 2 * h[(4 * W + 5) * W + 5]);
    cudaDestroySurfaceObject(s);
    cudaDestroyTextureObject(t);
    cudaFreeArray(array);

    h = numbers(5);
    array = array_of(h, cudaArrayLayered | cudaArraySurfaceLoadStore);
    t = texture_of(array, true);
    r = resource_of(array);
    EXPECT(cudaCreateSurfaceObject(&s, &r) == cudaSuccess);
    layers<<<5, slice>>>(device, t);
    EXPECT(result(h.size()) == h);
    negative<<<5, slice>>>(s);
    layers<<<5, slice>>>(device, t);
    EXPECT(result(h.size())[200] == -200);
    cudaDestroySurfaceObject(s);
    cudaDestroyTextureObject(t);
    cudaFreeArray(array);

    h = numbers(6);
    array = array_of(h, cudaArrayCubemap);
    t = texture_of(array, true);
    faces<<<6, slice>>>(device, t);
    EXPECT(result(h.size()) == h);
    cudaDestroyTextureObject(t);
    cudaFreeArray(array);

    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    h = numbers(1);
    EXPECT(cudaMallocArray(&array, &channels, W, W, cudaArrayTextureGather) == cudaSuccess);
    EXPECT(cudaMemcpy2DToArray(array, 0, 0, h.data(), W * sizeof(float), W * sizeof(float), W, cudaMemcpyHostToDevice) == cudaSuccess);
    t = texture_of(array, false);
    gather<<<1, 1>>>((float4 *)device, t);
    EXPECT(result(4) == (std::vector<float>{h[5 * W + 2], h[5 * W + 3], h[4 * W + 3], h[4 * W + 2]}));
    cudaDestroyTextureObject(t);
    cudaFreeArray(array);
    cudaFree(device);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
