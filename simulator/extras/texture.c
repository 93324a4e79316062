/* texture.c: CUDA arrays, textures and surfaces (include/simt_texture.h). An array is device memory
   whose address no kernel knows. Addresses and filters are those of the Programming Guide's
   "Texture Fetching". A fetch is read by access.c, and counts as no request. */
#include "access.h"
#include "allocations.h"
#include "device_memory.h"
#include "fault.h"
#include "lock.h"
#include "queue.h"
#include "race.h"
#include "requests.h"
#include "time/record.h"
#include <math.h>
#include <simt_texture.h>

struct image {
    struct cudaChannelFormatDesc desc;
    char *data;
    size_t pitch, width, height; /* width: in elements; height: 1 or more */
    size_t slices;               /* 1 or more: its depth, or layers, of cubemaps six for each */
    unsigned channels, bytes;    /* of an element */
};

struct cudaArray {
    struct image image;
    size_t height, depth; /* as they were asked for */
    unsigned flags;
};

/* A texture, or a surface; numbers are never used again. */
struct object {
    struct image image;
    struct cudaTextureDesc how;
    enum { TEXTURE, SURFACE, DESTROYED } kind;
    bool linear;    /* memory for tex1Dfetch() */
    unsigned flags; /* of its array */
};

static struct object *objects;
static size_t object_count;

/* One, two or four channels of the same 8, 16 or 32 bits. */
static bool describe(struct image *image, const struct cudaChannelFormatDesc *d)
{
    unsigned channels = 1 + (d->y != 0) + (d->z != 0) + (d->w != 0);
    int bits[] = {d->x, d->y, d->z, d->w};
    for (unsigned i = 0; i < 4; i++)
        if (bits[i] != (i < channels ? d->x : 0))
            return false;
    image->desc = *d;
    image->channels = channels;
    image->bytes = channels * (unsigned)d->x / 8;
    return channels != 3 &&
           (d->x == 32 || (d->f != cudaChannelFormatKindFloat && (d->x == 8 || d->x == 16)));
}

/* ---- arrays ---- */

static void without_arrays(struct cudaMemcpy3DParms *p);

cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                              struct cudaExtent extent, unsigned flags)
{
    const unsigned known =
        cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    struct cudaArray made = {.height = extent.height, .depth = extent.depth, .flags = flags};
    struct image *i = &made.image;
    bool cube = flags & cudaArrayCubemap, layered = flags & cudaArrayLayered;
    SIMT_REFUSE_IF(!array || !desc || !describe(i, desc), cudaErrorInvalidChannelDescriptor);
    SIMT_REFUSE_IF(extent.width == 0 || (flags & ~known) != 0 ||
                       (cube && (extent.width != extent.height || extent.depth == 0 ||
                                 extent.depth % 6 != 0 || (!layered && extent.depth != 6))) ||
                       (layered && extent.depth == 0) ||
                       (!layered && extent.depth > 0 && extent.height == 0),
                   cudaErrorInvalidValue);
    i->width = extent.width;
    i->height = extent.height == 0 ? 1 : extent.height;
    i->slices = extent.depth == 0 ? 1 : extent.depth;
    i->pitch = i->width * i->bytes;
    cudaError_t error = cudaMalloc((void **)&i->data, i->pitch * i->height * i->slices);
    SIMT_REFUSE_IF(error != cudaSuccess || !(*array = malloc(sizeof made)),
                   cudaErrorMemoryAllocation);
    **array = made;
    memory_without_arrays = without_arrays;
    return cudaSuccess;
}

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned flags)
{
    return cudaMalloc3DArray(array, desc, make_cudaExtent(width, height, 0), flags);
}

/* NULL: so much is not there, which the copy then reports. */
static void put_memory(struct cudaPitchedPtr *p, struct cudaPos *at, cudaArray_t *array,
                       const struct cudaExtent *extent)
{
    if (!*array)
        return;
    const struct image *i = &(*array)->image;
    bool there = at->x <= i->width && extent->width <= i->width - at->x && at->y <= i->height &&
                 extent->height <= i->height - at->y && at->z <= i->slices &&
                 extent->depth <= i->slices - at->z;
    *p = make_cudaPitchedPtr(there ? i->data : NULL, i->pitch, i->width, i->height);
    at->x = there ? at->x * i->bytes : 0;
    if (!there)
        at->y = at->z = 0;
    *array = NULL;
}

