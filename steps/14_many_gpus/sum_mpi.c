/*
 * sum_mpi.c: one sum over the GPUs of many machines, a process for each GPU:
 *
 *     make sum_mpi && mpirun -n 2 ./sum_mpi -n 1G
 *
 * MPI starts the processes and hands round the name that NCCL's communicator is made from. The data
 * go through sum_f32_all(): over NVLink where all GPUs are in one host that allows it, else by
 * NCCL.
 */
#include "check.h"
#include "data.h"
#include "library/sum_all.h"
#include "library/sum_f32_plan.h"
#include "numbers.h"

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ELEMENTS                                                                              \
    ((size_t)1 << 40) /* of one rank; what its GPU has no room for is reported later */

enum {
    IN_GRAPH = 100, /* sums in a graph, so that launching them takes no time */
    MOST_GPUS_OF_A_HOST = 64
};

static int rank, ranks, local_rank, local_ranks;
static MPI_Comm host; /* the ranks of this host */

static struct options {
    size_t n; /* of this rank */
    uint64_t sums;
    double seconds;
    enum sum_f32_way way;
} options = {1 << 20, 1000, 10, SUM_F32_BY_SLOTS};

/* ---- what is wrong is said once, and all ranks end ---- */

static char trouble[256];

static int wrong(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(trouble, sizeof trouble, format, args);
    va_end(args);
    return status;
}

/* All ranks come here, each with its status. If one is not 0, the first such rank says why. */
static void all_go_on(int status)
{
    struct {
        int status, rank;
    } mine = {-status, rank}, worst;
    MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    if (worst.status == 0)
        return;
    if (worst.rank == rank) {
        fprintf(stderr, "sum_mpi: rank %d: %s\n", rank, trouble);
        fflush(stderr);
    }
    MPI_Finalize();
    exit(-worst.status);
}

/* A rank may be gone: the one that finds it out says so, and does not wait. */
static void go_on(enum sum_f32_status status)
{
    if (status == SUM_F32_OK)
        return;
    fprintf(stderr, "sum_mpi: rank %d: %s\n", rank, sum_f32_message(status));
    fflush(stderr);
    _exit(1);
}

static int cuda(cudaError_t error)
{
    return error == cudaSuccess ? 0 : wrong(1, "CUDA: %s", cudaGetErrorString(error));
}

static int nccl(ncclResult_t result)
{
    return result == ncclSuccess ? 0 : wrong(1, "NCCL: %s", ncclGetErrorString(result));
}

static int library(enum sum_f32_status status)
{
    return status == SUM_F32_OK ? 0 : wrong(1, "%s", sum_f32_message(status));
}

/* ---- the command line ---- */

/* "-n 1G": in all, in shares as equal as can be. "-n 1M,0,3M": a share for each rank. */
static int read_shares(const char *text)
{
    char copy[4096], *rest = copy;
    if (strlen(text) >= sizeof copy)
        return wrong(2, "-n: fewer numbers are needed");
    strcpy(copy, text);
    int count = 0;
    for (char *word; (word = strsep(&rest, ",")) != NULL; count++) {
        size_t n;
        const char *why = parse_size(word, &n);
        if (why == NULL && n > MOST_ELEMENTS)
            why = "is too much: 1024G at most";
        if (why != NULL)
            return wrong(2, "-n: '%s' %s", word, why);
        if (count == rank || count == 0)
            options.n = n;
    }
    if (count == 1)
        options.n = options.n / ranks + ((size_t)rank < options.n % ranks);
    else if (count != ranks)
        return wrong(2, "-n has %d shares, and there are %d ranks: one for each, or one number",
                     count, ranks);
    return 0;
}

static int read_options(int argc, char **argv)
{
    const char *shares = "1M";
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : "";
        char *end;
        if (strcmp(name, "--nccl") == 0) {
            options.way = SUM_F32_BY_NCCL;
            continue;
        }
        if (strcmp(name, "-n") == 0)
            shares = value;
        else if (strcmp(name, "--sums") == 0) {
            if (!parse_number(value, 1, 1000000000, &options.sums))
                return wrong(2, "--sums needs a number from 1 to 1000000000");
        } else if (strcmp(name, "--limit") == 0) {
            options.seconds = strtod(value, &end);
            if (end == value || *end != '\0' || !(options.seconds > 0 && options.seconds <= 1e6))
                return wrong(2, "--limit needs seconds, above 0");
        } else
            return wrong(2,
                         "there is no '%s': mpirun -n K ./sum_mpi [-n N | -n N,N,...] [--sums N] "
                         "[--limit SECONDS] [--nccl]",
                         name);
        i++;
    }
    return read_shares(shares);
}

