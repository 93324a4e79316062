/* sum_all_comm.c: how the GPUs of sum_f32_all() find each other, and how one misses another. */
#include "sum_all_comm.h"
#include "sum_f32_plan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

/* What a rank says of itself to the others. */
struct card {
    uint64_t host, process; /* equal numbers: the same */
    uint64_t memory;        /* address of its words, for its own process */
    cudaIpcMemHandle_t handle;
    int exported; /* the handle is one */
    int device;   /* its number in its own process */
    int by_slots; /* it asks for slots */
    char bus[20]; /* where the GPU is in this host */
};

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cudaError_t use(const struct sum_all_gpu *gpu)
{
    return cudaSetDevice(gpu->device);
}

/* ---- waiting, but not for ever ---- */

#define SOON 1e-3 /* seconds: what ends before needs no questions */

static void *stop(void *nccl)
{
    ncclCommAbort(nccl);
    return NULL;
}

/* Ends what NCCL does on the GPUs here. Its kernels end at once, but ncclCommAbort() returns only
   when every graph with a sum of this communicator is destroyed: so no call waits for it. */
static enum sum_f32_status give_up(struct sum_f32_all *all, enum sum_f32_status why)
{
    pthread_t thread;
    for (unsigned i = 0; i < all->count; i++)
        if (all->gpu[i].nccl != NULL) {
            if (pthread_create(&thread, NULL, stop, all->gpu[i].nccl) == 0)
                pthread_detach(thread);
            all->gpu[i].nccl = NULL;
        }
    return all->dead = why;
}

static enum sum_f32_status errors_of_nccl(struct sum_f32_all *all)
{
    for (unsigned i = 0; i < all->count; i++) {
        ncclResult_t result = ncclSuccess;
        if (all->gpu[i].nccl == NULL)
            continue;
        if (ncclCommGetAsyncError(all->gpu[i].nccl, &result) != ncclSuccess)
            return give_up(all, SUM_F32_NCCL_FAILED);
        if (result == ncclRemoteError)
            return give_up(all, SUM_F32_LOST_PEER);
        if (result != ncclSuccess && result != ncclInProgress)
            return give_up(all, SUM_F32_NCCL_FAILED);
    }
    return SUM_F32_OK;
}

enum { PENDING = -1 };

/* What cudaStreamQuery() or cudaEventQuery() answered: ended well or not, or PENDING; that after a
   short rest, if it has been waited for long. */
static int judge(struct sum_f32_all *all, cudaError_t answer, double since)
{
    static const struct timespec rest = {0, 100000};
    if (answer == cudaSuccess)
        return SUM_F32_OK;
    if (answer != cudaErrorNotReady)
        return (int)give_up(all, SUM_F32_CUDA_FAILED);
    cudaGetLastError(); /* that it is not ready is no error */
    if (seconds_now() - since > SOON)
        nanosleep(&rest, NULL);
    return PENDING;
}

/* Waits for our own streams, and gives up after the time limit. */
static enum sum_f32_status own_streams(struct sum_f32_all *all)
{
    double since = seconds_now();
    for (unsigned i = 0; i < all->count;) {
        int end = judge(all, cudaStreamQuery(all->gpu[i].stream), since);
        if (end != PENDING && end != SUM_F32_OK)
            return (enum sum_f32_status)end;
        if (end == SUM_F32_OK)
            i++;
        enum sum_f32_status status = errors_of_nccl(all);
        if (status != SUM_F32_OK)
            return status;
        if (end == PENDING && seconds_now() - since > all->seconds)
            return give_up(all, SUM_F32_LOST_PEER);
    }
    return SUM_F32_OK;
}

/* Sets seen[0] and seen[1] of a GPU to its words BEGUN and ENDED. */
static bool look(struct sum_all_gpu *gpu)
{
    return cudaMemcpyAsync(gpu->seen, &gpu->memory[BEGUN], 2 * sizeof(uint64_t),
                           cudaMemcpyDeviceToHost, gpu->stream) == cudaSuccess &&
           cudaStreamSynchronize(gpu->stream) == cudaSuccess;
}

