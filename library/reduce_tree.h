/*
 * reduce_tree.h: a tile of elements in shared memory, with what is known of each of its vectors of
 * 16 bytes, of each 4 of them, and of each 16. To make it costs about an instruction an element;
 * then any stretch of the tile is put together in a few steps, however long it is. SUM, MAX and
 * ARGMAX alone: a node has the operator's first part, and where the largest element is is looked up
 * when the largest is known.
 */
#ifndef REDUCE_TREE_H
#define REDUCE_TREE_H

#include "reduce_plan.h"
#include "reduce_state.h"

enum {
    TREE_VECTORS = REDUCE_THREADS * TREE_LOADS,
    FOURS = TREE_VECTORS, /* where the nodes of 4 vectors begin, and those of 16 */
    SIXTEENS = FOURS + TREE_VECTORS / 4,
    TREE_NODES = SIXTEENS + TREE_VECTORS / 16,
};

struct tree {
    uint4 vectors[TREE_VECTORS];
    float nodes[TREE_NODES];
};

/* Elements have places: they count from a multiple of 16 bytes at or in front of the data, so a
   vector has MEMBERS places from a multiple of MEMBERS. */
struct placed_elements {
    const uint4 *vectors;
    size_t start, end; /* places of elements that may be read */
};

/* Asks for this thread's share of the vectors first to end - 1; of TREE_VECTORS, if they are more.
   What is in front of or behind the elements may not be read: of the first and the last vector of
   all it brings the elements one by one. What is not there is 0. */
template <typename T>
static inline __device__ void ask_for_tile(uint4 *share, struct placed_elements x, size_t first,
                                           size_t end)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    const size_t whole = (x.start + members - 1) / members, behind = x.end / members;
    const size_t complete = end < behind ? end : behind;
    const uint4 *mine = x.vectors + first + threadIdx.x;
    if (first >= whole && first + TREE_VECTORS <= complete) {
#pragma unroll
        for (int k = 0; k < TREE_LOADS; k++)
            share[k] = mine[k * REDUCE_THREADS];
        return;
    }
    const unsigned all = end - first <= TREE_VECTORS ? (unsigned)(end - first) : TREE_VECTORS;
    const unsigned begin = whole > first ? (unsigned)(whole - first) : 0;
    const unsigned limit = complete <= first        ? 0
                           : complete - first < all ? (unsigned)(complete - first)
                                                    : all;
#pragma unroll
    for (int k = 0; k < TREE_LOADS; k++) {
        unsigned i = threadIdx.x + k * REDUCE_THREADS;
        share[k] = i >= begin && i < limit ? mine[k * REDUCE_THREADS] : uint4();
    }
    if (begin == 0 && limit == all)
        return;
#pragma unroll
    for (int k = 0; k < TREE_LOADS; k++) {
        unsigned i = threadIdx.x + k * REDUCE_THREADS;
        if (i < all && (i < begin || i >= limit))
#pragma unroll
            for (unsigned e = 0; e < members; e++) {
                size_t place = (first + i) * members + e;
                if (place >= x.start && place < x.end)
                    ((T *)&share[k])[e] = ((const T *)x.vectors)[place];
            }
    }
}

/* The first parts of N elements, put together in pairs. */
template <int N, class OP, typename T>
static inline __device__ float first_of_all(OP op, const T *x)
{
    if constexpr (N == 1)
        return op.key(wide(x[0]));
    else
        return op.merge_first(first_of_all<N / 2>(op, x), first_of_all<N / 2>(op, x + N / 2));
}

/* Makes the tree of all threads' shares; ready after a barrier. */
template <typename T, class OP>
static inline __device__ void plant(OP op, struct tree &tree, const uint4 *share)
{
    float first[TREE_LOADS];
#pragma unroll
    for (int k = 0; k < TREE_LOADS; k++) {
        const unsigned i = threadIdx.x + k * REDUCE_THREADS;
        tree.vectors[i] = share[k];
        first[k] = first_of_all<sixteen_bytes<T>::MEMBERS>(op, (const T *)&share[k]);
        tree.nodes[i] = first[k];
    }
#pragma unroll
    for (unsigned together = 2; together <= 16; together *= 2) {
#pragma unroll
        for (int k = 0; k < TREE_LOADS; k++) {
            const unsigned i = threadIdx.x + k * REDUCE_THREADS;
            first[k] = op.merge_first(first[k], from_lane(first[k], together / 2));
            if (together == 4 && threadIdx.x % 4 == 0)
                tree.nodes[FOURS + i / 4] = first[k];
            if (together == 16 && threadIdx.x % 16 == 0)
                tree.nodes[SIXTEENS + i / 16] = first[k];
        }
    }
}

/* ---- what is asked ---- */

