/* device_races.cu: kernels of several devices that race with each other, each beside a twin that is
 * right; as races.cu is for one device. Each kernel runs once on each of three devices; all memory
 * is device 0's.
 * run: SIMT_GPUS=3 SIMT_STRICT=1 SIMT_SCHEDULE=0..2 KERNEL
 * run: SIMT_GPUS=3 SIMT_STRICT=1 SIMT_SCHEDULE=3..5 KERNEL(.*right)
 * build: -lnccl
 * expect: (read|write)-write race in global memory
 * expect narrow_fence narrow_second last_block_narrow: no fence for it between: __threadfence
 * expect narrow_behind no_fence_behind: no __threadfence_system.. after the flag between
 * expect count_narrow flag_narrow scoped_narrow: no system-wide atomic: atomicAdd.. and its kin
 * prints: KERNEL ran
 * prints: KERNEL ran
 * tier: more
 */
#include "kernels.h"
#include <cuda/atomic>

/* 256 ints each, 0 at first. */
struct memory {
    int *data;
    volatile int *flags;
    int *out; /* of each device 64, which it alone writes */
};
enum { DEVICES = 3 };
enum way { TOGETHER, BY_EVENTS, BY_WAITING };
/* On each device, twice. */
static void launch(void (*kernel)(struct memory, int), const char *name, unsigned grid, enum way way) {
    cudaStream_t streams[DEVICES];
    cudaEvent_t done;
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        cudaStreamCreate(&streams[d]);
        if (d > 0) cudaDeviceEnablePeerAccess(0, 0);
    }
    for (int round = 0; round < 2; round++) {
        cudaSetDevice(0);
        cudaMemset(device, 0, sizeof host);
        cudaDeviceSynchronize();
        if (round == 1) printf("%s ran\n", name);
        for (int d = 0; d < DEVICES; d++) {
            cudaSetDevice(d);
            kernel<<<grid, 64, 0, streams[d]>>>(memory{device, device + 256, device + 512}, d);
            cudaEventCreate(&done);
            cudaEventRecord(done, streams[d]);
            if (way == BY_EVENTS && d + 1 < DEVICES) cudaStreamWaitEvent(streams[d + 1], done, 0);
            else if (way == BY_WAITING) cudaDeviceSynchronize();
        }
        for (int d = 0; d < DEVICES; d++) cudaSetDevice(d), cudaDeviceSynchronize();
    }
}
#undef KERNEL
#define KERNEL(NAME, GRID) KERNEL_OF(NAME, , (struct memory m, int device), launch(NAME, #NAME, GRID, TOGETHER))
#define FIRST  (threadIdx.x == 0)
#define MY_OUT m.out[64 * device + threadIdx.x]

__device__ static void wait_for(volatile int *flag, int value) { while (*flag < value) ; /* EXPECT plain_flag flag_narrow */ }

/* ---- nothing in between ---- */

KERNEL(write_both, 1) { if (FIRST) m.data[0] = device; /* EXPECT write_both */ }
KERNEL(own_words_right, 1) { m.data[64 * device + threadIdx.x] = device; }

KERNEL(read_other, 1) {
    if (device == 0) m.data[threadIdx.x] = 1; /* EXPECT read_other */
    else MY_OUT = m.data[threadIdx.x]; /* EXPECT read_other */
}

/* ---- a message: data, then a flag ---- */

KERNEL(message_right, 1) {
    if (device == 0) {
        m.data[threadIdx.x] = 1;
        __syncthreads();
        if (FIRST) {
            __threadfence_system();
            m.flags[0] = 1;
        }
    } else {
        if (FIRST) {
            wait_for(&m.flags[0], 1);
            __threadfence_system();
        }
        __syncthreads();
        MY_OUT = m.data[threadIdx.x];
    }
}

enum fence { NONE, DEVICE, SYSTEM };
__device__ static void fence(enum fence which) {
    if (which == DEVICE) __threadfence();
    if (which == SYSTEM) __threadfence_system();
}

__device__ static void message_of_all(struct memory m, int device, enum fence before) {
    if (device == 0) {
        m.data[threadIdx.x] = 1; /* EXPECT narrow_fence */
        fence(before);
        __syncthreads();
        if (FIRST) m.flags[0] = 1;
    } else {
        wait_for(&m.flags[0], 1);
        __threadfence_system();
        MY_OUT = m.data[threadIdx.x]; /* EXPECT narrow_fence */
    }
}
KERNEL(all_fence_right, 1) { message_of_all(m, device, SYSTEM); }
KERNEL(narrow_fence, 1) { message_of_all(m, device, DEVICE); }

/* The fence of the system came too early for the second half. */
KERNEL(narrow_second, 1) {
    if (FIRST && device == 0) {
        m.data[0] = 1;
        __threadfence_system();
        m.flags[0] = 1;
        m.data[1] = 1; /* EXPECT narrow_second */
        __threadfence();
        m.flags[0] = 2;
    } else if (FIRST) {
        wait_for(&m.flags[0], 2);
        __threadfence_system();
        MY_OUT = m.data[0];
        MY_OUT += m.data[1]; /* EXPECT narrow_second */
    }
}

