/* cuda_errors.h: choosing the device, and saying what is wrong when CUDA refuses.
   cuda_failed(), declared in lesson.h, is here too. */
#ifndef CUDA_ERRORS_H
#define CUDA_ERRORS_H

#include "lesson.h"

#ifdef SIMT_SIMULATOR
enum { ON_SIMULATOR = 1 };
#else
enum { ON_SIMULATOR = 0 };
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Makes this device the current one. Returns -1, or the exit status after one
   line: 2 if there is no such device, 77 if there is none at all. */
int select_device(int device);

#ifdef __cplusplus
}
#endif

#endif
