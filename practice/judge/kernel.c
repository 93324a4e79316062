/* kernel.c: the criteria of a kernel, one after the other. */
#include "judge.h"

#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 5, DRAWN = 8 };

/* Around warps, blocks, and a power of two beyond. The first one that is wrong is shown: so small
   ones come first, and none at all is no good example. */
static const size_t standard[] = {31, 33, 1, 0, 255, 257, 1000, 1023, 1025, 4095, 4097};

static uint64_t data_seed;

/* Of the numbers of GPUs in the criteria those that this machine has. 0 ends them; where the lesson
   is about one GPU there is one 0, and then the end. */
static unsigned gpus[MOST_GPUS + 2], gpu_counts;

static void choose_gpus(const struct criteria *c, unsigned there)
{
    for (int i = 0; i < MOST_GPUS && c->gpus[i] > 0; i++)
        if (c->gpus[i] <= there)
            gpus[gpu_counts++] = c->gpus[i];
    gpu_counts += c->gpus[0] == 0;
}

static size_t to_unit(const struct criteria *c, size_t n)
{
    return c->unit > 1 ? n / c->unit * c->unit : n;
}

/* The simulator always has one. */
static bool no_gpu(const struct finding *f)
{
    return !can_count() && f->begun.gpus == 0;
}

static unsigned draw_block(const struct criteria *c, uint64_t *state)
{
    unsigned least = c->blocks[0], most = c->blocks[0], block;
    bool warps = true, powers = true;
    for (unsigned i = 0; i < MOST_BLOCKS && (block = c->blocks[i]) > 0; i++) {
        least = block < least ? block : least;
        most = block > most ? block : most;
        warps = warps && block % 32 == 0;
        powers = powers && (block & (block - 1)) == 0;
    }
    do
        block = least + (unsigned)(draw(state) % (most - least + 1));
    while ((powers && (block & (block - 1)) != 0) || (warps && block % 32 != 0));
    return block;
}

/* 2 to 4096, small ones as often as large ones. */
static size_t draw_size(uint64_t *state)
{
    size_t below = (size_t)4 << draw(state) % 11;
    return below / 2 + draw(state) % (below / 2);
}

static void try_printed(const struct criteria *c, struct finding *f)
{
    if (no_gpu(f))
        return;
    uint64_t state = data_seed;
    struct run run = {.block = c->blocks[0], .gpus = gpus[0]};
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
        run.n = to_unit(c, standard[i]);
        if (!check_answer(c, &run, data_seed + i, f))
            return;
    }
    for (unsigned g = 1; g < gpu_counts; g++) {
        static const size_t few[] = {1000, 33, 1, 0};
        run.gpus = gpus[g];
        for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
            run.n = to_unit(c, few[i]);
            if (!check_answer(c, &run, draw(&state), f))
                return;
        }
    }
    run.gpus = gpus[0];
    for (int b = 1; b < MOST_BLOCKS && c->blocks[b] > 0; b++) {
        static const size_t some[] = {33, 1000, 1025};
        run.block = c->blocks[b];
        for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
            run.n = to_unit(c, some[i]);
            if (!check_answer(c, &run, draw(&state), f))
                return;
        }
    }
    run.block = c->blocks[0];
    for (int i = 0; i < MOST_SIZES && c->sizes[i] > 0; i++) {
        run.n = c->sizes[i];
        if (!check_answer(c, &run, draw(&state), f))
            return;
    }
    for (run.offset = 1; run.offset <= 3; run.offset += 2) {
        run.n =
            to_unit(c, 1 + draw(&state) % 2000); /* another n at each run, and no aligned start */
        if (!check_answer(c, &run, draw(&state), f))
            return;
    }
}

/* Beyond what is printed: sizes and block sizes that were drawn. */
static void try_drawn(const struct criteria *c, struct finding *f)
{
    uint64_t state = data_seed ^ 0xd4a3;
    if (no_gpu(f) || left_out("drawn sizes"))
        return;
    for (int i = 0; i < DRAWN; i++) {
        struct run run = {.n = to_unit(c, draw_size(&state)),
                          .block = draw_block(c, &state),
                          .gpus = gpus[draw(&state) % gpu_counts]};
        if (!check_answer(c, &run, draw(&state), f))
            return;
    }
}

static void try_sizes(const struct criteria *c, struct finding *f)
{
    try_printed(c, f);
    if (!f->failed)
        try_drawn(c, f);
}

static void try_schedules(const struct criteria *c, struct finding *f)
{
    uint64_t state = ~data_seed;
    for (int s = 0; s < SCHEDULES; s++)
        for (int b = 0; b < MOST_BLOCKS && c->blocks[b] > 0 && b < 3; b++) {
            struct run run = {.block = c->blocks[b],
                              .n = to_unit(c, 1000),
                              .gpus = gpus[(unsigned)(s + b) % gpu_counts]};
            run.schedule = 1 + draw(&state) % 1000000;
            if (!check_answer(c, &run, draw(&state), f))
                return;
        }
}

