/* cooperative_groups/scan.h: prefix sums (or others) of the values of a tile or a coalesced group.
 */
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups
{
/* Of a tile by the tile's own shuffles, which know its width; of others one rank at a time. */
template <unsigned SIZE, class PARENT, class T, class F>
SIMT_INLINE T inclusive_scan(const thread_block_tile<SIZE, PARENT> &g, T value, F operation)
{
#pragma GCC unroll 5
    for (unsigned distance = 1; distance < SIZE; distance *= 2) {
        T below = g.shfl_up(value, distance);
        value = g.thread_rank() >= distance ? operation(below, value) : value;
    }
    return value;
}
template <class T, class F>
SIMT_INLINE T inclusive_scan(const coalesced_group &g, T value, F operation)
{
    T result = value, sum = g.shfl(value, 0);
    for (unsigned rank = 1; rank < g.size(); rank++) {
        sum = operation(sum, g.shfl(value, rank));
        result = g.thread_rank() == rank ? sum : result;
    }
    return result;
}

/* The value of rank 0 is CUDA's only for plus, bit_or and bit_xor: T{}. */
template <class G, class T, class F> SIMT_INLINE T exclusive_scan(const G &g, T value, F operation)
{
    T below = g.shfl_up(inclusive_scan(g, value, operation), 1);
    return g.thread_rank() > 0 ? below : T{};
}

template <class G, class T> SIMT_INLINE T inclusive_scan(const G &g, T value)
{
    return inclusive_scan(g, value, plus<T>());
}
template <class G, class T> SIMT_INLINE T exclusive_scan(const G &g, T value)
{
    return exclusive_scan(g, value, plus<T>());
}
} // namespace cooperative_groups
#endif
