/* subjects.h: what can be compared. */
#ifndef SUBJECTS_H
#define SUBJECTS_H

#include "harness.h"

extern const struct subject subject_floats, subject_types, subject_exact, subject_tune,
    subject_rows, subject_segments, subject_row_types, subject_segment_types, subject_tune_rows;

/* Step 14's, which the program is linked with. */
extern const struct subject subject_gpus __attribute__((weak));

#define ROWS(TABLE) .rivals = TABLE, .rival_count = sizeof TABLE / sizeof TABLE[0]

#endif
