/* nccl.c: the stand-in for NCCL that include/nccl.h describes. A call puts work into its stream;
   when the streams of all ranks have come to it, the last does it for all, rank by rank. */
#include "device_memory.h"
#include "devices.h"
#include "fault.h"
#include "lock.h"
#include "queue.h"
#include "suspended.h"
#include <nccl.h>
#include <stdarg.h>
#include <unistd.h>

/* What the ranks of a communicator share. */
struct clique {
    struct clique *next;
    ncclUniqueId id;
    int count, present;
    struct ncclComm *ranks[MOST_DEVICES]; /* NULL: not there yet */
    uint32_t known[MOST_DEVICES];         /* what came before the work of those that are there */
    struct clique *split;                 /* the last of ncclCommSplit() */
    int asked;                            /* ranks that have called it */
};

struct ncclComm { /* kept for the program's life: a stream may come to its work later */
    struct clique *clique;
    int rank;
    unsigned device;
    bool aborted;
    ncclResult_t error;
    const struct call *at, *done; /* the work that its stream has come to, that was done for it */
    int color, key;               /* of ncclCommSplit() */
    ncclComm_t *split;
    struct ncclComm *waits; /* the next of those for which ncclGroupEnd() waits */
    pthread_t thread;
};

enum kind { ALL_REDUCE, REDUCE, REDUCE_SCATTER, BROADCAST, ALL_GATHER };
static const char *const names[] = {"ncclAllReduce()", "ncclReduce()", "ncclReduceScatter()",
                                    "ncclBroadcast()", "ncclAllGather()"};
struct call {
    struct ncclComm *comm;
    enum kind kind;
    const void *send;
    void *receive;
    size_t count;
    ncclDataType_t type;
    ncclRedOp_t op;
    int root;
};

/* ---- errors ---- */

static char last_error[256];

__attribute__((format(printf, 2, 3))) static ncclResult_t fail(ncclResult_t error,
                                                               const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(last_error, sizeof last_error, format, list);
    va_end(list);
    return error;
}

