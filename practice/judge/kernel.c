/* kernel.c: the criteria of a kernel, one after the other. */
#include "judge.h"

#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEDULES = 5, DRAWN = 32, LARGE = 3, OTHER_GPUS = 3 };

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

/* What the criteria forbid, wherever it was found first. */
static struct {
    double value;
    struct run run;
} forbidden[MOST_LIMITS];

static bool forbids(const struct limit *limit)
{
    return limit->n > 0 && limit->bound == AT_MOST && limit->limit == 0;
}

static bool check(const struct criteria *c, const struct run *run, uint64_t seed, enum data data,
                  struct finding *f)
{
    if (!check_answer(c, run, seed, data, f))
        return false;
    for (int i = 0; i < MOST_LIMITS; i++)
        if (forbids(&c->limits[i]) && forbidden[i].value == 0) {
            forbidden[i].value = counted(c->limits[i].what);
            forbidden[i].run = *run;
        }
    return true;
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

/* The block sizes from the smallest to the largest of the criteria: any, or whole warps, or powers
   of two, if all of those are. */
enum { MOST_THREADS = 1024 };

static size_t all_blocks(const struct criteria *c, unsigned all[MOST_THREADS])
{
    unsigned least = c->blocks[0], most = c->blocks[0], block;
    bool warps = true, powers = true;
    size_t count = 0;
    for (unsigned i = 0; i < MOST_BLOCKS && (block = c->blocks[i]) > 0; i++) {
        least = block < least ? block : least;
        most = block > most ? block : most;
        warps = warps && block % 32 == 0;
        powers = powers && (block & (block - 1)) == 0;
    }
    for (block = least; block <= most && count < MOST_THREADS; block++)
        if ((!powers || (block & (block - 1)) == 0) && (!warps || block % 32 == 0))
            all[count++] = block;
    return count;
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
        if (!check(c, &run, data_seed + i, PLAIN, f))
            return;
    }
    for (unsigned g = 1; g < gpu_counts; g++) {
        static const size_t few[] = {1000, 33, 1, 0};
        run.gpus = gpus[g];
        for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
            run.n = to_unit(c, few[i]);
            if (!check(c, &run, draw(&state), VARIED, f))
                return;
        }
    }
    run.gpus = gpus[0];
    for (int b = 1; b < MOST_BLOCKS && c->blocks[b] > 0; b++) {
        static const size_t some[] = {33, 1000, 1025};
        run.block = c->blocks[b];
        for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
            run.n = to_unit(c, some[i]);
            if (!check(c, &run, draw(&state), VARIED, f))
                return;
        }
    }
    run.block = c->blocks[0];
    for (int i = 0; i < MOST_SIZES && c->sizes[i] > 0; i++) {
        run.n = c->sizes[i];
        if (!check(c, &run, draw(&state), LATE, f))
            return;
    }
    for (run.offset = 1; run.offset <= 3; run.offset++) {
        run.n =
            to_unit(c, 1 + draw(&state) % 2000); /* another n at each run, and no aligned start */
        if (!check(c, &run, draw(&state), VARIED, f))
            return;
    }
}

/* Beyond what is printed: sizes and block sizes that were drawn, no block size twice as long as
   there are others, and large sizes. */
static void try_drawn(const struct criteria *c, struct finding *f)
{
    unsigned blocks[MOST_THREADS];
    size_t count = all_blocks(c, blocks), most_n = c->most_n > 0 ? c->most_n : 20000;
    uint64_t state = data_seed ^ 0xd4a3;
    if (no_gpu(f) || left_out("drawn sizes"))
        return;
    for (size_t i = 0; i < DRAWN; i++) {
        size_t first = i % count, other = first + draw(&state) % (count - first);
        unsigned block = blocks[other];
        blocks[other] = blocks[first], blocks[first] = block;
        struct run run = {.n = to_unit(c, draw_size(&state)),
                          .block = block,
                          .gpus = gpus[draw(&state) % gpu_counts]};
        if (!check(c, &run, draw(&state), VARIED, f))
            return;
    }
    for (int i = 0; i < LARGE; i++) {
        struct run large = {.n = to_unit(c, most_n - draw(&state) % (most_n / 4)),
                            .block = c->blocks[0],
                            .gpus = gpus[0]};
        if (!check(c, &large, draw(&state), VARIED, f))
            return;
    }
}