/* A sum that NCCL has begun and does not end: for how long has it been the same one? */
static enum sum_f32_status check_nccl_timeout(struct sum_f32_all *all)
{
    uint64_t waiting_in = 0;
    for (unsigned i = 0; i < all->count && waiting_in == 0; i++) {
        if (!look(&all->gpu[i]))
            return give_up(all, SUM_F32_CUDA_FAILED);
        if (all->gpu[i].seen[0] != all->gpu[i].seen[1])
            waiting_in = all->gpu[i].seen[0];
    }
    if (waiting_in == 0 || waiting_in != all->waiting_in)
        all->waiting_since = seconds_now();
    all->waiting_in = waiting_in;
    if (waiting_in > 0 && seconds_now() - all->waiting_since > all->seconds)
        return give_up(all, SUM_F32_LOST_PEER);
    return SUM_F32_OK;
}

enum sum_f32_status sum_f32_all_status(struct sum_f32_all *all)
{
    if (all == NULL)
        return SUM_F32_NULL_POINTER;
    for (unsigned i = 0; i < all->count; i++)
        if (*all->gpu[i].host_lost != 0)
            return give_up(all, SUM_F32_LOST_PEER);
    if (all->dead != SUM_F32_OK || all->way == SUM_F32_BY_SLOTS)
        return all->dead;
    enum sum_f32_status status = errors_of_nccl(all);
    return status == SUM_F32_OK ? check_nccl_timeout(all) : status;
}

/* By slots the kernels end by themselves. NCCL's may not: so look, again and again. */
static enum sum_f32_status wait_for_stream(struct sum_f32_all *all, cudaStream_t stream)
{
    if (all->way == SUM_F32_BY_SLOTS)
        return cudaStreamSynchronize(stream) == cudaSuccess ? SUM_F32_OK
                                                            : give_up(all, SUM_F32_CUDA_FAILED);
    double since = seconds_now();
    int end;
    while ((end = judge(all, cudaStreamQuery(stream), since)) == PENDING)
        if (seconds_now() - since > SOON)
            sum_f32_all_status(all); /* it stops what would not end; then the stream does */
    return (enum sum_f32_status)end;
}

enum sum_f32_status sum_f32_all_wait(struct sum_f32_all *all, const struct sum_f32_share shares[])
{
    if (all == NULL || shares == NULL)
        return SUM_F32_NULL_POINTER;
    for (unsigned i = 0; i < all->count; i++) {
        enum sum_f32_status status = wait_for_stream(all, shares[i].stream);
        if (status != SUM_F32_OK)
            return status;
    }
    return sum_f32_all_status(all);
}

enum sum_f32_status sum_all_keep_up(struct sum_f32_all *all, const struct sum_f32_share shares[])
{
    enum { AHEAD = 32 };
    enum cudaStreamCaptureStatus capturing;
    if (cudaStreamIsCapturing(shares[0].stream, &capturing) != cudaSuccess)
        return give_up(all, SUM_F32_CUDA_FAILED);
    if (capturing != cudaStreamCaptureStatusNone || all->queued++ % AHEAD > 0)
        return SUM_F32_OK;
    double since = seconds_now();
    for (unsigned i = 0; i < all->count; i++) {
        int end;
        while ((end = judge(all, cudaEventQuery(all->gpu[i].passed), since)) == PENDING)
            if (seconds_now() - since > SOON)
                sum_f32_all_status(all);
        if (end == SUM_F32_OK && all->dead == SUM_F32_OK &&
            (use(&all->gpu[i]) != cudaSuccess ||
             cudaEventRecord(all->gpu[i].passed, shares[i].stream) != cudaSuccess))
            give_up(all, SUM_F32_CUDA_FAILED);
    }
    return all->dead;
}

