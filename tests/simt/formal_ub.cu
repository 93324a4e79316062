/* formal_ub.cu: what is wrong by the memory model alone, and common nevertheless: a note, and the
 * program goes on. And plain reads of what others change by atomicMin() and its kin, for another
 * end than such an atomic: they are wrong.
 * run: SIMT_SCHEDULE=0..2 KERNEL
 * run: SIMT_STRICT=1 KERNEL
 * expect: note:
 * tier: more
 */
#include "kernels.h"

/* ---- all write the same ---- */

KERNEL(changed, 4, 64) { if (threadIdx.x % 3 == 0) data[0] = 1; /* EXPECT changed */ }
KERNEL(found_in_shared, 2, 64) {
    __shared__ int found;
    if (threadIdx.x > 40) found = 7; /* EXPECT found_in_shared */
    __syncthreads();
    data[threadIdx.x] = found; /* MAY found_in_shared */
}

struct pair { int first, second; };
KERNEL(same_struct, 2, 32) {
    pair p = {3, 4};
    *(pair *)data = p; /* EXPECT same_struct */
}
KERNEL(blocks_clear, 3, 64) { for (int i = (int)threadIdx.x; i < 128; i += (int)blockDim.x) data[i] = 0; /* EXPECT blocks_clear */ }

/* ---- a plain read before the loop that compares and swaps ---- */

static __device__ double guide_add(double *address, double value) {
    unsigned long long *word = (unsigned long long *)address, assumed;
    unsigned long long old = *word; /* EXPECT double_add */
    do {
        assumed = old;
        old = atomicCAS(word, assumed, (unsigned long long)__double_as_longlong(value + __longlong_as_double((long long)assumed))); /* MAY double_add */
    } while (assumed != old);
    return __longlong_as_double((long long)old);
}
KERNEL(double_add, 4, 32) { guide_add((double *)data, 1.5); }
KERNEL(largest, 4, 32) {
    float mine = (float)(threadIdx.x + 64 * blockIdx.x);
    int old = data[0]; /* EXPECT largest */
    while (mine > __int_as_float(old)) {
        int seen = atomicCAS(data, old, __float_as_int(mine)); /* MAY largest */
        if (seen == old) break;
        old = seen;
    }
}

/* ---- a plain read before an atomic that moves a word one way ---- */

KERNEL(relax, 4, 32) {
    int u = (int)(blockIdx.x * blockDim.x + threadIdx.x), v = (u * 5 + 1) % 64;
    int reached = data[u] + 1 + u % 3; /* EXPECT relax */
    if (data[v] < reached)             /* EXPECT relax */
        atomicMax(&data[v], reached);  /* MAY relax */
}
KERNEL(visit, 4, 64) {
    unsigned *seen = (unsigned *)data, bit = 1u << threadIdx.x % 32;
    for (int i = 0; i < 2; i++)
        if ((seen[i] & bit) == 0 && (atomicOr(&seen[i], bit) & bit) == 0) atomicAdd(&data[64], 1); /* EXPECT visit */
}

/* ---- or for another end ---- */

