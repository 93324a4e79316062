/* stream.h: work for a stream, for the parts of CUDA that have streams of their own. */
#pragma once

#include "queue.h"

/* stream NULL: the device's own. */
cudaError_t stream_submit(cudaStream_t stream, unsigned device, work_function run, const void *data,
                          size_t bytes);