/* What is known of a stretch: the first part, and for ARGMAX the first node that has it: 8 times
   its first vector, and the logarithm of how many it has. */
struct found {
    float first;
    unsigned node;
};
#define NO_NODE 0xffffffffu

template <class OP>
static inline __device__ void take_node(OP op, struct found &f, float first, unsigned node)
{
    if constexpr (OP::TWO) {
        if (is_larger(first,
                      f.first)) { /* nodes come from left to right: of equal ones the first */
            f.first = first;
            f.node = node;
        }
    } else {
        f.first = op.merge_first(f.first, first);
    }
}

/* The first parts of elements begin to end - 1 of a vector. */
template <typename T, class OP>
static inline __device__ float of_members(OP op, const struct tree &tree, unsigned v,
                                          unsigned begin, unsigned end)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    const unsigned taken = (1u << (end < members ? end : members)) - (1u << begin); /* a bit each */
    const uint4 raw = tree.vectors[v];
    float first = taken & 1 ? op.key(wide(*(const T *)&raw)) : op.none();
#pragma unroll
    for (unsigned e = 1; e < members; e++)
        if (taken >> e & 1)
            first = op.merge_first(first, op.key(wide(((const T *)&raw)[e])));
    return first;
}

/* Places from to to - 1 of the tile, by one thread, from left to right: in the middle the largest
   nodes that fit. */
template <typename T, class OP>
static inline __device__ struct found ask(OP op, const struct tree &tree, unsigned from,
                                          unsigned to)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS, last = to / members;
    unsigned v = from / members;
    if (from >= to)
        return {op.none(), NO_NODE};
    struct found f = {of_members<T>(op, tree, v, from % members, to - v * members), v << 3};
    for (v++; v < last;) {
        const bool sixteen = v % 16 == 0 && v + 16 <= last, four = v % 4 == 0 && v + 4 <= last;
        const unsigned log = sixteen ? 4 : four ? 2 : 0;
        const unsigned start = sixteen ? SIXTEENS : four ? FOURS : 0;
        take_node(op, f, tree.nodes[start + (v >> log)], v << 3 | log);
        v += 1u << log;
    }
    if (v == last && to % members > 0)
        take_node(op, f, of_members<T>(op, tree, v, 0, to % members), v << 3);
    return f;
}

/* The same by a warp, of more than MOST_ALONE vectors: all loads at once. All lanes get it. */
enum { MOST_ALONE = 64 };
template <typename T, class OP>
static inline __device__ struct found ask_together(OP op, const struct tree &tree, unsigned from,
                                                   unsigned to)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS, lane = threadIdx.x % 32;
    const unsigned first = from / members, last = to / members;
    const unsigned sixteens = (first + 16) / 16, end = last / 16; /* between the ends */
    struct found f = {op.none(), NO_NODE};

    /* Each lane from left to right. The first has a node in any case, if all are -infinity. */
    if (lane == 0)
        f = {of_members<T>(op, tree, first, from % members, members), first << 3};
    const unsigned v = lane < 16 ? first + 1 + lane : end * 16 + lane - 16;
    if (lane < 16 && v < sixteens * 16)
        take_node(op, f, tree.nodes[v], v << 3);
    for (unsigned i = sixteens + lane; i < end; i += 32)
        take_node(op, f, tree.nodes[SIXTEENS + i], i << 7 | 4);
    if (lane >= 16 && v < last)
        take_node(op, f, tree.nodes[v], v << 3);
    if (lane == 31 && to % members > 0)
        take_node(op, f, of_members<T>(op, tree, last, 0, to % members), last << 3);

    const float mine = f.first;
    all_firsts<1>(op, &f.first, 32);
    if constexpr (OP::TWO) {
        if (!op.same(mine, f.first))
            f.node = NO_NODE;
        for (unsigned mask = 16; mask > 0; mask /= 2) {
            unsigned other = from_lane(f.node, mask);
            f.node = f.node < other ? f.node : other;
        }
    }
    return f;
}

/* The place of the first element from `from` on that has what was found: down from its node. */
template <typename T, class OP>
static inline __device__ unsigned place_of(OP op, const struct tree &tree, struct found f,
                                           unsigned from)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    unsigned v = f.node >> 3, e = 0;
    for (unsigned log = f.node & 7; log > 0; log -= 2) {
        const float *children = &tree.nodes[(log == 4 ? FOURS : 0) + (v >> (log - 2))];
        unsigned child = 0;
        while (child < 3 && !op.same(children[child], f.first))
            child++;
        v += child << (log - 2);
    }
    if (from > v * members)
        e = from - v * members;
    const T *x = (const T *)&tree.vectors[v];
    while (e < members - 1 && !op.same(op.key(wide(x[e])), f.first))
        e++;
    return v * members + e;
}

#endif