__device__ static void message_of_one(struct memory m, int device, enum fence before, enum fence behind) {
    if (FIRST && device == 0) {
        m.data[0] = 1; /* EXPECT narrow_behind no_fence no_fence_behind */
        fence(before);
        m.flags[0] = 1;
    } else if (FIRST) {
        wait_for(&m.flags[0], 1);
        fence(behind);
        MY_OUT = m.data[0]; /* EXPECT narrow_behind no_fence no_fence_behind */
    }
}
KERNEL(narrow_behind, 1) { message_of_one(m, device, SYSTEM, DEVICE); }
KERNEL(no_fence, 1) { message_of_one(m, device, NONE, SYSTEM); }
KERNEL(no_fence_behind, 1) { message_of_one(m, device, SYSTEM, NONE); }

/* The other threads of the block wrote, and no barrier came before the fence. */
KERNEL(no_barrier, 1) {
    if (device == 0) {
        m.data[threadIdx.x] = 1; /* EXPECT no_barrier */
        if (threadIdx.x == 32) {
            __threadfence_system();
            m.flags[0] = 1;
        }
    } else {
        wait_for(&m.flags[0], 1);
        __threadfence_system();
        MY_OUT = m.data[threadIdx.x]; /* EXPECT no_barrier */
    }
}

KERNEL(plain_flag, 1) {
    if (FIRST && device == 0) *(int *)m.flags = 1; /* EXPECT plain_flag */
    else if (FIRST) wait_for(&m.flags[0], 1);
}

/* ---- blocks of a device hand over to one, and that to another device ---- */

__device__ static bool is_last(int *ticket) {
    __shared__ bool last;
    __syncthreads();
    if (FIRST) {
        __threadfence();
        last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    return last;
}

__device__ static void from_the_last_block(struct memory m, int device, enum fence before) {
    if (device == 0) {
        if (FIRST) m.data[blockIdx.x] = 1; /* EXPECT last_block_narrow */
        if (is_last((int *)&m.flags[100]) && FIRST) {
            fence(before);
            m.flags[0] = 1;
        }
    } else if (FIRST) {
        wait_for(&m.flags[0], 1);
        __threadfence_system();
        if (blockIdx.x == 0) MY_OUT = m.data[0] + m.data[1] + m.data[3]; /* EXPECT last_block_narrow */
    }
}
KERNEL(last_block_right, 4) { from_the_last_block(m, device, SYSTEM); }
KERNEL(last_block_narrow, 4) { from_the_last_block(m, device, DEVICE); }

/* ---- three devices ---- */

KERNEL(relay_right, 1) {
    if (!FIRST) return;
    if (device > 0) wait_for(&m.flags[device - 1], 1);
    __threadfence_system();
    if (device == 2) MY_OUT = m.data[0];
    else m.data[device] = 1;
    __threadfence_system();
    m.flags[device] = 1;
}

/* Device 2 waits for device 1, which knows nothing of device 0. */
KERNEL(wrong_peer, 1) {
    if (!FIRST) return;
    if (device == 2) {
        wait_for(&m.flags[1], 1);
        __threadfence_system();
        MY_OUT = m.data[0]; /* EXPECT wrong_peer */
        return;
    }
    m.data[device] = 1; /* EXPECT wrong_peer */
    __threadfence_system();
    m.flags[device] = 1;
}

/* ---- atomics ---- */

KERNEL(count_narrow, 1) { atomicAdd(m.data, 1); /* EXPECT count_narrow */ }

KERNEL(count_right, 1) {
    atomicAdd_system(m.data, 1);
    atomicAdd(m.data + 1 + device, 1);
}

KERNEL(flag_narrow, 1) {
    if (FIRST && device == 0) atomicExch((int *)m.flags, 1); /* EXPECT flag_narrow */
    else if (FIRST) wait_for(&m.flags[0], 1);
}

/* All meet at a counter, in any order. */
KERNEL(meet_right, 1) {
    m.data[64 * device + threadIdx.x] = 1;
    __syncthreads();
    if (FIRST) {
        __threadfence_system();
        atomicAdd_system((int *)m.flags, 1);
        wait_for(&m.flags[0], 3);
        __threadfence_system();
    }
    __syncthreads();
    MY_OUT = m.data[threadIdx.x] + m.data[64 + threadIdx.x] + m.data[128 + threadIdx.x];
}

template <cuda::thread_scope SCOPE>
__device__ static void send_and_receive(struct memory m, int device) {
    cuda::atomic_ref<int, SCOPE> flag(*(int *)m.flags);
    if (FIRST && device == 0) {
        m.data[0] = 1;                                  /* EXPECT scoped_narrow */
        flag.store(1, cuda::std::memory_order_release); /* EXPECT scoped_narrow */
    } else if (FIRST) {
        while (flag.load(cuda::std::memory_order_acquire) == 0) ; /* EXPECT scoped_narrow */
        MY_OUT = m.data[0]; /* EXPECT scoped_narrow */
    }
}
KERNEL(scoped_right, 1) { send_and_receive<cuda::thread_scope_system>(m, device); }
KERNEL(scoped_narrow, 1) { send_and_receive<cuda::thread_scope_device>(m, device); }

/* ---- what the host puts in order ---- */

__global__ void add_one(struct memory m, int device) { m.data[threadIdx.x] += 1; /* EXPECT events_missing */ }
CASE(events_missing) { launch(add_one, "events_missing", 1, TOGETHER); }
CASE(events_right) { launch(add_one, "events_right", 1, BY_EVENTS); }
CASE(waiting_right) { launch(add_one, "waiting_right", 1, BY_WAITING); }
