/* cooperative_groups.h: thread_block, tiles of 1 to 32 lanes and of several warps, the lanes that
   happen to be together, the cluster, and the grid of a cooperative launch. */
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups
{
struct thread_block {
    SIMT_METHOD static void sync() { __syncthreads(); }
    SIMT_METHOD static unsigned thread_rank()
    {
        return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    }
    SIMT_METHOD static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    SIMT_METHOD static unsigned num_threads() { return size(); }
    SIMT_METHOD static dim3 group_index() { return blockIdx; }
    SIMT_METHOD static dim3 thread_index() { return threadIdx; }
    SIMT_METHOD static dim3 group_dim() { return blockDim; }
    SIMT_METHOD static dim3 dim_threads() { return blockDim; }
    struct arrival_token {
        unsigned phase;
    };
    SIMT_METHOD static arrival_token barrier_arrive() { return {simt_part_arrive(0, size())}; }
    SIMT_METHOD static void barrier_wait(arrival_token &&token) { simt_part_wait(0, token.phase); }
};

struct grid_group {
    SIMT_METHOD void sync() const { simt_grid_barrier(); }
    SIMT_METHOD bool is_valid() const { return true; }
    SIMT_METHOD unsigned long long block_rank() const
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    }
    SIMT_METHOD unsigned long long thread_rank() const
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    SIMT_METHOD unsigned long long num_blocks() const
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    SIMT_METHOD unsigned long long size() const { return num_blocks() * thread_block::size(); }
    SIMT_METHOD unsigned long long num_threads() const { return size(); }
    SIMT_METHOD dim3 group_dim() const { return gridDim; }
    SIMT_METHOD dim3 dim_blocks() const { return gridDim; }
    SIMT_METHOD dim3 block_index() const { return blockIdx; }
    SIMT_METHOD static dim3 dim_clusters() { return __clusterGridDimInClusters(); }
    SIMT_METHOD static dim3 cluster_index() { return __clusterIdx(); }
    SIMT_METHOD static unsigned long long num_clusters()
    {
        dim3 g = dim_clusters();
        return (unsigned long long)g.x * g.y * g.z;
    }
    SIMT_METHOD static unsigned long long cluster_rank()
    {
        dim3 g = dim_clusters(), at = cluster_index();
        return at.x + (unsigned long long)g.x * (at.y + g.y * at.z);
    }
};

struct cluster_group {
    struct arrival_token {
    };
    SIMT_METHOD static arrival_token barrier_arrive()
    {
        __cluster_barrier_arrive();
        return {};
    }
    SIMT_METHOD static void barrier_wait() { __cluster_barrier_wait(); }
    SIMT_METHOD static void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
    SIMT_METHOD static void sync()
    {
        __cluster_barrier_arrive();
        __cluster_barrier_wait();
    }
    template <class T> SIMT_METHOD static T *map_shared_rank(T *p, int rank)
    {
        return (T *)__cluster_map_shared_rank((const void *)p, (unsigned)rank);
    }
    SIMT_METHOD static unsigned query_shared_rank(const void *p)
    {
        return __cluster_query_shared_rank(p);
    }
    SIMT_METHOD static dim3 block_index() { return __clusterRelativeBlockIdx(); }
    SIMT_METHOD static unsigned block_rank() { return __clusterRelativeBlockRank(); }
    SIMT_METHOD static dim3 thread_index()
    {
        dim3 b = block_index();
        return {b.x * blockDim.x + threadIdx.x, b.y * blockDim.y + threadIdx.y,
                b.z * blockDim.z + threadIdx.z};
    }
    SIMT_METHOD static unsigned thread_rank()
    {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    SIMT_METHOD static dim3 dim_blocks() { return __clusterDim(); }
    SIMT_METHOD static unsigned num_blocks() { return __clusterSizeInBlocks(); }
    SIMT_METHOD static dim3 dim_threads()
    {
        dim3 c = dim_blocks();
        return {c.x * blockDim.x, c.y * blockDim.y, c.z * blockDim.z};
    }
    SIMT_METHOD static unsigned num_threads() { return num_blocks() * thread_block::size(); }
    SIMT_METHOD static unsigned size() { return num_threads(); }
};

/* What no instruction shuffles goes by words of 4 bytes, as in CUDA. */
template <class T, size_t... _I>
SIMT_METHOD T simt_shuffle_words(std::index_sequence<_I...>, simt_op op, unsigned mask, T value,
                                 unsigned argument, unsigned width)
{
    static_assert(sizeof(T) <= 32, "groups shuffle types of at most 32 bytes");
    static_assert(std::is_trivially_destructible<T>::value,
                  "groups shuffle types that may be copied byte by byte");
    unsigned words[sizeof...(_I)] = {};
    __builtin_memcpy(words, (const void *)&value, sizeof value);
    unsigned shuffled[] = {(unsigned)simt_warp_op(op, mask, words[_I], argument, width)...};
    __builtin_memcpy((void *)&value, shuffled, sizeof value);
    return value;
}
template <class T>
SIMT_METHOD std::enable_if_t<!simt_is_number<T>::value, T>
simt_shuffle(simt_op op, unsigned mask, T value, unsigned argument, unsigned width)
{
    return simt_shuffle_words(std::make_index_sequence<(sizeof(T) + 3) / 4>(), op, mask, value,
                              argument, width);
}
template <class T>
SIMT_METHOD std::enable_if_t<simt_is_number<T>::value, T>
simt_shuffle(simt_op op, unsigned mask, T value, unsigned argument, unsigned width)
{
    return simt_value<T>(simt_warp_op(op, mask, simt_bits(value), argument, width));
}

/* Some lanes of one warp; the lowest has rank 0. */
struct coalesced_group {
    unsigned mask;

