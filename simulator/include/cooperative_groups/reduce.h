/* cooperative_groups/reduce.h: one value from those of a tile or a coalesced group. */
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups
{
#define SIMT_OPERATION(NAME, EXPRESSION)                                                           \
    template <class T> struct NAME {                                                               \
        T operator()(T a, T b) const { return EXPRESSION; }                                        \
    };
SIMT_OPERATION(plus, a + b)
SIMT_OPERATION(less, b < a ? b : a)
SIMT_OPERATION(greater, a < b ? b : a)
SIMT_OPERATION(bit_and, a &b)
SIMT_OPERATION(bit_or, a | b)
SIMT_OPERATION(bit_xor, a ^ b)
#undef SIMT_OPERATION

/* From compute capability 8.0 on the library has whole numbers of 32 bits added up, compared or
   combined by one instruction: the overloads that take the last argument as it is, an int. */
#define SIMT_ONE_INSTRUCTION(NAME, FUNCTION)                                                       \
    template <class _G, class = decltype(_G::mask)>                                                \
    SIMT_INLINE int reduce_as(const _G &g, int value, NAME<int>, int)                              \
    {                                                                                              \
        return (int)FUNCTION(g.mask, value);                                                       \
    }                                                                                              \
    template <class _G, class = decltype(_G::mask)>                                                \
    SIMT_INLINE unsigned reduce_as(const _G &g, unsigned value, NAME<unsigned>, int)               \
    {                                                                                              \
        return FUNCTION(g.mask, value);                                                            \
    }
SIMT_ONE_INSTRUCTION(plus, __reduce_add_sync)
SIMT_ONE_INSTRUCTION(less, __reduce_min_sync)
SIMT_ONE_INSTRUCTION(greater, __reduce_max_sync)
SIMT_ONE_INSTRUCTION(bit_and, __reduce_and_sync)
SIMT_ONE_INSTRUCTION(bit_or, __reduce_or_sync)
SIMT_ONE_INSTRUCTION(bit_xor, __reduce_xor_sync)

template <unsigned _SIZE, class _PARENT, class T, class _F>
SIMT_INLINE std::enable_if_t<_SIZE <= 32, T> reduce_as(const thread_block_tile<_SIZE, _PARENT> &g,
                                                       T value, _F operation, long)
{
#pragma GCC unroll 5
    for (unsigned distance = _SIZE / 2; distance > 0; distance /= 2)
        value = operation(value, g.shfl_xor(value, distance));
    return value;
}
template <class T, class _F>
SIMT_INLINE T reduce_as(const coalesced_group &g, T value, _F operation, long)
{
    T result = g.shfl(value, 0);
    for (unsigned rank = 1; rank < g.size(); rank++)
        result = operation(result, g.shfl(value, rank));
    return result;
}

/* Of several warps: each for itself, then the warps. */
template <unsigned _SIZE, class T, class _F>
SIMT_INLINE T reduce_as(const simt_large_tile<_SIZE> &g, T value, _F operation, long)
{
    value = reduce_as(thread_block_tile<32>(), value, operation, 0);
    return g.of_warps(value, 0, _SIZE / 32, operation);
}

template <class _G, class T, class _F> SIMT_INLINE T reduce(const _G &g, T value, _F operation)
{
    return reduce_as(g, value, operation, 0);
}
} // namespace cooperative_groups
