/* environment.h: SIMT_MODEL=GPU ./program: what the model of time says of each of its kernels. */
#pragma once

/* A launch has ended, and was recorded. */
void environment_launch_ended(void);
