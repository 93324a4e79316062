/* explore.h: SIMT_EXPLORE=N runs the program N times. */
#ifndef SIMT_EXPLORE_H
#define SIMT_EXPLORE_H

void explore_schedules(void);

#endif
