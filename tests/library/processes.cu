/* What sum_all.h promises where each GPU has a process of its own: sums, many sums in graphs with changing data, and a
   process that is killed. ./library_processes SUMS */
#include "many_sums.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST ((size_t)3 << 20)

enum { LINKS = 100 };

/* What the processes say to each other. */
static struct board {
    ncclUniqueId id;
    volatile int has_id;
    volatile enum sum_f32_way way;
    float sum[16][MOST_RANKS]; /* of each round, on each rank */
    struct exact_sum exact[16][MOST_RANKS];
    unsigned step[MOST_RANKS][2];           /* sums, and wrong ones */
    volatile double lost_after[MOST_RANKS]; /* seconds; 0: never */
    volatile int says_so[MOST_RANKS], is_nan[MOST_RANKS];
} * board;

static int ranks;

#define OK(RIGHT, WHAT) ok(RIGHT, "%s: %s", name_of(way), WHAT)

static void must(bool right, const char *what) {
    if (right) return;
    printf("# a rank ends: %s\n", what);
    fflush(stdout);
    _exit(3);
}

/* ---- one rank ---- */

struct rank {
    int rank;
    ncclComm_t clique;
    struct sum_f32_all *all;
    struct sum_f32_share share;
    float *x;
};

static struct rank join_clique(int rank, enum sum_f32_way way, double limit) {
    struct rank me = {};
    me.rank = rank;
    CUDA_CHECK(cudaSetDevice(rank));
    if (rank == 0) {
        must(ncclGetUniqueId(&board->id) == ncclSuccess, "ncclGetUniqueId()");
        __sync_synchronize();
        board->has_id = 1;
    }
    while (!board->has_id) usleep(1000);
    __sync_synchronize();
    must(ncclCommInitRank(&me.clique, ranks, board->id, rank) == ncclSuccess, "ncclCommInitRank()");
    enum sum_f32_status status = sum_f32_all_create(&me.all, &me.clique, 1, way, limit);
    must(status == SUM_F32_OK, sum_f32_message(status));
    if (rank == 0) board->way = sum_f32_all_way(me.all);
    me.x = on_gpu<float>(MOST + 8);
    me.share = {me.x, of_many.n[rank], on_gpu<float>(1), new_stream()};
    return me;
}

static float sum_of(struct rank *me) {
    must(sum_f32_all(me->all, &me->share) == SUM_F32_OK, "a sum is refused");
    must(sum_f32_all_wait(me->all, &me->share) == SUM_F32_OK, "a sum fails");
    return one_from(me->share.out);
}

static const size_t sizes[][MOST_RANKS] = {
    {0},
    {1, 0, 1, 1, 1, 1, 1, 1},
    {1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000},
    {20000, 3, 70000, 1, 0, 5, 16385, 65537},
    {MOST, MOST - 1, 7, 400000, 5, 6, 7, 8},
};

static void rank_sums(int rank, enum sum_f32_way way, unsigned) {
    struct rank me = join_clique(rank, way, 20);
    float *host = on_host<float>(MOST);
    fill_data(host, MOST, PATTERN_UNIFORM, (uint64_t)rank + 1);
    to_gpu(me.x, host, MOST * sizeof(float));
    for (size_t i = 0; i < COUNT(sizes); i++) {
        me.share.n = sizes[i][rank];
        board->sum[i][rank] = sum_of(&me);
        board->exact[i][rank] = sum_exactly(host, sizes[i][rank]);
    }
    sum_f32_all_destroy(me.all);
    me.share.n = 0; /* and once more, after another: nothing is left of the first */
    must(sum_f32_all_create(&me.all, &me.clique, 1, way, 20) == SUM_F32_OK, "the second");
    must(sum_of(&me) == 0, "the second sums");
    sum_f32_all_destroy(me.all);
    must(ncclCommDestroy(me.clique) == ncclSuccess, "the caller's communicator is as it was");
}