static void try_sizes(const struct criteria *c, struct finding *f)
{
    try_printed(c, f);
    if (!f->failed)
        try_drawn(c, f);
}

/* On a GPU with more SMs: a process of its own, since no GPU grows while a program runs. */
static void try_other_gpu(const struct criteria *c, struct finding *f)
{
    uint64_t state = data_seed ^ 0x5a5a;
    unsigned sms = 5 + (unsigned)(draw(&state) % 4);
    if (left_out("drawn sizes"))
        return;
    for (int i = 0; i < OTHER_GPUS; i++) {
        struct run run = {
            .n = to_unit(c, draw_size(&state)), .block = c->blocks[0], .gpus = gpus[0], .sms = sms};
        if (!check(c, &run, draw(&state), VARIED, f))
            return;
    }
}

/* Is one element read? Its place was never written: a fault says so. */
static uint64_t probe_state;

static void try_hole(const struct criteria *c, struct finding *f)
{
    static const size_t sizes[] = {1, 1000, 4097};
    uint64_t state = probe_state;
    size_t n = to_unit(c, sizes[draw(&state) % 3]), words;
    f->now = (struct run){.n = n, .block = c->blocks[0], .hole = 1 + draw(&state) % n};
    words = all_words_of(c, &f->now);
    float *in = room_for(n), *out = room_for(words);
    draw_data(c, in, n, probe_state, PLAIN);
    run_launch(c, &f->now, in, out);
    f->failed = !fault_was_said();
    free(in), free(out);
}

static bool judge_reads(const struct criteria *c)
{
    enum { PROBES = 8 };
    char how[1024];
    uint64_t state = data_seed ^ 0x401e;
    if (!c->all_read || !can_count() || left_out("all read"))
        return true;
    for (int i = 0; i < PROBES; i++) {
        struct finding f = {0};
        probe_state = draw(&state);
        in_sandbox(try_hole, c, &f, how);
        if (f.failed) {
            say_wrong("all read", "all read: element %zu of %zu is not read (blocks of %u)",
                      f.now.hole - 1, f.now.n, f.now.block);
            return false;
        }
    }
    say_ok("all read", "all read: of %d elements, each in another run, none was left out", PROBES);
    return true;
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
            if (!check(c, &run, draw(&state), VARIED, f))
                return;
        }
}

