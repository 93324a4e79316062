/*
 * texture.c: CUDA arrays, textures and surfaces (include/simt_texture.h). An array is device memory
 * whose address no kernel knows. Addresses and filters are those of the CUDA C++ Programming Guide,
 * "Texture Fetching": a linear filter weighs its neighbours in steps of 1/256. What a kernel reads
 * so is read by access.c as anything else, but counts as no request: hardware has other units for
 * it.
 */
#include "access.h"
#include "allocations.h"
#include "device_memory.h"
#include "fault.h"
#include "lock.h"
#include "queue.h"
#include "race.h"
#include "requests.h"
#include <math.h>
#include <simt_texture.h>
#include <stdlib.h>
#include <string.h>

struct image {
    struct cudaChannelFormatDesc desc;
    char *data;
    size_t pitch, width, height; /* width: in elements; height: 1 or more */
    unsigned channels, bytes;    /* of an element */
};

struct cudaArray {
    struct image image;
    unsigned height, flags; /* height: as it was asked for */
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

cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                            size_t width, size_t height, unsigned flags)
{
    struct cudaArray made = {.height = (unsigned)height, .flags = flags};
    struct image *i = &made.image;
    if (!array || !desc || !describe(i, desc))
        return simt_error(cudaErrorInvalidChannelDescriptor);
    if (width == 0 || (flags & ~cudaArraySurfaceLoadStore) != 0)
        return simt_error(cudaErrorInvalidValue);
    i->width = width;
    i->height = height == 0 ? 1 : height;
    i->pitch = width * i->bytes;
    cudaError_t error = cudaMalloc((void **)&i->data, i->pitch * i->height);
    if (error != cudaSuccess || !(*array = malloc(sizeof made)))
        return simt_error(cudaErrorMemoryAllocation);
    **array = made;
    return cudaSuccess;
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
    *desc = array->image.desc;
    return cudaSuccess;
}

cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                             unsigned *flags, cudaArray_t array)
{
    if (desc)
        *desc = array->image.desc;
    if (extent)
        *extent = make_cudaExtent(array->image.width, array->height, 0);
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

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t from_pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    char *p = place(to, x, y, width, height);
    return p ? cudaMemcpy2DAsync(p, to->image.pitch, from, from_pitch, width, height, kind, stream)
             : simt_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height,
                                       enum cudaMemcpyKind kind, cudaStream_t stream)
{
    char *p = place(from, x, y, width, height);
    return p ? cudaMemcpy2DAsync(to, to_pitch, p, from->image.pitch, width, height, kind, stream)
             : simt_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from,
                                size_t from_pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind)
{
    char *p = place(to, x, y, width, height);
    return p ? cudaMemcpy2D(p, to->image.pitch, from, from_pitch, width, height, kind)
             : simt_error(cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    char *p = place(from, x, y, width, height);
    return p ? cudaMemcpy2D(to, to_pitch, p, from->image.pitch, width, height, kind)
             : simt_error(cudaErrorInvalidValue);
}

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
    if (!linear && r->resType != cudaResourceTypePitch2D)
        return simt_error(cudaErrorInvalidValue);
    if (!describe(image, linear ? &r->res.linear.desc : &r->res.pitch2D.desc))
        return simt_error(cudaErrorInvalidChannelDescriptor);
    image->data = linear ? r->res.linear.devPtr : r->res.pitch2D.devPtr;
    image->height = linear ? 1 : r->res.pitch2D.height;
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
    if (view || how->sRGB)
        return simt_error(cudaErrorNotSupported);
    if (normalized && numbers && o.image.desc.x == 32)
        return simt_error(cudaErrorInvalidNormSetting);
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

/* Two devices' work aside, all that a launch writes is there at once: but hardware keeps what it
   fetched. */
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

static union texel element(const struct object *o, long x, long y, void *pc)
{
    const struct image *i = &o->image;
    union texel texel = {{0}};
    char *p = i->data + (size_t)y * i->pitch + (size_t)x * i->bytes;
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

static union texel sample(const struct object *o, long x, long y, void *pc)
{
    union texel texel = {{0}};
    x = address(o, 0, x, o->image.width);
    y = address(o, 1, y, o->image.height);
    if (x >= 0 && y >= 0)
        return element(o, x, y, pc);
    memcpy(texel.f, o->how.borderColor, sizeof texel.f);
    return texel;
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

static union texel filter(const struct object *o, float x, float y, bool rows, void *pc)
{
    union texel result;
    float right, down = 0;
    long i = between(x, &right), j = rows ? between(y, &down) : 0;
    union texel a = sample(o, i, j, pc), b = sample(o, i + 1, j, pc), c = a, d = b;
    if (rows) {
        c = sample(o, i, j + 1, pc);
        d = sample(o, i + 1, j + 1, pc);
    }
    for (unsigned k = 0; k < 4; k++)
        result.f[k] = (1 - down) * ((1 - right) * a.f[k] + right * b.f[k]) +
                      down * ((1 - right) * c.f[k] + right * d.f[k]);
    return result;
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

void simt_texture_fetch(cudaTextureObject_t texture, enum simt_fetch how, float x, float y,
                        int index, enum cudaChannelFormatKind f, unsigned result[4])
{
    void *pc = __builtin_return_address(0);
    const struct object *o = look_up(texture, TEXTURE, pc);
    union texel texel = {{0}};
    check_type(o, f, pc);
    if (o->linear != (how == SIMT_TEX1DFETCH))
        simt_fault(simt_self, pc,
                   o->linear ? "reads linear memory by tex1D() or tex2D(): tex1Dfetch() does"
                             : "reads an array or pitched memory by tex1Dfetch(): that is for "
                               "linear memory alone");
    if (o->linear) { /* outside it is 0 */
        if (index >= 0 && (size_t)index < o->image.width)
            texel = element(o, index, 0, pc);
    } else {
        /* An H200 filters one row with the border above it, too: results/h200/gpu_tests.txt. */
        bool rows = how == SIMT_TEX2D || o->how.addressMode[1] == cudaAddressModeBorder;
        x = coordinate(o, x, o->image.width);
        y = how == SIMT_TEX2D ? coordinate(o, y, o->image.height) : 0;
        texel = o->how.filterMode == cudaFilterModeLinear
                    ? filter(o, x, y, rows, pc)
                    : sample(o, (long)floorf(x), how == SIMT_TEX2D ? (long)floorf(y) : 0, pc);
    }
    memcpy(result, texel.bits, sizeof texel.bits);
}

/* ---- surfaces ---- */

static long clamp(long at, long least, long most)
{
    return at < least ? least : at > most ? most : at;
}

void simt_surface_access(cudaSurfaceObject_t surface, int x, int y,
                         enum cudaSurfaceBoundaryMode mode, void *value, size_t bytes, int write)
{
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
    bool outside = at < 0 || at > last || row < 0 || row >= (long)i->height;
    if (outside && mode == cudaBoundaryModeTrap)
        simt_fault(simt_self, pc, "%s a surface of %zu by %zu elements at byte %d of row %d", verb,
                   i->width, i->height, x, y);
    if (outside && mode == cudaBoundaryModeZero) {
        if (!write)
            memset(value, 0, bytes);
        return;
    }
    char *p = i->data + (size_t)clamp(row, 0, (long)i->height - 1) * i->pitch + clamp(at, 0, last);
    touch(p, (unsigned)bytes, write, pc);
    memcpy(write ? p : value, write ? value : p, bytes);
}