static void without_arrays(struct cudaMemcpy3DParms *p)
{
    unsigned bytes = (p->srcArray ? p->srcArray : p->dstArray)->image.bytes;
    put_memory(&p->srcPtr, &p->srcPos, &p->srcArray, &p->extent);
    put_memory(&p->dstPtr, &p->dstPos, &p->dstArray, &p->extent);
    p->extent.width *= bytes;
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    if (!array)
        return cudaSuccess;
    cudaError_t error = cudaFree(array->image.data);
    free(array);
    return error;
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array)
{
    return SIMT_GIVE(desc, array->image.desc);
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array)
{
    if (desc)
        *desc = array->image.desc;
    if (extent)
        *extent = make_cudaExtent(array->image.width, array->height, array->depth);
    if (flags)
        *flags = array->flags;
    return cudaSuccess;
}

/* The place of byte x of row y; NULL: so many bytes and rows are not there. */
static char *place(const struct cudaArray *array, size_t x, size_t y, size_t width, size_t height)
{
    const struct image *i = array ? &array->image : NULL;
    if (!i || x > i->pitch || width > i->pitch - x || y > i->height || height > i->height - y)
        return NULL;
    return i->data + y * i->pitch + x;
}

/* SUFFIX, and what more it takes and hands on. */
#define COPIES(SUFFIX, MORE, ...)                                                                  \
    cudaError_t cudaMemcpy2DToArray##SUFFIX(cudaArray_t to, size_t x, size_t y, const void *from,  \
                                            size_t from_pitch, size_t width, size_t height,        \
                                            enum cudaMemcpyKind kind MORE)                         \
    {                                                                                              \
        char *p = place(to, x, y, width, height);                                                  \
        return p ? cudaMemcpy2D##SUFFIX(p, to->image.pitch, from, from_pitch, width, height,       \
                                        kind __VA_ARGS__)                                          \
                 : simt_error(cudaErrorInvalidValue);                                              \
    }                                                                                              \
    cudaError_t cudaMemcpy2DFromArray##SUFFIX(void *to, size_t to_pitch, cudaArray_const_t from,   \
                                              size_t x, size_t y, size_t width, size_t height,     \
                                              enum cudaMemcpyKind kind MORE)                       \
    {                                                                                              \
        char *p = place(from, x, y, width, height);                                                \
        return p ? cudaMemcpy2D##SUFFIX(to, to_pitch, p, from->image.pitch, width, height,         \
                                        kind __VA_ARGS__)                                          \
                 : simt_error(cudaErrorInvalidValue);                                              \
    }
#define STREAM , cudaStream_t stream
COPIES(, , )
COPIES(Async, STREAM, , stream)

/* Bytes from a place on, row after row: these lie side by side here. */
static char *row_place(const struct cudaArray *array, size_t x, size_t y, size_t bytes)
{
    char *p = place(array, x, y, 0, 0);
    return p && bytes <= (size_t)(array->image.data + array->image.pitch * array->image.height - p)
               ? p
               : NULL;
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    char *p = row_place(to, x, y, bytes);
    return p ? cudaMemcpy(p, from, bytes, kind) : simt_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    char *p = row_place(from, x, y, bytes);
    return p ? cudaMemcpy(to, p, bytes, kind) : simt_error(cudaErrorInvalidValue);
}

/* ---- objects ---- */

static cudaError_t image_of(struct image *image, const struct cudaResourceDesc *r)
{
    if (r->resType == cudaResourceTypeArray && r->res.array.array) {
        *image = r->res.array.array->image;
        return cudaSuccess;
    }
    bool linear = r->resType == cudaResourceTypeLinear;
    SIMT_REFUSE_IF(!linear && r->resType != cudaResourceTypePitch2D, cudaErrorInvalidValue);
    if (!describe(image, linear ? &r->res.linear.desc : &r->res.pitch2D.desc))
        return simt_error(cudaErrorInvalidChannelDescriptor);
    image->data = linear ? r->res.linear.devPtr : r->res.pitch2D.devPtr;
    image->height = linear ? 1 : r->res.pitch2D.height;
    image->slices = 1;
    image->width = linear ? r->res.linear.sizeInBytes / image->bytes : r->res.pitch2D.width;
    image->pitch = linear ? image->width * image->bytes : r->res.pitch2D.pitchInBytes;
    /* As cudaDevAttrTextureAlignment and cudaDevAttrTexturePitchAlignment ask for. */
    bool right =
        (uintptr_t)image->data % 512 == 0 && image->width > 0 && image->height > 0 &&
        (linear || (image->pitch % 32 == 0 && image->pitch >= image->width * image->bytes));
    return right && !memory_is_pageable(image->data) ? cudaSuccess
                                                     : simt_error(cudaErrorInvalidValue);
}

