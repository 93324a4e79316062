/* race.h: finds races: accesses to one word that nothing puts in order. weak_memory.c: what a
   relaxed load may return. */
#pragma once

#include "thread.h"

/* One access, and how the source writes it. */
enum strength { PLAIN, VOLATILE, VOLATILE_WIDE, ATOMIC };
struct access {
    uintptr_t address;
    void *pc;
    unsigned bytes;
    bool write, read;      /* most atomics are both */
    enum simt_scope scope; /* of an atomic */
    enum strength strength;
    bool one_way; /* an atomic as atomicMin(): whatever is there moves one way */
};

/* known: see hb_begin_launch(). */
void race_begin_launch(const uint32_t known[MOST_DEVICES]);
void race_make_block(struct block *b);
void race_begin_block(struct block *b);
extern bool race_off; /* SIMT_RACES=0 */
extern unsigned
    race_unsettled;     /* writes of which it is not known yet whether they change anything */
void race_settle(void); /* now they have been made */
/* A store to global memory has changed what was there: these bytes. */
void race_overwritten(uintptr_t address, unsigned bytes, uint64_t before);
void race_report(void); /* all found so far */

/* What is known of a word of global memory, of a word of a block's shared memory. */
struct word {
    struct cell *cell; /* NULL: nothing, it is the thread's own */
    struct more *more;
};
struct word race_global(uintptr_t address);
struct word race_shared(const struct block *b, size_t offset);
struct word race_variable(uintptr_t address); /* of a __device__ variable of the running device */
void race_check(struct word word, bool shared, const struct access *a);
/* The same of a plain access to global memory, to the block's own shared memory. */
void race_read_global(uintptr_t address, unsigned bytes, void *pc);
void race_write_global(uintptr_t address, unsigned bytes, void *pc);
void race_read_shared(uintptr_t address, unsigned bytes, void *pc, size_t offset);
void race_write_shared(uintptr_t address, unsigned bytes, void *pc, size_t offset);
/* Just before a volatile or atomic access: it may acquire, or release (by the time returned). */
void race_flag_read(struct word word);
uint32_t race_flag_written(struct word word, bool atomic, enum simt_scope scope);
void race_read_for_cas(void *pc); /* a plain read that a compare-and-swap follows */
/* Was this global memory written in this launch? */
bool race_written_now(uintptr_t address, size_t bytes);
void race_forget(uintptr_t start, uintptr_t end); /* this memory is freed */

/* ---- weak_memory.c ---- */

/* Just before a volatile or atomic load: may it return an older value? Then that is lent to it
   (trial.h), what came with it is acquired, and true is returned. */
bool weak_load(const struct access *a);
/* The same before an atomic that reads and writes: it gets the last value. */
void weak_rmw(const struct access *a);
/* A volatile or atomic store: what was there before it, and what it releases (race.h). */
void weak_store(const struct access *a, uint64_t before, uint32_t released);

/* In a copy: the thread is about to change memory; what was announced is done; it has ended. */
void weak_changes(uintptr_t address);
void weak_settle(void);
void weak_ended(const struct thread *t);
