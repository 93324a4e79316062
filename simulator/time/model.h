/* model.h: the model of time: what simt.h shows of it (simt_model_...), and SIMT_MODEL=NAME. */
#ifndef SIMT_TIME_MODEL_H
#define SIMT_TIME_MODEL_H

#include "simt.h"

/* A launch of a program begins: if SIMT_MODEL=NAME is set, it is recorded. */
void model_begin(void);

#endif
