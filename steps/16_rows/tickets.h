/* tickets.h: tickets of step 09 for many groups of blocks: each answer has one of its own. */
#ifndef TICKETS_H
#define TICKETS_H

#include "cuda_errors.h"

/* So many words of device memory, zeroed when they are allocated, once for the file that calls
   this; every launch must leave them at zero. A later call may not ask for more. Ends the program,
   by CUDA_CHECK, if there is no memory. */
static inline unsigned *zeroed_tickets(size_t count)
{
    static unsigned *tickets;
    if (tickets == NULL) {
        CUDA_CHECK(cudaMalloc(&tickets, count * sizeof *tickets));
        CUDA_CHECK(cudaMemset(tickets, 0, count * sizeof *tickets));
    }
    return tickets;
}

#endif
