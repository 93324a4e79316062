/* cooperative_groups/memcpy_async.h: a group copies into shared memory, and waits for it. */
#pragma once

#include "../cooperative_groups.h"
#include "../simt_async.h"

namespace cooperative_groups
{
/* Each call is a batch. amount: bytes, or cuda::aligned_size_t. */
template <class _G, class T, class _N>
SIMT_INLINE void memcpy_async(const _G &group, T *to, const T *from, _N amount)
{
    simt_async_share(to, from, (size_t)amount, group.thread_rank(), group.size());
    simt_async_commit();
}
/* So many elements as both layouts have. */
template <class _G, class T, class _N, class _M>
SIMT_INLINE void memcpy_async(const _G &group, T *to, const _N &to_count, const T *from,
                              const _M &from_count)
{
    size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
    memcpy_async(group, to, from, count * sizeof(T));
}
template <class _G> SIMT_INLINE void wait(const _G &group)
{
    simt_async_wait(0);
    group.sync();
}
template <unsigned _PRIOR, class _G> SIMT_INLINE void wait_prior(const _G &group)
{
    simt_async_wait(_PRIOR);
    group.sync();
}
} // namespace cooperative_groups
