/* check_answer.c: is the answer right, and if not, which elements are wrong in it? */
#include "judge.h"

#include "check.h" /* POISON_BYTE */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most elements that are asked for, one by one. */
enum { MOST_PROBES = 2048 };

/* SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
   generators", OOPSLA 2014. */
uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

void draw_data(const struct criteria *c, float *x, size_t n, uint64_t seed, enum data data)
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

static bool is_poison(float word)
{
    unsigned char bytes[sizeof word], poison[sizeof word];
    memcpy(bytes, &word, sizeof word);
    memset(poison, POISON_BYTE, sizeof poison);
    return memcmp(bytes, poison, sizeof poison) == 0;
}

/* What is wrong with an element that has this weight and not the right one; "" if nothing is. */
static void put_what(char text[64], float weight, float right)
{
    if (weight == right)
        text[0] = '\0';
    else if (weight == 0)
        snprintf(text, 64, "missing");
    else if (right == 0)
        snprintf(text, 64, "there and should not be");
    else if (weight == -right)
        snprintf(text, 64, "%s", right > 0 ? "subtracted, not added" : "added, not subtracted");
    else if (weight == 2 * right)
        snprintf(text, 64, "counted twice");
    else
        snprintf(text, 64, "counted %g times", (double)(weight / right));
}

/* Names the elements with which the same is wrong as with the first: ": element 32 is missing",
   ": elements 0 to 31 are counted twice", ": elements 1, 2, 5 and 4 more are missing". */
static void put_elements(char *text, size_t room, const float *weight, const float *should,
                         size_t n)
{
    char what[64] = "", other[64];
    size_t found[3] = {0}, count = 0, last = 0, used;
    for (size_t i = 0; i < n; i++) {
        put_what(other, weight[i], should[i]);
        if (other[0] == '\0' || (count > 0 && strcmp(what, other) != 0))
            continue;
        strcpy(what, other);
        if (count < 3)
            found[count] = i;
        count++;
        last = i;
    }
    if (count == 0)
        return;
    used = (size_t)snprintf(text, room, ": element%s %zu", count > 1 ? "s" : "", found[0]);
    if (count > 1 && last - found[0] + 1 == count)
        used += (size_t)snprintf(text + used, room - used, " to %zu", last);
    else
        for (size_t k = 1; k < count && k < 3; k++)
            used += (size_t)snprintf(text + used, room - used, "%s%zu",
                                     k + 1 == count ? " and " : ", ", found[k]);
    if (count > 3 && last - found[0] + 1 != count)
        used += (size_t)snprintf(text + used, room - used, " and %zu more", count - 3);
    snprintf(text + used, room - used, " %s %s", count > 1 ? "are" : "is", what);
}

/* The right words, of each GPU the same. */
static void answer(const struct criteria *c, const struct run *run, const float *in, float *out)
{
    size_t words = words_of(c, run);
    c->reference->answer(in, run->n, share_of(c, run), out);
    for (size_t i = words; i < all_words_of(c, run); i++)
        out[i] = out[i - words];
}

/* Each word is a sum of elements: a run with a single 1 shows how often one element is in it. If
   that does not explain what was got from in[], something else was in it. */
static void blame(const struct criteria *c, const struct run *run, size_t word, const float *in,
                  float got, char *text, size_t room)
{
    size_t n = run->n, words = all_words_of(c, run);
    double explained = 0;
    if (!c->reference->linear || n > MOST_PROBES)
        return;
    float *probe = room_for(n), *out = room_for(words);
    float *right = room_for(words), *weight = room_for(2 * n + 1);
    float *should = weight + n + 1;
    if (run_launch(c, run, probe, out))
        goto end;
    if (out[word] != 0) { /* then no element is to blame */
        snprintf(text, room,
                 ": not 0 even where all elements are 0: does it read unwritten memory, or what "
                 "an earlier launch left?");
        goto end;
    }
    for (size_t i = 0; i < n; i++) {
        probe[i] = 1;
        if (run_launch(c, run, probe, out))
            goto end;
        answer(c, run, probe, right);
        weight[i] = out[word];
        should[i] = right[word];
        explained += (double)weight[i] * in[i];
        probe[i] = 0;
    }
    if (explained == got)
        put_elements(text, room, weight, should, n);
    else
        snprintf(text, room,
                 ": no sum of these elements: what else is in it, of an earlier launch perhaps?");
end:
    free(probe), free(out), free(right), free(weight);
}

static bool wrong(struct finding *f, const char *text)
{
    f->failed = true;
    if (text)
        snprintf(f->text, sizeof f->text, "%s", text);
    return false;
}

/* Floats are printed as they are, and a NaN without its sign. */
static void put_float(char text[32], float x)
{
    snprintf(text, 32, x != x ? "NaN" : "%g", (double)x);
}

/* out[i] as it is called: "out[1]", "the sum", "GPU 2's out[1]". */
static void put_name(char text[128], const struct criteria *c, const struct run *run, size_t i)
{
    size_t words = words_of(c, run), word = i % words;
    const char *const *called = c->called;
    int used = run->gpus > 0 ? snprintf(text, 128, "GPU %zu's ", i / words) : 0;
    if (called)
        snprintf(text + used, 128 - (size_t)used, "%s",
                 called[word] + (used > 0 && strncmp(called[word], "the ", 4) == 0 ? 4 : 0));
    else
        snprintf(text + used, 128 - (size_t)used, "out[%zu]", word);
}

