/* plan.h: can all that was asked for be run? */
#ifndef PLAN_H
#define PLAN_H

#include "options.h"

/* Looks at every n of the options before anything runs: is there host and device
   memory for it, and does each variant's grid stay within 2^31 - 1 blocks? Returns
   0, or 2 after one line. */
int check_sizes(const struct lesson *lesson, const struct options *options, unsigned sms);

#endif
