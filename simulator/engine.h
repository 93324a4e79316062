/*
 * engine.h: what the simulator's files share. A launch is a set of resident
 * blocks; a block is a set of threads; a thread is a fibre that runs until it
 * waits for others, ends, or is made to give way. One host thread runs them all.
 */
#ifndef SIMT_ENGINE_H
#define SIMT_ENGINE_H

#include "simt.h"
#include <cuda_runtime.h>
#include <pthread.h>
#include <simt_kernels.h>

/* Of a thread; and what is closed below it: whole pages, of whatever size. */
enum { STACK_BYTES = 64 * 1024, GUARD_BYTES = 64 * 1024 };
enum { WARP = 32, MAX_BLOCK = 1024, ENTRIES = 8, SHARED_ALIGN = 256 };
/* The simulated device: small, so that its limits are met by small examples. */
enum {
    SM_THREADS = 2048,
    SM_BLOCKS = 32,
    SM_SHARED = 233472,
    BLOCK_SHARED = 232448,
};
/* Of these there may be several (devices.c). A block's number has its device in the upper bits. */
enum { MOST_DEVICES = SIMT_MAX_GPUS, DEVICE_SHIFT = 29 };
#define DEVICE_BYTES ((size_t)16 << 30) /* none of it is there before it is written */

enum thread_state {
    READY,
    AT_BARRIER,
    AT_WARP_OP,
    AT_ACTIVE_MASK,
    AT_GRID_BARRIER,
    AT_CLUSTER_BARRIER,
    AT_BARRIER_OBJECT, /* a cuda::barrier */
    SPINNING,
    DONE
};

struct fibre {
    void *place[5]; /* where it goes on */
    char *stack;    /* NULL: the host's own */
    bool started;
    void *kept; /* AddressSanitizer's, see fibre.c */
};

/* What a thread did at one place. A STEP is the beginning of a basic block. */
enum access_kind {
    GLOBAL_LOAD,
    GLOBAL_STORE,
    SHARED_LOAD,
    SHARED_STORE,
    REMOTE_LOAD, /* the shared memory of another block of the cluster */
    REMOTE_STORE,
    ATOMIC_OPERATION,
    LANE_READ, /* a shuffle */
    STEP,
    NOT_COUNTED
};
struct record {
    void *pc;
    uintptr_t address; /* of a LANE_READ: the lane */
    unsigned epoch;
    unsigned char kind, bytes;
};

struct records {
    struct record *at;
    size_t count, room, next; /* next: of those being put together */
};

/* One access, and how it was written down in the source. */
enum strength { PLAIN, VOLATILE, VOLATILE_WIDE, ATOMIC };
struct access {
    uintptr_t address;
    void *pc;
    unsigned bytes;
    bool write, read;      /* an atomic is both, most often */
    enum simt_scope scope; /* of an atomic */
    enum strength strength;
};

struct thread;
typedef void warp_function(const struct thread *t, unsigned mask);
struct thread {
    struct fibre fibre;
    struct block *block;
    uint3 index;
    unsigned rank, lane; /* in its block, in its warp */
    enum thread_state state;
    void *site; /* where it waits: a return address in the kernel */

    int op; /* enum simt_op while AT_WARP_OP */
    unsigned mask, argument, width;
    warp_function *matrix; /* of an operation on matrices, or NULL */
    uint64_t value;          /* given to the operation, then its result */
    bool apart;              /* its last operation was of a part of the warp only, as a tile's is */
    /* Shuffles of tiles (warp.c): an element of its warp's list of places, how often a lane was
       there at the most; and how often this one was at each of them. */
    void *counted_site;
    unsigned counted_visits, visits[WARP];

    uintptr_t polled; /* the address read last, how often in a row, and from where */
    void *polled_from;
    unsigned polls;
    uint64_t writes_seen;
    uintptr_t lowest, highest; /* of all addresses read since its last write (hang_detector.c) */
    unsigned looks, turn;      /* reads and steps since then; volatile reads and atomics */
    unsigned asked;            /* the clock, since its last write */
    long long own_time;        /* what it reads there is more by this */
    uint64_t seen;             /* its state where it waits (deadlock.c) */
    uintptr_t anchor;          /* while states are compared: where it is to wait again ... */
    const void *anchor_pc;
    unsigned anchored; /* ... and the number of that time */

