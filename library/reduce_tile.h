/*
 * reduce_tile.h: a warp's tile of elements, for reduce_segments.cu: SUM, MAX and ARGMAX alone. If
 * all of it is of one segment, each lane takes in what it has in registers. Else it is laid out in
 * shared memory, and scanned there, whatever the lengths: then each place has all of its segment up
 * to there, and the last place of a segment the answer.
 */
#ifndef REDUCE_TILE_H
#define REDUCE_TILE_H

#include "reduce_share.h"

enum {
    LANE_PLACES = TILE_PLACES / 32, /* 32: a word has a bit for each */
    ENDS_KNOWN = 512,               /* of segments to come, at most */
    KEYS_AT_ONCE = 8,               /* that a lane has in registers while it scans */
    ENDS_AT_ONCE = 8,               /* that a lane asks for */
};
#define NO_PLACE 0xffffffffu

/* A lane scans LANE_PLACES neighbours. Behind each 32 keys one is left free, and two behind the
   places of each lane: so lanes that go on side by side find other banks. */
template <class OP> struct warp_tile {
    float keys[TILE_PLACES + TILE_PLACES / 32];
    short places[OP::TWO ? 32 * (LANE_PLACES + 2) : 2]; /* counted from the lane's first */
    unsigned starts[32];       /* a bit for each place of a lane: a segment begins there */
    unsigned ends[ENDS_KNOWN]; /* places, counted from the piece's first; in turn */
};

static inline __device__ unsigned padded(unsigned place)
{
    return place + place / 32;
}

/* Elements have places: they count from the multiple of 16 bytes at or in front of the data. */
struct placed_elements {
    const uint4 *vectors;
    size_t start, end; /* places of elements that may be read */
};

template <typename T> constexpr int loads_of_tile = LANE_PLACES / (int)sixteen_bytes<T>::MEMBERS;

/* Asks for this lane's vectors of the tile that begins at `place`, a multiple of MEMBERS, and has
   `rest` places, or is full. What is not there is 0. */
template <typename T>
static __device__ void ask_for_tile(uint4 *raw, struct placed_elements x, size_t place,
                                    unsigned rest)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS, lane = threadIdx.x % 32;
    const uint4 *mine = x.vectors + place / members + lane;
    if (rest >= TILE_PLACES && place >= x.start) {
        for (int k = 0; k < loads_of_tile<T>; k++)
            raw[k] = mine[k * 32];
        return;
    }
    for (int k = 0; k < loads_of_tile<T>; k++) {
        const unsigned at = (lane + k * 32) * members;
        const size_t first = place + at;
        raw[k] = uint4();
        if (at < rest && first >= x.start && first + members <= x.end) {
            raw[k] = mine[k * 32];
        } else if (at < rest) { /* of the first and the last vector of all, one by one */
            for (unsigned e = 0; e < members; e++)
                if (first + e >= x.start && first + e < x.end)
                    ((T *)&raw[k])[e] = ((const T *)x.vectors)[first + e];
        }
    }
}

/* The place in the tile of a lane's element e, counted from the lane's first. */
template <typename T> static __device__ unsigned place_of_member(unsigned e)
{
    const unsigned members = sixteen_bytes<T>::MEMBERS;
    return e / members * 32 * members + e % members;
}

template <typename T, class OP>
static __device__ void lay_out(OP op, warp_tile<OP> &tile, const uint4 *raw)
{
    const unsigned first = threadIdx.x % 32 * sixteen_bytes<T>::MEMBERS;
    float *keys = tile.keys + padded(first);
    for (int e = 0; e < LANE_PLACES; e++) {
        const float key = op.key(wide_of<T>(raw, e)); /* of ARGMAX, -0 becomes 0 */
        keys[padded(place_of_member<T>(e))] = OP::TWO ? key + 0.0f : key;
    }
}

/* ---- what has been seen ---- */

/* The first part, and for ARGMAX the place of the first element that has it. */
struct seen {
    float first;
    unsigned place;
};

template <class OP> static __device__ seen nothing_seen(OP op)
{
    return {OP::NONE, NO_PLACE};
}

/* b lies behind a. */
template <class OP> static __device__ seen both(OP op, seen a, seen b)
{
    if constexpr (OP::TWO)
        return is_larger(b.first, a.first) || a.place == NO_PLACE ? b : a;
    else
        return {op.merge_first(a.first, b.first), NO_PLACE};
}

/*
 * What the lanes have seen of a segment that lies in several tiles, in any order. For ARGMAX a lane
 * remembers of a whole tile in which of its vectors the largest element is: to look for the place
 * at once would hold up the next loads. place: twice a place, and 1 if it is a vector's.
 */
template <typename T, class OP>
static __device__ void take_tile(OP op, seen &open, const uint4 *raw, unsigned first)
{
    float x[LANE_PLACES];
    for (int e = 0; e < LANE_PLACES; e++)
        x[e] = op.key(wide_of<T>(raw, e));
    if constexpr (OP::TWO) {
        const int members = sixteen_bytes<T>::MEMBERS;
        const unsigned lane_first = first + threadIdx.x % 32 * members;
        const places<members> all = {0, 0, LANE_PLACES / members}; /* are there */
        unsigned where;
        const float more = largest_group<LANE_PLACES>(
            op, x, all, where, [=](int e) { return lane_first + place_of_member<T>(e); });
        if (is_larger(more, open.first) || open.place == NO_PLACE)
            open = {more, 2 * where + 1};
    } else {
        const places<1> all = {0, 1, LANE_PLACES};
        open.first = op.merge_first(open.first, first_of<0, LANE_PLACES>(op, x, all));
    }
}

