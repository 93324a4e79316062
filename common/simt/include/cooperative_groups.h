/*
 * cooperative_groups.h: the groups of the lessons: thread_block, tiles of 1 to 32
 * lanes, and the grid of a cooperative launch.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include <cuda_runtime.h>

namespace cooperative_groups
{
static inline unsigned simt_rank_in_block()
{
    uint3 t = threadIdx, b = blockDim;
    return t.x + b.x * (t.y + b.y * t.z);
}

struct thread_block {
    void sync() const
    {
        __syncthreads();
    }
    unsigned thread_rank() const
    {
        return simt_rank_in_block();
    }
    unsigned size() const
    {
        uint3 b = blockDim;
        return b.x * b.y * b.z;
    }
    unsigned num_threads() const
    {
        return size();
    }
    dim3 group_index() const
    {
        return blockIdx;
    }
    dim3 thread_index() const
    {
        return threadIdx;
    }
};

struct grid_group {
    void sync() const
    {
        simt_grid_barrier();
    }
    unsigned long long thread_rank() const
    {
        return block_rank() * thread_block().size() + simt_rank_in_block();
    }
    unsigned long long block_rank() const
    {
        uint3 b = blockIdx, g = gridDim;
        return b.x + (unsigned long long)g.x * (b.y + (unsigned long long)g.y * b.z);
    }
    unsigned long long num_blocks() const
    {
        uint3 g = gridDim;
        return (unsigned long long)g.x * g.y * g.z;
    }
    unsigned long long size() const
    {
        return num_blocks() * thread_block().size();
    }
    unsigned long long num_threads() const
    {
        return size();
    }
    bool is_valid() const
    {
        return true;
    }
};

/* SIZE consecutive lanes of one warp. */
template <unsigned SIZE> struct thread_block_tile {
    static_assert(SIZE >= 1 && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 lanes");
    unsigned thread_rank() const
    {
        return simt_rank_in_block() % SIZE;
    }
    unsigned meta_group_rank() const
    {
        return simt_rank_in_block() / SIZE;
    }
    unsigned meta_group_size() const
    {
        return (thread_block().size() + SIZE - 1) / SIZE;
    }
    static constexpr unsigned size()
    {
        return SIZE;
    }
    static constexpr unsigned num_threads()
    {
        return SIZE;
    }
    unsigned lanes() const
    {
        unsigned first = simt_rank_in_block() % 32 / SIZE * SIZE;
        return (unsigned)(((1ull << SIZE) - 1) << first);
    }
    void sync() const
    {
        __syncwarp(lanes());
    }
    template <class T> T shfl(T value, int source) const
    {
        return __shfl_sync(lanes(), value, source, SIZE);
    }
    template <class T> T shfl_down(T value, unsigned delta) const
    {
        return __shfl_down_sync(lanes(), value, delta, SIZE);
    }
    template <class T> T shfl_up(T value, unsigned delta) const
    {
        return __shfl_up_sync(lanes(), value, delta, SIZE);
    }
    template <class T> T shfl_xor(T value, unsigned mask) const
    {
        return __shfl_xor_sync(lanes(), value, (int)mask, SIZE);
    }
    int any(int predicate) const
    {
        return __any_sync(lanes(), predicate);
    }
    int all(int predicate) const
    {
        return __all_sync(lanes(), predicate);
    }
    unsigned ballot(int predicate) const
    {
        return __ballot_sync(lanes(), predicate) >> (simt_rank_in_block() % 32 / SIZE * SIZE);
    }
};

static inline thread_block this_thread_block()
{
    return {};
}
static inline grid_group this_grid()
{
    return {};
}
template <unsigned SIZE> static inline thread_block_tile<SIZE> tiled_partition(thread_block)
{
    return {};
}
template <class G> static inline void sync(const G &group)
{
    group.sync();
}
} // namespace cooperative_groups
#endif
