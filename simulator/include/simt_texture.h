/*
 * simt_texture.h: CUDA arrays, textures and surfaces of one and two dimensions
 * (../extras/texture.c). cuda_runtime.h includes it, since CUDA has them without a header.
 */
#ifndef SIMT_TEXTURE_H
#define SIMT_TEXTURE_H

#include "cuda_runtime_api.h"

#ifdef __cplusplus
#define SIMT_OR(VALUE) = VALUE
extern "C" {
#else
#define SIMT_OR(VALUE)
#endif

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone,
};
struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    enum cudaChannelFormatKind f;
};

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
#define cudaArrayDefault          0u
#define cudaArraySurfaceLoadStore 2u

enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D,
};
struct cudaResourceDesc {
    enum cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes; /* width: in elements */
        } pitch2D;
    } res;
    unsigned flags;
};

enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder,
};
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
struct cudaTextureDesc {
    enum cudaTextureAddressMode addressMode[3];
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureReadMode readMode;
    int sRGB; /* 0 alone is taken */
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy; /* from here on: of mipmaps, which there are none of */
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;

/* width and height: in elements; height 0: of one dimension. */
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height SIMT_OR(0), unsigned flags SIMT_OR(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
/* x and width in bytes, y and height in rows. Those without 2D go on in the next row. */
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                size_t from_pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t from_pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream SIMT_OR(0));
cudaError_t cudaMemcpy2DFromArray(void *to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream SIMT_OR(0));
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind);

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

/* What a fetch gives: up to four floats or whole numbers, as their bits. f: what the program takes
   them for. */
enum simt_fetch { SIMT_TEX1DFETCH, SIMT_TEX1D, SIMT_TEX2D };
void simt_texture_fetch(cudaTextureObject_t texture, enum simt_fetch how, float x, float y,
                        int index, enum cudaChannelFormatKind f, unsigned result[4]);
/* bytes at byte x of row y; write: else they are read. */
void simt_surface_access(cudaSurfaceObject_t surface, int x, int y,
                         enum cudaSurfaceBoundaryMode mode, void *value, size_t bytes, int write);

#undef SIMT_OR
#ifdef __cplusplus
}

/* ---- what kernels call: T is a number, or a vector of two or four ---- */

static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f)
{
    return {x, y, z, w, f};
}

template <class T, bool NUMBER = std::is_arithmetic<T>::value> struct simt_channels {
    typedef T type;
};
template <class T> struct simt_channels<T, false> {
    typedef decltype(T::x) type;
};
template <class T> constexpr cudaChannelFormatKind simt_channel_kind()
{
    typedef typename simt_channels<T>::type C;
    return std::is_floating_point<C>::value ? cudaChannelFormatKindFloat
           : std::is_signed<C>::value       ? cudaChannelFormatKindSigned
                                            : cudaChannelFormatKindUnsigned;
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename simt_channels<T>::type C;
    const int bits = 8 * (int)sizeof(C), count = (int)(sizeof(T) / sizeof(C));
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
            simt_channel_kind<T>()};
}

template <class T>
SIMT_INLINE T simt_texel(cudaTextureObject_t texture, simt_fetch how, float x, float y, int index)
{
    typedef typename simt_channels<T>::type C;
    static_assert(sizeof(C) <= 4 && (sizeof(T) / sizeof(C) & (sizeof(T) / sizeof(C) - 1)) == 0,
                  "a texture gives numbers of at most 4 bytes, and vectors of two or four of them");
    unsigned result[4];
    C channels[4];
    T value;
    simt_texture_fetch(texture, how, x, y, index, simt_channel_kind<T>(), result);
    for (int i = 0; i < 4; i++)
        __builtin_memcpy(&channels[i], &result[i], sizeof(C)); /* the lower bytes */
    __builtin_memcpy((void *)&value, channels, sizeof value);
    return value;
}
template <class T> SIMT_INLINE T tex1Dfetch(cudaTextureObject_t texture, int i)
{
    return simt_texel<T>(texture, SIMT_TEX1DFETCH, 0, 0, i);
}
template <class T> SIMT_INLINE T tex1D(cudaTextureObject_t texture, float x)
{
    return simt_texel<T>(texture, SIMT_TEX1D, x, 0, 0);
}
template <class T> SIMT_INLINE T tex2D(cudaTextureObject_t texture, float x, float y)
{
    return simt_texel<T>(texture, SIMT_TEX2D, x, y, 0);
}
template <class T> SIMT_INLINE void tex1Dfetch(T *to, cudaTextureObject_t texture, int i)
{
    *to = tex1Dfetch<T>(texture, i);
}
template <class T> SIMT_INLINE void tex1D(T *to, cudaTextureObject_t texture, float x)
{
    *to = tex1D<T>(texture, x);
}
template <class T> SIMT_INLINE void tex2D(T *to, cudaTextureObject_t texture, float x, float y)
{
    *to = tex2D<T>(texture, x, y);
}

template <class T>
SIMT_INLINE T surf2Dread(cudaSurfaceObject_t surface, int x, int y,
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    T value;
    simt_surface_access(surface, x, y, mode, (void *)&value, sizeof value, 0);
    return value;
}
template <class T>
SIMT_INLINE void surf2Dread(T *to, cudaSurfaceObject_t surface, int x, int y,
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    *to = surf2Dread<T>(surface, x, y, mode);
}
template <class T>
SIMT_INLINE void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y,
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    simt_surface_access(surface, x, y, mode, (void *)&value, sizeof value, 1);
}
template <class T>
SIMT_INLINE T surf1Dread(cudaSurfaceObject_t surface, int x,
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    return surf2Dread<T>(surface, x, 0, mode);
}
template <class T>
SIMT_INLINE void surf1Dwrite(T value, cudaSurfaceObject_t surface, int x,
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)
{
    surf2Dwrite(value, surface, x, 0, mode);
}
#endif
#endif