/* The next of the limits that are about another run than this one. */
static int next_run(const struct criteria *c, int i)
{
    const struct limit *of = &c->limits[i];
    while (++i < MOST_LIMITS && c->limits[i].n == of->n && c->limits[i].block == of->block &&
           c->limits[i].offset == of->offset && c->limits[i].gpus == of->gpus)
        ;
    return i;
}

/* Some blocks fewer than that, which cannot cost more; or as many. */
static size_t draw_fewer(const struct criteria *c, const struct run *run, uint64_t *state)
{
    size_t share = (size_t)run->block * (c->per_thread == 0 ? 1 : c->per_thread);
    size_t most = run->n / share / 4;
    return most == 0 || left_out("drawn sizes") ? run->n
                                                : run->n - (1 + draw(state) % most) * share;
}

/* Fails where launch() does. */
static bool count_at(const struct criteria *c, struct finding *f, size_t n)
{
    f->now.n = n;
    float *in = room_for(n), *out = room_for(all_words_of(c, &f->now));
    draw_data(in, n, data_seed);
    f->failed = run_launch(c, &f->now, in, out, true) || fault_was_said();
    free(in), free(out);
    return !f->failed;
}

static void try_limits(const struct criteria *c, struct finding *f)
{
    uint64_t state = data_seed;
    for (int i = 0, next; i < MOST_LIMITS && c->limits[i].n > 0; i = next) {
        const struct limit *limit = &c->limits[i];
        next = next_run(c, i);
        f->now = (struct run){
            .n = limit->n, .block = limit->block, .offset = limit->offset, .gpus = limit->gpus};
        size_t fewer = draw_fewer(c, &f->now, &state);
        if (!count_at(c, f, limit->n))
            return;
        for (int k = i; k < next; k++)
            f->value[k] = f->of_fewer[k] = counted(c->limits[k].what), f->fewer[k] = fewer;
        if (fewer < limit->n && !count_at(c, f, fewer))
            return;
        for (int k = i; k < next; k++)
            f->of_fewer[k] = counted(c->limits[k].what);
    }
}

static void put_run(char text[128], const struct run *run)
{
    if (run->block == 0) {
        strcpy(text, "at its start");
        return;
    }
    int used = snprintf(text, 128, "n = %zu, blocks of %u", run->n, run->block);
    if (run->gpus > 0)
        used += snprintf(text + used, 128 - (size_t)used, ", %u GPU%s", run->gpus,
                         run->gpus == 1 ? "" : "s");
    if (run->offset > 0)
        used += snprintf(text + used, 128 - (size_t)used, ", in[] not aligned");
    if (run->schedule > 0)
        snprintf(text + used, 128 - (size_t)used, ", schedule %llu",
                 (unsigned long long)run->schedule);
}

/* "64, 256, 32": until a 0 comes. */
static void list(const unsigned *numbers, unsigned most, char text[128])
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned i = 0; i < most && numbers[i] > 0; i++)
        used += (size_t)snprintf(text + used, 128 - used, "%s%u", i == 0 ? "" : ", ", numbers[i]);
}

/* At its n, and, where it is an upper one, at fewer, too. */
static bool judge_limit(const struct limit *limit, const struct finding *f, int i)
{
    char name[128], where[128];
    struct run run = {
        .n = limit->n, .block = limit->block, .offset = limit->offset, .gpus = limit->gpus};
    const char *bound = limit->bound == AT_MOST ? "at most" : "at least";
    double value = f->value[i];
    bool none = limit->bound == AT_MOST && limit->limit == 0;
    if (limit->bound == AT_MOST && f->of_fewer[i] > (double)limit->limit &&
        value <= (double)limit->limit) {
        value = f->of_fewer[i];
        run.n = f->fewer[i];
    }
    bool met =
        limit->bound == AT_MOST ? value <= (double)limit->limit : value >= (double)limit->limit;
    snprintf(name, sizeof name, "%s, %s %llu", count_name(limit->what), bound,
             (unsigned long long)limit->limit);
    put_run(where, &run);
    if (none && met)
        say_ok(name, "%s: none (%s)", count_name(limit->what), where);
    else if (none)
        say_wrong(name, "%s: %.0f, and there should be none (%s): %s", count_name(limit->what),
                  value, where, limit->says);
    else if (met)
        say_ok(name, "%s: %.0f, %s %llu (%s)", count_name(limit->what), value, bound,
               (unsigned long long)limit->limit, where);
    else
        say_wrong(name, "%s: %.0f, and it should be %s %llu (%s): %s", count_name(limit->what),
                  value, bound, (unsigned long long)limit->limit, where, limit->says);
    return met || left_out(name);
}

