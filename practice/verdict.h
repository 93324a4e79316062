/* verdict.h: lines of a verdict on standard output, each a criterion; colour at a terminal only. */
#ifndef VERDICT_H
#define VERDICT_H

#include "practice.h"

void say_ok(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
void say_unknown(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Both say a line for each criterion, and return whether all are met. */
bool judge_quiz(const struct criteria *c);
bool judge_kernel(const struct criteria *c, uint64_t seed);

/* On a GPU: a line with the time of launch(), and of the variant that the criteria name. */
void say_time(const struct criteria *c);

#endif