/* ---- the sum ---- */

static int choose_gpu(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return wrong(77, "no GPU that CUDA can use on this host");
    /* Where each process was given a GPU of its own, it sees that one alone. */
    if (local_ranks > count && count > 1)
        return wrong(2, "%d ranks on a host with %d GPUs: one for each is needed, mpirun -n %d",
                     local_ranks, count, count);
    return cuda(cudaSetDevice(count > 1 ? local_rank : 0));
}

/* Ranks that see one GPU may all see the same. */
static int check_gpus(void)
{
    char mine[32] = "", all[MOST_GPUS_OF_A_HOST][32];
    int device;
    if (local_ranks > MOST_GPUS_OF_A_HOST)
        return wrong(2, "%d ranks on this host: one for each GPU is needed", local_ranks);
    int status = cuda(cudaGetDevice(&device));
    if (status == 0)
        status = cuda(cudaDeviceGetPCIBusId(mine, sizeof mine, device));
    MPI_Allgather(mine, sizeof mine, MPI_CHAR, all, sizeof mine, MPI_CHAR, host);
    if (status != 0)
        return status;
    for (int r = 0; r < local_ranks; r++)
        if (r != local_rank && strcmp(all[r], mine) == 0)
            return wrong(2, "this rank and another of this host have the same GPU: one for each is "
                            "needed");
    return 0;
}

/* Makes this rank's share, on the GPU, and sets *exact to the sum of all. */
static int make_share(struct sum_f32_share *share, struct exact_sum *exact)
{
    size_t bytes = (options.n > 0 ? options.n : 1) * sizeof(float);
    float *x = malloc(bytes), *in = NULL;
    if (x == NULL)
        return wrong(1, "no memory on the host for %zu floats", options.n);
    fill_data(x, options.n, PATTERN_UNIFORM, (uint64_t)rank + 1);
    *exact = sum_exactly(x, options.n);
    int status = cuda(cudaMalloc((void **)&in, bytes));
    if (status == 0)
        status = cuda(cudaMemcpy(in, x, bytes, cudaMemcpyHostToDevice));
    if (status == 0)
        status = cuda(cudaMalloc((void **)&share->out, sizeof(float)));
    if (status == 0)
        status = cuda(cudaStreamCreate(&share->stream));
    share->in = in;
    share->n = options.n;
    free(x);
    return status;
}

/* The sum on this rank, after waiting for it. */
static float result(struct sum_f32_all *all, const struct sum_f32_share *share)
{
    float sum = 0;
    go_on(sum_f32_all_wait(all, share));
    if (cudaMemcpy(&sum, share->out, sizeof sum, cudaMemcpyDeviceToHost) != cudaSuccess)
        go_on(SUM_F32_CUDA_FAILED);
    return sum;
}

/* Whether the sum is right, and the same bits on all ranks. */
static int check(float sum, const struct exact_sum *mine)
{
    struct exact_sum exact = *mine;
    unsigned sms, bits, least, most;
    bool hopper;
    go_on(sum_f32_device(&sms, &hopper));
    struct sum_f32_plan plan = sum_f32_plan(options.n, sms, hopper);
    unsigned long deepest, depth = sum_f32_depth(&plan, options.n) + (unsigned long)ranks;
    memcpy(&bits, &sum, sizeof bits);
    MPI_Allreduce(&depth, &deepest, 1, MPI_UNSIGNED_LONG, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&mine->sum, &exact.sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&mine->sum_abs, &exact.sum_abs, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&bits, &least, 1, MPI_UNSIGNED, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&bits, &most, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    exact.exact_in_floats = false;
    struct verdict verdict = check_sum(sum, &exact, deepest);
    if (!verdict.ok)
        return wrong(1, "the sum is %.9g, exactly it is %.9g: %s", sum, exact.sum, verdict.reason);
    if (least != most)
        return wrong(1, "the ranks have sums of different bits");
    if (rank == 0)
        printf("sum %.9g, exactly %.9g: right, and the same bits on all ranks\n", sum, exact.sum);
    return 0;
}

/* Queues `sums` sums and waits for them. Returns microseconds for each. */
static double one_by_one(struct sum_f32_all *all, const struct sum_f32_share *share, uint64_t sums)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (uint64_t i = 0; i < sums; i++) {
        go_on(sum_f32_all(all, share));
        if (i % 1000 == 999 || i == sums - 1)
            go_on(sum_f32_all_wait(all, share));
    }
    return (MPI_Wtime() - start) / (double)sums * 1e6;
}