/* A word that may be rounded in other ways has the same bits on all GPUs. */
static bool other_bits(const struct criteria *c, const struct run *run, const float *out, size_t i,
                       struct finding *f)
{
    char name[128];
    size_t first = i % words_of(c, run);
    if (memcmp(&out[i], &out[first], sizeof *out) == 0)
        return false;
    put_name(name, c, run, i);
    snprintf(f->text, sizeof f->text,
             "%s: %.9g, and GPU 0 has %.9g: all GPUs should have the same bits", name,
             (double)out[i], (double)out[first]);
    return true;
}

/* Then that limit says more. */
static bool limits_threads(const struct criteria *c)
{
    bool limits = false;
    for (int i = 0; i < MOST_LIMITS && c->limits[i].n > 0; i++)
        limits = limits || c->limits[i].what == LOADING_THREADS;
    return limits;
}

/* The answer is right; was it a kernel that found it, and its threads together? Sets the text if
   not. */
static bool is_cheap(const struct criteria *c, const struct run *run, struct finding *f)
{
    size_t n = run->n;
    size_t of_gpu = run->gpus > 0 ? n / (4 * run->gpus) : n;
    double least_threads = fmin((double)of_gpu / 64, (double)run->block / 8);
    /* Fewer than that of what is launched: a warp for each large block, perhaps. */
    if (!limits_threads(c))
        least_threads = fmax(least_threads, fmin((double)of_gpu, counted(THREADS)) / 24);
    enum { MANY = 250 }; /* fewer elements show nothing */
    double times = c->most_unfair > 0 ? c->most_unfair : 6;
    char *text = f->text;
    if (counted(LOADED_FLOATS) < (double)n && !left_out(f->criterion = "all read"))
        snprintf(text, sizeof f->text,
                 "the kernel read %.0f floats of %zu: all have to go through it",
                 counted(LOADED_FLOATS), n);
    else if (counted(HOST_WORDS) > 0 && !left_out(f->criterion = "host writes"))
        snprintf(text, sizeof f->text,
                 "it is the host that wrote the answer, %.0f of its words came from the host's "
                 "memory: let a kernel store them in out[]",
                 counted(HOST_WORDS));
    else if (counted(HOST_BYTES) > 0 && !c->host_reads && !left_out(f->criterion = "host reads"))
        snprintf(text, sizeof f->text,
                 "launch() copied %.0f bytes to the host: the answer is to be found on the GPU; "
                 "take out that copy, and let a kernel do what the host did with it",
                 counted(HOST_BYTES));
    else if (n >= MANY && counted(LOADING_THREADS) < floor(least_threads) &&
             !left_out(f->criterion = "one thread"))
        snprintf(text, sizeof f->text,
                 "only %.0f of the threads load anything: let all threads of a block share the "
                 "work",
                 counted(LOADING_THREADS));
    else if (run->block >= 32 && counted(LONE_LOADS) > 0 && !left_out(f->criterion = "one thread"))
        snprintf(text, sizeof f->text,
                 "a launch in which fewer than 16 threads load %.0f floats: let many threads share "
                 "the work",
                 counted(LONE_LOADS));
    else if (n >= MANY && counted(UNFAIR_LOADS) > times * counted(FAIR_LOADS) &&
             !left_out(f->criterion = "one thread"))
        snprintf(text, sizeof f->text,
                 "one thread loads %.0f floats, where %.0f were its share: let all threads of a "
                 "block share the work",
                 counted(UNFAIR_LOADS), counted(FAIR_LOADS));
    else
        return false;
    return true;
}

/* Where a kernel may round in another way than the reference. */
static bool is_near(const struct criteria *c, float got, float right)
{
    float scale = fmaxf(fabsf(right), c->scale);
    return fabsf(got - right) <= c->roundings * 0x1p-24f * scale;
}

bool check_answer(const struct criteria *c, const struct run *run, uint64_t seed, enum data data,
                  struct finding *f)
{
    size_t n = run->n, words = all_words_of(c, run);
    float *in = room_for(n), *out = room_for(words), *right = room_for(words);
    f->now = *run;
    f->criterion = "answer";
    draw_data(c, in, n, seed, data);
    answer(c, run, in, right);
    const char *problem = run_launch(c, run, in, out);
    if (problem)
        return wrong(f, problem);
    f->failed = fault_was_said(); /* a race, perhaps: its line says more than a number */
    for (size_t i = 0; i < words && !f->failed && !left_out("answer"); i++) {
        char expected[32], got[32], name[128];
        if ((right[i] != right[i] || c->roundings > 0) && run->gpus > 0 &&
            other_bits(c, run, out, i, f))
            return wrong(f, NULL);
        if (out[i] == right[i] || right[i] != right[i] || is_near(c, out[i], right[i]))
            continue;
        put_float(expected, right[i]);
        put_float(got, out[i]);
        if (is_poison(out[i]))
            snprintf(got, sizeof got, "NaN, as before");
        put_name(name, c, run, i);
        int used =
            snprintf(f->text, sizeof f->text, "%s: expected %s, got %s", name, expected, got);
        if (!is_poison(out[i]))
            blame(c, run, i, in, out[i], f->text + used, sizeof f->text - (size_t)used);
        else
            snprintf(f->text + used, sizeof f->text - (size_t)used, "%s",
                     can_count() && counted(ATOMICS) == 0
                         ? ": it was never written"
                         : ": never written, or added to what lay there, and that was no zero");
        return wrong(f, NULL);
    }
    if (f->failed)
        return false;
    if (can_count() && is_cheap(c, run, f))
        return wrong(f, NULL);
    free(in), free(out), free(right);
    f->runs++;
    return true;
}
