/* kernel.c: the criteria of a kernel, one after the other. */
#include "judge.h"

#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 5 };

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

static void try_sizes(const struct criteria *c, struct finding *f)
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

static void try_limits(const struct criteria *c, struct finding *f)
{
    float *in = NULL, *out = NULL;
    for (int i = 0; i < MOST_LIMITS && c->limits[i].n > 0; i++) {
        const struct limit *limit = &c->limits[i];
        bool again = i > 0 && limit[-1].n == limit->n && limit[-1].block == limit->block &&
                     limit[-1].offset == limit->offset && limit[-1].gpus == limit->gpus;
        f->now = (struct run){
            .n = limit->n, .block = limit->block, .offset = limit->offset, .gpus = limit->gpus};
        if (!again) {
            free(in), free(out);
            in = room_for(limit->n), out = room_for(all_words_of(c, &f->now));
            draw_data(in, limit->n, data_seed);
            if (run_launch(c, &f->now, in, out, true) || fault_was_said()) {
                f->failed = true;
                return;
            }
        }
        f->value[i] = counted(limit->what);
    }
    free(in), free(out);
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

static bool judge_limits(const struct criteria *c)
{
    char how[1024] = "", where[128];
    struct finding f = {0};
    bool all = true;
    if (c->limits[0].n == 0)
        return true;
    if (!can_count()) {
        say_unknown("requests, sectors, barriers and the like: not reported by a GPU here; "
                    "BACKEND=sim counts them");
        return true;
    }
    if (!in_sandbox(try_limits, c, &f, how) || f.failed) {
        put_run(where, &f.now);
        say_wrong("counts: %s: %s", where, *how ? how : "CUDA refuses the launch");
        return false;
    }
    for (int i = 0; i < MOST_LIMITS && c->limits[i].n > 0; i++) {
        const struct limit *limit = &c->limits[i];
        struct run run = {
            .n = limit->n, .block = limit->block, .offset = limit->offset, .gpus = limit->gpus};
        bool met = limit->bound == AT_MOST ? f.value[i] <= (double)limit->limit
                                           : f.value[i] >= (double)limit->limit;
        const char *bound = limit->bound == AT_MOST ? "at most" : "at least";
        put_run(where, &run);
        if (limit->bound == AT_MOST && limit->limit == 0 && met)
            say_ok("%s: none (%s)", count_name(limit->what), where);
        else if (limit->bound == AT_MOST && limit->limit == 0)
            say_wrong("%s: %.0f, and there should be none (%s): %s", count_name(limit->what),
                      f.value[i], where, limit->says);
        else if (met)
            say_ok("%s: %.0f, %s %llu (%s)", count_name(limit->what), f.value[i], bound,
                   (unsigned long long)limit->limit, where);
        else
            say_wrong("%s: %.0f, and it should be %s %llu (%s): %s", count_name(limit->what),
                      f.value[i], bound, (unsigned long long)limit->limit, where, limit->says);
        all = all && met;
    }
    return all;
}

static void say_missing(const struct criteria *c, unsigned there)
{
    for (int i = 0; i < MOST_GPUS && c->gpus[i] > 0; i++)
        if (c->gpus[i] > there)
            say_unknown(
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
        say_unknown("time: not reported for several GPUs; ./step14 shows the lesson's");
        return;
    }
    if (!in_sandbox(find_times, c, &f, how)) {
        say_unknown("time: %s", how);
        return;
    }
    format_size(f.now.n, n);
    if (f.value[1] == 0)
        say_unknown("time: %.1f us at n = %s, blocks of %d", f.value[0], n, TIMED_BLOCK);
    else
        say_unknown("time: %.1f us at n = %s, blocks of %d; the lesson's %s, to one sum: %.1f us",
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
    printf("  Blocks of %s%s%s; data and schedules drawn with SEED=%llu.\n", blocks,
           c->gpus[0] > 0 ? "; so many GPUs: " : "", counts, (unsigned long long)seed);
    say_missing(c, gpus_there);

    bool came = in_sandbox(try_sizes, c, &sizes, how);
    put_run(where, &sizes.now);
    if (came && no_gpu(&sizes))
        exit(complain(STATUS_NOTHING, "here is no GPU; BACKEND=sim needs none"));
    if (came && sizes.failed) {
        say_wrong("answer: %s: %s: %s", c->reference->name, where, sizes.text);
        return false;
    }
    if (!came) {
        say_wrong("faults: %s: %s", where, how);
        return false;
    }
    say_ok("answer: %s, %zu runs: n = 0, 1, 31, 33, 1000, 2^k - 1, 2^k + 1, starts not aligned",
           c->reference->name, sizes.runs);
    if (c->gpus[0] > 0)
        say_ok("all GPUs: each has the answer in its own memory, with the same bits");
    if (can_count()) {
        came = in_sandbox(try_schedules, c, &schedules, how);
        put_run(where, &schedules.now);
        if (!came || schedules.failed) {
            say_wrong("faults, five schedules: %s: %s", where, came ? schedules.text : how);
            return false;
        }
        say_ok("faults, five schedules: none: no race, no deadlock, no read of unwritten memory");
    } else {
        say_unknown("races and the like: not reported by a GPU; BACKEND=sim finds them");
    }
    if (!can_count())
        say_time(c);
    return judge_limits(c);
}