    bool arrived;           /* at a barrier of its cluster for which it has not waited yet */
    unsigned cluster_waits; /* that it has waited for */

    struct async *async;   /* its asynchronous copies (async.c), or NULL */
    bool on_other_stacks;  /* it may read those of its block's other threads, now (async.c) */
    enum simt_scope scope; /* of the atomic under way */

    struct records records; /* counting only: what it did since the last barrier */
    bool uncounted;         /* what it does now is no request of a warp's */
    unsigned epoch;         /* grows with each barrier of its block, or its whole warp */
};

struct block {
    uint3 index;
    bool active;
    unsigned live, at_barrier;  /* threads */
    const struct thread *first; /* at the barrier */
    int predicates, result;     /* summed over the barrier under way, over the last */
    bool crowded;               /* counting: a thread has much that is not yet put together */
    unsigned steps;             /* tracing: taken so far */
    struct thread *threads;
    /* Its shared memory, static, then dynamic: its values while another block runs; for each
       byte, whether a thread has written it; what happened to each word (race.c). */
    char *shared;
    unsigned char *written;
    struct cell *cells;
    struct vector_clock *vector_clock;   /* of each thread (happens_before.c) */
    struct device_clocks *device_clocks; /* the same, of other devices; NULL: there are none */
    bool uses_device_clocks;             /* there is something in it */
    uint32_t number;              /* cluster by cluster; without clusters its place in the grid */
    uint32_t begun, last_barrier; /* times (happens_before.c) */
    const uint32_t *fences;       /* of its threads before that barrier, or NULL */
    bool fenced;                  /* one passed a fence since */

    struct barrier_object *barrier_objects; /* cuda::barriers in its shared memory (async.c) */
    char *exchange;                         /* what its warps put down for each other there */

    struct block *cluster; /* the first block of its cluster: the others follow */
    unsigned arrived;      /* in that first block: threads at the cluster's barrier ... */
    bool relaxed;          /* ... one of them relaxed; barriers so far, the times of the last */
    unsigned barriers;
    uint32_t barrier_times[4];
    struct visit { /* the last access from another block to its shared memory */
        const struct thread *thread;
        void *pc;
        size_t offset;
        uint32_t time;
        bool early, wrote, known; /* known: a thread of this block comes after it */
    } visit;
};

struct launch {
    dim3 grid_size, block_size, cluster_size;
    unsigned cluster_blocks; /* blocks of one cluster, 1 without clusters */
    bool again;              /* the kernel asks for clusters, so the launch begins anew */
    unsigned long long blocks, started, finished;
    unsigned threads, warps; /* of one block */
    size_t dynamic_bytes;
    bool cooperative;
    void (*call)(const void *);
    const void *closure;
    size_t closure_bytes;
    const void *kernel;         /* NULL if the launch does not name it */
    unsigned slot_count, open;  /* blocks there at once: at most, so far */
    unsigned long long at_grid; /* threads */
    void *entered[ENTRIES];     /* the first places it passed: one of them names the kernel */
    unsigned entered_count;
    struct simt_counts counts;
};

extern struct thread *simt_self; /* the running thread; NULL on the host */
/* Is it that thread that asks? Not if another thread of the host does: its stack is another. */
static inline bool simt_running(void)
{
    const struct thread *t = simt_self;
    /* Below a full stack, before what is closed, there may be a little room. */
    return t && (uintptr_t)__builtin_frame_address(0) - (uintptr_t)t->fibre.stack + GUARD_BYTES <
                    GUARD_BYTES + STACK_BYTES;
}
extern struct launch simt_now;   /* the running launch */
extern struct block *simt_slots; /* its blocks, simt_now.open of them */
extern uint64_t
    simt_writes;           /* stores and changing atomics so far: what a polling thread waits for */
extern uint64_t simt_seed; /* of the schedule, 0: natural order */
extern bool simt_counting;
extern unsigned simt_sms; /* of the simulated device; blocks on each at once, at most */
extern unsigned simt_sm_blocks;
extern bool simt_all_wanted; /* at barriers, shuffles and votes: simt_want_all() */

#define SIMT_BUILTIN __attribute__((section("simt_builtin")))

