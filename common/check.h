/* check.h: is a sum right? */
#ifndef CHECK_H
#define CHECK_H

#include "reference.h"

/* Every output is filled with this byte before a run. Four of them make a NaN
   that no addition gives, so a launcher that writes nothing is found out, even
   where the right sum is a NaN. */
#define POISON_BYTE 0xff

struct verdict {
    bool ok;
    double rel_err;   /* |sum - exact| / sum of |x|, 0 if that is 0; infinite if the sum is
                         not finite and should be, or the other way round */
    double err_bound; /* what rel_err may be: depth * 2^-24 (2^-53 for doubles); 0 where no
                         order rounds, as of integers */
    char reason[96];  /* when not ok: why, in a few words; else empty */
    size_t wrong;     /* words of an answer that are wrong, for a task (task.h) */
};

/* Judges a sum of the numbers that exact describes, computed by a tree of float
   additions of this depth; of depth 0, nothing but the nearest float will do. Each addition has a
   relative error of at most u = 2^-24, and |sum - exact| <= depth * u * sum of |x|: N. J. Higham,
   "The accuracy of floating point summation", SIAM J. Sci. Comput. 14 (1993); without terms in u^2:
   C.-P. Jeannerod and S. M. Rump, "Improved error bounds for inner products in floating-point
   arithmetic", SIAM J. Matrix Anal. Appl. 34 (2013). */
struct verdict check_sum(float sum, const struct exact_sum *exact, size_t depth);

/* The same of a sum of such elements, of element_sum_bytes() bytes in host memory. A sum of int32
   must be exact->whole. */
struct verdict check_element_sum(enum element element, const void *sum,
                                 const struct exact_sum *exact, size_t depth);

#endif
