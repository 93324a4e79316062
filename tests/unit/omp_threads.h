/* omp_threads.h: omp_set_num_threads(), also where a compiler has no OpenMP (make OPENMP=). */
#ifndef OMP_THREADS_H
#define OMP_THREADS_H

#ifdef _OPENMP
#include <omp.h>
#else
static inline void omp_set_num_threads(int threads)
{
    (void)threads;
}
#endif
#endif
