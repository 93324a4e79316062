/* nvToolsExt.h: marks and ranges for NVIDIA's profilers. There is nothing here that would show
   them, so all functions do nothing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION                  3
#define NVTX_COLOR_UNKNOWN            0
#define NVTX_COLOR_ARGB               1
#define NVTX_MESSAGE_UNKNOWN          0
#define NVTX_MESSAGE_TYPE_ASCII       1
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        double dValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
    } message;
} nvtxEventAttributes_t;

#define SIMT_NVTX(TYPE, NAME, PARAMETERS)                                                          \
    static inline TYPE NAME PARAMETERS { return (TYPE)0; }
#pragma GCC system_header /* no warnings about arguments that are not used */
SIMT_NVTX(int, nvtxRangePushA, (const char *text))
SIMT_NVTX(int, nvtxRangePush, (const char *text))
SIMT_NVTX(int, nvtxRangePushEx, (const nvtxEventAttributes_t *attributes))
SIMT_NVTX(int, nvtxRangePop, (void))
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartA, (const char *text))
SIMT_NVTX(nvtxRangeId_t, nvtxRangeStartEx, (const nvtxEventAttributes_t *attributes))
SIMT_NVTX(void, nvtxRangeEnd, (nvtxRangeId_t range))
SIMT_NVTX(void, nvtxMarkA, (const char *text))
SIMT_NVTX(void, nvtxMark, (const char *text))
SIMT_NVTX(void, nvtxMarkEx, (const nvtxEventAttributes_t *attributes))
SIMT_NVTX(void, nvtxNameOsThreadA, (uint32_t thread, const char *text))
SIMT_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, (const char *text))
SIMT_NVTX(void, nvtxDomainDestroy, (nvtxDomainHandle_t domain))
