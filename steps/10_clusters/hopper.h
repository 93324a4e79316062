/* hopper.h: the variants of step 10 that are not in reduce.cu. */
#ifndef HOPPER_H
#define HOPPER_H

#include "lesson.h"

/* Ends the program with 77, after one line, on a GPU without clusters and bulk copies. */
void need_hopper(void);

/* The kernel of step 09 with another load instruction; see hints.cu. */
void launch_load(struct sum *s);
void launch_load_cs(struct sum *s);
void launch_load_no_l1(struct sum *s);
void launch_load_evict_first(struct sum *s);
void launch_load_256b(struct sum *s);

/* A ring of bulk copies into shared memory: stages and bytes of each; see bulk.cu. */
void launch_bulk_4x8k(struct sum *s);
void launch_bulk_4x16k(struct sum *s);
void launch_bulk_6x32k(struct sum *s);
void launch_bulk_3x64k(struct sum *s);

#define NVCC_REASON "written in PTX and with libcu++, which need nvcc"
#ifdef SIMT_SIMULATOR
#define NVCC_ONLY(launch) NULL /* inline PTX, asynchronous copies */
#else
#define NVCC_ONLY(launch) launch
#endif

#endif