/* The next of the limits that are about another run than this one. */
static int next_run(const struct criteria *c, int i)
{
    const struct limit *of = &c->limits[i];
    while (++i < MOST_LIMITS && c->limits[i].n == of->n && c->limits[i].block == of->block &&
           c->limits[i].offset == of->offset && c->limits[i].gpus == of->gpus &&
           c->limits[i].sms == of->sms)
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

/* Fails where the answer is wrong there. */
static bool count_at(const struct criteria *c, struct finding *f, size_t n)
{
    f->now.n = n;
    count_requests(true);
    check_answer(c, &f->now, data_seed, PLAIN, f);
    count_requests(false);
    if (!f->failed && words_of(c, &f->now) >= n && n > 0 && counted(STORE_REQUESTS) > 0 &&
        counted(STORED_FLOATS) < 4 * counted(STORE_REQUESTS) && !left_out("stores")) {
        f->failed = true;
        f->criterion = "stores";
        snprintf(f->text, sizeof f->text,
                 "a store of a warp brings %.1f floats: let its lanes store side by side, each its "
                 "own",
                 counted(STORED_FLOATS) / counted(STORE_REQUESTS));
    }
    return !f->failed;
}

static unsigned
    sms_of_limits; /* those that are looked at: a GPU with other SMs is another process */

static void try_limits(const struct criteria *c, struct finding *f)
{
    uint64_t state = data_seed;
    for (int i = 0, next; i < MOST_LIMITS && c->limits[i].n > 0; i = next) {
        const struct limit *limit = &c->limits[i];
        next = next_run(c, i);
        if (limit->sms != sms_of_limits)
            continue;
        f->now = (struct run){.n = limit->n,
                              .block = limit->block,
                              .offset = limit->offset,
                              .gpus = limit->gpus,
                              .sms = limit->sms};
        size_t fewer = draw_fewer(c, &f->now, &state);
        if (!count_at(c, f, limit->n))
            return;
        for (int k = i; k < next; k++)
            f->value[k] = f->of_fewer[k] = counted(c->limits[k].what), f->fewer[k] = fewer;
        if (fewer < limit->n && !count_at(c, f, fewer))
            return;
        for (int k = i; k < next; k++)
            f->of_fewer[k] = counted(c->limits[k].what);
        for (int k = i; k < next; k++) {
            const struct limit *also = &c->limits[k];
            bool as_before =
                k > i && also->also.n == also[-1].also.n && also->also.block == also[-1].also.block;
            if (also->also.n == 0)
                continue;
            f->now.block = also->also.block;
            if (!as_before && !count_at(c, f, also->also.n))
                return;
            f->of_also[k] = counted(also->what);
        }
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
    if (run->sms > 0)
        used += snprintf(text + used, 128 - (size_t)used, ", a GPU of %u SMs", run->sms);
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

static bool keeps(const struct limit *limit, double value, uint64_t bound)
{
    return limit->bound == AT_MOST ? value <= (double)bound : value >= (double)bound;
}

/* At its n, and, where it is an upper one, at fewer, too; at its other place; and what is forbidden
   in all runs. */
static bool judge_limit(const struct limit *limit, const struct finding *f, int i)
{
    char name[128], where[128];
    struct run run = {.n = limit->n,
                      .block = limit->block,
                      .offset = limit->offset,
                      .gpus = limit->gpus,
                      .sms = limit->sms};
    const char *bound = limit->bound == AT_MOST ? "at most" : "at least";
    double value = f->value[i];
    uint64_t most = limit->limit;
    bool none = forbids(limit), met = keeps(limit, value, most);
    if (met && limit->bound == AT_MOST && !keeps(limit, f->of_fewer[i], most)) {
        met = false, value = f->of_fewer[i], run.n = f->fewer[i];
    } else if (met && limit->also.n > 0 && !keeps(limit, f->of_also[i], limit->also.limit)) {
        met = false, value = f->of_also[i], most = limit->also.limit;
        run.n = limit->also.n, run.block = limit->also.block;
    } else if (met && none && forbidden[i].value > 0) {
        met = false, value = forbidden[i].value, run = forbidden[i].run;
    }
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
               (unsigned long long)most, where);
    else
        say_wrong(name, "%s: %.0f, and it should be %s %llu (%s): %s", count_name(limit->what),
                  value, bound, (unsigned long long)most, where, limit->says);
    return met || left_out(name);
}

/* For a test: the limit at its other place, and nothing else. */
static bool judge_other_place(const struct limit *limit, const struct finding *f, int i)
{
    struct limit other = *limit;
    struct finding there = *f;
    if (limit->also.n == 0)
        return true;
    other.n = limit->also.n, other.block = limit->also.block, other.limit = limit->also.limit;
    other.also.n = 0;
    there.value[i] = there.of_fewer[i] = f->of_also[i];
    return judge_limit(&other, &there, i);
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
    unsigned sms = 0;
    for (int i = 0; i < MOST_LIMITS && c->limits[i].n > 0; i++)
        sms = c->limits[i].sms > 0 ? c->limits[i].sms : sms;
    sms_of_limits = 0;
    bool came = in_sandbox(try_limits, c, &f, how);
    if (came && !f.failed && sms > 0) {
        sms_of_limits = sms;
        came = in_sandbox(try_limits, c, &f, how);
    }
    if (!came || f.failed) {
        put_run(where, &f.now);
        say_wrong(came && strcmp(f.criterion, "answer") != 0 ? f.criterion : "counts",
                  "counts: %s: %s", where, *how ? how : f.text);
        return false;
    }
    for (int i = 0; i < MOST_LIMITS && c->limits[i].n > 0; i++)
        all = (at_other_places ? judge_other_place : judge_limit)(&c->limits[i], &f, i) && all;
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
    draw_data(c, in, f->now.n, 1, PLAIN);
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
    if (at_other_places || limits_alone)
        return judge_limits(c);
    list(c->blocks, MOST_BLOCKS, blocks);
    list(gpus, MOST_GPUS, counts);
    if (!says_json())
        printf("  Blocks of %s%s%s; data and schedules drawn with SEED=%llu.\n", blocks,
               c->gpus[0] > 0 ? "; so many GPUs: " : "", counts, (unsigned long long)seed);
    say_missing(c, gpus_there);

    bool came = in_sandbox(try_sizes, c, &sizes, how);
    if (came && !sizes.failed && can_count())
        came = in_sandbox(try_other_gpu, c, &sizes, how);
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
    bool all_read = judge_reads(c);
    return judge_limits(c) && all_read;
}
