/* predict.h: the time of launches one after another, as simt.h shows it. */
#pragma once

#include "simt.h"
#include "time/gpu.h"
#include "time/record.h"

/* cold: L2 has nothing of what the first launch reads. What others read that is larger than L2
   comes from DRAM, too. */
struct simt_time predict(const struct gpu *gpu, const struct launch_record *launches, size_t count,
                         bool cold);

/* ---- environment.c: SIMT_MODEL=GPU ./program: what the model says of each of its kernels ---- */

/* A launch has ended, and was recorded. */
void environment_launch_ended(void);
