/*
 * waiting.h: how large a grid may be in which block 0 waits for the others. docs/robustness.md says
 * for every kernel which block waits for which, and why each wait ends.
 */
#ifndef WAITING_H
#define WAITING_H

/* CUDA promises no order in which blocks begin, and a block that waits keeps its place on the GPU.
   Block 0 alone waits, so two places are enough: the others run one by one in the second. Every SM
   has one, or CUDA refuses the launch. A GPU of one SM gets one block, which waits for none. */
static inline unsigned waiting_grid(unsigned blocks, unsigned sms)
{
    return sms > 1 ? blocks : 1;
}

#endif
