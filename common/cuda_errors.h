/* cuda_errors.h: CUDA_CHECK, which says what is wrong when CUDA refuses; choosing the device. */
#ifndef CUDA_ERRORS_H
#define CUDA_ERRORS_H

#include <cuda_runtime.h>

#ifdef SIMT_SIMULATOR
enum { ON_SIMULATOR = 1 };
#else
enum { ON_SIMULATOR = 0 };
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Prints one line (file, line, call, what CUDA says, and what would work) and
   exits: with 77 where no device can run this program, else with 1. */
void cuda_failed(cudaError_t error, const char *call, const char *file, int line);

#define CUDA_CHECK(call)                                                                           \
    do {                                                                                           \
        cudaError_t cuda_check_error = (call);                                                     \
        if (cuda_check_error != cudaSuccess)                                                       \
            cuda_failed(cuda_check_error, #call, __FILE__, __LINE__);                              \
    } while (0)

/* Makes this device the current one. Returns -1, or the exit status after one
   line: 2 if there is no such device, 77 if there is none at all. */
int select_device(int device);

#ifdef __cplusplus
}
#endif

#endif
