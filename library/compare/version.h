/* version.h: "CCCL 3.0.1", of the headers that the including file is compiled with. */
#ifndef VERSION_H
#define VERSION_H

#include <cuda/version>
#include <stdio.h>

static inline const char *cccl_version(void)
{
    static char text[32];
    snprintf(text, sizeof text, "CCCL %d.%d.%d", CCCL_MAJOR_VERSION, CCCL_MINOR_VERSION,
             CCCL_PATCH_VERSION);
    return text;
}

#endif
