/* device.h: what the driver itself runs on the GPU (device.cu). */
#ifndef DEVICE_H
#define DEVICE_H

#include "lesson.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The roof: reads n elements and does nothing else. Writes s->out practically
   never. Sets grid, block (always 512) and depth (0). Any alignment, any n. */
void launch_read(struct sum *s);

/* The other roof: copies n floats to s->out, which has room for them; 16 bytes at a time
   if n and both addresses are multiples of that, else 4. Sets what launch_read() sets. */
void launch_copy_floats(struct sum *s);

/* Empties the L2 cache of the input: reads a buffer of flush_bytes(), which is
   allocated on the current device at the first call. Reads only, so that no dirty lines are left
   for the next kernel to write back. Does nothing on the simulator. */
void flush_l2(cudaStream_t stream);

/* Twice the size of the current device's L2 cache; 0 on the simulator. */
size_t flush_bytes(void);

/* Keeps the GPU busy for about this time, so that the host can queue what comes
   next before the GPU gets there. Does nothing on the simulator. */
void hold_stream(cudaStream_t stream, unsigned microseconds);

/* What compiled the kernels: "nvcc 13.0.88", or the simulator's C++ compiler. */
const char *kernel_compiler(void);

#ifdef __cplusplus
}
#endif
#endif
