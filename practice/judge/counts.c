/* counts.c: what the counts are called, and whether this backend has them. */
#include "judge.h"

#include <cuda_runtime_api.h> /* SIMT_SIMULATOR */

static const char *const names[COUNTS] = {
    [LAUNCHES] = "launches",
    [BLOCKS] = "blocks",
    [LOAD_REQUESTS] = "load requests",
    [LOAD_SECTORS] = "load sectors",
    [LOADED_FLOATS] = "floats loaded",
    [STORE_REQUESTS] = "store requests",
    [STORE_SECTORS] = "store sectors",
    [STORED_FLOATS] = "floats stored",
    [SHARED_FLOATS] = "floats of shared memory touched",
    [SHARED_LOAD_WAVEFRONTS] = "shared load wavefronts",
    [SHARED_STORE_WAVEFRONTS] = "shared store wavefronts",
    [WORST_CONFLICT] = "wavefronts of the worst shared request",
    [BARRIERS] = "barriers",
    [SHUFFLES] = "shuffles and votes",
    [ATOMICS] = "atomics",
    [BUSIEST_LOADS] = "floats that one thread loads",
    [LOADING_THREADS] = "threads that load",
    [MORE_SECTORS] = "load sectors beyond the first of each request",
    [MOVED_BYTES] = "bytes copied within the device",
    [GLOBAL_ATOMICS] = "atomics on global memory",
    [REMOTE_FLOATS] = "floats of other blocks' shared memory touched",
    [CLUSTER_BARRIERS] = "cluster barriers",
    [PEER_LOADED_BYTES] = "bytes read from other GPUs' memory",
    [PEER_STORED_BYTES] = "bytes stored into other GPUs' memory",
    [BUSIEST_ACCESSES] = "accesses of the busiest thread",
    [BUSIEST_PEER_BYTES] = "bytes that the busiest GPU stores into others' memory",
};

const char *count_name(enum count what)
{
    return names[what];
}

bool can_count(void)
{
#ifdef SIMT_SIMULATOR
    return true;
#else
    return false;
#endif
}
