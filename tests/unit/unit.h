/* unit.h: what a function prints on standard error or standard output; omp_set_num_threads(), also
   where a compiler has no OpenMP (make OPENMP=). */
#ifndef UNIT_H
#define UNIT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    FILE *stream, *file;
    int saved;
    char text[16384];
} capture;

/* From here on the stream goes into a file without a name ... */
static inline void capture_start(FILE *stream)
{
    fflush(stream);
    capture.stream = stream;
    capture.file = tmpfile();
    capture.saved = dup(fileno(stream));
    if (capture.file == NULL || dup2(fileno(capture.file), fileno(stream)) < 0)
        abort();
}

/* ... up to here. Returns what was printed, good until the next capture. */
static inline const char *capture_stop(void)
{
    fflush(capture.stream);
    dup2(capture.saved, fileno(capture.stream));
    close(capture.saved);
    rewind(capture.file);
    size_t length = fread(capture.text, 1, sizeof capture.text - 1, capture.file);
    capture.text[length] = '\0';
    fclose(capture.file);
    return capture.text;
}

/* Whether the text is one line that contains all of these words; NULL ends them. */
static inline int one_line_with(const char *text, const char *const *words)
{
    const char *end = strchr(text, '\n');
    int all = end != NULL && end[1] == '\0';
    for (; *words != NULL; words++)
        all = all && strstr(text, *words) != NULL;
    return all;
}

#ifdef _OPENMP
#include <omp.h>
#else
static inline void omp_set_num_threads(int threads)
{
    (void)threads;
}
#endif

#endif
