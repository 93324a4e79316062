/* simt_first.h: what comes before every program's own text. simcc keeps it precompiled. */
#include "cuda_runtime.h"