/* ---- who is who ---- */

static uint64_t hash(uint64_t h, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3; /* FNV-1a */
    return h;
}

/* Its name, and the number that the kernel drew when it began: names alone come twice. */
static uint64_t this_host(void)
{
    char text[256] = "";
    gethostname(text, sizeof text - 1);
    uint64_t h = hash(0xcbf29ce484222325, text, strlen(text));
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file != NULL) {
        h = hash(h, text, fread(text, 1, sizeof text, file));
        fclose(file);
    }
    return h;
}

/* A number of the kernel's may come twice, in two containers: so draw one. */
static uint64_t process;
static void draw_process(void)
{
    if (getrandom(&process, sizeof process, 0) != sizeof process)
        process = (uint64_t)getpid() << 32 ^ (uint64_t)(seconds_now() * 1e9);
}

static uint64_t this_process(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, draw_process);
    return process;
}

static struct card card_of(const struct sum_all_gpu *gpu, enum sum_f32_way way)
{
    struct card card;
    memset(&card, 0, sizeof card);
    card.host = this_host();
    card.process = this_process();
    card.memory = (uint64_t)(uintptr_t)gpu->memory;
    card.exported = cudaIpcGetMemHandle(&card.handle, gpu->memory) == cudaSuccess;
    card.device = gpu->device;
    card.by_slots = way == SUM_F32_BY_SLOTS;
    if (cudaDeviceGetPCIBusId(card.bus, sizeof card.bus, gpu->device) != cudaSuccess)
        card.bus[0] = '\0';
    cudaGetLastError(); /* what cannot be had is not exported */
    return card;
}

/* ---- talking to all before there are slots: through NCCL ---- */

/* Every rank's card, in cards[], which has room for all. */
static enum sum_f32_status exchange_cards(struct sum_f32_all *all, enum sum_f32_way way,
                                          struct card cards[])
{
    size_t bytes = sizeof(struct card), room = bytes * all->gpu[0].ranks;
    void **on_gpu = calloc(all->count, sizeof on_gpu[0]);
    enum sum_f32_status status = on_gpu != NULL ? SUM_F32_OK : SUM_F32_CUDA_FAILED;
    for (unsigned i = 0; i < all->count && status == SUM_F32_OK; i++) {
        const struct sum_all_gpu *gpu = &all->gpu[i];
        struct card card = card_of(gpu, way);
        if (use(gpu) != cudaSuccess || cudaMalloc(&on_gpu[i], room) != cudaSuccess ||
            cudaMemcpy((char *)on_gpu[i] + bytes * gpu->rank, &card, bytes,
                       cudaMemcpyHostToDevice) != cudaSuccess)
            status = SUM_F32_CUDA_FAILED;
    }
    if (status == SUM_F32_OK) {
        ncclResult_t result = ncclGroupStart();
        for (unsigned i = 0; i < all->count && result == ncclSuccess; i++) {
            const struct sum_all_gpu *gpu = &all->gpu[i];
            result = ncclAllGather((char *)on_gpu[i] + bytes * gpu->rank, on_gpu[i], bytes,
                                   ncclChar, gpu->nccl, gpu->stream);
        }
        if (ncclGroupEnd() != ncclSuccess || result != ncclSuccess)
            status = SUM_F32_NCCL_FAILED;
        else
            status = own_streams(all);
    }
    if (status == SUM_F32_OK &&
        cudaMemcpy(cards, on_gpu[0], room, cudaMemcpyDeviceToHost) != cudaSuccess)
        status = SUM_F32_CUDA_FAILED;
    for (unsigned i = 0; i < all->count && on_gpu != NULL; i++)
        cudaFree(on_gpu[i]);
    free(on_gpu);
    return status;
}

