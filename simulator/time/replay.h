/* replay.h: the time of a launch: the blocks of one SM are replayed, event by event. */
#pragma once

#include "time/gpu.h"
#include "time/operations.h"

/* What warps wait for, or what is busy. */
enum limit {
    LIMIT_LAUNCH,
    LIMIT_BYTES,   /* of DRAM or L2 */
    LIMIT_ISSUE,   /* instructions */
    LIMIT_LATENCY, /* of memory, shared memory, shuffles */
    LIMIT_BARRIER, /* barriers, and places of blocks that are empty meanwhile */
    LIMIT_ATOMIC,
    LIMITS
};
extern const char *const limit_names[LIMITS];

struct launch_time {
    double us;                               /* of the kernel alone */
    double share[LIMITS];                    /* of it, in microseconds: their sum is us */
    double instructions;                     /* of a warp, on average */
    const char *refused;                     /* why it is not known, or NULL */
    bool in_doubt, divides, doubtful, empty; /* of what is recorded (operations.h) */
};

/* cold: nothing of what it reads is in L2. */
struct launch_time replay_launch(const struct gpu *gpu, const struct launch_record *launch,
                                 bool cold, enum assumption assumption);
