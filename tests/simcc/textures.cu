// Textures and surfaces.
// run: SIMT_SCHEDULE=0..3
// tier: nightly
#include "check.cuh"

// A picture that is turned and blurred through its texture, table look-ups, addresses outside, filters, pitched and linear
// memory, bytes that are read as floats.
static bool near(float a, float b) { return std::fabs(a - b) < 1e-4f; }

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource, cudaTextureAddressMode address, cudaTextureFilterMode filter, bool normalized,
                                      cudaTextureReadMode read = cudaReadModeElementType, int second = -1) {
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[2] = address;
    how.addressMode[1] = second < 0 ? address : (cudaTextureAddressMode)second; // a GPU looks at it for one dimension, too
    how.filterMode = filter;
    how.readMode = read;
    how.normalizedCoords = normalized;
    how.borderColor[0] = -1;
    cudaTextureObject_t texture = 0;
    CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

static cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    return r;
}

template <class T> static cudaResourceDesc array_of(const T *data, size_t width, size_t height, unsigned flags = 0) {
    const cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, width, height, flags));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, data, width * sizeof(T), width * sizeof(T), height ? height : 1, cudaMemcpyHostToDevice));
    return resource_of(array);
}

__global__ void fetch_1d(cudaTextureObject_t texture, const float *x, float *out, int n) {
    if ((int)threadIdx.x < n) out[threadIdx.x] = tex1D<float>(texture, x[threadIdx.x]);
}

__global__ void fetch_2d(cudaTextureObject_t texture, const float *x, const float *y, float *out, int n) {
    if ((int)threadIdx.x < n) out[threadIdx.x] = tex2D<float>(texture, x[threadIdx.x], y[threadIdx.x]);
}

// Each mode of addresses, with and without a filter, against the programming guide's formulas.
static void tables() {
    const float table[] = {1, 2, 4, 8, 16, 32, 64, 128};
    const int n = 8, points = 29;
    float *x = managed<float>(points), *out = managed<float>(points);
    cudaResourceDesc r = array_of(table, n, 0);
    const cudaTextureAddressMode modes[] = {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder};
    for (auto mode : modes)
        for (auto filter : {cudaFilterModePoint, cudaFilterModeLinear})
            for (int both = 0; both < 4; both++) {
                const bool normalized = both % 2, above = both / 2; // filtered with the border above the only row
                if (!normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror)) continue;
                const auto texture = texture_of(r, mode, filter, normalized, cudaReadModeElementType, above ? cudaAddressModeBorder : cudaAddressModeClamp);
                for (int i = 0; i < points; i++) x[i] = (-10 + 28 * (i + 0.25f) / points) / (normalized ? n : 1);
                fetch_1d<<<1, 32>>>(texture, x, out, points);
                CHECK(cudaDeviceSynchronize(), cudaDestroyTextureObject(texture));
                auto at = [&](int k) -> float {
                    if (mode == cudaAddressModeBorder && (k < 0 || k >= n)) return -1;
                    if (mode == cudaAddressModeWrap) k = (k % n + n) % n;
                    if (mode == cudaAddressModeMirror && (k = (k % (2 * n) + 2 * n) % (2 * n)) >= n) k = 2 * n - 1 - k;
                    return table[k < 0 ? 0 : k >= n ? n - 1 : k];
                };
                for (int i = 0; i < points; i++) {
                    const float p = normalized ? x[i] * n : x[i], below = std::floor(p - 0.5f);
                    const float w = std::round((p - 0.5f - below) * 256) / 256; // nine bits of the weight
                    float should = filter == cudaFilterModePoint ? at((int)std::floor(p)) : (1 - w) * at((int)below) + w * at((int)below + 1);
                    should = above && filter == cudaFilterModeLinear ? (should - 1) / 2 : should;
                    if (std::fabs(out[i] - should) > std::fabs(at((int)below + 1) - at((int)below)) / 250 + 1e-5f)
                        std::printf("mode %d, filter %d, %d: %g gives %g, not %g\n", mode, filter, normalized, p, out[i], should), wrong++;
                }
            }
    CHECK(cudaFreeArray(r.res.array.array));
}