const char *ncclGetErrorString(ncclResult_t result)
{
    static const char *const texts[] = {
        "no error",
        "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
        "unhandled system error (run with NCCL_DEBUG=INFO for details)",
        "internal error - please report this issue to the NCCL developers",
        "invalid argument (run with NCCL_DEBUG=WARN for details)",
        "invalid usage (run with NCCL_DEBUG=WARN for details)",
        "remote process exited or there was a network error",
        "NCCL operation in progress",
    };
    return (unsigned)result < ncclNumResults ? texts[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t comm)
{
    return last_error;
}

ncclResult_t ncclGetVersion(int *version)
{
    if (!version)
        return fail(ncclInvalidArgument, "ncclGetVersion(): version is NULL");
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

/* ---- groups: work is queued at once, but a thread may make several ranks before it waits ---- */

static pthread_key_t depth_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct ncclComm *waiting;

static void make_key(void)
{
    pthread_key_create(&depth_key, NULL);
}

static uintptr_t group_depth(void)
{
    pthread_once(&once, make_key);
    return (uintptr_t)pthread_getspecific(depth_key);
}

/* Other threads of the host may come, for a while. */
static bool may_wait(double start)
{
    simt_unlock();
    usleep(1000);
    simt_lock();
    return host_now() - start < 3000 && queue_threads() > 1;
}

/* Waits until all ranks of this clique are there: other threads of the host may make them. */
static void wait_for_ranks(const struct clique *c)
{
    int missing = 0;
    for (double start = host_now(); c->present < c->count && may_wait(start);)
        ;
    while (missing < c->count && c->ranks[missing])
        missing++;
    if (c->present < c->count)
        simt_fault(NULL, NULL,
                   "deadlock: a communicator of %d ranks waits for rank %d, which no call makes; a "
                   "thread that makes several does it between ncclGroupStart() and ncclGroupEnd()",
                   c->count, missing);
}

static void finish_split(struct ncclComm *comm);

static void wait_for_others(struct ncclComm *comm)
{
    if (comm->split)
        finish_split(comm);
    else
        wait_for_ranks(comm->clique);
}

/* In a group later. */
static void wait_now_or_later(struct ncclComm *comm)
{
    if (group_depth() == 0) {
        wait_for_others(comm);
        return;
    }
    comm->thread = pthread_self();
    comm->waits = waiting;
    waiting = comm;
}

ncclResult_t ncclGroupStart(void)
{
    uintptr_t depth = group_depth(); /* makes the key */
    pthread_setspecific(depth_key, (void *)(depth + 1));
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void)
{
    uintptr_t depth = group_depth();
    if (depth == 0)
        return fail(ncclInvalidUsage, "ncclGroupEnd(): there was no ncclGroupStart()");
    pthread_setspecific(depth_key, (void *)(depth - 1));
    simt_lock();
    for (struct ncclComm **at = &waiting; depth == 1 && *at;) {
        struct ncclComm *comm = *at;
        if (pthread_equal(comm->thread, pthread_self())) {
            *at = comm->waits;
            wait_for_others(comm);
            at = &waiting;
        } else {
            at = &comm->waits;
        }
    }
    simt_unlock();
    return ncclSuccess;
}

/* ---- communicators ---- */

static struct clique *cliques;

static struct clique *make_clique(int count)
{
    static uint64_t made;
    struct clique *c = calloc(1, sizeof *c);
    if (!c)
        simt_fault(NULL, NULL, "no memory left for a communicator");
    made++;
    memcpy(c->id.internal, &made, sizeof made);
    c->count = count;
    c->next = cliques;
    return cliques = c;
}

static struct ncclComm *make_rank(struct clique *c, int rank, unsigned device)
{
    struct ncclComm *comm = calloc(1, sizeof *comm);
    if (!comm)
        simt_fault(NULL, NULL, "no memory left for a communicator");
    *comm = (struct ncclComm){.clique = c, .rank = rank, .device = device};
    c->ranks[rank] = comm;
    c->present++;
    return comm;
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices)
{
    unsigned taken = 0;
    if (!comms || count < 1)
        return fail(ncclInvalidArgument, "ncclCommInitAll(): %d devices", count);
    for (int i = 0; i < count; i++) {
        int device = devices ? devices[i] : i;
        if (device < 0 || (unsigned)device >= simt_devices)
            return fail(ncclInvalidArgument, "ncclCommInitAll(): no device %d, there are %u",
                        device, simt_devices);
        if (taken >> device & 1)
            return fail(ncclInvalidUsage, "ncclCommInitAll(): device %d twice", device);
        taken |= 1u << device;
    }
    simt_lock();
    struct clique *c = make_clique(count);
    for (int i = 0; i < count; i++)
        comms[i] = make_rank(c, i, (unsigned)(devices ? devices[i] : i));
    simt_unlock();
    return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id)
{
    if (!id)
        return fail(ncclInvalidArgument, "ncclGetUniqueId(): id is NULL");
    simt_lock();
    *id = make_clique(0)->id;
    simt_unlock();
    return ncclSuccess;
}

static ncclResult_t check_rank(const struct clique *c, int count, int rank)
{
    if (!c || count < 1 || rank < 0 || rank >= count)
        return fail(ncclInvalidArgument, "ncclCommInitRank(): rank %d of %d%s", rank, count,
                    c ? "" : ", with an id that ncclGetUniqueId() did not give");
    if (count > MOST_DEVICES || (c->count != 0 && c->count != count))
        return fail(ncclInvalidUsage, "ncclCommInitRank(): %d ranks, %d before (at most %d)", count,
                    c->count, MOST_DEVICES);
    if (c->ranks[rank])
        return fail(ncclInvalidUsage, "ncclCommInitRank(): rank %d twice", rank);
    for (int r = 0; r < count; r++)
        if (c->ranks[r] && c->ranks[r]->device == device_current())
            return fail(ncclInvalidUsage, "ncclCommInitRank(): ranks %d and %d on device %u", r,
                        rank, device_current());
    return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int count, ncclUniqueId id, int rank)
{
    struct clique *c = cliques;
    if (!comm)
        return fail(ncclInvalidArgument, "ncclCommInitRank(): comm is NULL");
    simt_lock();
    while (c && memcmp(&c->id, &id, sizeof id) != 0)
        c = c->next;
    ncclResult_t result = check_rank(c, count, rank);
    if (result == ncclSuccess) {
        c->count = count;
        *comm = make_rank(c, rank, device_current());
        wait_now_or_later(*comm);
    }
    simt_unlock();
    return result;
}

/* The place of a rank among those of its color. */
static int place_in_split(const struct ncclComm *comm, int *count)
{
    int place = 0;
    *count = 0;
    for (int r = 0; r < comm->clique->count; r++) {
        const struct ncclComm *other = comm->clique->ranks[r];
        if (other->color != comm->color)
            continue;
        ++*count;
        place += other->key < comm->key || (other->key == comm->key && r < comm->rank);
    }
    return place;
}

/* The last that asks makes them all; the others wait for that. */
static void finish_split(struct ncclComm *comm)
{
    struct clique *c = comm->clique, *made[MOST_DEVICES] = {NULL};
    for (double start = host_now(); comm->split && c->asked < c->count && may_wait(start);)
        ;
    if (comm->split && c->asked < c->count)
        simt_fault(NULL, NULL,
                   "deadlock: ncclCommSplit() waits for all %d ranks, and %d have called it",
                   c->count, c->asked);
    for (int r = 0; comm->split && r < c->count; r++) {
        struct ncclComm *member = c->ranks[r];
        int count, place = place_in_split(member, &count), first = 0;
        while (c->ranks[first]->color != member->color)
            first++;
        if (!made[first] && member->color != NCCL_SPLIT_NOCOLOR)
            made[first] = make_clique(count);
        *member->split = member->color == NCCL_SPLIT_NOCOLOR
                             ? NULL
                             : make_rank(made[first], place, member->device);
    }
    for (int r = 0; comm->split && r < c->count; r++)
        if (c->ranks[r] != comm)
            c->ranks[r]->split = NULL;
    c->asked = comm->split ? 0 : c->asked;
    comm->split = NULL;
}

ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t *split,
                           ncclConfig_t *config)
{
    if (!comm || !split || (color < 0 && color != NCCL_SPLIT_NOCOLOR))
        return fail(ncclInvalidArgument, "ncclCommSplit(): color %d%s", color,
                    comm && split ? "" : ", or a NULL");
    simt_lock();
    comm->color = color;
    comm->key = key;
    comm->split = split;
    comm->clique->asked++;
    wait_now_or_later(comm);
    simt_unlock();
    return ncclSuccess;
}

/* A call that gives something of a communicator, or nothing. */
#define ABOUT(NAME, PARAMETERS, NEEDED, ACT)                                                       \
    ncclResult_t NAME PARAMETERS                                                                   \
    {                                                                                              \
        if (!(NEEDED))                                                                             \
            return fail(ncclInvalidArgument, "%s: %s is not so", __func__, #NEEDED);               \
        ACT;                                                                                       \
        return ncclSuccess;                                                                        \
    }
ABOUT(ncclCommFinalize, (ncclComm_t comm), comm, )
ABOUT(ncclCommDestroy, (ncclComm_t comm), comm, )
ABOUT(ncclCommAbort, (ncclComm_t comm), comm, simt_lock(); comm->aborted = true; simt_unlock())
ABOUT(ncclCommGetAsyncError, (ncclComm_t comm, ncclResult_t *error), (comm && error),
      *error = comm->error)
ABOUT(ncclCommCount, (ncclComm_t comm, int *count), (comm && count), *count = comm->clique->count)
ABOUT(ncclCommCuDevice, (ncclComm_t comm, int *device), (comm && device),
      *device = (int)comm->device)
ABOUT(ncclCommUserRank, (ncclComm_t comm, int *rank), (comm && rank), *rank = comm->rank)

/* ---- what the ranks do together ---- */

static const size_t type_bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};

/* a = a OP b, element by element. U: the type to reckon in, where an overflow wraps around. */
#define COMBINE(T, U, NAME)                                                                        \
    static void combine_##NAME(void *to, const void *from, size_t count, ncclRedOp_t op)           \
    {                                                                                              \
        T *a = to;                                                                                 \
        const T *b = from;                                                                         \
        for (size_t i = 0; i < count; i++)                                                         \
            a[i] = op == ncclProd  ? (T)((U)a[i] * (U)b[i])                                        \
                   : op == ncclMax ? (b[i] > a[i] ? b[i] : a[i])                                   \
                   : op == ncclMin ? (b[i] < a[i] ? b[i] : a[i])                                   \
                                   : (T)((U)a[i] + (U)b[i]);                                       \
    }                                                                                              \
    static void divide_##NAME(void *to, size_t count, int ranks)                                   \
    {                                                                                              \
        for (size_t i = 0; i < count; i++)                                                         \
            ((T *)to)[i] /= (T)ranks;                                                              \
    }
#define TYPES(X)                                                                                   \
    X(int8_t, uint32_t, Int8)                                                                      \
    X(uint8_t, uint32_t, Uint8)                                                                    \
    X(int32_t, uint32_t, Int32)                                                                    \
    X(uint32_t, uint32_t, Uint32)                                                                  \
    X(int64_t, uint64_t, Int64)                                                                    \
    X(uint64_t, uint64_t, Uint64)                                                                  \
    X(float, float, Float32)                                                                       \
    X(double, double, Float64)
TYPES(COMBINE)

#define ROW(T, U, NAME) [nccl##NAME] = {combine_##NAME, divide_##NAME},
static const struct {
    void (*combine)(void *to, const void *from, size_t count, ncclRedOp_t op);
    void (*divide)(void *to, size_t count, int ranks);
} arithmetic[ncclNumTypes] = {TYPES(ROW)}; /* none of half and bfloat16 */

static bool reduces(enum kind kind)
{
    return kind == ALL_REDUCE || kind == REDUCE || kind == REDUCE_SCATTER;
}

static void move(const struct call *call, void *to, const void *from, size_t bytes,
                 enum cudaMemcpyKind kind)
{
    struct copy copy = {to, from, 0, 0, bytes, 1, kind};
    if (bytes > 0 && memory_copy(&copy) != cudaSuccess)
        simt_wrong(NULL, NULL, "%s, rank %d: its %zu bytes at %p are not all memory of a device",
                   names[call->kind], call->comm->rank, bytes,
                   kind == cudaMemcpyHostToDevice ? to : (void *)from);
}

static void *buffer(size_t bytes)
{
    void *memory = calloc(1, bytes + 1);
    if (!memory)
        simt_fault(NULL, NULL, "no memory left for what NCCL's stand-in adds up");
    return memory;
}

/* Element by element over all ranks, in their order. */
static void *reduced(const struct clique *c, size_t elements)
{
    const struct call *first = c->ranks[0]->at;
    size_t bytes = elements * type_bytes[first->type];
    void *sum = buffer(bytes), *one = buffer(bytes);
    for (int r = 0; r < c->count; r++) {
        const struct call *call = c->ranks[r]->at;
        move(call, r == 0 ? sum : one, call->send, bytes, cudaMemcpyDefault);
        if (r > 0)
            arithmetic[first->type].combine(sum, one, elements, first->op);
    }
    if (first->op == ncclAvg)
        arithmetic[first->type].divide(sum, elements, c->count);
    free(one);
    return sum;
}

static void *gathered(const struct clique *c, size_t bytes)
{
    char *all = buffer(bytes * (size_t)c->count);
    for (int r = 0; r < c->count; r++)
        move(c->ranks[r]->at, all + (size_t)r * bytes, c->ranks[r]->at->send, bytes,
             cudaMemcpyDefault);
    return all;
}

static void do_together(const struct clique *c)
{
    const struct call *first = c->ranks[0]->at;
    size_t bytes = first->count * type_bytes[first->type], all = bytes * (size_t)c->count;
    bool scatter = first->kind == REDUCE_SCATTER;
    char *result = reduces(first->kind)
                       ? reduced(c, first->count * (scatter ? (size_t)c->count : 1))
                       : gathered(c, bytes);
    for (int r = 0; r < c->count; r++) {
        const struct call *call = c->ranks[r]->at;
        if (first->kind == REDUCE && r != first->root)
            continue;
        const char *from = first->kind == BROADCAST ? result + (size_t)first->root * bytes
                           : scatter                ? result + (size_t)r * bytes
                                                    : result;
        move(call, call->receive, from, first->kind == ALL_GATHER ? all : bytes, cudaMemcpyDefault);
    }
    free(result);
}

static void refuse_difference(const struct clique *c, const struct call *a, const struct call *b)
{
    for (int r = 0; r < c->count; r++)
        c->ranks[r]->error = ncclInvalidUsage;
    simt_wrong(NULL, NULL,
               "NCCL: rank %d calls %s with %zu elements of %zu bytes, rank %d calls %s with %zu "
               "of %zu, or with another operation or root: all ranks must call the same",
               a->comm->rank, names[a->kind], a->count, type_bytes[a->type], b->comm->rank,
               names[b->kind], b->count, type_bytes[b->type]);
}

static bool all_same(const struct clique *c)
{
    const struct call *a = c->ranks[0]->at;
    for (int r = 1; r < c->count; r++) {
        const struct call *b = c->ranks[r]->at;
        if (a->kind == b->kind && a->count == b->count && a->type == b->type &&
            (a->op == b->op || !reduces(a->kind)) && a->root == b->root)
            continue;
        refuse_difference(c, a, b);
        return false;
    }
    return true;
}

/* The first that has not come to this work, or has not left the last. */
static int missing_rank(const struct clique *c)
{
    int r = 0;
    while (r < c->count && c->ranks[r]->at && c->ranks[r]->at != c->ranks[r]->done)
        r++;
    return r;
}

/* Learns and teaches what came before. */
static void share_known(struct clique *c)
{
    uint32_t *known = queue_known();
    for (unsigned d = 0; known && d < MOST_DEVICES; d++) {
        c->known[d] = known[d] > c->known[d] ? known[d] : c->known[d];
        known[d] = c->known[d];
    }
}

static cudaError_t run_call(const void *data)
{
    const struct call *call = data;
    struct ncclComm *comm = call->comm;
    struct clique *c = comm->clique;
    char why[160];
    if (comm->aborted) {
        comm->at = NULL;
        return cudaSuccess;
    }
    if (comm->at && comm->at != call)
        return queue_again("waits for an earlier call of its communicator");
    comm->at = call;
    if (comm->done != call) {
        share_known(c);
        int missing = missing_rank(c);
        if (missing < c->count) {
            snprintf(why, sizeof why, "waits at %s for rank %d of %d (device %u)",
                     names[call->kind], missing, c->count, c->ranks[missing]->device);
            return queue_again(why);
        }
        if (all_same(c))
            do_together(c);
        for (int r = 0; r < c->count; r++)
            c->ranks[r]->done = c->ranks[r]->at;
    }
    share_known(c);
    comm->at = comm->done = NULL;
    return comm->error == ncclSuccess ? cudaSuccess : cudaErrorLaunchFailure;
}

static ncclResult_t add(const struct call *call, cudaStream_t stream)
{
    const char *name = names[call->kind];
    const struct ncclComm *comm = call->comm;
    int device;
    if (!comm)
        return fail(ncclInvalidArgument, "%s: comm is NULL", name);
    bool receives = call->kind != REDUCE || comm->rank == call->root;
    bool sends = call->kind != BROADCAST || comm->rank == call->root;
    if (comm->aborted)
        return fail(ncclInvalidUsage, "%s: the communicator was aborted", name);
    if (comm->error != ncclSuccess)
        return comm->error;
    if (call->count > 0 && ((sends && !call->send) || (receives && !call->receive)))
        return fail(ncclInvalidArgument, "%s: a buffer is NULL", name);
    if ((unsigned)call->type >= ncclNumTypes || (unsigned)call->op >= ncclNumOps)
        return fail(ncclInvalidArgument, "%s: type %d, operation %d", name, call->type, call->op);
    if (reduces(call->kind) && !arithmetic[call->type].combine)
        return fail(ncclInvalidArgument,
                    "%s: this stand-in for NCCL does not add half and bfloat16", name);
    if (call->root < 0 || call->root >= comm->clique->count)
        return fail(ncclInvalidArgument, "%s: root %d of %d ranks", name, call->root,
                    comm->clique->count);
    cudaStreamGetDevice(stream, &device);
    if ((uintptr_t)stream > 2 && (unsigned)device != comm->device)
        return fail(ncclInvalidUsage, "%s: rank %d is on device %u, the stream on device %d", name,
                    comm->rank, comm->device, device);
    struct call copy = *call;
    if (!sends)
        copy.send = copy.receive;
    return stream_submit(stream, comm->device, run_call, &copy, sizeof copy) == cudaSuccess
               ? ncclSuccess
               : ncclUnhandledCudaError;
}

ncclResult_t ncclAllReduce(SIMT_NCCL_DATA, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    return add(&(struct call){comm, ALL_REDUCE, send, receive, count, type, op, 0}, stream);
}

ncclResult_t ncclReduce(SIMT_NCCL_DATA, ncclRedOp_t op, int root, ncclComm_t comm,
                        cudaStream_t stream)
{
    return add(&(struct call){comm, REDUCE, send, receive, count, type, op, root}, stream);
}

ncclResult_t ncclReduceScatter(SIMT_NCCL_DATA, ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream)
{
    return add(&(struct call){comm, REDUCE_SCATTER, send, receive, count, type, op, 0}, stream);
}

ncclResult_t ncclBroadcast(SIMT_NCCL_DATA, int root, ncclComm_t comm, cudaStream_t stream)
{
    return add(&(struct call){comm, BROADCAST, send, receive, count, type, ncclSum, root}, stream);
}

ncclResult_t ncclAllGather(SIMT_NCCL_DATA, ncclComm_t comm, cudaStream_t stream)
{
    return add(&(struct call){comm, ALL_GATHER, send, receive, count, type, ncclSum, 0}, stream);
}
