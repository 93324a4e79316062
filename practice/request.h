/* request.h: what the judge asks of the program of an exercise, and what it answers. Both are
   written as they are in memory, over a socket that is descriptor CHANNEL of that program. */
#ifndef REQUEST_H
#define REQUEST_H

#include "practice.h"

enum { CHANNEL = 3 };

/* One call of launch(). */
struct run {
    size_t n;     /* floats of in[] */
    size_t words; /* of out[], on each GPU */
    unsigned block;
    unsigned offset;                /* in[] begins so many floats after an aligned place */
    unsigned gpus;                  /* 0: one, and nothing is said of it */
    uint64_t schedule;              /* 0: the natural order */
    unsigned sms;                   /* of the simulated GPU; 0: 4 */
    size_t hole;                    /* element hole - 1 of in[] is never written; 0: all are */
    size_t kernel_words;            /* as in struct criteria, or all */
    bool vectors, overwrites_input; /* as in struct criteria */
};

struct request {
    enum {
        BEGIN, /* first of all: how many GPUs there are, and the answers of a quiz */
        RUN,   /* run.n floats follow, and the reply is followed by the words of all GPUs */
        TIME,  /* run.n floats follow */
    } what;
    struct run run;
    bool requests;      /* of RUN: counts requests of memory, too, which takes longer */
    bool many_gpus;     /* of BEGIN: the lesson is about several GPUs */
    unsigned questions; /* of BEGIN: so many answers are wanted */
    char against[64];   /* of TIME: the variant of the lesson that is timed beside, or "" */
};

struct reply {
    char problem[256];     /* of RUN: what CUDA, or in[] changed, has to complain of; or "" */
    double counts[COUNTS]; /* of RUN */
    unsigned gpus;         /* of BEGIN: those that reach each other's memory, the first of them */
    bool is_quiz;          /* of BEGIN: the file defines a seed and answers[] */
    unsigned seed;
    double answers[MOST_QUESTIONS];
    double us[2]; /* of TIME: launch(), the variant; 0: there is no such variant */
};

#endif
