/* cuda_pipeline_primitives.h: all of it is in cuda_pipeline.h. */
#include "cuda_pipeline.h"
