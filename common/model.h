/* model.h: what the simulator's model of time says of each variant (--model GPU; docs/time.md). */
#ifndef MODEL_H
#define MODEL_H

#include "plan.h"

/* The GPU that --model names: returns STATUS_OK, or STATUS_USAGE after one line. Where there is
   one, the simulated device has as many SMs. */
int model_open(const struct options *options);

/* Predicts all that is planned, and prints a table; with --csv FILE as CSV, too. Returns the exit
   status. Launches run only in part: no sum is checked, no time is measured. */
int model_run(const struct plan *plan, const struct options *options, unsigned sms);

#endif
