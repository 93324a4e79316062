/* ragged.c: see ragged.h. */
#include "ragged.h"

#include <string.h>

static const char *const names[LENGTHS_COUNT] = {
    [LENGTHS_ONE_LONG] = "one_long",
    [LENGTHS_RANDOM] = "random",
    [LENGTHS_EQUAL] = "equal",
};

const char *lengths_name(enum lengths lengths)
{
    return names[lengths];
}

bool lengths_from_name(const char *name, enum lengths *lengths)
{
    for (int k = 0; k < LENGTHS_COUNT; k++) {
        if (strcmp(names[k], name) == 0) {
            *lengths = (enum lengths)k;
            return true;
        }
    }
    return false;
}

/* How many floats this row wants, beside the others: 0 in a quarter of them, else 1 to 192. */
static size_t weight(uint64_t seed, size_t row)
{
    uint64_t mixed = (row + 1) * 0x9e3779b97f4a7c15u ^ seed * 0xd1342543de82ef95u;
    size_t drawn = (size_t)(mixed >> 56); /* 0 to 255 */
    return drawn > 63 ? drawn - 63 : 0;
}

/* n * part / whole, without a product that does not fit. */
static size_t share_of(size_t n, size_t part, size_t whole)
{
    return n / whole * part + (size_t)((double)(n % whole) / (double)whole * (double)part);
}

static void make_random(size_t *offsets, size_t rows, size_t n, uint64_t seed)
{
    offsets[0] = 0;
    for (size_t r = 0; r < rows; r++)
        offsets[r + 1] = offsets[r] + weight(seed, r);
    size_t whole = offsets[rows];
    for (size_t r = 1; r < rows && whole > 0; r++)
        offsets[r] = share_of(n, offsets[r], whole);
}

void make_offsets(size_t *offsets, size_t rows, size_t n, enum lengths lengths, uint64_t seed)
{
    size_t few = rows > 0 && n / rows >= 3 ? 3 : 0;
    if (lengths == LENGTHS_RANDOM)
        make_random(offsets, rows, n, seed);
    for (size_t r = 0; r < rows && lengths == LENGTHS_EQUAL; r++)
        offsets[r] = share_of(n, r, rows);
    for (size_t r = 0; r < rows && lengths == LENGTHS_ONE_LONG; r++)
        offsets[r] = few * r + (r > rows / 2 ? n - few * rows : 0);
    offsets[0] = 0;
    offsets[rows] = n;
}
