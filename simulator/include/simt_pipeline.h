/* simt_pipeline.h: cuda::pipeline. That of a thread counts its own batches of copies; that of a
   block has for each stage a barrier that says that it is full, and one that it is empty again. */
#pragma once

#include "simt_barrier.h"

namespace cuda
{
enum class pipeline_role { producer, consumer };

template <thread_scope _SCOPE, unsigned char _STAGES> struct pipeline_shared_state {
    struct {
        barrier<_SCOPE> full, empty;
    } simt_stages[_STAGES];
    SIMT_METHOD pipeline_shared_state() = default;
    pipeline_shared_state(const pipeline_shared_state &) = delete;
};

template <thread_scope _SCOPE> struct pipeline {
    barrier<_SCOPE> *simt_barriers;             /* full and empty alternately; NULL: of a thread */
    unsigned simt_stages, simt_head, simt_tail; /* head: batches begun; tail: batches used up */
    bool simt_produces, simt_consumes;

    SIMT_METHOD barrier<_SCOPE> &simt_full(unsigned batch)
    {
        return simt_barriers[batch % simt_stages * 2];
    }
    SIMT_METHOD barrier<_SCOPE> &simt_empty(unsigned batch)
    {
        return simt_barriers[batch % simt_stages * 2 + 1];
    }
    SIMT_METHOD void producer_acquire()
    {
        if (simt_barriers && simt_head >= simt_stages)
            simt_empty(simt_head).wait_parity((simt_head / simt_stages - 1) & 1);
    }
    SIMT_METHOD void producer_commit()
    {
        if (simt_barriers) {
            simt_async_arrive(&simt_full(simt_head));
            (void)simt_full(simt_head).arrive();
        } else {
            simt_async_commit();
        }
        simt_head++;
    }
    SIMT_METHOD void consumer_wait()
    {
        if (simt_barriers)
            simt_full(simt_tail).wait_parity(simt_tail / simt_stages & 1);
        else
            simt_async_wait(simt_head - simt_tail - 1);
    }
    SIMT_METHOD void consumer_release()
    {
        if (simt_barriers)
            (void)simt_empty(simt_tail).arrive();
        simt_tail++;
    }
    template <class _D> SIMT_METHOD bool consumer_wait_for(const _D &)
    {
        consumer_wait();
        return true;
    }
    SIMT_METHOD bool quit() { return true; }
};

/* Waits until at most PRIOR of its last batches are under way. */
template <unsigned char _PRIOR>
SIMT_METHOD void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &)
{
    simt_async_wait(_PRIOR);
}

SIMT_METHOD pipeline<thread_scope_thread> make_pipeline() { return {nullptr, 0, 0, 0, true, true}; }

/* Thread 0 makes the barriers, for so many threads that fill and so many that empty. */
template <class _G, thread_scope _SCOPE, unsigned char _STAGES>
SIMT_METHOD pipeline<_SCOPE>
simt_make_pipeline(const _G &group, pipeline_shared_state<_SCOPE, _STAGES> *state, size_t producers,
                   size_t consumers, bool produces, bool consumes)
{
    if (group.thread_rank() == 0)
        for (unsigned s = 0; s < _STAGES; s++) {
            init(&state->simt_stages[s].full, (ptrdiff_t)producers);
            init(&state->simt_stages[s].empty, (ptrdiff_t)consumers);
        }
    group.sync();
    return {&state->simt_stages[0].full, _STAGES, 0, 0, produces, consumes};
}
template <class _G, thread_scope _SCOPE, unsigned char _STAGES>
SIMT_METHOD pipeline<_SCOPE> make_pipeline(const _G &group,
                                           pipeline_shared_state<_SCOPE, _STAGES> *state)
{
    return simt_make_pipeline(group, state, group.size(), group.size(), true, true);
}
/* The first so many threads fill, the others empty. */
template <class _G, thread_scope _SCOPE, unsigned char _STAGES>
SIMT_METHOD pipeline<_SCOPE>
make_pipeline(const _G &group, pipeline_shared_state<_SCOPE, _STAGES> *state, size_t producers)
{
    bool produces = group.thread_rank() < producers;
    return simt_make_pipeline(group, state, producers, group.size() - producers, produces,
                              !produces);
}
template <class _G, thread_scope _SCOPE, unsigned char _STAGES>
SIMT_METHOD pipeline<_SCOPE>
make_pipeline(const _G &group, pipeline_shared_state<_SCOPE, _STAGES> *state, pipeline_role role)
{
    size_t producers = (size_t)__syncthreads_count(role == pipeline_role::producer);
    bool produces = role == pipeline_role::producer;
    return simt_make_pipeline(group, state, producers, group.size() - producers, produces,
                              !produces);
}

/* They go to the stage that is being filled, and arrive with its producer_commit(). */
template <class _G, class T, class _N, thread_scope _SCOPE>
SIMT_METHOD void memcpy_async(const _G &group, T *to, const T *from, _N bytes, pipeline<_SCOPE> &)
{
    simt_async_share(to, from, (size_t)bytes, group.thread_rank(), group.size());
}
template <class _G, class _N, thread_scope _SCOPE>
SIMT_METHOD void memcpy_async(const _G &group, void *to, const void *from, _N bytes,
                              pipeline<_SCOPE> &)
{
    simt_async_share(to, from, (size_t)bytes, group.thread_rank(), group.size());
}
template <class T, class _N, thread_scope _SCOPE>
SIMT_METHOD void memcpy_async(T *to, const T *from, _N bytes, pipeline<_SCOPE> &)
{
    simt_async_share(to, from, (size_t)bytes, 0, 1);
}
} // namespace cuda
