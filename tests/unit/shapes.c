/* Which n and which rows a variant takes, and how that is said.
   links: shapes */
#include "shapes.h"
#include "tap.h"
#include "task.h"

#include <string.h>

static const struct task any_n = {.unit = 0}, tiles = {.unit = 1024}, few = {.max_n = 4096},
                         rows = {.min_row = 32, .max_row = 2048, .row_unit = 32};
static const struct variant sum = {.name = "sum"}, any = {.name = "any", .task = &any_n},
                            tiled = {.name = "tiled", .task = &tiles},
                            small = {.name = "small", .task = &few},
                            of_rows = {.name = "of_rows", .task = &rows};

int main(void)
{
    char text[SHAPE_TEXT];
    ok(!has_rows(&sum) && !has_rows(&any) && !has_rows(&tiled) && has_rows(&of_rows), "rows");
    ok(admits_row(&sum, 7) && admits_row(&tiled, 0), "any row, where there are none");
    ok(admits_row(&of_rows, 32) && admits_row(&of_rows, 2048) && admits_row(&of_rows, 96),
       "the shortest row, the longest, one between");
    ok(!admits_row(&of_rows, 0) && !admits_row(&of_rows, 16) && !admits_row(&of_rows, 2080) &&
           !admits_row(&of_rows, 100),
       "none, too short, too long, no multiple");
    ok(admits_n(&sum, 7, 1024) && admits_n(&any, 0, 1024) && admits_n(&any, 7, 1024), "any n");
    ok(admits_n(&tiled, 0, 7) && admits_n(&tiled, 2048, 7) && !admits_n(&tiled, 1000, 7),
       "whole tiles, and none");
    ok(admits_n(&of_rows, 0, 96) && admits_n(&of_rows, 960, 96) && !admits_n(&of_rows, 1024, 96),
       "whole rows, and none");
    ok(strcmp(describe_rows(&of_rows, text), "rows of 32 to 2048 floats in multiples of 32") == 0,
       "%s", text);
    ok(admits_n(&small, 4096, 7) && !admits_n(&small, 4097, 7), "the largest n, and one more");
    ok(strcmp(describe_n(&small, 7, text), "an n of at most 4096") == 0, "%s", text);
    ok(strcmp(describe_n(&tiled, 7, text), "an n that is a multiple of 1024") == 0, "%s", text);
    ok(strcmp(describe_n(&of_rows, 96, text), "an n that is a multiple of 96") == 0, "%s", text);
    return done_testing();
}
