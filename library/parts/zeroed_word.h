/* zeroed_word.h: a word of device memory that ticket.cu and fixed_point.cu count in. */
#ifndef ZEROED_WORD_H
#define ZEROED_WORD_H

#include "cuda_errors.h"

typedef unsigned long long word; /* 8 bytes, aligned: written and read whole, never in halves */

/* A word that is allocated and zeroed once, for the file that calls this; every launch must leave
   it at zero. Ends the program, by CUDA_CHECK, if there is no memory. */
static inline word *zeroed_word(void)
{
    static word *w;
    if (w == NULL) {
        CUDA_CHECK(cudaMalloc(&w, sizeof *w));
        CUDA_CHECK(cudaMemset(w, 0, sizeof *w));
    }
    return w;
}

#endif
