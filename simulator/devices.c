/*
 * devices.c: how many devices there are, which of them a thread of the host has chosen, which may
 * touch the memory of which, and the __device__ and __constant__ variables, of which each device
 * has its own.
 */
#include "engine.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned simt_devices = 1;

/* ---- how many ---- */

void simt_gpus(unsigned count)
{
    if (count < 1 || count > MOST_DEVICES)
        simt_fault(NULL, NULL, "simt_gpus(%u): a number of devices from 1 to %d is needed", count,
                   MOST_DEVICES);
    queue_finish();
    engine_enter(0);
    simt_devices = count;
}

/* The number that a variable of the environment asks for, or `otherwise`. */
static unsigned setting(const char *name, unsigned most, const char *of_what, unsigned otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    unsigned long number = strtoul(text, &end, 10);
    if (*end || *text == '-' || number < 1 || number > most)
        simt_fault(NULL, NULL, "%s=%s: a number of %s from 1 to %u is needed", name, text, of_what,
                   most);
    return (unsigned)number;
}

void device_begin(void)
{
    simt_devices = setting("SIMT_GPUS", MOST_DEVICES, "devices", simt_devices);
    simt_sms = setting("SIMT_SMS", SIMT_MAX_SMS, "SMs", simt_sms);
    simt_sm_blocks = setting("SIMT_SM_BLOCKS", SM_BLOCKS, "blocks", SM_BLOCKS);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = (int)simt_devices;
    return cudaSuccess;
}

/* ---- which: for each thread of the host. Not in a thread_local variable: those of the program are
   where a block's shared memory is. ---- */

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned users;

static void forget_user(void *unused)
{
    (void)unused;
    __atomic_fetch_sub(&users, 1, __ATOMIC_SEQ_CST);
}

static void make_key(void)
{
    pthread_key_create(&key, forget_user);
}

static void choose(unsigned device)
{
    pthread_setspecific(key, (void *)((uintptr_t)device + 1));
}

unsigned device_current(void)
{
    pthread_once(&once, make_key);
    uintptr_t chosen = (uintptr_t)pthread_getspecific(key);
    if (chosen == 0) {
        __atomic_fetch_add(&users, 1, __ATOMIC_SEQ_CST);
        choose(0);
    }
    return chosen == 0 || chosen > simt_devices ? 0 : (unsigned)chosen - 1;
}

unsigned device_users(void)
{
    return __atomic_load_n(&users, __ATOMIC_SEQ_CST);
}

static bool is_device(int device)
{
    return device >= 0 && (unsigned)device < simt_devices;
}

cudaError_t cudaSetDevice(int device)
{
    if (!is_device(device))
        return simt_error(cudaErrorInvalidDevice);
    device_current();
    choose((unsigned)device);
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = (int)device_current();
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
    if (simt_devices == 1)
        return cudaSuccess;
    struct work *all = queue_mark(device_current());
    cudaError_t error = queue_wait(all);
    work_drop(all);
    return error;
}

/* ---- peers: every device reaches every other, once it was enabled ---- */

static unsigned enabled[MOST_DEVICES]; /* of each device, a bit for each peer */

bool device_reaches(unsigned from, unsigned to)
{
    return from == to || (enabled[from] >> to & 1);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (!is_device(device) || !is_device(peer))
        return simt_error(cudaErrorInvalidDevice);
    *can = device != peer;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    unsigned device = device_current();
    if (flags != 0)
        return simt_error(cudaErrorInvalidValue);
    if (!is_device(peer) || (unsigned)peer == device)
        return simt_error(cudaErrorInvalidDevice);
    if (device_reaches(device, (unsigned)peer))
        return simt_error(cudaErrorPeerAccessAlreadyEnabled);
    enabled[device] |= 1u << peer;
    return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    unsigned device = device_current();
    if (!is_device(peer))
        return simt_error(cudaErrorInvalidDevice);
    if ((unsigned)peer == device || !device_reaches(device, (unsigned)peer))
        return simt_error(cudaErrorPeerAccessNotEnabled);
    cudaDeviceSynchronize(); /* kernels under way may use it still */
    enabled[device] &= ~(1u << peer);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int from,
                                      int to)
{
    if (!is_device(from) || !is_device(to) || from == to)
        return simt_error(cudaErrorInvalidDevice);
    *value = attribute != cudaDevP2PAttrPerformanceRank; /* 0: the best */
    return cudaSuccess;
}

/* ---- what they are called on their bus ---- */

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    if (!is_device(device))
        return simt_error(cudaErrorInvalidDevice);
    if (!id || length < 13)
        return simt_error(cudaErrorInvalidValue);
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

/* ---- variables ---- */

/* The linker's: the sections that rewrite.c puts __device__ and __constant__ variables into. */
extern char __start_simt_device __attribute__((weak)), __stop_simt_device __attribute__((weak));
extern char __start_simt_constant __attribute__((weak)), __stop_simt_constant __attribute__((weak));

static bool is_between(uintptr_t address, const char *start, const char *stop)
{
    return address - (uintptr_t)start < (uintptr_t)stop - (uintptr_t)start;
}

bool is_constant_variable(uintptr_t address)
{
    return is_between(address, &__start_simt_constant, &__stop_simt_constant);
}

bool is_device_variable(uintptr_t address)
{
    return is_between(address, &__start_simt_device, &__stop_simt_device) ||
           is_constant_variable(address);
}

/* Of one section. */
static void change_variables(char *start, size_t bytes, char *kept[MOST_DEVICES], unsigned from,
                             unsigned to)
{
    if (bytes == 0)
        return;
    for (unsigned d = 0; d < MOST_DEVICES && !kept[d]; d++) {
        kept[d] = malloc(bytes);
        if (!kept[d])
            simt_fault(NULL, NULL, "no memory left for the variables of device %u", d);
        memcpy(kept[d], start, bytes);
    }
    memcpy(kept[from], start, bytes);
    memcpy(start, kept[to], bytes);
}

/* A device that was never entered has them as device 0 had them when the first other was. */
void device_variables(unsigned from, unsigned to)
{
    static char *variables[MOST_DEVICES], *constants[MOST_DEVICES];
    change_variables(&__start_simt_device, (size_t)(&__stop_simt_device - &__start_simt_device),
                     variables, from, to);
    change_variables(&__start_simt_constant,
                     (size_t)(&__stop_simt_constant - &__start_simt_constant), constants, from, to);
}
