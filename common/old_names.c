/* old_names.c: see old_names.h. */
#include "old_names.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *kind, *old, *now;
} names[] = {
#define OLD_NAME(kind, old, now) {kind, old, now},
#include "old_names.def"
};

const char *new_name(const char *kind, const char *old)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].kind, kind) == 0 && strcmp(names[i].old, old) == 0)
            return names[i].now;
    return NULL;
}
