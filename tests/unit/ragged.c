/* Rows of different lengths: where they begin, and that they are what is said of them. */
#include "ragged.h"
#include "../tap.h"

#include <string.h>

enum { MOST = 5000 };
static size_t offsets[MOST + 1];

/* Whether they are in order, from 0 to n. */
static bool in_order(size_t rows, size_t n)
{
    bool right = offsets[0] == 0 && offsets[rows] == n;
    for (size_t r = 0; r < rows; r++)
        right = right && offsets[r] <= offsets[r + 1];
    return right;
}

static size_t rows_of(size_t rows, size_t length)
{
    size_t count = 0;
    for (size_t r = 0; r < rows; r++)
        count += offsets[r + 1] - offsets[r] == length;
    return count;
}

static void names(void)
{
    enum lengths lengths = LENGTHS_EQUAL;
    for (int k = 0; k < LENGTHS_COUNT; k++)
        ok(lengths_from_name(lengths_name((enum lengths)k), &lengths) && (int)lengths == k,
           "the name %s", lengths_name((enum lengths)k));
    ok(!lengths_from_name("", &lengths) && !lengths_from_name("long", &lengths), "no such name");
}

static void orders(void)
{
    static const size_t shapes[][2] = {{0, 0},       {1, 1},    {1, 7},       {2, 3},
                                       {5, 4},       {MOST, 0}, {MOST, 4999}, {MOST, 5 * MOST},
                                       {3, 1 << 20}, {7, 100}};
    for (int k = 0; k < LENGTHS_COUNT; k++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            make_offsets(offsets, shapes[i][0], shapes[i][1], (enum lengths)k, 1 + i);
            ok(in_order(shapes[i][0], shapes[i][1]), "%s: %zu rows of %zu floats in order",
               lengths_name((enum lengths)k), shapes[i][0], shapes[i][1]);
        }
}

static void lengths(void)
{
    make_offsets(offsets, 1000, 1 << 20, LENGTHS_ONE_LONG, 1);
    ok(rows_of(1000, 3) == 999 && rows_of(1000, (1 << 20) - 3 * 999) == 1, "one long row");
    make_offsets(offsets, 1000, 2000, LENGTHS_ONE_LONG, 1);
    ok(rows_of(1000, 0) == 999 && rows_of(1000, 2000) == 1, "with nothing left for the others");
    make_offsets(offsets, 1000, 16384, LENGTHS_EQUAL, 1);
    ok(rows_of(1000, 16) + rows_of(1000, 17) == 1000, "equal rows");
    make_offsets(offsets, 4096, 1 << 20, LENGTHS_RANDOM, 1);
    size_t empty = rows_of(4096, 0), first = offsets[1], longest = 0;
    for (size_t r = 0; r < 4096; r++)
        longest = offsets[r + 1] - offsets[r] > longest ? offsets[r + 1] - offsets[r] : longest;
    ok(empty > 900 && empty < 1150, "random rows: a quarter is empty, %zu", empty);
    ok(longest > 512 && longest < 1024, "the longest has %zu", longest);
    make_offsets(offsets, 4096, 1 << 20, LENGTHS_RANDOM, 2);
    ok(offsets[1] != first, "another seed, another draw");
}

int main(void)
{
    names();
    orders();
    lengths();
    return done_testing();
}
