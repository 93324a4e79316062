/* unit.h: main(), which runs each TEST(); what a function prints on standard error or standard output; a command line's
   words; omp_set_num_threads(), also where a compiler has no OpenMP (make OPENMP=). */
#ifndef UNIT_H
#define UNIT_H

#include "../tap.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    for (int i = 0; i < tap_functions; i++) tap_function[i].run();
    return done_testing();
}

/* A test whose name is what must be so. */
#define IS(...)      ok((__VA_ARGS__), "%s", #__VA_ARGS__)
#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

static struct {
    FILE *stream, *file;
    int saved;
    char text[16384];
} capture;

/* From here on the stream goes into a file without a name ... */
static inline void capture_start(FILE *stream) {
    fflush(stream);
    capture.stream = stream;
    capture.file = tmpfile();
    capture.saved = dup(fileno(stream));
    if (capture.file == NULL || dup2(fileno(capture.file), fileno(stream)) < 0) abort();
}

/* ... up to here. Returns what was printed, good until the next capture. */
static inline const char *capture_stop(void) {
    fflush(capture.stream);
    dup2(capture.saved, fileno(capture.stream));
    close(capture.saved);
    rewind(capture.file);
    size_t length = fread(capture.text, 1, sizeof capture.text - 1, capture.file);
    capture.text[length] = '\0';
    fclose(capture.file);
    return capture.text;
}

/* What a call prints on the stream. */
#define PRINTED(STREAM, ...) (capture_start(STREAM), (void)(__VA_ARGS__), capture_stop())

/* Two texts that must be the same. */
static inline void same_text(const char *got, const char *right, const char *name) {
    if (!ok(strcmp(got, right) == 0, "%s", name)) printf("# \"%s\"\n# instead of \"%s\"\n", got, right);
}

/* A float that a launcher has not written. */
static inline float unwritten(void) {
    float value;
    memset(&value, 0xff, sizeof value);
    return value;
}

/* Whether the text is one line that contains all of these words; NULL ends them. */
static inline int one_line_with(const char *text, const char *const *words) {
    const char *end = strchr(text, '\n');
    int all = end != NULL && end[1] == '\0';
    for (; *words != NULL; words++) all = all && strstr(text, *words) != NULL;
    return all;
}

#define IS_ONE_LINE(TEXT, ...) one_line_with(TEXT, (const char *const[]){__VA_ARGS__, NULL})

/* What was captured last: this status, and one line with the program's name and these words. */
#define IS_REFUSED(STATUS, EXPECTED, LINE, ...)                                                                        \
    is_refused(STATUS, EXPECTED, LINE, (const char *const[]){"step99: ", __VA_ARGS__, NULL})
static inline void is_refused(int status, int expected, const char *line, const char *const *words) {
    if (!ok(status == expected && one_line_with(capture.text, words), "%d: %s", expected, line))
        printf("# status %d, \"%s\"\n", status, capture.text);
}

/* A loop over the words of a text, which is an array: it ends each of them. */
#define EACH_WORD(WORD, TEXT) for (char *rest_ = TEXT, *WORD; (WORD = strsep(&rest_, " ")) != NULL;)

/* For 64 words of argv: a program's name, and the words of a line as typed after it ('' is an empty one). Returns how
   many. */
static inline int words_of(const char *line, char **argv) {
    static char copy[4096];
    int argc = 1;
    argv[0] = "some/folder/step99";
    snprintf(copy, sizeof copy, "%s", line);
    EACH_WORD (word, copy) {
        if (word[0] != '\0') argv[argc++] = strcmp(word, "''") == 0 ? "" : word;
    }
    return argc;
}

/* What a lesson's variants call. */
struct sum;
static inline void launch(struct sum *s) { (void)s; }
static inline const char *no_room(unsigned block) { return block > 512 ? "no room for so large a block" : NULL; }

#define VARIANT(NAME, ...) static const struct variant NAME = {.name = #NAME, .launch = launch, __VA_ARGS__}
#define TASK(NAME, ...)    static const struct task NAME = {__VA_ARGS__}
#define LESSON(NAME, ...)                                                                                              \
    static const struct variant *const of_##NAME[] = {__VA_ARGS__, NULL};                                              \
    static const struct lesson NAME = {.name = "99_test", .idea = "an idea", .variants = of_##NAME}
/* A task with an answer for each row, or column. */
#define OF_EACH(EACH) .max_row = ANY_ROW, .row_unit = 1, .each = EACH

#ifdef _OPENMP
#include <omp.h>
#else
static inline void omp_set_num_threads(int threads) { (void)threads; }
#endif

#endif
