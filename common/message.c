#include "message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *name = "step";

void set_program_name(const char *argv0)
{
    if (argv0 == NULL || argv0[0] == '\0')
        return;
    const char *slash = strrchr(argv0, '/');
    name = slash != NULL ? slash + 1 : argv0;
}

const char *program_name(void)
{
    return name;
}

int complain(int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout); /* what was printed before comes before */
    fprintf(stderr, "%s: ", name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}
