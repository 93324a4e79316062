/* runner.h: what is linked with an exercise, and calls its launch() when the judge asks. */
#ifndef RUNNER_H
#define RUNNER_H

#include "request.h"

/* run.c: runs launch() on these numbers in host memory, run->n of them, and copies its words to
   out, those of GPU 0 first. Returns NULL, or says in one line what CUDA, or the input left
   changed, has to complain of. While launch() runs, no number is in the host's memory: in[] is
   zeroed. */
const char *run_launch(const struct run *run, float *in, float *out);
/* A checksum (FNV-1a): whether in[] is what it was. */
static inline uint64_t sum_of_bytes(const void *from, size_t bytes)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ ((const unsigned char *)from)[i]) * 0x100000001b3;
    return sum;
}

/* multi_gpu.c: the same for several GPUs. */
const char *run_on_gpus(const struct run *run, float *in, float *out);
/* How many GPUs there are that reach each other's memory, the first of them: 8 on the simulator. */
unsigned gpus_there(void);

/* count.c: the simulator's counts from here on, over all launches; 0 where there is no simulator.
   schedule: 0 is the natural order. sms: of the simulated GPU; 0: as it is. */
void count_from_here(bool requests, uint64_t schedule, unsigned sms);
void counted(size_t n, double counts[COUNTS]);
/* Around launch(): what the host copies from here on; what is in these words of the device, now. */
void watch_host(void);
void see_out(const float *out, size_t words);

/* timed.c: on a GPU, the time of launch(), and of the variant of the lesson with this name. */
void take_times(const struct run *run, const float *in, const char *against, double us[2]);

#endif
