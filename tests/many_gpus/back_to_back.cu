/*
 * back_to_back: very many sums over several GPUs, one right after the other in a graph of each
 * GPU, and each of other numbers than the one before. A sum that takes what belongs to another one,
 * or begins before all have their numbers, is wrong.
 *
 *     back_to_back --gpus K [--sums S] [--variant nvlink_slots|nccl] [--streams]
 *
 * --streams: without graphs. Prints a line. Exit status: 0, 1 if a sum was wrong, 2, or 77.
 */
#include "cuda_errors.h"
#include "gpus.h"
#include "message.h"
#include "numbers.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

extern "C" const struct variant variant_nccl, variant_nvlink_slots;

enum { PER_GRAPH = 50 };
#define MOST_N 70000u

/* Of each GPU: how many sums it has seen begin, and how many of them ended wrong. */
struct seen {
    unsigned begun, wrong;
};

/* Element 0 of this GPU's share changes with every sum: all numbers stay whole and small. */
static __global__ void change(float *in, struct seen *seen) { in[0] = (float)(++seen->begun % 1000); }

/* base: the sum of all but the first elements of the shares. */
static __global__ void compare(const float *out, float base, unsigned gpus, struct seen *seen) {
    if (*out != base + (float)(gpus * (seen->begun % 1000))) seen->wrong++;
}

struct run {
    struct gpus gpus;
    struct sum sum;
    struct seen *seen[MAX_GPUS];
    float base;
};

static void queue_sums(struct run *run, const struct variant *variant, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        for (unsigned g = 0; g < run->gpus.count; g++) {
            CUDA_CHECK(cudaSetDevice(run->gpus.shares[g].device));
            change<<<1, 1, 0, run->gpus.shares[g].stream>>>(run->gpus.shares[g].in, run->seen[g]);
        }
        variant->launch(&run->sum);
        for (unsigned g = 0; g < run->gpus.count; g++) {
            CUDA_CHECK(cudaSetDevice(run->gpus.shares[g].device));
            compare<<<1, 1, 0, run->gpus.shares[g].stream>>>(run->gpus.shares[g].out, run->base, run->gpus.count,
                                                             run->seen[g]);
        }
    }
}

static void begin_capture(const struct gpus *gpus) {
    for (unsigned g = 0; g < gpus->count; g++)
        CUDA_CHECK(cudaStreamBeginCapture(gpus->shares[g].stream, cudaStreamCaptureModeRelaxed));
}

static void end_capture(const struct gpus *gpus, cudaGraphExec_t *graphs) {
    for (unsigned g = 0; g < gpus->count; g++) {
        cudaGraph_t graph;
        CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        CUDA_CHECK(cudaStreamEndCapture(gpus->shares[g].stream, &graph));
        CUDA_CHECK(cudaGraphInstantiate(&graphs[g], graph, 0));
    }
}

/* Shares of unequal size, of ones, but for their first elements. */
static void make_shares(struct run *run) {
    static float ones[MOST_N];
    for (unsigned i = 0; i < MOST_N; i++) ones[i] = 1.0f;
    for (unsigned g = 0; g < run->gpus.count; g++) {
        struct share *share = &run->gpus.shares[g];
        share->n = g == 0 ? MOST_N : 1 + 700 * g;
        CUDA_CHECK(cudaSetDevice(share->device));
        CUDA_CHECK(cudaMalloc(&share->in, share->n * sizeof(float)));
        CUDA_CHECK(cudaMalloc(&share->out, sizeof(float)));
        CUDA_CHECK(cudaMalloc(&run->seen[g], sizeof(struct seen)));
        CUDA_CHECK(cudaMemcpy(share->in, ones, share->n * sizeof(float), cudaMemcpyHostToDevice));
        CUDA_CHECK(cudaMemset(run->seen[g], 0, sizeof(struct seen)));
        CUDA_CHECK(cudaDeviceSynchronize());
        run->base += (float)(share->n - 1);
    }
    run->sum.shares = run->gpus.shares;
    run->sum.gpus = run->gpus.count;
    run->sum.block = 256;
}