__global__ void turn(cudaTextureObject_t picture, uchar4 *out, int width, int height, float angle) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height) return;
    const float u = i + 0.5f - 0.5f * width, v = j + 0.5f - 0.5f * height;
    const float4 c = tex2D<float4>(picture, (u * cosf(angle) - v * sinf(angle)) / width + 0.5f, (v * cosf(angle) + u * sinf(angle)) / height + 0.5f);
    out[j * width + i] = make_uchar4((unsigned char)(c.x * 255 + 0.5f), (unsigned char)(c.y * 255 + 0.5f), (unsigned char)(c.z * 255 + 0.5f), (unsigned char)(c.w * 255 + 0.5f));
}

static void picture() {
    const int width = 24, height = 16, n = width * height;
    uchar4 *pixels = managed<uchar4>(n, [](int i) { return make_uchar4(i % 256, i * 7 % 256, 255 - i % 256, i % width == 0); }), *turned = managed<uchar4>(n);
    cudaResourceDesc r = array_of(pixels, width, height);
    const auto texture = texture_of(r, cudaAddressModeWrap, cudaFilterModeLinear, true, cudaReadModeNormalizedFloat);
    turn<<<dim3(3, 4), dim3(8, 4)>>>(texture, turned, width, height, (float)M_PI); // half a turn: no neighbour is mixed in
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        const uchar4 a = pixels[i], b = turned[n - 1 - i];
        EXPECT(std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z) <= 3);
    }
    CHECK(cudaDestroyTextureObject(texture), cudaFreeArray(r.res.array.array));
}

__global__ void blur(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= width || j >= height) return;
    float sum = 0, right;
    for (int d = -1; d <= 0; d++) sum += surf2Dread<float>(in, (i + d) * (int)sizeof(float), j, cudaBoundaryModeClamp);
    surf2Dread(&right, in, (i + 1) * (int)sizeof(float), j, cudaBoundaryModeZero);
    surf2Dwrite(sum + right, out, i * (int)sizeof(float), j);
}

