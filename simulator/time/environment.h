/* environment.h: SIMT_MODEL=GPU ./program: what the model of time says of each of its kernels. */
#ifndef SIMT_TIME_ENVIRONMENT_H
#define SIMT_TIME_ENVIRONMENT_H

/* A launch has ended, and was recorded. */
void environment_launch_ended(void);

#endif
