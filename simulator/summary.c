/* summary.c: what is no fault and most likely a mistake, as an error code that the program never
   asked for: one line for each kind, at the program's end. By SIMT_STRICT=1 its status is 1. */
#include "summary.h"
#include "fault.h"
#include "lock.h"
#include <stdarg.h>

static struct {
    unsigned count;
    char *first;
} kinds[SUMMARY_KINDS];

static void print_all(void)
{
    fflush(stdout);
    fault_begin(); /* there may have been no launch */
    for (unsigned k = 0; k < SUMMARY_KINDS; k++) {
        if (kinds[k].count == 0)
            continue;
        char more[32] = "", *line;
        if (kinds[k].count > 1)
            snprintf(more, sizeof more, " (%u times)", kinds[k].count);
        if (asprintf(&line, "%s%s", kinds[k].first, more) < 0)
            abort();
        if (simt_strict)
            fault_found(line);
        else
            fprintf(stderr, "simulator: note: %s\n", line);
        free(line);
        summary_forget(k);
    }
}

void summary_add(enum summary_kind kind, void *pc, const char *format, ...)
{
    static bool asked;
    char *text;
    va_list list;
    simt_lock();
    if (!asked)
        atexit(print_all);
    asked = true;
    if (kinds[kind].count++ == 0) {
        va_start(list, format);
        if (vasprintf(&text, format, list) < 0 ||
            asprintf(&kinds[kind].first, "%s: %s", place_name(pc), text) < 0)
            abort();
        free(text);
        va_end(list);
    }
    simt_unlock();
}

void summary_forget(enum summary_kind kind)
{
    kinds[kind].count = 0;
    free(kinds[kind].first);
    kinds[kind].first = NULL;
}