static cudaError_t add_object(unsigned long long *number, const struct object *object)
{
    simt_lock();
    objects = simt_grow(objects, object_count, sizeof *objects);
    objects[object_count++] = *object;
    *number = object_count;
    simt_unlock();
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *texture,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *how,
                                    const struct cudaResourceViewDesc *view)
{
    struct object o = {.how = *how, .kind = TEXTURE};
    cudaError_t error = image_of(&o.image, resource);
    if (error != cudaSuccess)
        return error;
    bool numbers = o.image.desc.f != cudaChannelFormatKindFloat;
    bool normalized = how->readMode == cudaReadModeNormalizedFloat;
    o.linear = resource->resType == cudaResourceTypeLinear;
    o.flags = resource->resType == cudaResourceTypeArray ? resource->res.array.array->flags : 0;
    SIMT_REFUSE_IF(view || how->sRGB, cudaErrorNotSupported);
    SIMT_REFUSE_IF(normalized && numbers && o.image.desc.x == 32, cudaErrorInvalidNormSetting);
    if (how->filterMode == cudaFilterModeLinear && numbers && !normalized && !o.linear)
        return simt_error(cudaErrorInvalidFilterSetting);
    return add_object(texture, &o);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *surface,
                                    const struct cudaResourceDesc *resource)
{
    struct object o = {.kind = SURFACE};
    if (resource->resType != cudaResourceTypeArray || !resource->res.array.array)
        return simt_error(cudaErrorInvalidValue);
    o.flags = resource->res.array.array->flags;
    o.image = resource->res.array.array->image;
    return add_object(surface, &o);
}

static cudaError_t destroy(unsigned long long number, int kind)
{
    queue_finish(); /* kernels under way may use it still */
    simt_lock();
    bool known = number - 1 < object_count && (int)objects[number - 1].kind == kind;
    if (known)
        objects[number - 1].kind = DESTROYED;
    simt_unlock();
    return known ? cudaSuccess : simt_error(cudaErrorInvalidValue);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    return destroy(texture, TEXTURE);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    return destroy(surface, SURFACE);
}

static const struct object *look_up(unsigned long long number, int kind, void *pc)
{
    const char *what = kind == TEXTURE ? "texture" : "surface";
    if (number - 1 >= object_count)
        simt_fault(simt_self, pc, "uses a %s object that was never created", what);
    const struct object *o = &objects[number - 1];
    if (o->kind == DESTROYED)
        simt_fault(simt_self, pc, "uses a %s object that was destroyed", what);
    if ((int)o->kind != kind)
        simt_fault(simt_self, pc, "uses a %s object as a %s",
                   kind == TEXTURE ? "surface" : "texture", what);
    return o;
}

/* ---- textures: what a kernel reads ---- */

/* All that a launch writes is there at once, here: but hardware keeps what it fetched. */
static void touch(char *p, unsigned bytes, bool write, void *pc)
{
    race_settle();
    if (!write && is_device_address((uintptr_t)p) && race_written_now((uintptr_t)p, bytes))
        simt_wrong(simt_self, pc,
                   "reads through a texture or surface what this launch has written: it may be "
                   "an old value");
    requests_pause(true);
    if (write)
        simt_write(p, bytes, pc);
    else
        simt_read(p, bytes, pc);
    requests_pause(false);
}

/* An element as four floats, or four whole numbers of 32 bits; the channels that it lacks are 0. */
union texel {
    float f[4];
    unsigned bits[4];
};

static float normalized(const struct image *i, int value)
{
    bool is_signed = i->desc.f == cudaChannelFormatKindSigned;
    float most = (float)((1 << (i->desc.x - is_signed)) - 1);
    return (float)value / most < -1 ? -1 : (float)value / most;
}

