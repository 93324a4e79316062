/* api.c: the devices as the CUDA runtime API shows them: their properties, the one that is chosen,
   peers. What only passes a call on is in include/cuda_runtime_api.h. */
#include "access.h"
#include "devices.h"
#include "queue.h"
#include "suspended.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* what CUDA 13 removed */

/* ---- which, and how many ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    return SIMT_GIVE(count, (int)simt_devices);
}

static bool is_device(int device)
{
    return device >= 0 && (unsigned)device < simt_devices;
}

cudaError_t cudaSetDevice(int device)
{
    SIMT_REFUSE_IF(!is_device(device), cudaErrorInvalidDevice);
    device_current();
    device_choose((unsigned)device);
    return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
    return is_device(device) ? cudaSuccess : simt_error(cudaErrorInvalidDevice);
}

cudaError_t cudaGetDevice(int *device)
{
    return SIMT_GIVE(device, (int)device_current());
}

cudaError_t cudaDeviceSynchronize(void)
{
    if (simt_devices == 1)
        return suspended_synchronize(SUSPENDED_ALL);
    access_not_awaited = false;
    return queue_wait_for(queue_mark(device_current()));
}

/* ---- properties ---- */

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    SIMT_REFUSE_IF(device < 0 || (unsigned)device >= simt_devices, cudaErrorInvalidDevice);
    *prop = (struct cudaDeviceProp){.name = "SIMT simulator",
                                    .uuid = {.bytes = {'S', 'I', 'M', 'T', [15] = (char)device}},
                                    .totalGlobalMem = DEVICE_BYTES,
                                    .maxThreadsDim = {1024, 1024, 64},
                                    .maxGridSize = {0x7fffffff, 65535, 65535},
#define MEMBER_OF(NAME, NUMBER, TYPE, MEMBER, VALUE) .MEMBER = (VALUE),
                                    SIMT_ATTRIBUTES(MEMBER_OF)};
#define SIZE_OF(NAME, NUMBER, MEMBER, ELEMENT, VALUE) ((int *)&prop->MEMBER)[ELEMENT] = VALUE;
    SIMT_TEXTURE_SIZES(SIZE_OF)
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    SIMT_REFUSE_IF(device < 0 || (unsigned)device >= simt_devices, cudaErrorInvalidDevice);
    switch (attribute) {
#define VALUE_OF(NAME, NUMBER, TYPE, MEMBER, VALUE)                                                \
    case cudaDevAttr##NAME:                                                                        \
        return *value = (int)(VALUE), cudaSuccess;
        SIMT_ATTRIBUTES(VALUE_OF)
#define SIZE_OF_ATTRIBUTE(NAME, NUMBER, MEMBER, ELEMENT, VALUE)                                    \
    case cudaDevAttr##NAME:                                                                        \
        return *value = VALUE, cudaSuccess;
        SIMT_TEXTURE_SIZES(SIZE_OF_ATTRIBUTE)
    }
    return simt_error(cudaErrorInvalidValue);
}

/* ---- peers: every device reaches every other, once it was enabled ---- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    SIMT_REFUSE_IF(!is_device(device) || !is_device(peer), cudaErrorInvalidDevice);
    return SIMT_GIVE(can, device != peer);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    unsigned device = device_current();
    SIMT_REFUSE_IF(flags != 0, cudaErrorInvalidValue);
    SIMT_REFUSE_IF(!is_device(peer) || (unsigned)peer == device, cudaErrorInvalidDevice);
    SIMT_REFUSE_IF(device_reaches(device, (unsigned)peer), cudaErrorPeerAccessAlreadyEnabled);
    device_let_reach(device, (unsigned)peer, true);
    return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    unsigned device = device_current();
    SIMT_REFUSE_IF(!is_device(peer), cudaErrorInvalidDevice);
    if ((unsigned)peer == device || !device_reaches(device, (unsigned)peer))
        return simt_error(cudaErrorPeerAccessNotEnabled);
    cudaDeviceSynchronize(); /* kernels under way may use it still */
    device_let_reach(device, (unsigned)peer, false);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to)
{
    SIMT_REFUSE_IF(!is_device(from) || !is_device(to) || from == to, cudaErrorInvalidDevice);
    return SIMT_GIVE(value, attribute != cudaDevP2PAttrPerformanceRank); /* 0: the best */
}

/* ---- what they are called on their bus ---- */

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    SIMT_REFUSE_IF(!is_device(device), cudaErrorInvalidDevice);
    SIMT_REFUSE_IF(!id || length < 13, cudaErrorInvalidValue);
    snprintf(id, (size_t)length, "0000:%02X:00.0", (unsigned)device % 256);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    char name[32];
    for (int d = 0; is_device(d); d++) {
        cudaDeviceGetPCIBusId(name, sizeof name, d);
        if (strcasecmp(id, name) == 0)
            return *device = d, cudaSuccess;
    }
    return simt_error(cudaErrorInvalidDevice);
}
