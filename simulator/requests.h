/* requests.h: groups what the lanes of a warp did into requests, as the hardware does. */
#pragma once

#include "thread.h"
#include "time/record.h"

struct record {
    void *pc;
    uintptr_t address; /* of a LANE_READ: the lane */
    unsigned epoch;    /* grows with each barrier of its block, or its whole warp */
    unsigned char kind, bytes, marks;
};

/* Records what the running thread does; unless it is no request of a warp now. */
void requests_note(enum access_kind kind, uintptr_t address, unsigned bytes, void *pc);
void requests_mark(enum request_mark mark); /* the running thread's last access */
void requests_pause(bool pause);

void requests_make_block(struct block *b);
void requests_begin_block(struct block *b, bool keep_all); /* keep_all: until requests_flush() */
void requests_forget(struct thread *t);
/* This block runs now: are its requests wanted? simt_counting says so until another runs. */
extern bool simt_counting, requests_wanted;
void requests_choose(const struct block *b);
/* For the model of time: a vote or its kin, which brings the lanes of a warp together. */
void requests_record_vote(const struct thread *t, enum simt_op op, unsigned mask,
                          const uint64_t results[WARP]);
/* Counts all that the block did so far; as much of it as is certain while the block still runs, if
   much has gathered: long loops would fill the memory otherwise. */
void requests_flush(struct block *b);
void requests_ahead(struct block *b);

unsigned requests_next_epoch(const struct block *b); /* later than any of its threads' */
void requests_set_epoch(struct thread *t, unsigned epoch);
void requests_advance_epoch(struct thread *t);

/* The threads that go next, together, each at requests_current(). All from their first record. */
unsigned requests_step(struct thread *threads, unsigned count, struct thread **here);
const struct record *requests_current(const struct thread *t);
void requests_rewind(struct block *b);