static void surfaces() {
    const int width = 20, height = 5;
    float pixels[height][width], back[height][width];
    for (int i = 0; i < width * height; i++) pixels[i / width][i % width] = (float)(i * i % 17);
    cudaResourceDesc a = array_of(pixels[0], width, height, cudaArraySurfaceLoadStore), b = array_of(pixels[0], width, height, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t from, to;
    CHECK(cudaCreateSurfaceObject(&from, &a), cudaCreateSurfaceObject(&to, &b));
    blur<<<dim3(2, 2), dim3(16, 4)>>>(from, to, width, height);
    CHECK(cudaMemcpy2DFromArray(back, sizeof back[0], b.res.array.array, 0, 0, sizeof back[0], height, cudaMemcpyDeviceToHost));
    for (int j = 0; j < height; j++)
        EACH(i, width, back[j][i] == pixels[j][i ? i - 1 : 0] + pixels[j][i] + (i + 1 < width ? pixels[j][i + 1] : 0));
    for (auto surface : {from, to}) CHECK(cudaDestroySurfaceObject(surface));
    for (auto r : {a, b}) CHECK(cudaFreeArray(r.res.array.array));
}

__global__ void gather(cudaTextureObject_t texture, const int *index, int2 *out) { out[threadIdx.x] = tex1Dfetch<int2>(texture, index[threadIdx.x]); }

// Linear memory by whole indices, outside of which it is 0; rows with room after them; signed bytes as fractions.
static void memories() {
    int2 *pairs = managed<int2>(100, [](int i) { return make_int2(i, -i); }), *out = managed<int2>(32);
    int *index = managed<int>(32, [](int i) { return (i * 37 + 5) % 110; });
    cudaResourceDesc linear = {}, rows = {};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = pairs;
    linear.res.linear.desc = cudaCreateChannelDesc<int2>();
    linear.res.linear.sizeInBytes = 100 * sizeof *pairs;
    auto texture = texture_of(linear, cudaAddressModeClamp, cudaFilterModePoint, false);
    gather<<<1, 32>>>(texture, index, out);
    EACH_LEFT(i, 32, out[i].x == (index[i] < 100 ? index[i] : 0) && out[i].y == -out[i].x);
    CHECK(cudaDestroyTextureObject(texture));

    const signed char bytes[3][5] = {{0, 127, -127, -128, 1}, {10, 20, 30, 40, 50}, {-10, -20, -30, -40, -50}};
    const float at[8] = {0.5f, 3.5f, 4.5f, 2.0f, 0.5f, 0.5f, 2.5f, 2.0f}; // four x, four y
    float *points = managed<float>(8, [&](int i) { return at[i]; }), *results = managed<float>(4);
    rows.resType = cudaResourceTypePitch2D;
    rows.res.pitch2D.desc = cudaCreateChannelDesc<signed char>();
    rows.res.pitch2D.width = 5, rows.res.pitch2D.height = 3;
    CHECK(cudaMallocPitch(&rows.res.pitch2D.devPtr, &rows.res.pitch2D.pitchInBytes, 5, 3));
    CHECK(cudaMemcpy2D(rows.res.pitch2D.devPtr, rows.res.pitch2D.pitchInBytes, bytes, 5, 5, 3, cudaMemcpyHostToDevice));
    texture = texture_of(rows, cudaAddressModeClamp, cudaFilterModeLinear, false, cudaReadModeNormalizedFloat);
    fetch_2d<<<1, 4>>>(texture, points, points + 4, results, 4);
    LEFT(near(results[0], 0) && near(results[1], -1) && near(results[2], -50 / 127.0f) && near(results[3], (20 + 30 - 20 - 30) / 4 / 127.0f));
    CHECK(cudaDestroyTextureObject(texture), cudaFree(rows.res.pitch2D.devPtr));
}

// What CUDA refuses.
static void refusals() {
    cudaArray_t array;
    cudaChannelFormatDesc three = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat), one = cudaCreateChannelDesc<int>(), is;
    EXPECT(cudaMallocArray(&array, &three, 8, 8) == cudaErrorInvalidChannelDescriptor);
    CHECK(cudaMallocArray(&array, &one, 8, 8), cudaGetChannelDesc(&is, array));
    EXPECT(is.x == 32 && is.y == 0 && is.f == cudaChannelFormatKindSigned);
    const cudaResourceDesc r = resource_of(array);
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    EXPECT(cudaCreateTextureObject(&texture, &r, &how, nullptr) == cudaErrorInvalidFilterSetting);
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeNormalizedFloat;
    EXPECT(cudaCreateTextureObject(&texture, &r, &how, nullptr) == cudaErrorInvalidNormSetting);
    char host[64];
    EXPECT(cudaMemcpy2DToArray(array, 8, 0, host, 32, 32, 2, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
    CHECK(cudaFreeArray(array));
    cudaGetLastError();
}

// Textures of three dimensions, with layers, and cubemaps; gathered texels; surfaces of three dimensions and with layers.
enum { W = 8 };

__device__ float &own(float *to) { return to[(blockIdx.x * W + threadIdx.y) * W + threadIdx.x]; }

__global__ void volume(float *to, cudaTextureObject_t t) { own(to) = tex3D<float>(t, threadIdx.x + 0.5f, threadIdx.y + 0.5f, blockIdx.x + 0.5f); }

__global__ void between(float *to, cudaTextureObject_t t) {
    to[0] = tex3D<float>(t, 2, 3, 4); // the mean of eight
    to[1] = tex3D<float>(t, -5, -5, -5);
}

__global__ void layers(float *to, cudaTextureObject_t t) { own(to) = tex2DLayered<float>(t, (threadIdx.x + 0.5f) / W, (threadIdx.y + 0.5f) / W, blockIdx.x); }

__global__ void faces(float *to, cudaTextureObject_t t) {
    const float u = (threadIdx.x + 0.5f) / W * 2 - 1, v = (threadIdx.y + 0.5f) / W * 2 - 1;
    const float3 d[6] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}}, to_face = d[blockIdx.x];
    own(to) = texCubemap<float>(t, to_face.x, to_face.y, to_face.z);
}

__global__ void gather(float4 *to, cudaTextureObject_t t) { *to = tex2Dgather<float4>(t, 3, 5, 0); }

__global__ void twice(cudaSurfaceObject_t s) {
    const int x = threadIdx.x * (int)sizeof(float);
    surf3Dwrite(2 * surf3Dread<float>(s, x, threadIdx.y, blockIdx.x), s, x, threadIdx.y, blockIdx.x);
}

