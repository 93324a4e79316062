/* fibre.h: a stack for each CUDA thread, and the switch from one to another. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* A stack, and the closed pages below it: whole pages of any size. */
enum { STACK_BYTES = 64 * 1024, GUARD_BYTES = 64 * 1024 };

struct fibre {
    void *place[5]; /* where it continues */
    char *stack;    /* NULL: the host's own */
    bool started;
    void *kept; /* AddressSanitizer's */
};

/* Called with each fibre that begins, or NULL. */
extern void (*fibre_begins)(const struct fibre *fibre);
/* Gives it a stack, unless it has one. Without memory: false, and text says why. */
bool fibre_create(struct fibre *fibre, char *text, size_t room);
/* Leaves one fibre for another. One that has not started calls run(), again whenever it returns. */
void fibre_switch(struct fibre *from, struct fibre *to, void (*run)(void));