/* Sets *agreed to whether all ranks say yes. No rank passes before all have come. */
static enum sum_f32_status all_agree(struct sum_f32_all *all, bool yes, bool *agreed)
{
    uint64_t word = yes;
    for (unsigned i = 0; i < all->count; i++)
        if (use(&all->gpu[i]) != cudaSuccess ||
            cudaMemcpy(&all->gpu[i].memory[RESULT], &word, sizeof word, cudaMemcpyHostToDevice) !=
                cudaSuccess)
            return SUM_F32_CUDA_FAILED;
    ncclResult_t result = ncclGroupStart();
    for (unsigned i = 0; i < all->count && result == ncclSuccess; i++) {
        const struct sum_all_gpu *gpu = &all->gpu[i];
        result = ncclAllReduce(&gpu->memory[RESULT], &gpu->memory[RESULT], 1, ncclUint64, ncclMin,
                               gpu->nccl, gpu->stream);
    }
    if (ncclGroupEnd() != ncclSuccess || result != ncclSuccess)
        return SUM_F32_NCCL_FAILED;
    enum sum_f32_status status = own_streams(all);
    if (status == SUM_F32_OK && cudaMemcpy(&word, &all->gpu[0].memory[RESULT], sizeof word,
                                           cudaMemcpyDeviceToHost) != cudaSuccess)
        status = SUM_F32_CUDA_FAILED;
    *agreed = word == 1;
    return status;
}

/* ---- slots ---- */

/* Sets gpu->slots[rank] to the words of that rank, if this GPU may write there. */
static bool reach(struct sum_all_gpu *gpu, unsigned rank, const struct card *card)
{
    int device, can = 1;
    if (card->process == this_process()) {
        gpu->slots[rank] = (uint64_t *)(uintptr_t)card->memory;
        if (card->device == gpu->device)
            return true;
        if (cudaDeviceCanAccessPeer(&can, gpu->device, card->device) != cudaSuccess || !can)
            return false;
        cudaError_t error = cudaDeviceEnablePeerAccess(card->device, 0);
        return error == cudaSuccess || error == cudaErrorPeerAccessAlreadyEnabled;
    }
    /* A GPU that this process was not given (CUDA_VISIBLE_DEVICES) cannot be asked about; its
       memory may still be opened. */
    if (cudaDeviceGetByPCIBusId(&device, card->bus) == cudaSuccess &&
        (cudaDeviceCanAccessPeer(&can, gpu->device, device) != cudaSuccess || !can))
        return false;
    if (!card->exported || cudaIpcOpenMemHandle(&gpu->opened[rank], card->handle,
                                                cudaIpcMemLazyEnablePeerAccess) != cudaSuccess)
        return false;
    gpu->slots[rank] = gpu->opened[rank];
    return true;
}

static bool reach_all(struct sum_f32_all *all, const struct card cards[])
{
    unsigned ranks = all->gpu[0].ranks;
    bool all_reached = ranks <= MOST_PEERS;
    for (unsigned r = 0; r < ranks && all_reached; r++)
        all_reached = cards[r].host == this_host() && cards[r].by_slots;
    for (unsigned i = 0; i < all->count && all_reached; i++)
        for (unsigned r = 0; r < ranks && all_reached; r++)
            all_reached = use(&all->gpu[i]) == cudaSuccess && reach(&all->gpu[i], r, &cards[r]);
    cudaGetLastError(); /* a refusal is an answer here */
    return all_reached;
}

/* Whether a first sum comes out right: there are hosts that allow what does not work. */
static bool slots_work(struct sum_f32_all *all)
{
    bool right = true;
    for (unsigned i = 0; i < all->count; i++)
        right &= use(&all->gpu[i]) == cudaSuccess && sum_all_handshake(&all->gpu[i]) == SUM_F32_OK;
    for (unsigned i = 0; i < all->count; i++) {
        float sum, expected = 0.5f * (float)all->gpu[i].ranks * (float)(all->gpu[i].ranks + 1);
        right &= cudaStreamSynchronize(all->gpu[i].stream) == cudaSuccess &&
                 cudaMemcpy(&sum, &all->gpu[i].memory[RESULT], sizeof sum,
                            cudaMemcpyDeviceToHost) == cudaSuccess &&
                 sum == expected;
        *all->gpu[i].host_lost = 0;
    }
    return right;
}

