/* main.c: the program of an exercise: runs launch() when the judge asks (request.h). */
#include "runner.h"

#include "gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool read_all(void *to, size_t bytes)
{
    for (char *next = to; bytes > 0;) {
        ssize_t got = read(CHANNEL, next, bytes);
        if (got <= 0)
            return false;
        next += got, bytes -= (size_t)got;
    }
    return true;
}

static void write_all(const void *from, size_t bytes)
{
    for (const char *next = from; bytes > 0;) {
        ssize_t given = write(CHANNEL, next, bytes);
        if (given <= 0)
            exit(1); /* the judge is gone */
        next += given, bytes -= (size_t)given;
    }
}

static void *room(size_t count)
{
    void *floats = calloc(count + 1, sizeof(float));
    if (floats == NULL) {
        perror("practice: no memory");
        exit(1);
    }
    return floats;
}

static void begin(const struct request *request, struct reply *reply)
{
    if (request->many_gpus)
        prepare_for_gpus(&(struct options){.gpus = MOST_GPUS});
    reply->gpus = gpus_there();
    reply->is_quiz = &seed && answers;
    if (!reply->is_quiz)
        return;
    reply->seed = seed;
    memcpy(reply->answers, answers, request->questions * sizeof *answers);
}

static void run(const struct request *request, struct reply *reply, float *in, float *out)
{
    count_from_here(request->requests, request->run.schedule, request->run.sms);
    const char *problem = run_launch(&request->run, in, out);
    if (problem)
        snprintf(reply->problem, sizeof reply->problem, "%s", problem);
    counted(request->run.n, reply->counts);
}

int main(void)
{
    struct request request;
    bool asked = false;
    for (; read_all(&request, sizeof request); asked = true) {
        struct reply reply = {0};
        const struct run *r = &request.run;
        size_t words = request.what == RUN ? r->words * (r->gpus > 0 ? r->gpus : 1) : 0;
        float *in = room(r->n), *out = room(words);
        if (request.what != BEGIN && !read_all(in, r->n * sizeof *in))
            return 1;
        if (request.what == BEGIN)
            begin(&request, &reply);
        else if (request.what == RUN)
            run(&request, &reply, in, out);
        else
            take_times(r, in, request.against, reply.us);
        fflush(stdout); /* what the exercise prints comes before what the judge says of it */
        write_all(&reply, sizeof reply);
        write_all(out, words * sizeof *out);
        free(in), free(out);
    }
    if (!asked)
        fprintf(stderr, "practice: an exercise cannot run alone: practice/run check runs it\n");
    return asked ? 0 : 2;
}