/* fibre.c: leaves one fibre for another; a new one begins with simt_thread_main(), and calls
   it again whenever it returns. */
void fibre_create(struct fibre *fibre);
void fibre_switch(struct fibre *from, struct fibre *to);
void simt_thread_main(void);

/* engine.c: gives way to other threads, in the state given, at this place. */
void simt_wait(enum thread_state state, void *site);
/* The threads of a block that are in this state go on, together. */
void simt_release(struct block *b, enum thread_state state);
void simt_run_launch(void);
void engine_reset(void); /* after a launch that was abandoned */
/* The same with several devices, where queue.c lets launches take turns: the launch of the device
   entered begins; its blocks run until each has waited (false: none could go on, nor begin). */
void engine_begin(void);
bool engine_step(void);
/* Changes to the launch of another device: simt_now, simt_slots and its variables are its own. */
extern unsigned simt_at;
void engine_enter(unsigned device);
const struct launch *engine_launch(unsigned device);
/* A thread of that launch that has not ended, best one that polls; and what it waits for. */
const struct thread *engine_waiting(unsigned device);
const char *engine_state(const struct thread *t);
uint64_t simt_random(void);
void engine_schedule(uint64_t seed); /* as simt_schedule() */

/* engine.c: the place in the grid of the block with this number. */
uint3 block_index(unsigned long long number);
uint3 block_index_in(const struct launch *launch, unsigned long long number);

/* cluster.c: blocks that run together and reach each other's shared memory. */
void cluster_begin_block(struct block *b);
bool cluster_release(struct block *first); /* its barrier, if all came; true: some go on */
struct block *cluster_owner(struct block *b, uintptr_t address, size_t *offset);
/* The running thread reaches for another block's shared memory. */
void cluster_visit(struct block *owner, size_t offset, bool write, void *pc);
void cluster_poll(uintptr_t address); /* it has read this, by volatile or an atomic */
void cluster_thread_done(struct thread *t);
/* A thread of its cluster for which t waits in vain, or NULL. */
const struct thread *cluster_missing(const struct thread *t);

/* warp.c: when nobody in the block can go on: lets those at __activemask() do so, and finds
   those who wait for a lane that has returned. */
bool warp_resolve(struct block *b);

/* An operation on matrices of all 32 lanes, called at this place of the kernel. complete() runs
   when the last lane of t's warp has come: mask names the lanes that exist and have not returned.
 */
void warp_matrix_op(enum simt_op op, uint64_t value, unsigned argument, warp_function *complete,
                    void *site);
extern const char *const op_names[];

/* async.c: cuda::barrier and asynchronous copies; a block begins without. */
void async_begin_block(struct block *b);

/* access.c: the scope that simt_atomic_scope() gave, once, or this. */
enum simt_scope access_scope(enum simt_scope otherwise);
/* The store that was announced last has been made: it may have changed something; it never will be
   made; this thread has changed memory in another way. */
void access_settle(void);
void access_reset(void);
void access_changed(struct thread *t);
/* The running thread reads or writes 1, 2, 4, 8, 16 bytes; closes bytes of its block's
   shared memory that an asynchronous copy will bring (false: they lie elsewhere), opens them. */
void simt_read(const void *p, size_t bytes, void *pc);
void simt_write(void *p, size_t bytes, void *pc);
bool access_close(void *p, unsigned bytes);
void access_open(void *p, unsigned bytes);
/* It reads, or changes, a cuda::barrier, as by an atomic; and has done so. */
void access_barrier(void *p, bool change, void *pc);
void access_barrier_end(void *p);

/* access.c: the static shared memory of this program, as the linker laid it out (for each thread
   of the host anew), and the room it takes in a block's: up to the dynamic part. */
extern char *shared_start;
extern size_t shared_bytes, shared_room;
void shared_find(void);
/* The block whose shared memory this is for a thread of block b, NULL: none; and its place. */
struct block *shared_owner(struct block *b, uintptr_t address, size_t *offset);

/* api.c: one thread of the host at a time is in the simulator; it may come in again. */
void simt_lock(void);
void simt_unlock(void);
void simt_lock_yield(void); /* lets others in who wait for it */
/* Waits without the lock, which is held once: until the time, if that is not NULL. */
void simt_wait_for(pthread_cond_t *condition, const struct timespec *until);

