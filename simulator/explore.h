/* explore.h: SIMT_EXPLORE=N runs the program N times. */
#pragma once

void explore_schedules(void);
