/* cooperative_groups/memcpy_async.h: a group copies into shared memory, and waits for it. */
#pragma once

#include "../cooperative_groups.h"
#include "../simt_async.h"

namespace cooperative_groups
{
/* Each call is a batch. amount: bytes, or cuda::aligned_size_t. */
template <class G, class T, class N>
SIMT_INLINE void memcpy_async(const G &group, T *to, const T *from, N amount)
{
    simt_async_share(to, from, (size_t)amount, group.thread_rank(), group.size());
    simt_async_commit();
}
/* So many elements as both layouts have. */
template <class G, class T, class N, class M>
SIMT_INLINE void memcpy_async(const G &group, T *to, const N &to_count, const T *from,
                              const M &from_count)
{
    size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
    memcpy_async(group, to, from, count * sizeof(T));
}
template <class G> SIMT_INLINE void wait(const G &group)
{
    simt_async_wait(0);
    group.sync();
}
template <unsigned PRIOR, class G> SIMT_INLINE void wait_prior(const G &group)
{
    simt_async_wait(PRIOR);
    group.sync();
}
} // namespace cooperative_groups
