/* message.c: see message.h. */
#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name = "step";

/* At the end: what could not be printed makes a failure of a run that went well. */
static void check_output(int status, void *unused)
{
    (void)unused;
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        fprintf(stderr, "%s: cannot write to standard output%s%s\n", name, errno != 0 ? ": " : "",
                errno != 0 ? strerror(errno) : "");
    else if (!ferror(stderr))
        return;
    if (status == STATUS_OK)
        _exit(STATUS_WRONG);
}

void begin_program(const char *argv0)
{
    static bool begun;
    if (argv0 != NULL && argv0[0] != '\0') {
        const char *slash = strrchr(argv0, '/');
        name = slash != NULL ? slash + 1 : argv0;
    }
    if (begun)
        return;
    begun = true;
    /* A stream that is closed must not become the number of a file that is opened later. */
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) < 0)
            abort();
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that may grow no further is an error of write() */
    on_exit(check_output, NULL);
}

const char *program_name(void)
{
    return name;
}

int complain(int status, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort(); /* out of memory for a line */
    va_end(arguments);
    for (char *c = text; *c != '\0'; c++) /* whatever was typed, it stays one line */
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    fflush(stdout); /* what was printed before comes before */
    fprintf(stderr, "%s: %s\n", name, text);
    free(text);
    return status;
}
