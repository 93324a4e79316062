/* judge.h: what the files of the judge share. */
#ifndef JUDGE_H
#define JUDGE_H

#include "request.h"

#include "message.h"

/* Beside those of message.h: nothing can be said of the exercise, for a reason that is not its
   own. */
enum { STATUS_UNKNOWN = 3 };

/* ---- say.c: lines of a verdict on standard output, each a criterion; colour at a terminal ---- */

/* The criterion's name, for machines, and what is said of it, in one line. */
#define SAYS_A_LINE(NAME)                                                                          \
    void NAME(const char *criterion, const char *format, ...) __attribute__((format(printf, 2, 3)))
SAYS_A_LINE(say_ok);
SAYS_A_LINE(say_wrong);
SAYS_A_LINE(say_unknown);
#undef SAYS_A_LINE

/* From here on the lines are kept, for end_of_verdict() to print them as JSON. */
void say_as_json(void);
bool says_json(void);
void end_of_verdict(uint64_t seed);

/* ---- main.c ---- */

/* Was this criterion left out, for a test, by --without=NAME? */
bool left_out(const char *criterion);
/* Are the limits shown at their other places, for a test, by --other-places? Are they all that is
   judged, for a test, by --limits? */
extern bool at_other_places, limits_alone;

/* Zeros, at least one; ends the judge where there is no memory. */
float *room_for(size_t count);

/* ---- what is judged; both say a line for each criterion, and return whether all are met ---- */

bool judge_quiz(const struct criteria *c);
bool judge_kernel(const struct criteria *c, uint64_t seed, unsigned gpus_there);

/* What is found out by some runs of launch(). */
struct finding {
    struct run now;        /* the run under way, or the one that failed */
    bool failed;           /* and text says how */
    const char *criterion; /* that was not met; NULL: the answer's */
    char text[512];        /* one line */
    size_t runs;           /* that were right */
    double value[MOST_LIMITS + MOST_QUESTIONS];
    size_t fewer[MOST_LIMITS];    /* a drawn n ... */
    double of_fewer[MOST_LIMITS]; /* ... and what a limit's count is there */
    double of_also[MOST_LIMITS];
    double trapped[MOST_QUESTIONS][3];
    struct reply begun; /* the answers of a quiz, and how many GPUs there are */
};

/* PLAIN: whole numbers, all equally likely. VARIED: the seed draws which are: perhaps few are
   negative, or none is small; some are 0; the first are all of one sign, and so may the first of
   the largest come late. They may be halves and quarters. LATE: the first are all negative. */
enum data { PLAIN, VARIED, LATE };
/* check_answer.c: runs launch() and compares. Sets f->failed and f->text, and returns false, where
   out is wrong. */
bool check_answer(const struct criteria *c, const struct run *run, uint64_t seed, enum data data,
                  struct finding *f);
/* Fills x with numbers from -8 to 8, or as .most says, drawn from the seed. */
void draw_data(const struct criteria *c, float *x, size_t n, uint64_t seed, enum data data);
uint64_t draw(uint64_t *state);

/* counts.c: whether this backend counts, and what the counts are called. */
bool can_count(void);
const char *count_name(enum count what);

/* ---- sandbox.c: the program of the exercise, a process of its own ---- */

/* Starts the program, calls work(c, f), which asks it for runs, and ends it. Returns true if the
   program came to its own end; else how says in one line why not. */
bool in_sandbox(void (*work)(const struct criteria *, struct finding *), const struct criteria *c,
                struct finding *f, char how[1024]);
void judge_program(const char *path); /* before all: which program */

/* In work(): runs launch() on in[], run->n floats, and fetches its words, those of GPU 0 first.
   Returns NULL, or in one line what is to complain of. */
const char *run_launch(const struct criteria *c, const struct run *run, const float *in,
                       float *out);
double counted(enum count what); /* of the last run */
void count_requests(
    bool on); /* of the runs from here on: requests of memory, too, which takes longer */
bool fault_was_said(void); /* whether the simulator has found a fault: a race goes on */
/* The time in us of launch(), and of the variant of the lesson that the criteria name, or 0. */
void take_times(const struct criteria *c, const struct run *run, const float *in, double us[2]);

/* What a run has: words of one GPU, of all, elements of a share. */
size_t words_of(const struct criteria *c, const struct run *run);
size_t all_words_of(const struct criteria *c, const struct run *run);
size_t share_of(const struct criteria *c, const struct run *run);

/* confine.c: in a process about to become the program of an exercise: from here on it can open
   files for reading only, and start or signal no process. */
void confine(void);

#endif
