/* gpus.c: see gpus.h. */
#include "gpus.h"

#include "check.h"
#include "cuda_errors.h"
#include "message.h"
#include "simt.h"

#include <stdio.h>
#include <stdlib.h>

enum { GUARD = ON_SIMULATOR ? 0 : 32, GPUS_ON_SIMULATOR = 2 };

/* A kernel that runs for the first time is loaded then, if CUDA is lazy, as it is by default; and
   loading may wait for a kernel that runs. Where that one waits for the first on another GPU, both
   wait for ever. So all kernels are loaded at the start. */
void prepare_for_gpus(const struct options *options)
{
    setenv("CUDA_MODULE_LOADING", "EAGER", 1);
#ifdef SIMT_SIMULATOR
    simt_gpus(options->gpus > 0 ? options->gpus : GPUS_ON_SIMULATOR);
#else
    (void)options;
#endif
}

/* Notes the first pair of which one does not reach the other's memory. */
static void ask_peers(int first, struct machine *machine)
{
    for (unsigned a = 0; a < machine->gpus; a++) {
        for (unsigned b = 0; b < machine->gpus; b++) {
            int reaches = 1;
            if (a != b)
                CUDA_CHECK(cudaDeviceCanAccessPeer(&reaches, first + (int)a, first + (int)b));
            if (reaches || machine->no_peers[0] != '\0')
                continue;
            snprintf(machine->no_peers, sizeof machine->no_peers,
                     "GPU %d cannot reach the memory of GPU %d", first + (int)a, first + (int)b);
        }
    }
}

int find_gpus(const struct options *options, struct machine *machine)
{
    int there;
    CUDA_CHECK(cudaGetDeviceCount(&there));
    unsigned count = (unsigned)(there - options->device);
    if (options->gpus > count && options->device > 0)
        return complain(STATUS_USAGE, "--gpus %u: from number %d on there %s %u", options->gpus,
                        options->device, count == 1 ? "is" : "are", count);
    if (options->gpus > count)
        return complain(STATUS_USAGE, "--gpus %u: there %s %u", options->gpus,
                        count == 1 ? "is" : "are", count);
    machine->gpus = options->gpus > 0 ? options->gpus : count < MAX_GPUS ? count : MAX_GPUS;
    ask_peers(options->device, machine);
    return -1;
}

/* Where share g begins; share `count` begins at n. */
static size_t share_start(const struct options *options, unsigned count, size_t n, unsigned g)
{
    size_t before = g, all = count; /* so many parts of so many */
    if (options->share_count > 0) {
        before = all = 0;
        for (unsigned i = 0; i < count; i++) {
            before += i < g ? options->shares[i] : 0;
            all += options->shares[i];
        }
    }
    return n / all * before + n % all * before / all;
}

size_t share_size(const struct options *options, unsigned count, size_t n, unsigned g)
{
    return share_start(options, count, n, g + 1) - share_start(options, count, n, g);
}

void return_to_first(const struct gpus *gpus)
{
    CUDA_CHECK(cudaSetDevice(gpus->shares[0].device));
}

void open_gpus(struct gpus *gpus, const struct options *options, unsigned count,
               cudaStream_t stream)
{
    *gpus = (struct gpus){.count = count};
    for (unsigned g = 0; g < count; g++) {
        struct share *share = &gpus->shares[g];
        share->device = options->device + (int)g;
        share->stream = stream;
        CUDA_CHECK(cudaSetDevice(share->device));
        if (g > 0)
            CUDA_CHECK(cudaStreamCreate(&share->stream));
        CUDA_CHECK(cudaEventCreateWithFlags(&gpus->end[g], cudaEventDisableTiming));
    }
    return_to_first(gpus);
    CUDA_CHECK(cudaEventCreateWithFlags(&gpus->begin, cudaEventDisableTiming));
}

void close_gpus(struct gpus *gpus)
{
    for (unsigned g = 0; g < gpus->count; g++) {
        CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        if (g > 0)
            CUDA_CHECK(cudaStreamDestroy(gpus->shares[g].stream));
        CUDA_CHECK(cudaEventDestroy(gpus->end[g]));
    }
    return_to_first(gpus);
    CUDA_CHECK(cudaEventDestroy(gpus->begin));
}

static float *allocate_poisoned(size_t floats)
{
    void *block;
    CUDA_CHECK(cudaMalloc(&block, floats * sizeof(float)));
    CUDA_CHECK(cudaMemset(block, POISON_BYTE, floats * sizeof(float)));
    return block;
}

void open_shares(struct gpus *gpus, const struct options *options, const float *data, size_t n)
{
    for (unsigned g = 0; g < gpus->count; g++) {
        struct share *share = &gpus->shares[g];
        share->n = share_size(options, gpus->count, n, g);
        CUDA_CHECK(cudaSetDevice(share->device));
        gpus->in_blocks[g] = allocate_poisoned(share->n + options->offset + GUARD + 1);
        gpus->out_blocks[g] = allocate_poisoned(options->offset + 1);
        share->in = gpus->in_blocks[g] + options->offset;
        share->out = gpus->out_blocks[g] + options->offset;
        CUDA_CHECK(cudaMemcpy(share->in, data + share_start(options, gpus->count, n, g),
                              share->n * sizeof(float), cudaMemcpyHostToDevice));
    }
    return_to_first(gpus);
}

void close_shares(struct gpus *gpus)
{
    for (unsigned g = 0; g < gpus->count; g++) {
        CUDA_CHECK(cudaFree(gpus->in_blocks[g]));
        CUDA_CHECK(cudaFree(gpus->out_blocks[g]));
    }
}

void poison_outputs(const struct gpus *gpus)
{
    for (unsigned g = 0; g < gpus->count; g++) {
        const struct share *share = &gpus->shares[g];
        CUDA_CHECK(cudaSetDevice(share->device));
        CUDA_CHECK(cudaMemsetAsync(share->out, POISON_BYTE, sizeof(float), share->stream));
    }
    return_to_first(gpus);
}

void fork_gpus(const struct gpus *gpus)
{
    return_to_first(gpus);
    CUDA_CHECK(cudaEventRecord(gpus->begin, gpus->shares[0].stream));
    for (unsigned g = 1; g < gpus->count; g++)
        CUDA_CHECK(cudaStreamWaitEvent(gpus->shares[g].stream, gpus->begin, 0));
}

void join_gpus(const struct gpus *gpus)
{
    for (unsigned g = 1; g < gpus->count; g++) {
        CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        CUDA_CHECK(cudaEventRecord(gpus->end[g], gpus->shares[g].stream));
        CUDA_CHECK(cudaStreamWaitEvent(gpus->shares[0].stream, gpus->end[g], 0));
    }
    return_to_first(gpus);
}