static cudaGraphExec_t graph_of(struct rank *me, unsigned *step) {
    cudaStream_t stream = me->share.stream;
    CUDA_CHECK(cudaMemset(step, 0, 2 * sizeof *step));
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < LINKS; i++) {
        change<<<8, 256, 0, stream>>>(me->x, me->share.n, step, me->rank);
        must(sum_f32_all(me->all, &me->share) == SUM_F32_OK, "a sum is refused");
        compare<<<1, 1, 0, stream>>>(me->share.out, of_many, ranks, step);
    }
    return end_capture(stream);
}

static void rank_many(int rank, enum sum_f32_way way, unsigned sums) {
    struct rank me = join_clique(rank, way, 20);
    unsigned *step = on_gpu<unsigned>(2);
    cudaGraphExec_t executable = graph_of(&me, step);
    for (unsigned i = 0; i < sums / LINKS; i++) {
        CUDA_CHECK(cudaGraphLaunch(executable, me.share.stream));
        if (i % 10 == 9) must(sum_f32_all_wait(me.all, &me.share) == SUM_F32_OK, "a sum fails");
    }
    must(sum_f32_all_wait(me.all, &me.share) == SUM_F32_OK, "a sum fails");
    to_host(board->step[rank], step, 2 * sizeof *step);
    CUDA_CHECK(cudaGraphExecDestroy(executable));
    sum_f32_all_destroy(me.all);
    ncclCommDestroy(me.clique);
}

/* The last rank is killed after some sums; the others go on until they miss it. */
static void rank_killed(int rank, enum sum_f32_way way, unsigned) {
    struct rank me = join_clique(rank, way, 1);
    cudaGraphExec_t executable = graph_of(&me, on_gpu<unsigned>(2));
    for (int i = 0; i < 1000; i++) {
        double start = seconds_now();
        CUDA_CHECK(cudaGraphLaunch(executable, me.share.stream));
        if (i == 20 && rank == ranks - 1) raise(SIGKILL);
        enum sum_f32_status status = sum_f32_all_wait(me.all, &me.share);
        if (status == SUM_F32_OK) continue;
        must(status == SUM_F32_LOST_PEER, sum_f32_message(status));
        board->lost_after[rank] = seconds_now() - start;
        board->is_nan[rank] = isnan(one_from(me.share.out));
        board->says_so[rank] = sum_f32_all(me.all, &me.share) == SUM_F32_LOST_PEER;
        CUDA_CHECK(cudaGraphExecDestroy(executable));
        sum_f32_all_destroy(me.all);
        return;
    }
}

/* The same in streams: no thread waits for a sum, and yet the one that is never made is reported.
 */
static void rank_killed_in_streams(int rank, enum sum_f32_way way, unsigned) {
    struct rank me = join_clique(rank, way, 1);
    enum sum_f32_status status = SUM_F32_OK;
    double start = seconds_now();
    me.share.n = 1000;
    for (int i = 0; i < 10000000 && status == SUM_F32_OK; i++) {
        if (i == 2000 && rank == ranks - 1) raise(SIGKILL);
        if (i == 2000) start = seconds_now();
        status = sum_f32_all(me.all, &me.share);
    }
    must(status == SUM_F32_LOST_PEER, sum_f32_message(status));
    board->lost_after[rank] = seconds_now() - start;
    board->says_so[rank] = sum_f32_all_wait(me.all, &me.share) == SUM_F32_LOST_PEER;
    sum_f32_all_destroy(me.all);
}

/* ---- all of them ---- */

/* Runs a function in a process for each GPU. Returns whether as many as should ended well, the others by SIGKILL, all
   within a minute. */
