/* quiz.c: answers to numbers, computed by a run at this moment. */
#include "judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* What the seed of the file draws. */
static struct run drawn(const struct criteria *c, unsigned seed)
{
    uint64_t state = seed;
    size_t sizes = 0, blocks = 0, gpus = 0;
    while (sizes < MOST_SIZES && c->sizes[sizes] > 0)
        sizes++;
    while (blocks < MOST_BLOCKS && c->blocks[blocks] > 0)
        blocks++;
    while (gpus < MOST_GPUS && c->gpus[gpus] > 0)
        gpus++;
    return (struct run){.n = c->sizes[draw(&state) % sizes],
                        .block = c->blocks[draw(&state) % blocks],
                        .gpus = gpus > 0 ? c->gpus[draw(&state) % gpus] : 0};
}

static double value_of(enum count what, bool per_block, const float *out)
{
    double value = what >= OUTPUT ? (double)out[what - OUTPUT] : counted(what);
    return per_block ? value / counted(BLOCKS) : value;
}

static void find_answers(const struct criteria *c, struct finding *f)
{
    if (!f->begun.is_quiz)
        return;
    struct run run = drawn(c, f->begun.seed);
    float *in = room_for(run.n);
    /* The reference only says how many words there are: what is in them is what is asked. */
    float *out = room_for(all_words_of(c, &run));
    f->now = run;
    for (size_t i = 0; i < run.n; i++)
        in[i] = (float)(i + 1);
    count_requests(true);
    const char *problem = run_launch(c, &run, in, out);
    count_requests(false);
    if (problem) {
        f->failed = true;
        snprintf(f->text, sizeof f->text, "%s", problem);
    }
    for (int q = 0; q < MOST_QUESTIONS && c->questions[q].asks; q++) {
        const struct question *question = &c->questions[q];
        f->value[q] = value_of(question->what, question->per_block, out) -
                      (question->less_blocks ? counted(BLOCKS) : 0);
        for (int t = 0; t < 3 && question->traps[t].says; t++)
            f->trapped[q][t] = question->traps[t].times *
                               value_of(question->traps[t].what, question->traps[t].per_block, out);
    }
    free(in), free(out);
}

/* What to say of an answer that is not right: never the right one. */
static const char *about(const struct question *question, const struct finding *f, int q)
{
    double answer = f->begun.answers[q];
    for (int t = 0; t < 3 && question->traps[t].says; t++)
        if (answer == f->trapped[q][t])
            return question->traps[t].says;
    return answer < f->value[q] ? "that is too little" : "that is too much";
}

bool judge_quiz(const struct criteria *c)
{
    char how[1024];
    struct finding f = {0};
    if (!can_count()) {
        say_unknown("counts",
                    "a quiz is about counts: only the simulator has them (make BACKEND=sim ...)");
        return false;
    }
    bool came = in_sandbox(find_answers, c, &f, how);
    if (f.begun.is_quiz && !says_json()) {
        struct run run = drawn(c, f.begun.seed);
        printf("  n = %zu, blocks of %u, ", run.n, run.block);
        if (run.gpus > 0)
            printf("%u GPUs, ", run.gpus);
        printf("in[i] = i + 1, if it is read (seed %u draws n and the %s):\n", f.begun.seed,
               run.gpus > 0 ? "others" : "blocks");
    }
    if (!came || f.failed) {
        say_wrong("kernel", "the kernel of a quiz stays as it is: %s", came ? f.text : how);
        return false;
    }
    if (!f.begun.is_quiz) {
        say_wrong("file", "the file defines no seed, or no answers[]: both lines belong into it");
        return false;
    }
    bool all = true;
    for (int q = 0; q < MOST_QUESTIONS && c->questions[q].asks; q++) {
        const struct question *question = &c->questions[q];
        double answer = f.begun.answers[q];
        char name[32];
        snprintf(name, sizeof name, "question %d", q + 1);
        if (answer == f.value[q]) {
            say_ok(name, "%d. %s: %g", q + 1, question->asks, answer);
            continue;
        }
        all = false;
        if (answer == -1)
            say_wrong(name, "%d. %s: no answer yet", q + 1, question->asks);
        else
            say_wrong(name, "%d. %s: not %g: %s", q + 1, question->asks, answer,
                      about(question, &f, q));
    }
    return all;
}
