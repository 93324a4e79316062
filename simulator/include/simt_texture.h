/* simt_texture.h: CUDA arrays, textures and surfaces of one to three dimensions, with layers, and
   cubemaps (../extras/texture.c). cuda_runtime.h includes it, as CUDA's does. */
#pragma once

#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

SIMT_ENUM(cudaChannelFormatKind, cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned,
          cudaChannelFormatKindFloat, cudaChannelFormatKindNone)
struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    enum cudaChannelFormatKind f;
};

typedef const struct cudaArray *cudaArray_const_t;
#define cudaArrayDefault          0u
#define cudaArrayLayered          1u
#define cudaArraySurfaceLoadStore 2u
#define cudaArrayCubemap          4u
#define cudaArrayTextureGather    8u

SIMT_ENUM(cudaResourceType, cudaResourceTypeArray, cudaResourceTypeLinear = 2,
          cudaResourceTypePitch2D)
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

SIMT_ENUM(cudaTextureAddressMode, cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror,
          cudaAddressModeBorder)
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
/* depth: of three dimensions; by cudaArrayLayered the count of layers, by cudaArrayCubemap 6. */
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags SIMT_OR(0));
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
   them for; index: of an element, of a layer, or of the channel that tex2Dgather() gathers. */
SIMT_ENUM(simt_fetch, SIMT_TEX1DFETCH, SIMT_TEX1D, SIMT_TEX2D, SIMT_TEX3D, SIMT_TEX1DLAYERED,
          SIMT_TEX2DLAYERED, SIMT_TEXCUBEMAP, SIMT_TEXCUBEMAPLAYERED, SIMT_TEX2DGATHER)
void simt_texture_fetch(cudaTextureObject_t texture, enum simt_fetch how, const float at[3],
                        int index, enum cudaChannelFormatKind f, unsigned result[4]);
/* bytes at byte x of row y of slice z; write: else they are read. */
void simt_surface_access(cudaSurfaceObject_t surface, int x, int y, int z,
                         enum cudaSurfaceBoundaryMode mode, void *value, size_t bytes, int write);

#ifdef __cplusplus
}

/* ---- what kernels call: T is a number, or a vector of two or four ---- */

static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind f)
{
    return {x, y, z, w, f};
}

template <class T, bool _NUMBER = std::is_arithmetic<T>::value> struct simt_channels {
    typedef T type;
};
template <class T> struct simt_channels<T, false> {
    typedef decltype(T::x) type;
};
template <class T> constexpr cudaChannelFormatKind simt_channel_kind()
{
    typedef typename simt_channels<T>::type _C;
    return std::is_floating_point<_C>::value ? cudaChannelFormatKindFloat
           : std::is_signed<_C>::value       ? cudaChannelFormatKindSigned
                                             : cudaChannelFormatKindUnsigned;
}
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef typename simt_channels<T>::type _C;
    const int bits = 8 * (int)sizeof(_C), count = (int)(sizeof(T) / sizeof(_C));
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
            simt_channel_kind<T>()};
}

template <class T>
SIMT_INLINE T simt_texel(cudaTextureObject_t texture, simt_fetch how, float x, float y, float z,
                         int index)
{
    typedef typename simt_channels<T>::type _C;
    static_assert(sizeof(_C) <= 4 && (sizeof(T) / sizeof(_C) & (sizeof(T) / sizeof(_C) - 1)) == 0,
                  "a texture gives numbers of at most 4 bytes, and vectors of two or four of them");
    unsigned result[4];
    float at[3] = {x, y, z};
    _C channels[4];
    T value;
    simt_texture_fetch(texture, how, at, index, simt_channel_kind<T>(), result);
    for (int i = 0; i < 4; i++)
        __builtin_memcpy(&channels[i], &result[i], sizeof(_C)); /* the lower bytes */
    __builtin_memcpy((void *)&value, channels, sizeof value);
    return value;
}
/* Each gives its value, or writes it to a place. */
#define SIMT_FETCH(NAME, HOW, X, Y, Z, INDEX, ...)                                                 \
    template <class T> SIMT_INLINE T NAME(cudaTextureObject_t texture, __VA_ARGS__)                \
    {                                                                                              \
        return simt_texel<T>(texture, HOW, X, Y, Z, INDEX);                                        \
    }                                                                                              \
    template <class T> SIMT_INLINE void NAME(T *to, cudaTextureObject_t texture, __VA_ARGS__)      \
    {                                                                                              \
        *to = simt_texel<T>(texture, HOW, X, Y, Z, INDEX);                                         \
    }
SIMT_FETCH(tex1Dfetch, SIMT_TEX1DFETCH, 0, 0, 0, i, int i)
SIMT_FETCH(tex1D, SIMT_TEX1D, x, 0, 0, 0, float x)
SIMT_FETCH(tex2D, SIMT_TEX2D, x, y, 0, 0, float x, float y)
SIMT_FETCH(tex3D, SIMT_TEX3D, x, y, z, 0, float x, float y, float z)
SIMT_FETCH(tex1DLayered, SIMT_TEX1DLAYERED, x, 0, 0, layer, float x, int layer)
SIMT_FETCH(tex2DLayered, SIMT_TEX2DLAYERED, x, y, 0, layer, float x, float y, int layer)
SIMT_FETCH(texCubemap, SIMT_TEXCUBEMAP, x, y, z, 0, float x, float y, float z)
SIMT_FETCH(texCubemapLayered, SIMT_TEXCUBEMAPLAYERED, x, y, z, layer, float x, float y, float z,
           int layer)
SIMT_FETCH(tex2Dgather, SIMT_TEX2DGATHER, x, y, 0, channel, float x, float y, int channel = 0)

#define SIMT_SURFACE(NAME, X, Y, Z, ...)                                                           \
    template <class T>                                                                             \
    SIMT_INLINE T NAME##read(cudaSurfaceObject_t surface, __VA_ARGS__,                             \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                                              \
        T value;                                                                                   \
        simt_surface_access(surface, X, Y, Z, mode, (void *)&value, sizeof value, 0);              \
        return value;                                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    SIMT_INLINE void NAME##read(T *to, cudaSurfaceObject_t surface, __VA_ARGS__,                   \
                                cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)               \
    {                                                                                              \
        simt_surface_access(surface, X, Y, Z, mode, (void *)to, sizeof *to, 0);                    \
    }                                                                                              \
    template <class T>                                                                             \
    SIMT_INLINE void NAME##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,                \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                                              \
        simt_surface_access(surface, X, Y, Z, mode, (void *)&value, sizeof value, 1);              \
    }
SIMT_SURFACE(surf1D, x, 0, 0, int x)
SIMT_SURFACE(surf2D, x, y, 0, int x, int y)
SIMT_SURFACE(surf3D, x, y, z, int x, int y, int z)
SIMT_SURFACE(surf1DLayered, x, 0, layer, int x, int layer)
SIMT_SURFACE(surf2DLayered, x, y, layer, int x, int y, int layer)
SIMT_SURFACE(surfCubemap, x, y, face, int x, int y, int face)
SIMT_SURFACE(surfCubemapLayered, x, y, face, int x, int y, int face)
#endif
