/* say.c: the lines of a verdict: for people as they come, for machines as one line of JSON in the
   end. */
#include "judge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *json; /* NULL: for people */
static char *text;
static size_t bytes, lines;

void say_as_json(void)
{
    json = open_memstream(&text, &bytes);
    if (json == NULL)
        exit(complain(STATUS_UNKNOWN, "cannot judge: no memory"));
}

bool says_json(void)
{
    return json != NULL;
}

/* How many bytes at this place are one character in UTF-8, 0 if they are none. */
static int character(const unsigned char *c)
{
    int more = *c < 0x80 ? 0 : *c >= 0xc2 && *c < 0xe0 ? 1 : *c < 0xf0 ? 2 : 3;
    if (*c > 0xf4 || (*c >= 0x80 && *c < 0xc2) || (*c == 0xe0 && c[1] < 0xa0) ||
        (*c == 0xed && c[1] > 0x9f) || (*c == 0xf0 && c[1] < 0x90) || (*c == 0xf4 && c[1] > 0x8f))
        return 0;
    for (int k = 1; k <= more; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    return more + 1;
}

static void put_string(const char *string)
{
    const unsigned char *c = (const unsigned char *)string;
    putc('"', json);
    while (*c != '\0') {
        int size = character(c);
        if (size == 0)
            fputs("\\ufffd", json);
        else if (*c < ' ' || *c == '"' || *c == '\\')
            fprintf(json, "\\u%04x", *c);
        else
            fwrite(c, 1, (size_t)size, json);
        c += size > 0 ? size : 1;
    }
    putc('"', json);
}

static void say(const char *word, const char *colour, const char *met, const char *criterion,
                const char *format, va_list list)
{
    char line[2048];
    bool coloured = isatty(STDOUT_FILENO);
    vsnprintf(line, sizeof line, format, list);
    if (json == NULL) {
        printf("  %s%-6s%s %s\n", coloured ? colour : "", word, coloured ? "\033[0m" : "", line);
        return;
    }
    fputs(lines++ > 0 ? ", {\"criterion\": " : "{\"criterion\": ", json);
    put_string(criterion);
    fprintf(json, ", \"met\": %s, \"says\": ", met);
    put_string(line);
    putc('}', json);
}

#define SAYS(NAME, WORD, COLOUR, MET)                                                              \
    void NAME(const char *criterion, const char *format, ...)                                      \
    {                                                                                              \
        va_list list;                                                                              \
        va_start(list, format);                                                                    \
        say(WORD, COLOUR, MET, criterion, format, list);                                           \
        va_end(list);                                                                              \
    }
SAYS(say_ok, "ok", "\033[32m", "true")
SAYS(say_wrong, "WRONG", "\033[1;31m", "false")
SAYS(say_unknown, "-", "\033[33m", "null")

void end_of_verdict(uint64_t seed)
{
    if (json == NULL)
        return;
    fflush(json);
    printf("{\"seed\": %llu, \"criteria\": [%s]}\n", (unsigned long long)seed, text);
}