static bool judge_limits(const struct criteria *c)
{
    char how[1024] = "", where[128];
    struct finding f = {0};
    bool all = true;
    if (c->limits[0].n == 0)
        return true;
    if (!can_count()) {
        say_unknown("counts",
                    "requests, sectors, barriers and the like: not reported by a GPU here; "
                    "BACKEND=sim counts them");
        return true;
    }
    if (!in_sandbox(try_limits, c, &f, how) || f.failed) {
        put_run(where, &f.now);
        say_wrong("counts", "counts: %s: %s", where, *how ? how : "CUDA refuses the launch");
        return false;
    }
    for (int i = 0; i < MOST_LIMITS && c->limits[i].n > 0; i++)
        all = judge_limit(&c->limits[i], &f, i) && all;
    return all;
}

static void say_missing(const struct criteria *c, unsigned there)
{
    for (int i = 0; i < MOST_GPUS && c->gpus[i] > 0; i++)
        if (c->gpus[i] > there)
            say_unknown(
                "GPUs",
                "with %u GPUs: here are %u that reach each other's memory; BACKEND=sim has %d",
                c->gpus[i], there, MOST_GPUS);
}

/* On a GPU: the time of launch(), and of the variant that the criteria name. */
enum { TIMED_BLOCK = 256 };
static const size_t usual_timed_size = (size_t)1 << 24;

static void find_times(const struct criteria *c, struct finding *f)
{
    f->now = (struct run){.n = c->timed > 0 ? c->timed : usual_timed_size, .block = TIMED_BLOCK};
    float *in = room_for(f->now.n);
    draw_data(in, f->now.n, 1);
    take_times(c, &f->now, in, f->value);
    free(in);
}

static void say_time(const struct criteria *c)
{
    char how[1024], n[SIZE_TEXT];
    struct finding f = {0};
    if (c->gpus[0] > 0) {
        say_unknown("time", "time: not reported for several GPUs; ./step14 shows the lesson's");
        return;
    }
    if (!in_sandbox(find_times, c, &f, how)) {
        say_unknown("time", "time: %s", how);
        return;
    }
    format_size(f.now.n, n);
    if (f.value[1] == 0)
        say_unknown("time", "time: %.1f us at n = %s, blocks of %d", f.value[0], n, TIMED_BLOCK);
    else
        say_unknown("time",
                    "time: %.1f us at n = %s, blocks of %d; the lesson's %s, to one sum: %.1f us",
                    f.value[0], n, TIMED_BLOCK, c->against, f.value[1]);
}

bool judge_kernel(const struct criteria *c, uint64_t seed, unsigned gpus_there)
{
    char how[1024], where[128], blocks[128], counts[128];
    struct finding sizes = {0}, schedules = {0};
    data_seed = seed;
    choose_gpus(c, gpus_there);
    list(c->blocks, MOST_BLOCKS, blocks);
    list(gpus, MOST_GPUS, counts);
    if (!says_json())
        printf("  Blocks of %s%s%s; data and schedules drawn with SEED=%llu.\n", blocks,
               c->gpus[0] > 0 ? "; so many GPUs: " : "", counts, (unsigned long long)seed);
    say_missing(c, gpus_there);

    bool came = in_sandbox(try_sizes, c, &sizes, how);
    put_run(where, &sizes.now);
    if (came && no_gpu(&sizes))
        exit(complain(STATUS_NOTHING, "here is no GPU; BACKEND=sim needs none"));
    if (came && sizes.failed) {
        say_wrong(sizes.criterion, "answer: %s: %s: %s", c->reference->name, where, sizes.text);
        return false;
    }
    if (!came) {
        say_wrong("faults", "faults: %s: %s%s%s", where, how, c->of_faults ? "; " : "",
                  c->of_faults ? c->of_faults : "");
        return false;
    }
    say_ok("answer",
           "answer: %s, %zu runs: n = 0, 1, 31, 33, 1000, 2^k - 1, 2^k + 1, drawn ones, starts not "
           "aligned",
           c->reference->name, sizes.runs);
    if (c->gpus[0] > 0)
        say_ok("all GPUs", "all GPUs: each has the answer in its own memory, with the same bits");
    if (can_count()) {
        came = in_sandbox(try_schedules, c, &schedules, how);
        put_run(where, &schedules.now);
        if (!came || schedules.failed) {
            say_wrong("schedules", "faults, five schedules: %s: %s", where,
                      came ? schedules.text : how);
            return false;
        }
        say_ok("schedules",
               "faults, five schedules: none: no race, no deadlock, no read of unwritten memory");
    } else {
        say_unknown("schedules",
                    "races and the like: not reported by a GPU; BACKEND=sim finds them");
    }
    if (!can_count())
        say_time(c);
    return judge_limits(c);
}
