/* async.h: cuda::barrier and asynchronous copies, which a block begins without. */
#pragma once

#include "thread.h"

void async_begin_block(struct block *b);