static enum sum_f32_status choose_way(struct sum_f32_all *all, enum sum_f32_way way)
{
    struct card *cards = calloc(all->gpu[0].ranks, sizeof cards[0]);
    if (cards == NULL)
        return SUM_F32_CUDA_FAILED;
    bool slots = false;
    enum sum_f32_status status = exchange_cards(all, way, cards);
    if (status == SUM_F32_OK)
        status = all_agree(all, reach_all(all, cards), &slots);
    if (status == SUM_F32_OK && slots)
        status = all_agree(all, slots_work(all), &slots);
    all->way = slots ? SUM_F32_BY_SLOTS : SUM_F32_BY_NCCL;
    free(cards);
    return status;
}

/* ---- create and destroy ---- */

/* NCCL's answer for the GPUs of this thread, once there is one. */
static ncclResult_t settled(const ncclComm_t nccl[], unsigned count, ncclResult_t result)
{
    for (unsigned i = 0; i < count && (result == ncclSuccess || result == ncclInProgress); i++)
        do
            if (ncclCommGetAsyncError(nccl[i], &result) != ncclSuccess)
                return ncclInvalidArgument;
        while (result == ncclInProgress);
    return result;
}

/* Communicators of our own: what we stop does not stop the caller's. */
static enum sum_f32_status split(struct sum_f32_all *all, const ncclComm_t nccl[])
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    ncclResult_t result = ncclGroupStart();
    for (unsigned i = 0; i < all->count && result == ncclSuccess; i++) {
        int rank, ranks;
        struct sum_all_gpu *gpu = &all->gpu[i];
        if ((result = ncclCommUserRank(nccl[i], &rank)) == ncclSuccess &&
            (result = ncclCommCount(nccl[i], &ranks)) == ncclSuccess &&
            (result = ncclCommCuDevice(nccl[i], &gpu->device)) == ncclSuccess) {
            gpu->rank = (unsigned)rank;
            gpu->ranks = (unsigned)ranks;
            result = ncclCommSplit(nccl[i], 0, rank, &gpu->nccl, &config);
        }
    }
    ncclResult_t end = ncclGroupEnd();
    result = settled(nccl, all->count, result == ncclSuccess ? end : result);
    return result == ncclSuccess ? SUM_F32_OK : SUM_F32_NCCL_FAILED;
}

static enum sum_f32_status equip(struct sum_all_gpu *gpu, double seconds)
{
    if (use(gpu) != cudaSuccess)
        return SUM_F32_NO_DEVICE;
    enum sum_f32_status status = sum_f32_device(&gpu->sms, &gpu->hopper);
    if (status == SUM_F32_OK)
        status = sum_f32_workspace_bytes(&gpu->workspace.bytes);
    if (status != SUM_F32_OK)
        return status;
    void *memory = NULL, *host_lost = NULL, *seen = NULL;
    cudaError_t error = sum_all_load();
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&gpu->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaEventCreateWithFlags(&gpu->passed, cudaEventDisableTiming);
    if (error == cudaSuccess)
        error = cudaMalloc(&gpu->workspace.memory, gpu->workspace.bytes);
    if (error == cudaSuccess)
        error = cudaMemset(gpu->workspace.memory, 0, gpu->workspace.bytes);
    if (error == cudaSuccess && (error = cudaMalloc(&memory, SHARED_BYTES)) == cudaSuccess)
        error = cudaMemset(gpu->memory = memory, 0, SHARED_BYTES);
    if (error == cudaSuccess)
        error = cudaHostAlloc(&host_lost, sizeof(uint64_t),
                              cudaHostAllocPortable | cudaHostAllocMapped);
    if ((gpu->host_lost = host_lost) != NULL)
        *gpu->host_lost = 0;
    if (error == cudaSuccess)
        error = cudaHostAlloc(&seen, 2 * sizeof(uint64_t), cudaHostAllocPortable);
    gpu->seen = seen;
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize(); /* the memory is zeroed before anybody hears of it */
    gpu->timeout = (long long)(seconds * 1e9);
    return error == cudaSuccess ? SUM_F32_OK : SUM_F32_CUDA_FAILED;
}

