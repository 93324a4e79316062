/* weak_memory.h: what a relaxed load may return: volatile and atomic loads of global memory are no
   races, and nothing orders them without fences. */
#pragma once

#include "race.h"

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
