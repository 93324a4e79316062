/* copies.h: what a submission lets its host see of the device's memory. */
#ifndef COPIES_H
#define COPIES_H

/* Bytes: copied to the host, or of memory that the host sees, too (pinned, managed), since it was
   set to 0. */
extern double copied_to_host;

#endif
