/* devices.h: how large the devices are, which one a thread of the host has chosen, and which may
   touch the memory of which. */
#pragma once

#include "thread.h"

extern unsigned simt_sms, simt_sm_blocks; /* SMs of a device; blocks on each at once, at most */
extern bool simt_sms_stay;                /* they are those of SIMT_MODEL's GPU */
/* Bytes of shared memory that a block may have; blocks of the largest cluster that has room. */
extern unsigned simt_block_shared, simt_cluster_most;
unsigned device_current(void); /* that the calling thread of the host has chosen */
void device_choose(unsigned device);
unsigned device_users(void); /* threads of the host that have chosen one, and are alive */

/* May kernels of the one touch memory of the other? */
bool device_reaches(unsigned from, unsigned to);
void device_let_reach(unsigned from, unsigned to, bool may);

/* Each device has its own __device__ and __constant__ variables: the latter's take their place. */
void device_variables(unsigned from, unsigned to);
bool is_device_variable(uintptr_t address);   /* __device__ or __constant__ */
bool is_constant_variable(uintptr_t address); /* the latter alone */

/* A sum over bytes, after this one; the same over all __device__ variables. */
uint64_t devices_sum(uint64_t sum, const void *p, size_t bytes);
uint64_t devices_sum_of_variables(uint64_t sum);