static union texel element(const struct object *o, long x, long y, long z, void *pc)
{
    const struct image *i = &o->image;
    union texel texel = {{0}};
    char *p = i->data + ((size_t)z * i->height + (size_t)y) * i->pitch + (size_t)x * i->bytes;
    touch(p, i->bytes, false, pc);
    for (unsigned c = 0; c < i->channels; c++, p += i->desc.x / 8) {
        bool is_signed = i->desc.f == cudaChannelFormatKindSigned;
        memcpy(&texel.bits[c], p, (size_t)i->desc.x / 8);
        if (is_signed && i->desc.x < 32)
            texel.bits[c] =
                (unsigned)((int)(texel.bits[c] << (32 - i->desc.x)) >> (32 - i->desc.x));
        if (o->how.readMode == cudaReadModeNormalizedFloat &&
            i->desc.f != cudaChannelFormatKindFloat)
            texel.f[c] = normalized(i, (int)texel.bits[c]);
    }
    return texel;
}

static long clamp(long at, long least, long most)
{
    return at < least ? least : at > most ? most : at;
}

/* Where it is in a row or column of so many; -1: outside, at the border. */
static long address(const struct object *o, unsigned dimension, long at, size_t size)
{
    long n = (long)size;
    enum cudaTextureAddressMode mode = o->how.addressMode[dimension];
    if (at >= 0 && at < n)
        return at;
    if (mode == cudaAddressModeBorder)
        return -1;
    if (o->how.normalizedCoords && mode == cudaAddressModeWrap)
        return (at % n + n) % n;
    if (o->how.normalizedCoords && mode == cudaAddressModeMirror) {
        long in_two = (at % (2 * n) + 2 * n) % (2 * n);
        return in_two < n ? in_two : 2 * n - 1 - in_two;
    }
    return at < 0 ? 0 : n - 1;
}

/* Where a fetch is: so many dimensions are filtered, and what is beyond is a slice. */
struct spot {
    float at[3];
    int dimensions;
    bool clamps; /* whatever the texture says, as at the edges of a cube's face */
    long slice;
};

static union texel sample(const struct object *o, const struct spot *s, const long at[3], void *pc)
{
    const size_t sizes[] = {o->image.width, o->image.height, o->image.slices};
    union texel texel = {{0}};
    long in[3] = {at[0], at[1], s->slice};
    for (int d = 0; d < 2 || d < s->dimensions; d++) {
        long most = (long)sizes[d] - 1;
        in[d] = s->clamps ? clamp(at[d], 0, most) : address(o, (unsigned)d, at[d], sizes[d]);
        if (in[d] < 0) {
            memcpy(texel.f, o->how.borderColor, sizeof texel.f);
            return texel;
        }
    }
    return element(o, in[0], in[1], in[2], pc);
}

/* Coordinates that no element has are far outside. */
static float coordinate(const struct object *o, float x, size_t size)
{
    x *= o->how.normalizedCoords ? (float)size : 1;
    return x != x ? 0 : x < -1e9f ? -1e9f : x > 1e9f ? 1e9f : x;
}

/* The element below, and what the one above weighs, in steps of 1/256. */
static long between(float x, float *weight)
{
    float below = floorf(x - 0.5f);
    *weight = floorf((x - 0.5f - below) * 256 + 0.5f) / 256;
    return (long)below;
}

/* What lies around a place, each with its weight. */
static union texel filter(const struct object *o, const struct spot *s, void *pc)
{
    long below[3] = {0};
    float above[3] = {0};
    for (int d = 0; d < s->dimensions; d++)
        below[d] = between(s->at[d], &above[d]);
    union texel corners[8];
    for (int corner = 0; corner < 1 << s->dimensions; corner++) {
        long at[3];
        for (int d = 0; d < 3; d++)
            at[d] = below[d] + (corner >> d & 1);
        corners[corner] = sample(o, s, at, pc);
    }
    for (int d = 0; d < s->dimensions; d++) /* halves them: pairs along x, then y, then z */
        for (int i = 0; i < 1 << (s->dimensions - 1 - d); i++)
            for (int k = 0; k < 4; k++)
                corners[i].f[k] =
                    (1 - above[d]) * corners[2 * i].f[k] + above[d] * corners[2 * i + 1].f[k];
    return corners[0];
}