    SIMT_METHOD static unsigned lane() { return thread_block::thread_rank() % 32; }
    SIMT_METHOD unsigned thread_rank() const
    {
        return (unsigned)__popc(mask & ((1u << lane()) - 1));
    }
    SIMT_METHOD unsigned size() const { return (unsigned)__popc(mask); }
    SIMT_METHOD unsigned num_threads() const { return size(); }
    SIMT_METHOD void sync() const { __syncwarp(mask); }
    SIMT_METHOD unsigned meta_group_rank() const { return 0; }
    SIMT_METHOD unsigned meta_group_size() const { return 1; }

    /* From rank to lane, and from a set of lanes to a set of ranks. */
    SIMT_METHOD int lane_of(unsigned rank) const
    {
        unsigned rest = mask;
        while (rank-- > 0)
            rest &= rest - 1;
        return __ffs((int)rest) - 1;
    }
    SIMT_METHOD unsigned ranks_of(unsigned lanes) const
    {
        unsigned ranks = 0, rank = 0;
        for (unsigned rest = mask; rest != 0; rest &= rest - 1, rank++)
            ranks |= (unsigned)((lanes & rest & -rest) != 0) << rank;
        return ranks;
    }

    template <class T> SIMT_METHOD T from_lane(T value, int lane) const
    {
        return simt_shuffle(SIMT_SHFL, mask, value, (unsigned)lane, 32);
    }
    template <class T> SIMT_METHOD T shfl(T value, unsigned rank) const
    {
        return from_lane(value, lane_of(rank % size()));
    }
    template <class T> SIMT_METHOD T shfl_up(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return from_lane(value, lane_of(delta <= rank ? rank - delta : rank));
    }
    template <class T> SIMT_METHOD T shfl_down(T value, unsigned delta) const
    {
        unsigned rank = thread_rank();
        return from_lane(value, lane_of(rank + delta < size() ? rank + delta : rank));
    }
    SIMT_METHOD int any(int p) const { return __any_sync(mask, p); }
    SIMT_METHOD int all(int p) const { return __all_sync(mask, p); }
    SIMT_METHOD unsigned ballot(int p) const { return ranks_of(__ballot_sync(mask, p)); }
    template <class T> SIMT_METHOD unsigned match_any(T value) const
    {
        return ranks_of(__match_any_sync(mask, value));
    }
    template <class T> SIMT_METHOD unsigned match_all(T value, int &all_equal) const
    {
        return ranks_of(__match_all_sync(mask, value, &all_equal));
    }
};

/* Which of the tiles of PARENT, the group it was cut from, a tile is. One without a parent, as
   functions take it, remembers that. */
template <unsigned _SIZE, class _PARENT> struct simt_tile_of {
    simt_tile_of() = default;
    template <class _P> SIMT_METHOD simt_tile_of(const simt_tile_of<_SIZE, _P> &) {}
    SIMT_METHOD static unsigned meta_group_rank() { return _PARENT::thread_rank() / _SIZE; }
    SIMT_METHOD static unsigned meta_group_size() { return (_PARENT::size() + _SIZE - 1) / _SIZE; }
};
template <unsigned _SIZE> struct simt_tile_of<_SIZE, void> {
    unsigned simt_rank = 0, simt_tiles = 1;
    simt_tile_of() = default;
    template <class _P>
    SIMT_METHOD simt_tile_of(const simt_tile_of<_SIZE, _P> &o)
        : simt_rank(o.meta_group_rank()), simt_tiles(o.meta_group_size())
    {
    }
    SIMT_METHOD unsigned meta_group_rank() const { return simt_rank; }
    SIMT_METHOD unsigned meta_group_size() const { return simt_tiles; }
};

/* SIZE consecutive lanes. */
template <unsigned _SIZE, class _PARENT = void>
struct thread_block_tile : coalesced_group, simt_tile_of<_SIZE, _PARENT> {
    static_assert(_SIZE >= 1 && _SIZE <= 32 && (_SIZE & (_SIZE - 1)) == 0,
                  "a tile has 1, 2, 4 … 1024 threads");
    typedef simt_tile_of<_SIZE, _PARENT> simt_tile;
    SIMT_METHOD thread_block_tile()
        : coalesced_group{(unsigned)((1ull << _SIZE) - 1) << lane() / _SIZE * _SIZE}
    {
    }
    template <class _P>
    SIMT_METHOD thread_block_tile(const thread_block_tile<_SIZE, _P> &o)
        : coalesced_group(o), simt_tile(o)
    {
    }
    SIMT_METHOD static unsigned thread_rank() { return lane() % _SIZE; }
    SIMT_METHOD static constexpr unsigned size() { return _SIZE; }
    SIMT_METHOD static constexpr unsigned num_threads() { return _SIZE; }
    using simt_tile::meta_group_rank;
    using simt_tile::meta_group_size;
    SIMT_METHOD unsigned ballot(int p) const
    {
        return __ballot_sync(mask, p) >> lane() / _SIZE * _SIZE;
    }
    template <class T> SIMT_METHOD T shfl(T value, int rank) const
    {
        return simt_shuffle(SIMT_SHFL, mask, value, (unsigned)rank, _SIZE);
    }
    template <class T> SIMT_METHOD T shfl_up(T value, unsigned delta) const
    {
        return simt_shuffle(SIMT_SHFL_UP, mask, value, delta, _SIZE);
    }
    template <class T> SIMT_METHOD T shfl_down(T value, unsigned delta) const
    {
        return simt_shuffle(SIMT_SHFL_DOWN, mask, value, delta, _SIZE);
    }
    template <class T> SIMT_METHOD T shfl_xor(T value, unsigned lanes) const
    {
        return simt_shuffle(SIMT_SHFL_XOR, mask, value, lanes, _SIZE);
    }
};

/* SIZE threads of several warps, with a barrier of their own: warps exchange 16 bytes each. */
template <unsigned _SIZE> struct simt_large_tile {
    SIMT_METHOD static unsigned thread_rank() { return thread_block::thread_rank() % _SIZE; }
    SIMT_METHOD static constexpr unsigned size() { return _SIZE; }
    SIMT_METHOD static constexpr unsigned num_threads() { return _SIZE; }
    SIMT_METHOD static unsigned in_block() { return thread_block::thread_rank() / _SIZE; }
    SIMT_METHOD static void sync()
    {
        unsigned id = _SIZE * 64 + in_block(), left = thread_block::size() - in_block() * _SIZE;
        simt_part_wait(id, simt_part_arrive(id, left < _SIZE ? left : _SIZE));
    }
    /* The values that lane `lane` of each of the first `warps` warps has, combined with f. */
    template <class T, class _F>
    SIMT_METHOD static T of_warps(T value, unsigned lane, unsigned warps, _F f)
    {
        static_assert(sizeof(T) <= 16, "tiles of several warps take types of at most 16 bytes");
        if (thread_rank() % 32 == lane)
            simt_part_put(&value, sizeof value);
        sync();
        unsigned first = in_block() * (_SIZE / 32);
        for (unsigned w = 0; w < warps; w++) {
            T other;
            simt_part_get((void *)&other, sizeof other, first + w);
            value = w == 0 ? other : f(value, other);
        }
        sync();
        return value;
    }
    template <class T> SIMT_METHOD static T shfl(T value, unsigned rank)
    {
        static_assert(sizeof(T) <= 8, "tiles of several warps shuffle types of at most 8 bytes");
        if (thread_rank() == rank)
            simt_part_put(&value, sizeof value);
        sync();
        simt_part_get((void *)&value, sizeof value, (in_block() * _SIZE + rank) / 32);
        sync();
        return value;
    }
    SIMT_METHOD static int any(int p)
    {
        return of_warps(__any_sync(~0u, p), 0, _SIZE / 32, [](int a, int b) { return a | b; });
    }
    SIMT_METHOD static int all(int p)
    {
        return of_warps(__all_sync(~0u, p), 0, _SIZE / 32, [](int a, int b) { return a & b; });
    }
};
#define SIMT_LARGE_TILE(SIZE)                                                                      \
    template <class _PARENT>                                                                       \
    struct thread_block_tile<SIZE, _PARENT> : simt_large_tile<SIZE>, simt_tile_of<SIZE, _PARENT> { \
        thread_block_tile() = default;                                                             \
        template <class _P>                                                                        \
        SIMT_METHOD thread_block_tile(const thread_block_tile<SIZE, _P> &o)                        \
            : simt_tile_of<SIZE, _PARENT>(o)                                                       \
        {                                                                                          \
        }                                                                                          \
    };
SIMT_LARGE_TILE(64)
SIMT_LARGE_TILE(128)
SIMT_LARGE_TILE(256)
SIMT_LARGE_TILE(512)
SIMT_LARGE_TILE(1024)

/* CUDA keeps what such tiles need in here; the simulator has it elsewhere. */
template <unsigned _THREADS = 1024> struct block_tile_memory {
    char unused[_THREADS / 32 * 16 + 256];
};

/* Any group of one block, for functions that take them all. */
struct thread_group {
    unsigned mask; /* 0: the whole block */

