/* simt_kernels.h: the simulator as kernels see it, through the macros and templates of
   cuda_runtime.h. Where a kernel calls one of these, the return address names the source line. */
#pragma once

#include "cuda_runtime_api.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
/* Of the running thread: scheduler.c sets them whenever it changes threads. const: the
   same for a thread's whole life, so that a compiler need not ask again. */
extern const uint3 threadIdx, blockIdx, blockDim, gridDim;
extern const uint3 simt_cluster_dim; /* in blocks */
static constexpr int warpSize = 32;
#endif
/* One place for the running block's dynamic shared memory. */
extern char simt_dynamic_shared[];

/* What a warp does together, and how messages call it. */
#define SIMT_WARP_OPS(X)                                                                           \
    X(SIMT_SYNC, "__syncwarp()")                                                                   \
    X(SIMT_SHFL, "__shfl_sync()")                                                                  \
    X(SIMT_SHFL_UP, "__shfl_up_sync()")                                                            \
    X(SIMT_SHFL_DOWN, "__shfl_down_sync()")                                                        \
    X(SIMT_SHFL_XOR, "__shfl_xor_sync()")                                                          \
    X(SIMT_ANY, "__any_sync()")                                                                    \
    X(SIMT_ALL, "__all_sync()")                                                                    \
    X(SIMT_BALLOT, "__ballot_sync()")                                                              \
    X(SIMT_MATCH_ANY, "__match_any_sync()")                                                        \
    X(SIMT_MATCH_ALL, "__match_all_sync()")                                                        \
    X(SIMT_REDUCE_ADD, "__reduce_add_sync()")                                                      \
    X(SIMT_REDUCE_MIN, "__reduce_min_sync()")                                                      \
    X(SIMT_REDUCE_MAX, "__reduce_max_sync()")                                                      \
    X(SIMT_REDUCE_AND, "__reduce_and_sync()")                                                      \
    X(SIMT_REDUCE_OR, "__reduce_or_sync()")                                                        \
    X(SIMT_REDUCE_XOR, "__reduce_xor_sync()")                                                      \
    X(SIMT_LOAD_MATRIX, "wmma::load_matrix_sync()")                                                \
    X(SIMT_STORE_MATRIX, "wmma::store_matrix_sync()")                                              \
    X(SIMT_MMA, "wmma::mma_sync()")                                                                \
    X(SIMT_LDMATRIX, "ldmatrix")                                                                   \
    X(SIMT_PTX_MMA, "mma.sync")
#define SIMT_WARP_OP(OP, NAME) OP,
enum simt_op { SIMT_WARP_OPS(SIMT_WARP_OP) };
/* Waits for the lanes in mask, then returns this lane's result. value: the lane's
   own; argument: source lane, distance or lane mask; width: 1, 2, 4 … 32. */
uint64_t simt_warp_op(enum simt_op op, unsigned mask, uint64_t value, unsigned argument,
                      unsigned width);
unsigned simt_active_mask(void);
/* mma.h's (../extras/wmma.c): d = a b + c. The elements that a lane has of each matrix: number e of
   all is in lane e % 32. They are counted by rows, of a and b by columns if that is said. */
struct simt_mma {
    int m, n, k;
    bool a_by_columns, b_by_columns;
    const double *a, *b, *c;
    double *d;
    int packed; /* of PTX's mma: elements in a register; else 0 */
};
void simt_mma_sync(const struct simt_mma *mine);
/* PTX: d = a b + c of m x 8 elements, from a lane's registers; types by PTX's names. */
void simt_mma_registers(int m, int k, const char *const types[4], const void *a, const void *b,
                        const void *c, void *d);
/* PTX: 1, 2 or 4 matrices of 8 x 8; row: this lane's address. Gives for each the rows from which
   the lane gets its two elements. */
struct simt_ldmatrix {
    unsigned count, transposed;
    const void *row, *rows[4][2];
};
void simt_ldmatrix_sync(struct simt_ldmatrix *mine);
/* All lanes are about to load or store a matrix, whose lines lie so many elements apart. */
void simt_matrix_sync(enum simt_op op, const void *p, unsigned apart, unsigned element_bytes);
/* Waits for the block; returns how many of its threads passed a non-zero predicate. */
#ifdef __clang__ /* else it may copy the call, and one barrier would be several places */
__attribute__((noduplicate))
#endif
int simt_block_barrier(int predicate);
/* The condition of an if with a barrier: bit 0 where it holds, bit 1 where it does not. */
bool simt_branch(bool taken, unsigned barriers) __attribute__((pure, nothrow));
void simt_left(void) __attribute__((nothrow)); /* a loop, switch or call with a barrier */
void simt_grid_barrier(void);
/* Blocks of a cluster (../cluster.c): their barrier, the address of shared memory as it is
   in another block, the block that an address belongs to. */
void simt_cluster_arrive(bool relaxed);
void simt_cluster_wait(void);
void *simt_cluster_map(const void *p, unsigned rank);
unsigned simt_cluster_query(const void *p);
/* The first act of a kernel with __cluster_dims__. */
void simt_cluster_dims(dim3 cluster);
/* Barriers of a part of the block, by number (../async.c): `count` threads arrive, and wait for the
   phase. A warp puts down at most 16 bytes; others get them, after such a barrier. */
