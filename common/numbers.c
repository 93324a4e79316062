#include "numbers.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const char not_a_size[] = "is not a size: write 1000, 64K, 16M, 1G or '1<<20'";
static const char too_large[] = "is too large: it must be below 1<<60 (and fit in memory)";

/* Digits only: strtoull by itself would take " 5", "+5" and "-5". */
static const char *digits(const char *text, uint64_t *number)
{
    if (!isdigit((unsigned char)text[0]))
        return NULL;
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (errno == ERANGE)
        *number = UINT64_MAX;
    return end;
}

static int bits_of_suffix(char suffix)
{
    switch (toupper((unsigned char)suffix)) {
    case 'K':
        return 10;
    case 'M':
        return 20;
    case 'G':
        return 30;
    default:
        return -1;
    }
}

const char *parse_size(const char *text, size_t *size)
{
    uint64_t number, shift = 0;
    const char *rest = digits(text, &number);
    if (rest == NULL)
        return not_a_size;
    if (rest[0] == '<' && rest[1] == '<') {
        rest = digits(rest + 2, &shift);
        if (rest == NULL)
            return not_a_size;
    } else if (rest[0] != '\0') {
        if (bits_of_suffix(rest[0]) < 0)
            return not_a_size;
        shift = (uint64_t)bits_of_suffix(rest[0]);
        rest++;
    }
    if (rest[0] != '\0')
        return not_a_size;
    if (number != 0 && (shift >= 60 || number > MAX_ELEMENTS >> shift))
        return too_large;
    *size = number == 0 ? 0 : (size_t)number << shift;
    return NULL;
}

bool parse_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    uint64_t value;
    const char *rest = digits(text, &value);
    bool overflow = errno == ERANGE;
    if (rest == NULL || rest[0] != '\0' || overflow || value < least || value > most)
        return false;
    *number = value;
    return true;
}

const char *format_size(size_t n, char text[SIZE_TEXT])
{
    static const char suffixes[] = {'\0', 'K', 'M', 'G'};
    size_t k = 0;
    while (k < 3 && n != 0 && n % 1024 == 0) {
        n /= 1024;
        k++;
    }
    snprintf(text, SIZE_TEXT, "%zu%.1s", n, k == 0 ? "" : &suffixes[k]);
    return text;
}