static bool run(void (*of_rank)(int, enum sum_f32_way, unsigned), enum sum_f32_way way, unsigned sums, int killed) {
    pid_t pid[MOST_RANKS];
    int well = 0, by_signal = 0, status;
    memset((void *)board, 0, sizeof *board);
    fflush(stdout);
    for (int r = 0; r < ranks; r++)
        if ((pid[r] = fork()) == 0) {
            alarm(60); /* a process that hangs is ended, and that is a failure */
            of_rank(r, way, sums);
            fflush(stdout);
            _exit(0);
        }
    for (int r = 0; r < ranks; r++) {
        waitpid(pid[r], &status, 0);
        well += WIFEXITED(status) && WEXITSTATUS(status) == 0;
        by_signal += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        if (status != 0) printf("# rank %d: status %x of waitpid()\n", r, (unsigned)status);
    }
    return well == ranks - killed && by_signal == killed;
}

static void test_sums(enum sum_f32_way way) {
    bool right = run(rank_sums, way, 0, 0), same = true, correct = true;
    OK(right, "all ranks end well");
    printf("# %s: the way is %s\n", name_of(way), name_of(board->way));
    OK(way == SUM_F32_BY_SLOTS || board->way == SUM_F32_BY_NCCL, "what was asked for");
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct exact_sum exact = {};
        float first = board->sum[i][0];
        for (int r = 0; r < ranks; r++) {
            add(&exact, board->exact[i][r]);
            same &= same_bits(first, board->sum[i][r]);
        }
        correct &= check_sum(first, &exact, 100).ok;
    }
    OK(right && correct, "right sums of shares that differ");
    OK(right && same, "the same bits on all ranks");
}

static void test_many(enum sum_f32_way way, unsigned sums) {
    bool right = run(rank_many, way, sums, 0);
    for (int r = 0; r < ranks; r++) {
        const unsigned *step = board->step[r];
        right &= step[0] == sums / LINKS * LINKS && step[1] == 0;
        printf("# %s: rank %d: %u sums, %u wrong\n", name_of(way), r, step[0], step[1]);
    }
    OK(right, "sums back to back in graphs, with changing data");
}

static void test_killed(enum sum_f32_way way) {
    bool right = run(rank_killed, way, 0, 1), in_time = right, nan = right, says = right;
    for (int r = 0; r < ranks - 1; r++) {
        in_time &= board->lost_after[r] > 0 && board->lost_after[r] < 4;
        nan &= board->is_nan[r];
        says &= board->says_so[r];
        printf("# %s: rank %d missed the killed one after %.3f s\n", name_of(way), r, board->lost_after[r]);
    }
    OK(right, "one is killed, the others end");
    OK(in_time, "soon after the limit of 1 s");
    OK(nan, "with NaN");
    OK(says, "and say so from then on");
}

static void test_killed_in_streams(enum sum_f32_way way) {
    bool right = run(rank_killed_in_streams, way, 0, 1), in_time = right;
    for (int r = 0; r < ranks - 1; r++) {
        in_time &= board->says_so[r] && board->lost_after[r] < 4;
        printf("# %s: rank %d knew it after %.3f s\n", name_of(way), r, board->lost_after[r]);
    }
    OK(in_time, "one is killed, and the others queue on: it is reported to them");
}

/* Asked in a process of its own: CUDA does not survive a fork. */
static int count_gpus(void) {
    int status;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        int count = 0;
        _exit(cudaGetDeviceCount(&count) == cudaSuccess ? count : 0);
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

int main(int argc, char **argv) {
    unsigned sums = argc > 1 ? (unsigned)atoi(argv[1]) : 100000;
    board = (struct board *)mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ranks = count_gpus();
    ranks = ranks < MOST_RANKS ? ranks : MOST_RANKS;
    if (ranks < 2) {
        printf("1..0 # SKIP two GPUs are needed\n");
        return 0;
    }
    for (enum sum_f32_way way : ways) {
        test_sums(way);
        test_many(way, sums);
        test_killed(way);
        test_killed_in_streams(way);
    }
    return done_testing();
}
