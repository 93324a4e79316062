/* sweep.h: what ./step08 --demo runs. */
#ifndef SWEEP_H
#define SWEEP_H

/* Reads 1 GiB over and over, with more and more bytes in flight on each SM, then with
   larger and larger tiles for each block, and prints a CSV line for each: how fast.
   Returns the exit status: 0, or 77 on the simulator, which has no times. */
int sweep(void);

#endif