/* What all lanes have seen together: each gets all of it, and the same bits. `vectors`: of the
   piece. */
template <typename T, class OP>
static __device__ seen seen_by_all(OP op, seen open, const uint4 *vectors)
{
    const float mine = open.first;
    merge_lanes<1>(&open.first, 32, OP::merge_first);
    if constexpr (OP::TWO) {
        if (!op.same(mine, open.first))
            open.place = NO_PLACE;
        merge_lanes<1>(&open.place, 32, [](unsigned a, unsigned b) { return a < b ? a : b; });
        const bool is_vector = open.place != NO_PLACE && open.place % 2;
        open.place = open.place == NO_PLACE ? NO_PLACE : open.place / 2;
        if (is_vector) {
            const unsigned members = sixteen_bytes<T>::MEMBERS;
            const uint4 raw = vectors[open.place / members];
            unsigned e = 0;
            while (e < members - 1 && !op.same(op.key(wide_of<T>(&raw, (int)e)), open.first))
                e++;
            open.place += e;
        }
    }
    return open;
}

/* ---- the scan ---- */

/* A bit for each of this lane's places that lies in front of `place`. */
static inline __device__ unsigned lane_places_before(unsigned place)
{
    const unsigned first = threadIdx.x % 32 * LANE_PLACES;
    return place <= first ? 0 : place - first < 32 ? (1u << (place - first)) - 1 : ALL_LANES;
}

/* Scans places `from` to `to` - 1, by segments; others stay as they are. Each lane scans its own;
   then lanes tell each other what goes on. That matters where a lane's first segment ends alone. */
template <class OP>
static __device__ void scan_tile(OP op, warp_tile<OP> &tile, unsigned from, unsigned to)
{
    const unsigned lane = threadIdx.x % 32;
    const unsigned starts =
        tile.starts[lane] | lane_places_before(from + 1) | ~lane_places_before(to);
    float *keys = tile.keys + padded(lane * LANE_PLACES);
    short *places = tile.places + lane * (LANE_PLACES + 2);
    seen s = nothing_seen(op);
    float x[KEYS_AT_ONCE]; /* asked for together */
    for (unsigned e = 0; e < LANE_PLACES; e++) {
        if (e % KEYS_AT_ONCE == 0)
            for (unsigned k = 0; k < KEYS_AT_ONCE; k++)
                x[k] = keys[e + k];
        const bool is_start = e == 0 || (int)(starts << (31 - e)) < 0;
        if constexpr (OP::TWO) {
            const float before = is_start ? OP::NONE : s.first;
            s.first = op.merge_first(before, x[e % KEYS_AT_ONCE]);
            if (is_start || is_other(s.first, before))
                s.place = e;
            places[e] = (short)s.place;
        } else {
            s.first = is_start ? x[e % KEYS_AT_ONCE] : op.merge_first(s.first, x[e % KEYS_AT_ONCE]);
            keys[e] = s.first;
        }
    }
    /* From the last lane in which a segment begins on, lanes are put together. */
    s.place += lane * LANE_PLACES;
    const unsigned begins = __ballot_sync(ALL_LANES, starts != 0) & (ALL_LANES >> (31 - lane));
    const unsigned first = 31 - __clz((int)begins);
    for (unsigned away = 1; away < 32; away *= 2) {
        const float before = __shfl_up_sync(ALL_LANES, s.first, away);
        const unsigned place = OP::TWO ? __shfl_up_sync(ALL_LANES, s.place, away) : 0;
        const float all = op.merge_first(before, s.first);
        if (lane >= first + away) {
            s.place = OP::TWO && !is_other(all, before) ? place : s.place;
            s.first = all;
        }
    }
    const float carried = __shfl_up_sync(ALL_LANES, s.first, 1);
    const unsigned place = OP::TWO ? __shfl_up_sync(ALL_LANES, s.place, 1) : 0;
    const int last = starts != 0 ? __ffs((int)starts) - 2 : LANE_PLACES - 1;
    if (last >= 0) { /* lane 0 has a start at its first place */
        if constexpr (OP::TWO) {
            if (!is_other(op.merge_first(carried, keys[places[last]]), carried))
                places[last] = (short)(place - lane * LANE_PLACES);
        } else {
            keys[last] = op.merge_first(carried, keys[last]);
        }
    }
}

/* What the scan found for a segment, of which a part is at `from` to `to` - 1; its place is counted
   from `number` in front of the tile. */
template <class OP>
static __device__ seen seen_at(OP op, const warp_tile<OP> &tile, unsigned from, unsigned to,
                               unsigned number)
{
    if (from >= to)
        return nothing_seen(op);
    if constexpr (OP::TWO) {
        const unsigned lane = (to - 1) / LANE_PLACES;
        const unsigned place = lane * LANE_PLACES + tile.places[to - 1 + lane * 2];
        return {tile.keys[padded(place)], number + place};
    } else {
        return {tile.keys[padded(to - 1)], NO_PLACE};
    }
}

#endif