static void launch(cudaGraphExec_t graph, const struct sum_f32_share *share)
{
    if (cudaGraphLaunch(graph, share->stream) != cudaSuccess)
        go_on(SUM_F32_CUDA_FAILED);
}

/* The same, IN_GRAPH sums with each launch. */
static double in_graphs(struct sum_f32_all *all, const struct sum_f32_share *share, uint64_t sums)
{
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaError_t error = cudaStreamBeginCapture(share->stream, cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < IN_GRAPH && error == cudaSuccess; i++)
        go_on(sum_f32_all(all, share));
    if (error == cudaSuccess)
        error = cudaStreamEndCapture(share->stream, &graph);
    if (error == cudaSuccess)
        error = cudaGraphInstantiate(&executable, graph, 0);
    if (error != cudaSuccess)
        go_on(SUM_F32_CUDA_FAILED);
    uint64_t launches = (sums + IN_GRAPH - 1) / IN_GRAPH;
    launch(executable, share);
    go_on(sum_f32_all_wait(all, share));
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (uint64_t i = 0; i < launches; i++) {
        launch(executable, share);
        if (i % 10 == 9 || i == launches - 1)
            go_on(sum_f32_all_wait(all, share));
    }
    double seconds = MPI_Wtime() - start;
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    return seconds / (double)(launches * IN_GRAPH) * 1e6;
}

static void run(ncclComm_t clique)
{
    struct sum_f32_all *all = NULL;
    struct sum_f32_share share;
    struct exact_sum exact;
    all_go_on(library(sum_f32_all_create(&all, &clique, 1, options.way, options.seconds)));
    all_go_on(make_share(&share, &exact));

    unsigned long long n = options.n, in_all;
    MPI_Allreduce(&n, &in_all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf(
            "%d ranks, %d of them on this host; %llu floats in all; the sums of the GPUs go %s\n",
            ranks, local_ranks, in_all,
            sum_f32_all_way(all) == SUM_F32_BY_SLOTS ? "by slots in each other's memory"
                                                     : "by NCCL");
    go_on(sum_f32_all(all, &share));
    float sum = result(all, &share);
    all_go_on(check(sum, &exact));
    double apart = one_by_one(all, &share, options.sums);
    double together = in_graphs(all, &share, options.sums);
    float again = result(all, &share);
    all_go_on(memcmp(&again, &sum, sizeof sum) == 0
                  ? 0
                  : wrong(1, "the last sum has other bits than the first"));
    if (rank == 0)
        printf("%.2f us for each sum one after another, %.2f us in a graph\n", apart, together);
    sum_f32_all_destroy(all);
}

int main(int argc, char **argv)
{
    ncclUniqueId id;
    ncclComm_t clique;
    setvbuf(stdout, NULL, _IOLBF, 0); /* what is known is shown, also if a rank is lost later */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
    MPI_Comm_rank(host, &local_rank);
    MPI_Comm_size(host, &local_ranks);

    all_go_on(read_options(argc, argv));
    all_go_on(choose_gpu());
    all_go_on(check_gpus());
    all_go_on(rank == 0 ? nccl(ncclGetUniqueId(&id)) : 0);
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    all_go_on(nccl(ncclCommInitRank(&clique, ranks, id, rank)));
    run(clique);
    ncclCommDestroy(clique);
    MPI_Finalize();
    return fflush(stdout) != 0;
}