#define I int i = blockIdx.x * blockDim.x + threadIdx.x
KERNEL(only_read, 4, 64) {
    I;
    if (i < 100) atomicMax(&data[0], i); /* MAY only_read: read-write race */
    else if (data[0] < 50)      /* EXPECT only_read: ^(?!note).*read-write race */
        printf("low\n");
}
KERNEL(after_the_last, 4, 64) {
    I;
    atomicMax(&data[0], i); /* MAY after_the_last: read-write race */
    more[i] = data[0];      /* EXPECT after_the_last: ^(?!note).*read-write race */
}
KERNEL(between, 4, 64) {
    I;
    for (int round = 0; round < 2; round++) {
        atomicMax(&data[0], i + round); /* MAY between: read-write race */
        if (data[0] > 50)               /* EXPECT between: ^(?!note).*read-write race */
            more[i] = 1;
    }
}
KERNEL(other_array, 4, 64) {
    I;
    int limit = data[0]; /* EXPECT other_array: ^(?!note).*read-write race */
    atomicMax(&more[i % 4], limit + i);
    if (i % 7 == 0) atomicMax(&data[0], i); /* MAY other_array: read-write race */
}
KERNEL(sums, 4, 64) {
    I;
    if (data[0] < 50)           /* EXPECT sums: ^(?!note).*read-write race */
        atomicAdd(&data[0], i); /* MAY sums: read-write race */
}
KERNEL(in_shared, 4, 64) {
    __shared__ int m;
    if (threadIdx.x == 0) m = 0;
    __syncthreads();
    if (m < (int)threadIdx.x)       /* EXPECT in_shared: ^(?!note).*read-write race */
        atomicMax(&m, threadIdx.x); /* MAY in_shared: read-write race */
    __syncthreads();
    more[threadIdx.x] = m; /* MAY in_shared: note: */
}

/* ---- one fence of two ---- */

KERNEL(ticket, 8, 64) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        data[64 + blockIdx.x] = (int)blockIdx.x + 1; /* EXPECT ticket */
        __threadfence();
        last = atomicInc((unsigned *)data, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x < gridDim.x) atomicAdd(&data[1], data[64 + threadIdx.x]); /* EXPECT ticket */
}
KERNEL(flag_of_a_block, 2, 64) {
    volatile int *flag = data;
    if (blockIdx.x == 0) {
        data[64 + threadIdx.x] = 5; /* EXPECT flag_of_a_block */
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) *flag = 1;
    } else {
        while (threadIdx.x == 0 && *flag == 0) ;
        __syncthreads();
        data[128 + threadIdx.x] = data[64 + threadIdx.x]; /* EXPECT flag_of_a_block */
    }
}
KERNEL(lock_without_second_fence, 8, 32) {
    if (threadIdx.x == 0) {
        while (atomicCAS(data, 0, 1) != 0) ;
        data[1] += 1; /* EXPECT lock_without_second_fence */
        __threadfence();
        atomicExch(data, 0);
    }
}

/* ---- volatile flags between the warps of a block ---- */

KERNEL(warp_waits_for_warp, 1, 64) {
    __shared__ volatile int ready;
    __shared__ int value;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 32) {
        value = 9;
        __threadfence_block();
        ready = 1; /* EXPECT warp_waits_for_warp */
    }
    if (threadIdx.x == 0) {
        while (ready == 0) ; /* EXPECT warp_waits_for_warp */
        __threadfence_block();
        data[0] = value;
    }
}

/* ---- shuffles from lanes outside the mask, thrown away ---- */

KERNEL(half_a_warp_reads_on, 1, 32) {
    if (threadIdx.x < 16) {
        int v = (int)threadIdx.x, other;
        for (int d = 8; d > 0; d /= 2) {
            other = __shfl_down_sync(0xffff, v, d); /* EXPECT half_a_warp_reads_on */
            if ((int)threadIdx.x + d < 16) v += other;
        }
        data[threadIdx.x] = v;
    }
}
KERNEL(last_lane_reads_its_neighbour, 1, 32) {
    if (threadIdx.x < 20) {
        int next = (int)threadIdx.x + 1, lane = next;
        next = __shfl_sync(0xfffff, next, lane); /* EXPECT last_lane_reads_its_neighbour */
        data[threadIdx.x] = threadIdx.x < 19 ? next - 1 : -1;
    }
}

/* Whole warps meet at one barrier from two lines: PTX counts warps. */
KERNEL(barriers_of_roles, 1, 64) {
    __shared__ int box[32];
    if (threadIdx.x < 32) {
        box[threadIdx.x] = 1;
        __syncthreads(); /* EXPECT barriers_of_roles */
    } else {
        __syncthreads(); /* EXPECT barriers_of_roles */
        data[threadIdx.x] = box[threadIdx.x % 32];
    }
}
