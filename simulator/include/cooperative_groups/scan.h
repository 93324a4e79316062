/* cooperative_groups/scan.h: prefix sums (or others) of the values of a tile or coalesced group. */
#pragma once

#include "reduce.h"

namespace cooperative_groups
{
/* Of a tile by the tile's own shuffles, which know its width; of others one rank at a time. */
template <unsigned _SIZE, class _PARENT, class T, class _F>
SIMT_INLINE std::enable_if_t<_SIZE <= 32, T>
inclusive_scan(const thread_block_tile<_SIZE, _PARENT> &g, T value, _F operation)
{
#pragma GCC unroll 5
    for (unsigned distance = 1; distance < _SIZE; distance *= 2) {
        T below = g.shfl_up(value, distance);
        value = g.thread_rank() >= distance ? operation(below, value) : value;
    }
    return value;
}
template <class T, class _F>
SIMT_INLINE T inclusive_scan(const coalesced_group &g, T value, _F operation)
{
    T result = value, sum = g.shfl(value, 0);
    for (unsigned rank = 1; rank < g.size(); rank++) {
        sum = operation(sum, g.shfl(value, rank));
        result = g.thread_rank() == rank ? sum : result;
    }
    return result;
}

template <unsigned _SIZE, class T, class _F>
SIMT_INLINE T inclusive_scan(const simt_large_tile<_SIZE> &g, T value, _F operation)
{
    value = inclusive_scan(thread_block_tile<32>(), value, operation);
    unsigned warp = g.thread_rank() / 32;
    T below = g.of_warps(value, 31, warp, operation);
    return warp == 0 ? value : operation(below, value);
}
/* The scan of the thread before. */
template <class _G, class T> SIMT_INLINE T scan_before(const _G &g, T scan, long)
{
    return g.shfl_up(scan, 1);
}
template <unsigned _SIZE, class _PARENT, class T>
SIMT_INLINE std::enable_if_t<(_SIZE > 32), T>
scan_before(const thread_block_tile<_SIZE, _PARENT> &g, T scan, int)
{
    T in_warp = thread_block_tile<32>().shfl_up(scan, 1);
    T last = g.of_warps(scan, 31, g.thread_rank() / 32, [](T, T of_next) { return of_next; });
    return g.thread_rank() % 32 == 0 ? last : in_warp;
}

/* The value of rank 0 is CUDA's only for plus, bit_or and bit_xor: T{}. */
template <class _G, class T, class _F>
SIMT_INLINE T exclusive_scan(const _G &g, T value, _F operation)
{
    T below = scan_before(g, inclusive_scan(g, value, operation), 0);
    return g.thread_rank() > 0 ? below : T{};
}

template <class _G, class T> SIMT_INLINE T inclusive_scan(const _G &g, T value)
{
    return inclusive_scan(g, value, plus<T>());
}
template <class _G, class T> SIMT_INLINE T exclusive_scan(const _G &g, T value)
{
    return exclusive_scan(g, value, plus<T>());
}
} // namespace cooperative_groups