unsigned simt_part_arrive(unsigned id, unsigned count);
void simt_part_wait(unsigned id, unsigned phase);
void simt_part_put(const void *value, size_t bytes);
void simt_part_get(void *value, size_t bytes, unsigned warp);
/* Asynchronous copies (../async.c) of 1, 2, 4, 8 or 16 bytes, which are there once the thread has
   waited for the batch that it then commits. left: of the last ones so many may be under way. */
void simt_async_copy(void *to, const void *from, size_t bytes);
void simt_async_commit(void);
void simt_async_wait(unsigned left);
/* An address in the block's shared memory as PTX has it, 32 bits wide, and back. */
size_t simt_to_shared(const void *p);
/* 'g', 's', 'c' or 'l': global, shared, constant memory, or the thread's own. */
char simt_memory(const void *p);
void *simt_from_shared(size_t address);
/* For whom a fence or an atomic is one: the threads of a block, of a device, of all devices. */
enum simt_scope { SIMT_OF_THE_BLOCK, SIMT_OF_THE_DEVICE, SIMT_OF_THE_SYSTEM };
void simt_fence(enum simt_scope scope);         /* PTX's fence.sc */
void simt_fence_acq_rel(enum simt_scope scope); /* fence.acq_rel, which orders less */
extern bool simt_by_clang;                      /* how a program moves structures (access.c) */
#if defined(__clang__) && defined(__cplusplus)
__attribute__((constructor)) static void simt_says_clang() { simt_by_clang = true; }
#endif
/* What simcc tells of each class that the program defines outside of templates. */
struct __attribute__((aligned(32))) simt_class { /* compilers leave such gaps between tables */
    const char *name;
    unsigned long bytes, alignment;
};
#ifdef __cplusplus
__attribute__((section("simt_classes"), used)) static const struct simt_class simt_vectors[] = {
    {"float4", 16, 16},    {"int4", 16, 16},       {"uint4", 16, 16}, {"double2", 16, 16},
    {"longlong2", 16, 16}, {"ulonglong2", 16, 16}, {"long2", 16, 16}, {"ulong2", 16, 16}};
#endif
/* A library launches a kernel: what is found there has the line of the program's call. */
void simt_library_call(void);
/* Called before an atomic operation writes or reads bytes at p, or both, and after it. */
void simt_atomic_begin(void *p, size_t bytes, bool write, bool read, void *pc);
void simt_atomic_end(bool changed);
/* Called before those two if the operation is a compare-and-swap; if it moves a word one way only,
   as a minimum does; if its scope is not the device. */
void simt_atomic_compares(const void *p);
void simt_atomic_one_way(void);
void simt_atomic_scope(enum simt_scope scope);
/* What an atomic addition of floats leaves at p: on global memory it flushes subnormal numbers. */
float simt_atomic_sum(const float *p, float old, float x);
/* A load through the read-only cache. */
void simt_read_only(const void *p, size_t bytes);
void simt_yield(void);
/* What malloc() and free() are in the reader's files (../simcc). */
void *simt_malloc(size_t bytes);
void simt_free(void *p);
void simt_trap(void) __attribute__((noreturn));
void simt_no_ptx(const char *instruction) __attribute__((noreturn)); /* of CCCL's */
bool simt_runs_kernel(void);                                         /* or host code: see below */
long long simt_clock(void);

/* A launch: kernel is NULL if the launch doesn't name it. */
struct simt_how {
    dim3 grid, block, cluster;
    size_t shared;
    bool cooperative;
    const void *kernel;
    cudaStream_t stream;
};
/* call(closure) runs the kernel for one thread. Returns CUDA's error for a launch
   that it would refuse, and leaves it for cudaGetLastError(). */
cudaError_t simt_launch_grid(const struct simt_how *how, void (*call)(const void *closure),
                             const void *closure, size_t bytes);
/* A kernel known by its address alone: its closure's bytes; packs arguments into it; calls it. */
struct simt_erased {
    size_t bytes;
    void (*pack)(void *closure, const void *kernel, void **arguments);
    void (*call)(const void *closure);
};
void *simt_know_kernel(const void *kernel, const struct simt_erased *erased);
/* how->kernel says which; cudaErrorInvalidDeviceFunction: the program never named it. */
cudaError_t simt_launch_erased(const struct simt_how *how, void **arguments);
void simt_configure(struct simt_how *how, const cudaLaunchConfig_t *config, const void *kernel);
int simt_blocks_per_sm(int block, size_t shared);
int simt_resident_clusters(const struct simt_how *how);
unsigned simt_most_cluster_blocks(const void *kernel);
cudaError_t simt_get_attributes(struct cudaFuncAttributes *attributes, const void *kernel);
cudaError_t simt_set_attribute(const void *kernel, enum cudaFuncAttribute attribute, int value);

#ifdef __cplusplus
}

/* For functions of both kinds that differ by __CUDA_ARCH__ (../rewrite.c). */
static inline constexpr bool simt_in_kernel()
{
    return !__builtin_is_constant_evaluated() && simt_runs_kernel();
}
#endif
