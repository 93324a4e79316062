/*
 * reduce_columns.cu: reduce_columns(). Lanes lie side by side along a row, each with 16 bytes of
 * it, and go down the rows; so what a warp reads lies side by side in memory, too. A block has a
 * tile of columns, and if there are few tiles, several blocks share the rows of one.
 */
#include "reduce_common.h"

/* The states of a thread, one for each of its columns, all of as many elements. */
template <class OP, int N> struct column_states {
    struct running<OP> of[N];
};

/* The states of the thread that many `groups` further down, for all columns: a tree over the groups
   of a block. The threads of group 0 get the states of the tile. */
template <class OP, int N>
static inline __device__ void merge_groups(OP op, struct column_states<OP, N> &s, unsigned lanes)
{
    struct passed_states {
        struct partial_state<OP> of[REDUCE_THREADS / 2][N];
    } *passed = (struct passed_states *)shared_bytes<sizeof(struct passed_states)>();
    __shared__ size_t counts[REDUCE_THREADS / 2];
    const unsigned tid = threadIdx.x;

    for (unsigned half = REDUCE_THREADS / 2; half >= lanes; half /= 2) {
        if (tid >= half && tid < 2 * half) {
#pragma unroll
            for (int c = 0; c < N; c++)
                passed->of[tid - half][c] = {s.of[c].first, s.of[c].second};
            counts[tid - half] = s.of[0].count;
        }
        __syncthreads();
        if (tid < half) {
#pragma unroll
            for (int c = 0; c < N; c++)
                take_state(op, s.of[c], passed->of[tid][c], counts[tid]);
        }
        __syncthreads();
    }
}

template <class OP, typename T, bool VECTORS_ONLY>
static __global__ void __launch_bounds__(REDUCE_THREADS, 2)
    columns_of(OP op, const T *in, size_t rows, size_t columns, size_t stride, unsigned lanes,
               size_t parts, size_t part, void *out, struct shared_answers shared)
{
    const int members = sixteen_bytes<T>::MEMBERS, at_once = COLUMN_ELEMENTS / members; /* rows */
    const unsigned lane = threadIdx.x & (lanes - 1), group = threadIdx.x / lanes;
    const unsigned groups = REDUCE_THREADS / lanes, width = lanes * members;
    const size_t tile = blockIdx.x / parts, mine = blockIdx.x % parts;
    const size_t first_row = mine * part;
    const size_t end = rows - first_row < part ? rows : first_row + part;
    /* Of the tile's columns, this thread has 16 bytes side by side, or every lanes-th. */
    const unsigned start = VECTORS_ONLY ? lane * members : lane;
    const size_t left = columns - tile * width;
    struct places<VECTORS_ONLY ? members : 1> local = {
        start, lanes, start < left
    };
    if (!VECTORS_ONLY && start < left)
        local.groups = left < width ? (unsigned)(left - start + lanes - 1) / lanes : members;
    struct column_states<OP, members> s;
#pragma unroll
    for (int c = 0; c < members; c++)
        s.of[c] = nothing_yet(op);

    wait_for_kernel_before(in, 0);
    for (size_t row = first_row + group; row < end; row += (size_t)groups * at_once) {
        const size_t rows_left = (end - row + groups - 1) / groups;
        const struct places<1> down = {
            row, groups, rows_left < (size_t)at_once ? (unsigned)rows_left : (unsigned)at_once
        };
        uint4 raw[at_once] = {};
#pragma unroll
        for (int r = 0; r < at_once; r++)
            if (down.has(r))
                load_places<VECTORS_ONLY, 1>(&raw[r], in + down.number(r) * stride + tile * width,
                                             local);
#pragma unroll
        for (int c = 0; c < members; c++) {
            float x[at_once];
#pragma unroll
            for (int r = 0; r < at_once; r++)
                x[r] = op.key(wide(((const T *)&raw[r])[c]));
            take<at_once, true>(op, s.of[c], x, down.groups, down);
        }
    }
    trigger_next_launch();
    merge_groups(op, s, lanes);

    if (parts > 1) {
        struct partial_state<OP> *slots = (struct partial_state<OP> *)shared.slots;
        slots += tile * parts * width;
#pragma unroll
        for (int c = 0; c < members; c++)
            if (group == 0)
                slots[mine * width + local.number(c)] = {s.of[c].first, s.of[c].second};
        __syncthreads(); /* all of them, before thread 0 draws the ticket */
        if (!is_last_of((unsigned)parts, shared.tickets + tile))
            return;
#pragma unroll
        for (int c = 0; c < members; c++) {
            s.of[c] = nothing_yet(op);
            for (size_t p = group; p < parts; p += groups)
                take_state(op, s.of[c], slots[p * width + local.number(c)],
                           p + 1 < parts ? part : rows - p * part);
        }
        merge_groups(op, s, lanes);
    }
#pragma unroll
    for (int c = 0; c < members; c++)
        if (group == 0 && local.has(c))
            op.answer(s.of[c].first, s.of[c].second, rows, out, tile * width + local.number(c));
}

struct launch_columns {
    template <class OP, typename T>
    static enum reduce_status of(const struct reduction *r, OP op, T)
    {
        const struct reduce_matrix *m = r->matrix;
        const struct reduce_plan *plan = r->plan;
        return launch_reduction(r,
                                plan->vectors ? columns_of<OP, T, true> : columns_of<OP, T, false>,
                                op, (const T *)m->data, m->rows, m->columns, m->stride, plan->lanes,
                                plan->parts, plan->part, r->out, r->shared);
    }
};

extern "C" enum reduce_status reduce_columns_by(const struct reduce_plan *plan,
                                                enum reduce_operator op,
                                                const struct reduce_matrix *matrix, void *out,
                                                const struct reduce_workspace *workspace,
                                                cudaStream_t stream)
{
    struct reduction r = {plan, matrix, NULL, out, {}, stream, false};
    struct reduce_plan chosen;
    unsigned sms;
    enum reduce_status status = reduce_begin_matrix(&r, op, workspace, false, &sms);
    if (status != REDUCE_OK || matrix->columns == 0)
        return status;
    if (plan == NULL) {
        chosen = reduce_columns_plan(matrix, sms);
        r.plan = &chosen;
    }
    return by_type<launch_columns, size_t>(&r, op, matrix->type);
}

extern "C" enum reduce_status reduce_columns(enum reduce_operator op,
                                             const struct reduce_matrix *matrix, void *out,
                                             const struct reduce_workspace *workspace,
                                             cudaStream_t stream)
{
    return reduce_columns_by(NULL, op, matrix, out, workspace, stream);
}