__global__ void negative(cudaSurfaceObject_t s) {
    const int x = threadIdx.x * (int)sizeof(float);
    float value;
    surf2DLayeredread(&value, s, x, threadIdx.y, blockIdx.x);
    surf2DLayeredwrite(-value, s, x, threadIdx.y, blockIdx.x);
}

// An array of slices with the numbers from 0 on, and what leads to it.
struct Numbers {
    std::vector<float> h;
    cudaArray_t array;
    cudaTextureObject_t t;
    cudaSurfaceObject_t s = 0;

    Numbers(int slices, unsigned flags, bool normalized) : h(W * W * slices) {
        for (size_t i = 0; i < h.size(); i++) h[i] = (float)i;
        if (flags == cudaArrayTextureGather) {
            array = array_of(h.data(), W, W, flags).res.array.array;
        } else {
            const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
            cudaMemcpy3DParms copy = {};
            CHECK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(W, W, slices), flags));
            copy.srcPtr = make_cudaPitchedPtr(h.data(), W * sizeof(float), W, W);
            copy.dstArray = array;
            copy.extent = make_cudaExtent(W, W, slices);
            copy.kind = cudaMemcpyHostToDevice;
            CHECK(cudaMemcpy3D(&copy));
        }
        const cudaResourceDesc r = resource_of(array);
        t = texture_of(r, cudaAddressModeClamp, cudaFilterModeLinear, normalized);
        if (flags & cudaArraySurfaceLoadStore) CHECK(cudaCreateSurfaceObject(&s, &r));
    }
    ~Numbers() {
        if (s) CHECK(cudaDestroySurfaceObject(s));
        CHECK(cudaDestroyTextureObject(t), cudaFreeArray(array));
    }
};

static float *out;
static std::vector<float> result(size_t count) {
    CHECK(cudaDeviceSynchronize());
    return std::vector<float>(out, out + count);
}

static void volumes() {
    const dim3 slice(W, W);
    Numbers n(W, cudaArraySurfaceLoadStore, false);
    const auto at = [&](int x, int y, int z) { return n.h[(z * W + y) * W + x]; };
    volume<<<W, slice>>>(out, n.t);
    EXPECT(result(n.h.size()) == n.h);
    between<<<1, 1>>>(out, n.t);
    EXPECT(result(2) == std::vector<float>{(at(1, 2, 3) + at(2, 3, 4)) / 2, 0});
    twice<<<W, slice>>>(n.s);
    volume<<<W, slice>>>(out, n.t);
    EXPECT(result(n.h.size())[77] == 154);
    std::vector<float> back(n.h.size()); // a box of it, by a copy from the array
    cudaMemcpy3DParms copy = {};
    copy.srcArray = n.array;
    copy.srcPos = make_cudaPos(2, 1, 3);
    copy.dstPtr = make_cudaPitchedPtr(back.data(), W * sizeof(float), W, W);
    copy.extent = make_cudaExtent(4, 5, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    EXPECT(back[0] == 2 * at(2, 1, 3) && back[(1 * W + 4) * W + 3] == 2 * at(5, 5, 4));
}

static void textures_deep() {
    const dim3 slice(W, W);
    out = managed<float>(W * W * W);
    volumes();
    Numbers layered(5, cudaArrayLayered | cudaArraySurfaceLoadStore, true), cube(6, cudaArrayCubemap, true), flat(1, cudaArrayTextureGather, false);
    layers<<<5, slice>>>(out, layered.t);
    EXPECT(result(layered.h.size()) == layered.h);
    negative<<<5, slice>>>(layered.s);
    layers<<<5, slice>>>(out, layered.t);
    EXPECT(result(layered.h.size())[200] == -200);
    faces<<<6, slice>>>(out, cube.t);
    EXPECT(result(cube.h.size()) == cube.h);
    gather<<<1, 1>>>((float4 *)out, flat.t);
    EXPECT(result(4) == std::vector<float>{flat.h[5 * W + 2], flat.h[5 * W + 3], flat.h[4 * W + 3], flat.h[4 * W + 2]});
}

int main() {
    tables(), picture(), surfaces(), memories(), refusals(), textures_deep();
    return verdict();
}