/* devices.c: how many there are; the one that the calling thread of the host has chosen; may
   kernels of the one touch memory of the other? */
extern unsigned simt_devices;
unsigned device_current(void);
bool device_reaches(unsigned from, unsigned to);
void device_begin(void);                           /* once, before main() */
unsigned device_users(void);                       /* threads of the host that were here, alive */
void device_variables(unsigned from, unsigned to); /* the latter's take their place */
bool is_device_variable(uintptr_t address);        /* __device__ or __constant__ */
bool is_constant_variable(uintptr_t address);      /* the latter alone */

/* queue.c: with several devices, what streams were given and is not done yet. A work begins when
   those that it comes after are done, and ends with what its function returns. */
struct work;
struct stream_state { /* of each stream that was made; of each device's own */
    unsigned device;
    bool apart;        /* cudaStreamNonBlocking: it does not wait for the device's own stream */
    struct work *last; /* or NULL */
};
typedef cudaError_t (*work_function)(const void *data);
/* A launch, and behind it the bytes of its closure. */
struct kernel_launch {
    struct simt_how how;
    void (*call)(const void *);
    size_t bytes;
    _Alignas(16) char closure[];
};
/* run: NULL for work that only marks a place, launch_now: a launch. data is copied. stream: NULL
   for the device's own. after: NULL is nothing. Gives a pointer that work_drop() must be called
   with. */
struct work *queue_add(unsigned device, struct stream_state *stream, work_function run,
                       const void *data, size_t bytes, struct work *after);
/* The same in no stream: of a graph, whose works say one by one after which they come. */
struct work *queue_add_node(unsigned device, bool apart, work_function run, const void *data,
                            size_t bytes);
struct work *queue_mark(unsigned device); /* after all that this device has been given */
void queue_after(struct work *work, struct work *before);
void work_drop(struct work *work); /* may be NULL */
bool work_done(const struct work *work);
double work_ended(const struct work *work); /* when it was done; see queue_now() */
double queue_now(void);                     /* milliseconds of a clock that only goes forward */
/* Runs what there is until this is done, and returns its error. If it cannot be: a deadlock. */
cudaError_t queue_wait(struct work *work);
/* Is it done, or can it be now, without more work from the host? */
bool queue_try(struct work *work);
cudaError_t queue_finish(void); /* all there is; no devices but one: nothing */
/* For the function of a work: it cannot be done yet (return this), since it "waits for ..."; what
   is known to come before it. */
#define QUEUE_AGAIN ((cudaError_t)-1)
cudaError_t queue_again(const char *why);
uint32_t *queue_known(void);  /* NULL: there is no queue */
unsigned queue_threads(void); /* of the host */
/* stream.c: a work for a stream; NULL: the device's own. */
cudaError_t stream_submit(cudaStream_t stream, unsigned device, work_function run, const void *data,
                          size_t bytes);

/* allocations.c: is the address in an allocation that the running code may touch? start and
   end: that allocation, or the one just before the address, or 0 and 0. */
bool allocation_find(uintptr_t address, uintptr_t *start, uintptr_t *end);
/* The device that has it, -1: none alone. */
int allocation_device(uintptr_t address);
bool is_device_address(uintptr_t address);
/* What cudaMemcpy2D() and cudaMemset2D() do, now; may they be asked to? */
struct copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    enum cudaMemcpyKind kind;
};
struct fill {
    void *to;
    size_t pitch, width, height;
    int byte;
};
cudaError_t memory_copy_error(const struct copy *copy);
cudaError_t memory_fill_error(const struct fill *fill);
cudaError_t memory_copy(const void *copy);
cudaError_t memory_fill(const void *fill);
cudaError_t memory_free(void *p);       /* now */
bool memory_is_pageable(const void *p); /* of the host, and unknown to CUDA */
/* Of device memory: notes that these bytes (1, 2, 4, 8, 16) were written; were they ever? */
void allocation_written(uintptr_t address, unsigned bytes);
bool allocation_is_written(uintptr_t address, unsigned bytes);

/* requests.c: notes down what the running thread does; groups what the lanes of a warp did
   into requests. */
void requests_note(enum access_kind kind, uintptr_t address, unsigned bytes, void *pc);
void requests_flush(struct block *b);
/* The threads that go next, together, each with the record before its records.next. */
unsigned requests_step(struct thread *threads, unsigned count, struct thread **here);