    SIMT_METHOD thread_group(thread_block) : mask(0) {}
    SIMT_METHOD thread_group(const coalesced_group &g) : mask(g.mask) {}
    SIMT_METHOD void sync() const { mask == 0 ? __syncthreads() : __syncwarp(mask); }
    SIMT_METHOD unsigned size() const
    {
        return mask == 0 ? thread_block::size() : (unsigned)__popc(mask);
    }
    SIMT_METHOD unsigned num_threads() const { return size(); }
    SIMT_METHOD unsigned thread_rank() const
    {
        return mask == 0 ? thread_block::thread_rank() : coalesced_group{mask}.thread_rank();
    }
};

SIMT_INLINE thread_block this_thread_block() { return {}; }
template <unsigned _THREADS>
SIMT_INLINE thread_block this_thread_block(block_tile_memory<_THREADS> &)
{
    return {};
}
SIMT_INLINE grid_group this_grid() { return {}; }
SIMT_INLINE cluster_group this_cluster() { return {}; }
SIMT_INLINE thread_block_tile<1> this_thread() { return {}; }
SIMT_INLINE coalesced_group coalesced_threads() { return {__activemask()}; }

template <unsigned _SIZE>
SIMT_INLINE thread_block_tile<_SIZE, thread_block> tiled_partition(thread_block)
{
    return {};
}
template <unsigned _SIZE, unsigned _FROM, class _PARENT>
SIMT_INLINE thread_block_tile<_SIZE, thread_block_tile<_FROM, _PARENT>>
tiled_partition(const thread_block_tile<_FROM, _PARENT> &)
{
    static_assert(_SIZE <= _FROM, "a tile is at most as large as the one it is cut from");
    return {};
}
/* By a size known only when it runs. */
SIMT_INLINE thread_group tiled_partition(const thread_group &g, unsigned size)
{
    coalesced_group from = {g.mask == 0 ? ~0u : g.mask};
    unsigned first = from.thread_rank() / size * size, mask = 0;
    for (unsigned rank = first; rank < first + size && rank < from.size(); rank++)
        mask |= 1u << from.lane_of(rank);
    return coalesced_group{mask};
}
/* The lanes of the group that bring the same label. */
template <class T> SIMT_INLINE coalesced_group labeled_partition(const coalesced_group &g, T label)
{
    return {__match_any_sync(g.mask, label)};
}
SIMT_INLINE coalesced_group binary_partition(const coalesced_group &g, bool p)
{
    return labeled_partition(g, (int)p);
}
/* One of the group calls f; and all get what it returns. */
template <class _G, class _F, class... _A>
SIMT_INLINE void invoke_one(const _G &group, _F &&f, _A &&...a)
{
    if (group.thread_rank() == 0)
        f(std::forward<_A>(a)...);
}
template <class _G, class _F, class... _A>
SIMT_INLINE auto invoke_one_broadcast(const _G &group, _F &&f, _A &&...a)
{
    decltype(f(std::forward<_A>(a)...)) result{};
    if (group.thread_rank() == 0)
        result = f(std::forward<_A>(a)...);
    return group.shfl(result, 0);
}
template <class _G> SIMT_INLINE void sync(const _G &group) { group.sync(); }
template <class _G> SIMT_INLINE auto thread_rank(const _G &group) { return group.thread_rank(); }
template <class _G> SIMT_INLINE auto group_size(const _G &group) { return group.size(); }
} // namespace cooperative_groups
