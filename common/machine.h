/* machine.h: what this machine is. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stddef.h>
#include <stdio.h>

/* Numbers that the device does not tell are 0. */
struct machine {
    const char *backend; /* "cuda" or "sim" */
    char gpu[256];
    int major, minor;    /* compute capability */
    int driver, runtime; /* CUDA versions, 1000 * major + 10 * minor */
    unsigned sms;
    size_t l2_bytes, memory_bytes;
    int memory_clock_khz, memory_bus_bits, sm_clock_khz;
    double theoretical_gbps; /* 10^9 bytes a second: two transfers per memory clock */
    char cpu[256];
    unsigned gpus;     /* how many of them are in use: 0 or 1 where a lesson is about one */
    char no_peers[64]; /* why they do not all reach each other's memory; empty if they do */
};

/* Fills it in for this device; ends the program, by CUDA_CHECK, if CUDA fails. */
void read_machine(struct machine *machine, int device);

/* Writes it as a JSON object with a member for each of the KEY=VALUE pairs too:
   numbers stay numbers, all else becomes a string. */
void print_machine(FILE *out, const struct machine *machine, int pair_count, char **pairs);

#endif