/* One channel of the four elements that a filter would take. */
static union texel gather(const struct object *o, const struct spot *s, int channel, void *pc)
{
    static const long around[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    union texel result;
    float unused;
    long i = between(s->at[0], &unused), j = between(s->at[1], &unused);
    if (channel < 0 || channel > 3)
        simt_fault(simt_self, pc, "gathers channel %d: there are 0 to 3", channel);
    for (int k = 0; k < 4; k++)
        result.bits[k] =
            sample(o, s, (long[]){i + around[k][0], j + around[k][1], 0}, pc).bits[channel];
    return result;
}

/* The face of a cube that a direction hits, and where: the Programming Guide's table. */
static long cube_face(const float direction[3], float at[2])
{
    float x = direction[0], y = direction[1], z = direction[2];
    float of_x = fabsf(x), of_y = fabsf(y), of_z = fabsf(z);
    int axis = of_x >= of_y && of_x >= of_z ? 0 : of_y >= of_z ? 1 : 2;
    float most = axis == 0 ? of_x : axis == 1 ? of_y : of_z;
    bool minus = direction[axis] < 0;
    float s = axis == 0 ? (minus ? z : -z) : axis == 1 ? x : minus ? -x : x;
    float t = axis == 1 ? (minus ? -z : z) : -y;
    at[0] = (s / most + 1) / 2;
    at[1] = (t / most + 1) / 2;
    return 2 * axis + minus;
}

static void check_type(const struct object *o, enum cudaChannelFormatKind f, void *pc)
{
    static const char *const names[] = {"signed numbers", "unsigned numbers", "floats"};
    bool floats = o->image.desc.f == cudaChannelFormatKindFloat ||
                  o->how.readMode == cudaReadModeNormalizedFloat;
    enum cudaChannelFormatKind has = floats ? cudaChannelFormatKindFloat : o->image.desc.f;
    if ((f == cudaChannelFormatKindFloat) != floats)
        simt_fault(simt_self, pc, "fetches %s from a texture that gives %s", names[f], names[has]);
}

static const struct {
    const char *name;
    int dimensions;
    unsigned flags; /* of the array, as far as they matter */
} fetches[] = {
    [SIMT_TEX1DFETCH] = {"tex1Dfetch", 1, 0},
    [SIMT_TEX1D] = {"tex1D", 1, 0},
    [SIMT_TEX2D] = {"tex2D", 2, 0},
    [SIMT_TEX3D] = {"tex3D", 3, 0},
    [SIMT_TEX1DLAYERED] = {"tex1DLayered", 1, cudaArrayLayered},
    [SIMT_TEX2DLAYERED] = {"tex2DLayered", 2, cudaArrayLayered},
    [SIMT_TEXCUBEMAP] = {"texCubemap", 2, cudaArrayCubemap},
    [SIMT_TEXCUBEMAPLAYERED] = {"texCubemapLayered", 2, cudaArrayLayered | cudaArrayCubemap},
    [SIMT_TEX2DGATHER] = {"tex2Dgather", 2, 0},
};

static void check_fetch(const struct object *o, enum simt_fetch how, void *pc)
{
    bool three = !(o->flags & (cudaArrayLayered | cudaArrayCubemap)) && o->image.slices > 1;
    if (o->linear != (how == SIMT_TEX1DFETCH))
        simt_fault(simt_self, pc,
                   o->linear ? "reads linear memory by tex1D() or tex2D(): tex1Dfetch() does"
                             : "reads an array or pitched memory by tex1Dfetch(): that is for "
                               "linear memory alone");
    if (fetches[how].flags != (o->flags & (cudaArrayLayered | cudaArrayCubemap)) ||
        (three && how != SIMT_TEX3D))
        simt_fault(simt_self, pc, "reads by %s() an array of another kind: %s%s", fetches[how].name,
                   o->flags & cudaArrayCubemap   ? "a cubemap"
                   : o->flags & cudaArrayLayered ? "one"
                   : three                       ? "of three dimensions"
                                                 : "without layers",
                   o->flags & cudaArrayLayered ? " with layers" : "");
    if (how == SIMT_TEX2DGATHER && !(o->flags & cudaArrayTextureGather))
        simt_wrong(simt_self, pc,
                   "gathers from an array that was made without cudaArrayTextureGather");
}

void simt_texture_fetch(cudaTextureObject_t texture, enum simt_fetch how, const float at[3],
                        int index, enum cudaChannelFormatKind f, unsigned result[4])
{
    record_refuse("it fetches from textures");
    void *pc = __builtin_return_address(0);
    const struct object *o = look_up(texture, TEXTURE, pc);
    const struct image *i = &o->image;
    union texel texel = {{0}};
    check_type(o, f, pc);
    check_fetch(o, how, pc);
    struct spot s = {{at[0], at[1], at[2]}, fetches[how].dimensions, false, 0};
    if (o->linear) { /* outside it is 0 */
        if (index >= 0 && (size_t)index < i->width)
            texel = element(o, index, 0, 0, pc);
    } else {
        const size_t sizes[] = {i->width, i->height, i->slices};
        bool cube = how == SIMT_TEXCUBEMAP || how == SIMT_TEXCUBEMAPLAYERED;
        long layers = (long)i->slices / (cube ? 6 : 1);
        if (fetches[how].flags & cudaArrayLayered)
            s.slice = (index < 0 ? 0 : index < layers ? index : layers - 1) * (cube ? 6 : 1);
        if (cube) {
            s.slice += cube_face(at, s.at);
            s.clamps = true;
        }
        for (int d = 0; d < s.dimensions; d++)
            s.at[d] = cube ? s.at[d] * (float)sizes[d] : coordinate(o, s.at[d], sizes[d]);
        if (s.dimensions < 2)
            s.at[1] = 0;
        /* An H200 filters one row with the border above it, too: results/h200/gpu_tests.txt. */
        if (how == SIMT_TEX1D && o->how.addressMode[1] == cudaAddressModeBorder &&
            o->how.filterMode == cudaFilterModeLinear)
            s.dimensions = 2;
        texel = how == SIMT_TEX2DGATHER ? gather(o, &s, index, pc)
                : o->how.filterMode == cudaFilterModeLinear
                    ? filter(o, &s, pc)
                    : sample(o, &s,
                             (long[]){(long)floorf(s.at[0]), (long)floorf(s.at[1]),
                                      s.dimensions > 2 ? (long)floorf(s.at[2]) : 0},
                             pc);
    }
    memcpy(result, texel.bits, sizeof texel.bits);
}

/* ---- surfaces ---- */

void simt_surface_access(cudaSurfaceObject_t surface, int x, int y, int z,
                         enum cudaSurfaceBoundaryMode mode, void *value, size_t bytes, int write)
{
    record_refuse("it uses surfaces");
    void *pc = __builtin_return_address(0);
    const struct object *o = look_up(surface, SURFACE, pc);
    const struct image *i = &o->image;
    const char *verb = write ? "writes" : "reads";
    long last = (long)(i->pitch - bytes), at = x, row = y;
    if (!(o->flags & cudaArraySurfaceLoadStore))
        simt_wrong(simt_self, pc,
                   "uses a surface of an array that was made without cudaArraySurfaceLoadStore");
    if (bytes != i->bytes)
        simt_fault(simt_self, pc, "%s %zu bytes of a surface whose elements have %u", verb, bytes,
                   i->bytes);
    if (x % (int)bytes != 0)
        simt_fault(simt_self, pc,
                   "%s a surface at x = %d, which counts bytes, and is no multiple of %zu", verb, x,
                   bytes);
    bool outside =
        at < 0 || at > last || row < 0 || row >= (long)i->height || z < 0 || (size_t)z >= i->slices;
    if (outside && mode == cudaBoundaryModeTrap && i->slices > 1)
        simt_fault(simt_self, pc,
                   "%s a surface of %zu by %zu by %zu elements at byte %d of row %d "
                   "of slice %d",
                   verb, i->width, i->height, i->slices, x, y, z);
    if (outside && mode == cudaBoundaryModeTrap)
        simt_fault(simt_self, pc, "%s a surface of %zu by %zu elements at byte %d of row %d", verb,
                   i->width, i->height, x, y);
    if (outside && mode == cudaBoundaryModeZero) {
        if (!write)
            memset(value, 0, bytes);
        return;
    }
    size_t slice = (size_t)clamp(z, 0, (long)i->slices - 1);
    row = clamp(row, 0, (long)i->height - 1);
    char *p = i->data + (slice * i->height + (size_t)row) * i->pitch + clamp(at, 0, last);
    touch(p, (unsigned)bytes, write, pc);
    memcpy(write ? p : value, write ? value : p, bytes);
}
