/* async.h: cuda::barrier and asynchronous copies, which a block begins without. */
#ifndef SIMT_ASYNC_H
#define SIMT_ASYNC_H

#include "thread.h"

void async_begin_block(struct block *b);

#endif