/* Frees what a GPU has; the words that others write to only if none may any more. */
static void release(struct sum_all_gpu *gpu, bool nobody_writes)
{
    use(gpu);
    if (gpu->nccl != NULL)
        ncclCommDestroy(gpu->nccl);
    if (nobody_writes)
        cudaFree(gpu->memory);
    cudaFree(gpu->workspace.memory);
    cudaFreeHost((void *)gpu->host_lost);
    cudaFreeHost(gpu->seen);
    if (gpu->passed != NULL)
        cudaEventDestroy(gpu->passed);
    if (gpu->stream != NULL)
        cudaStreamDestroy(gpu->stream);
}

static void close_opened(struct sum_f32_all *all)
{
    for (unsigned i = 0; i < all->count; i++)
        for (unsigned r = 0; r < MOST_PEERS; r++)
            if (all->gpu[i].opened[r] != NULL) {
                use(&all->gpu[i]);
                cudaIpcCloseMemHandle(all->gpu[i].opened[r]);
            }
}

void sum_f32_all_destroy(struct sum_f32_all *all)
{
    int device;
    bool all_closed = false;
    if (all == NULL)
        return;
    bool restore = cudaGetDevice(&device) == cudaSuccess;
    close_opened(all);
    enum sum_f32_status status = sum_f32_all_status(all);
    if (status == SUM_F32_OK)
        status = all_agree(all, true, &all_closed);
    if (status != SUM_F32_OK)
        give_up(all, status);
    for (unsigned i = 0; i < all->count; i++)
        release(&all->gpu[i], all_closed);
    if (restore)
        cudaSetDevice(device);
    free(all);
}

enum sum_f32_status sum_f32_all_create(struct sum_f32_all **all, const ncclComm_t nccl[],
                                       unsigned count, enum sum_f32_way way, double seconds)
{
    int device;
    if (all == NULL)
        return SUM_F32_NULL_POINTER;
    *all = NULL;
    if (nccl == NULL)
        return SUM_F32_NULL_POINTER;
    for (unsigned i = 0; i < count; i++)
        if (nccl[i] == NULL)
            return SUM_F32_NULL_POINTER;
    if (count == 0 || !(seconds > 0 && seconds <= 1e6) ||
        (way != SUM_F32_BY_SLOTS && way != SUM_F32_BY_NCCL))
        return SUM_F32_BAD_ARGUMENT;
    if (cudaGetDevice(&device) != cudaSuccess)
        return SUM_F32_NO_DEVICE;
    struct sum_f32_all *made = calloc(1, sizeof *made + count * sizeof made->gpu[0]);
    if (made == NULL)
        return SUM_F32_CUDA_FAILED;
    made->count = count;
    made->seconds = seconds;
    enum sum_f32_status status = split(made, nccl);
    for (unsigned i = 0; i < count && status == SUM_F32_OK; i++)
        status = equip(&made->gpu[i], seconds);
    if (status == SUM_F32_OK)
        status = choose_way(made, way);
    if (status != SUM_F32_OK) {
        give_up(made, status);
        close_opened(made);
        for (unsigned i = 0; i < count; i++)
            release(&made->gpu[i], false);
        free(made);
        made = NULL;
    }
    *all = made;
    cudaSetDevice(device);
    return status;
}

enum sum_f32_way sum_f32_all_way(const struct sum_f32_all *all)
{
    return all->way;
}