/* As much of that as can be told while the block still runs: long loops would fill the
   memory otherwise. */
void requests_ahead(struct block *b);

/* recorder.c: keeps what a block did, if it is traced, and where a barrier ended: its threads go
   on in that epoch; forgets all. */
bool recorder_wants(const struct block *b);
void recorder_barrier(const struct block *b, enum thread_state at, unsigned epoch);
void recorder_block(struct block *b);
void recorder_clear(void);
/* What is counted from now on is this block's share; NULL: no block's. */
void recorder_switch(const struct block *b);
void recorder_race(const struct simt_race *race); /* the text is copied */

/* happens_before.c: times, and what the running thread knows of others: is what that thread
   of the block did at that time (early: between its arrival at a barrier of its cluster and
   its waiting) in order before what it does now? */
uint32_t hb_now(void);
void hb_run_block(uint32_t block);   /* from now on it is this block that runs */
uint32_t hb_block_at(uint32_t time); /* the block that ran then, in this launch */
/* Up to these times, what each device did comes before this launch; NULL: all that was done comes
   before all that is to come. Returns whether times begin anew. */
bool hb_begin_launch(const uint32_t known[MOST_DEVICES]);
void hb_enter(unsigned device);                /* see engine_enter() */
uint32_t block_in_grid_number(uint32_t block); /* without its device */
void hb_begin_block(struct block *b);
void hb_grid_barrier(void);
void hb_block_barrier(struct block *b);
void hb_cluster_barrier(struct block *first);
void hb_warp_barrier(struct block *b, unsigned first, unsigned mask);
bool hb_known(uint32_t time, uint32_t block, unsigned rank, bool early);
bool hb_before_grid_barrier(uint32_t time);
bool hb_before_barrier(uint32_t time, uint32_t block); /* by barriers of block or grid alone */
/* Not known, but it would be if the running thread had passed a fence after it read the flag. */
bool hb_lacks_second_fence(uint32_t time, uint32_t block, unsigned rank, bool early);
/* The running thread arrives at a barrier: what it did, and knows of others, up to now. When the
   last one came: what whoever waits for that phase knows, until the launch ends. The running thread
   has waited. All are of so many words. */
void hb_arrive(uint32_t *arrived);
const uint32_t *hb_end_phase(const uint32_t *arrived);
size_t hb_phase_words(void);
void hb_pass_phase(const uint32_t *done);
/* Of another device: not known, but it would be if all fences and flags were of the system. */
bool hb_scope_too_narrow(uint32_t time, uint32_t block, unsigned rank, bool early);
bool hb_releases(void); /* has the running thread passed a fence: is what it writes now a flag? */
/* A flag is read, is written. handed_over: a time kept with the flag, 0 at first. */
void hb_read_flag(uint32_t released);
uint32_t hb_write_flag(uint32_t released, bool atomic, enum simt_scope scope);

/* race.c: finds races. */
/* known: see hb_begin_launch() */
void race_begin_launch(const uint32_t known[MOST_DEVICES]);
extern unsigned
    race_unsettled;     /* writes of which it is not known yet whether they change anything: */
void race_settle(void); /* now they have been made */
void race_report(void); /* all found so far */
void race_begin_block(struct block *b);
/* What is known of a word of global memory, of a word of a block's shared memory. */
struct word {
    struct cell *cell; /* NULL: nothing, it is the thread's own */
    struct more *more;
};
struct word race_global(uintptr_t address);
struct word race_shared(const struct block *b, size_t offset);
struct word race_variable(uintptr_t address); /* of a __device__ variable of the running device */
void race_check(struct word word, bool shared, const struct access *a);
/* A volatile or atomic access, just before it happens: it may hand something over. */
void race_flag_read(struct word word);
void race_flag_written(struct word word, bool atomic, enum simt_scope scope);
void race_read_for_cas(void *pc); /* a plain read that a compare-and-swap follows */
/* Was this global memory written in this launch? */
bool race_written_now(uintptr_t address, size_t bytes);
void race_forget(uintptr_t start, uintptr_t end); /* this memory is freed */

