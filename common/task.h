/*
 * task.h: other questions than a sum, which the toolbox asks: what a variant makes of the n floats,
 * which n it takes, and how its answer is checked.
 */
#ifndef TASK_H
#define TASK_H

#include "check.h"
#include "lesson.h"

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What came out of one run, in host memory. */
struct answer {
    const float *in;         /* the n floats */
    size_t n, row;           /* row: floats of a row, 0 where the task has none */
    size_t gap;              /* floats from the end of a row to the next */
    const size_t *offsets;   /* of ragged rows: where each begins, and the end; else NULL */
    const struct task *task; /* what was asked */
    const float *out; /* the task's words, of 4 bytes each: floats or, read by word_at(), others */
    unsigned block;   /* threads per block */
    size_t depth;     /* as the launcher set it, struct sum's */
};

/* What every launcher is really handed. A sum needs no more than its first member; to another
   question out[] has as many words as its task says. */
struct question {
    struct sum sum;
    size_t row;            /* floats of a row, where the task has rows, else 0 */
    size_t gap;            /* floats from the end of a row to the next, which belong to none */
    const size_t *offsets; /* device memory, for a ragged task: row r is in[offsets[r]] to
                              in[offsets[r + 1] - 1], of n / row rows; else NULL */
    const struct task *task;
};

static inline size_t row_of(const struct sum *s)
{
    return ((const struct question *)s)->row; /* a struct lies where its first member does */
}

/* What a task asks of a matrix. */
enum each { ONE_ANSWER, EACH_ROW, EACH_COLUMN };

/* Rows of any length: a task's max_row. */
#define ANY_ROW ((size_t)1 << 40)

struct task {
    const char *name; /* "scan": for the CSV; variants of one name answer the same question */
    /* Words that out[] must have room for; NULL where there is an answer for each row. */
    size_t (*words)(size_t n, size_t row);
    /* Compares the answer with the right one, word by word, by the functions below. */
    void (*check)(const struct answer *answer, struct verdict *verdict);
    /* Words that a run must write with these n floats in host memory; NULL: all of them. */
    size_t (*written)(const float *in, size_t n);
    size_t unit;  /* n must be a multiple of this; 0: any n */
    size_t max_n; /* the largest n; 0: any */
    /* A task on the rows of a matrix takes rows of min_row to max_row floats in multiples of
       row_unit, and an n of whole rows; max_row 0: it has no rows, or its own. */
    size_t min_row, max_row, row_unit;
    /* For an answer to each row, or column (step 16). It takes a --gap, unless the rows are ragged:
       of many lengths, `row` on average. */
    enum each each;
    bool ragged;
    const struct task *of_each;            /* what is asked of each; NULL: its sum */
    const struct task *const *by_operator; /* the same of other operators, which --operator may
                                              name; this one first, NULL ends the list */
    size_t scratch_per_sm;                 /* floats of scratch; 0: as for a sum */
};

/* The name that --operator has for what is asked of each. */
static inline const char *operator_name(const struct task *task)
{
    return task->of_each != NULL ? task->of_each->name : "sum";
}

/* Rows of n floats, each after a gap; of ragged ones, on average so long. */
static inline size_t rows_in(size_t n, size_t row, size_t gap)
{
    return row + gap > 0 ? n / (row + gap) : 0;
}

/* What a variant answers, as the CSV says it: "sum", "roof", or its task's name. */
const char *task_name(const struct variant *variant);

/* Words of its answer to n floats, in rows of so many, with such gaps, if it has rows: 1 for a sum,
   2 where that has 64 bits. */
size_t answer_words(const struct variant *variant, size_t n, size_t row, size_t gap);

/* The lesson, with the task of each variant that has several replaced by that of this operator;
   NULL: the lesson as it is. It lasts until the next call. */
const struct lesson *ask_by_operator(const struct lesson *lesson, const char *name);

/* The bytes of out[i], as a whole number. */
static inline uint32_t word_at(const float *out, size_t i)
{
    uint32_t word;
    memcpy(&word, &out[i], sizeof word);
    return word;
}

/* Notes in *verdict that out[i] is wrong: what it is, and what it should be. */
void wrong_word(struct verdict *verdict, size_t i, uint32_t got, uint32_t right);
void wrong_float(struct verdict *verdict, size_t i, double got, double right, double allowed);

/* out[i] must be this word, bit for bit. */
static inline void expect_word(struct verdict *verdict, const float *out, size_t i, uint32_t right)
{
    if (word_at(out, i) != right)
        wrong_word(verdict, i, word_at(out, i), right);
}

/* Whether out[i] was not written: before the run it holds a NaN that no kernel makes. */
static inline bool is_poison(const float *out, size_t i)
{
    return word_at(out, i) == POISON_BYTE * 0x01010101u;
}

/* out[i] must be this float, bit for bit; any NaN will do for a NaN, since a GPU and a CPU make
   different ones. */
static inline void expect_float(struct verdict *verdict, const float *out, size_t i, float right)
{
    if (word_at(out, i) != word_at(&right, 0) &&
        (right == right || out[i] == out[i] || is_poison(out, i)))
        wrong_float(verdict, i, (double)out[i], (double)right, 0);
}

/* out[i] must be this number, give or take `allowed`; a NaN for a NaN, an infinity for one. Keeps
   in *verdict the error, over |right|, that was the largest part of what was allowed. */
void expect_near(struct verdict *verdict, const float *out, size_t i, double right, double allowed);

#ifdef __cplusplus
}
#endif
#endif