static void wait_for_all(const struct gpus *gpus) {
    for (unsigned g = 0; g < gpus->count; g++) {
        CUDA_CHECK(cudaSetDevice(gpus->shares[g].device));
        CUDA_CHECK(cudaDeviceSynchronize());
    }
}

static int report(const struct run *run, const struct variant *variant, unsigned sums) {
    unsigned wrong = 0, missing = 0;
    for (unsigned g = 0; g < run->gpus.count; g++) {
        struct seen seen;
        CUDA_CHECK(cudaMemcpy(&seen, run->seen[g], sizeof seen, cudaMemcpyDeviceToHost));
        wrong += seen.wrong;
        missing += sums - seen.begun;
    }
    const char *why = wrong > 0 && variant->why_wrong != NULL ? variant->why_wrong(&run->sum) : NULL;
    printf("%s on %u GPUs: %u sums, %u wrong%s%s\n", variant->name, run->gpus.count, sums, wrong,
           why != NULL ? ": " : "", why != NULL ? why : "");
    return wrong + missing > 0 ? STATUS_WRONG : STATUS_OK;
}

static int sum_back_to_back(struct run *run, const struct variant *variant, unsigned sums, bool streams) {
    cudaGraphExec_t graphs[MAX_GPUS];
    make_shares(run);
    queue_sums(run, variant, PER_GRAPH); /* what is made at the first call cannot be captured */
    wait_for_all(&run->gpus);
    if (!streams) {
        begin_capture(&run->gpus);
        queue_sums(run, variant, PER_GRAPH);
        end_capture(&run->gpus, graphs);
    }
    for (unsigned done = PER_GRAPH; done < sums; done += PER_GRAPH) {
        if (streams) queue_sums(run, variant, PER_GRAPH);
        for (unsigned g = 0; !streams && g < run->gpus.count; g++)
            CUDA_CHECK(cudaGraphLaunch(graphs[g], run->gpus.shares[g].stream));
    }
    wait_for_all(&run->gpus);
    return report(run, variant, sums);
}

int main(int argc, char **argv) {
    static const struct option names[] = {{"gpus", required_argument, NULL, 'g'},
                                          {"sums", required_argument, NULL, 's'},
                                          {"variant", required_argument, NULL, 'v'},
                                          {"streams", no_argument, NULL, 't'},
                                          {}};
    struct options options = {};
    struct machine machine = {};
    struct run run = {};
    const struct variant *variant = &variant_nvlink_slots;
    uint64_t gpus = 2, sums = 100000;
    cudaStream_t stream;
    bool streams = false;
    int code;
    begin_program(argv[0]);
    while ((code = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (code == 't')
            streams = true;
        else if (code == 'v' && strcmp(optarg, "nccl") == 0)
            variant = &variant_nccl;
        else if (code == '?' || (code == 'g' && !parse_number(optarg, 1, MAX_GPUS, &gpus)) ||
                 (code == 's' && !parse_number(optarg, PER_GRAPH, 100000000, &sums)))
            return STATUS_USAGE;
    }
    options.gpus = (unsigned)gpus;
    prepare_for_gpus(&options);
    int status = select_device(0);
    if (status >= 0) return status;
    status = find_gpus(&options, &machine);
    if (status >= 0) return status;
    if (variant->launch == NULL || machine.no_peers[0] != '\0')
        return complain(STATUS_NOTHING, "%s", variant->launch == NULL ? variant->why_not : machine.no_peers);
    CUDA_CHECK(cudaStreamCreate(&stream));
    open_gpus(&run.gpus, &options, machine.gpus, stream);
    run.sum.stream = stream;
    return sum_back_to_back(&run, variant, (unsigned)(sums / PER_GRAPH * PER_GRAPH), streams);
}
