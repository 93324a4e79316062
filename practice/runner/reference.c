/*
 * reference.c: the data of a run, and the right answer to it, in plain C on the host.
 * practice/judge/launch.py compiles it with the code = "..." of an exercise into a library of its
 * own: answer() is that code's, or the function that ANSWER names.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the exercise says of its data (docs/courses.md). */
struct drawn {
    unsigned most, shift;
    bool whole, no_zeros;
};

/* SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
   generators", OOPSLA 2014. */
uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* PLAIN: whole numbers, all equally likely. VARIED: the seed draws which are: perhaps few are
   negative, or none is small; some are 0; the first are all of one sign, and so may the first of
   the largest come late. They may be halves and quarters. LATE: the first are all negative. No
   order of additions rounds them. */
enum data { PLAIN, VARIED, LATE };

void draw_data(const struct drawn *c, float *x, size_t n, uint64_t seed, int data)
{
    enum { OF = 32 };
    static const unsigned often[] = {OF / 2, OF / 2, 1, OF - 1, 0}; /* of 32 numbers are negative */
    unsigned least = 1, most = c->most > 0 ? c->most : 8, negative = OF / 2;
    if (data != PLAIN) {
        negative = often[draw(&seed) % (sizeof often / sizeof *often)];
        least += (unsigned)(draw(&seed) % 2 * (draw(&seed) % most));
        most = least + (unsigned)(draw(&seed) % (most - least + 1));
    }
    float shift = data == PLAIN ? 0 : (float)(draw(&seed) % (2 * c->shift + 1)) - (float)c->shift;
    float unit = 1, early = -1;
    size_t late = 0;
    uint64_t zeros = 0; /* of 16 numbers */
    if (data != PLAIN) {
        unit = c->whole ? 1 : 1 / (float)(1 << draw(&seed) % 3);
        zeros = c->no_zeros ? 0 : draw(&seed) % 2;
        late = n - draw(&seed) % (n / 16 + 1);
        if (data == VARIED) {
            late = draw(&seed) % 2 ? late : 0;
            early = draw(&seed) % 2 ? -1 : 1;
        }
    }
    for (size_t i = 0; i < n; i++) {
        uint64_t random = draw(&seed);
        float size = (float)(least + (unsigned)(random >> 8) % (most - least + 1)) * unit;
        bool minus = i < late ? early < 0 : random % OF < negative;
        x[i] = (random >> 40) % 16 < zeros ? shift : (minus ? -size : size) + shift;
    }
}

/* ---- usual answers, from n floats; share: the elements of a block. words are counted in
 * launch.py. ---- */

void sum(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    out[0] = 0;
    for (size_t i = 0; i < n; i++)
        out[0] += in[i];
}

void sum_blocks(const float *in, size_t n, size_t share, float *out)
{
    out[0] = 0;
    for (size_t i = 0; i < n; i++)
        out[i / share] = (i % share == 0 ? 0 : out[i / share]) + in[i];
}

void alternate_blocks(const float *in, size_t n, size_t share, float *out)
{
    out[0] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t place = i % share;
        out[i / share] = (place == 0 ? 0 : out[i / share]) + (place % 2 == 0 ? in[i] : -in[i]);
    }
}

/* Warps of whole blocks: element i is with the 32 around it in its block's share. */
void sum_warps(const float *in, size_t n, size_t share, float *out)
{
    for (size_t i = 0; i < n; i++) {
        size_t block = i / share * share, begin = block + (i - block) / 32 * 32, end = begin + 32;
        end = end < block + share ? end : block + share;
        out[i] = 0;
        for (size_t k = begin; k < end && k < n; k++)
            out[i] += in[k];
    }
}

void scan(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i] = (i == 0 ? 0 : out[i - 1]) + in[i];
}

void reverse(const float *in, size_t n, size_t share, float *out)
{
    (void)share;
    for (size_t i = 0; i < n; i++)
        out[i] = in[n - 1 - i];
}