/* hang_detector.c: finds deadlocks and endless loops. */
void hang_begin(void);                                         /* in this thread of the host */
void hang_begin_thread(struct thread *t);                      /* it begins */
void hang_read(struct thread *t, uintptr_t address, void *pc); /* may give way to others */
void hang_write(struct thread *t);                             /* it changed something */
void hang_store(struct thread *t, uintptr_t address);          /* or may have */
void hang_step(struct thread *t, void *pc);  /* it comes to a barrier or a warp operation */
void hang_slice(struct thread *t, void *pc); /* a volatile access or an atomic: it may give way */
long long hang_clock(struct thread *t, void *pc); /* what it reads from a clock */
uint64_t hang_changes(void);                      /* writes, threads begun or ended: so far */
extern uint64_t hang_work, hang_slices;           /* basic blocks so far; calls of hang_slice() */
extern volatile int hang_stuck;
void hang_give_up(void *pc) __attribute__((noreturn));

/* deadlock.c: only threads that poll are left. They look again, unless that is in vain; then time
   passes, if some wait for it; else it is a deadlock: false. */
bool deadlock_retry(void);
/* The same for several devices, step by step: begins; adds the threads of the device entered; is
   another round worth while? Lets those of the device entered look; lets time pass. */
void deadlock_begin(void);
void deadlock_add(void);
bool deadlock_worth_retry(void);
void deadlock_wake(void);
bool deadlock_advance_time(void);
void deadlock_clear(void);    /* something has changed */
extern unsigned hang_retries; /* so many, in which nothing changed */
extern uint64_t hang_polls;   /* threads that gave way since they read one place again and again */
extern long long hang_time;   /* that has passed so */
/* Are states compared? Then a thread waits when it comes back to this place. */
extern bool hang_comparing;
bool hang_at_anchor(struct thread *t, uintptr_t address, const void *pc);
void deadlock_note_state(struct thread *t, void *pc); /* it is about to wait there */

/* Room for one more element in an array of `count`: doubled when count is a power of two. */
void *simt_grow(void *array, size_t count, size_t bytes);

/* fault.c: one line about what is wrong, then exit status 1; with SIMT_GO_ON=1 only the launch
   ends. pc: in the kernel, or NULL. */
void simt_fault(const struct thread *t, void *pc, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
/* The same, but the caller can go on, and does so with SIMT_GO_ON=1. */
void simt_wrong(const struct thread *t, void *pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* What is wrong by the memory model alone: one line, once for each place. With SIMT_STRICT=1 it is
 * the end. */
void simt_note(const struct thread *t, void *pc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
extern bool simt_strict, simt_go_on;
void fault_begin(void);
void fault_found(const char *line); /* says it, and the program will end with status 1 */
/* launch.c: a launch that no stream keeps back (stream.c); the end of one that went wrong. */
cudaError_t launch_at_once(const struct simt_how *how, void (*call)(const void *),
                           const void *closure, size_t bytes);
cudaError_t launch_now(const void *kernel_launch); /* the same */
/* With several devices: why it cannot be, or cudaSuccess; begins it on the device entered; goes on
   with it. order: among the launches of the program, for simt_launch(). */
cudaError_t launch_error(const struct simt_how *how);
void launch_begin(const struct kernel_launch *launch, const uint32_t known[MOST_DEVICES]);
enum launch_state {
    LAUNCH_WAITS,
    LAUNCH_MOVED,
    LAUNCH_ENDED,
    LAUNCH_FAILED
} launch_step(uint64_t order);
size_t launches_counted(void);
void launch_thread(void); /* this thread of the host runs kernels now */
/* Calls a function that finds something wrong with the launch of the device entered; returns true
   if that is abandoned. */
bool launch_guarded(void (*find)(void));
void simt_abandon_launch(void) __attribute__((noreturn));
/* "FILE:LINE" of a place in the kernel, "?" if unknown; kept for the program's life. */
const char *place_name(void *pc);
/* The kernel of a launch that passed these places first. */
const char *kernel_name(void *const entered[ENTRIES]);
/* explore.c: with SIMT_EXPLORE=N, runs the program N times. */
void explore_schedules(void);
/* The running thread has no stack left for what it does there; ends, and says so. */
void fault_full_stack(void *pc);
void fault_catch_signals(void); /* in this thread of the host */
void *signal_pc(void *context); /* where a signal handler's third argument says it came */

#endif
