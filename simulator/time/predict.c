/* predict.c: see predict.h. */
#include "time/predict.h"
#include "time/replay.h"
#include <stdio.h>

_Static_assert((int)LIMITS == (int)SIMT_LIMITS, "the same limits, in the same order");

/* ---- what nvcc may make of the source ---- */

/* Times that differ by more are refused: no other is to be wrong by more (docs/time.md). */
static const double too_far = 1.6;

/* The line that says so, if an assumption makes such a difference. us: the likely time. */
static const char *differs(const struct gpu *gpu, const struct launch_record *l, bool cold,
                           enum assumption assumption, double launch, double us)
{
    static char text[200];
    double other = launch + replay_launch(gpu, l, cold, assumption).us;
    if (other <= too_far * us)
        return NULL;
    snprintf(text, sizeof text,
             assumption == LOADS_ONE_BY_ONE
                 ? "%.1f us if nvcc has its conditional loads in flight at once, %.1f us if not"
                 : "%.1f us if its divisions take the quick way, %.1f us if the slow one",
             us, other);
    return text;
}

/* Why the time is not known, where it hangs on what nvcc makes of the source; else NULL. */
static const char *doubt(const struct gpu *gpu, const struct launch_record *l, bool cold,
                         const struct launch_time *t, double launch)
{
    const char *why = NULL;
    if (t->empty)
        return "most lanes have nothing to load, and what they do meanwhile is not known";
    if (t->doubtful && t->share[LIMIT_ISSUE] > 0.6 * (launch + t->us))
        return "instructions limit it, many of them branches or on 64 bits, of which nvcc may make "
               "fewer";
    if (t->in_doubt)
        why = differs(gpu, l, cold, LOADS_ONE_BY_ONE, launch, launch + t->us);
    if (!why && t->divides)
        why = differs(gpu, l, cold, SLOW_DIVISIONS, launch, launch + t->us);
    return why;
}

/* ---- launches one after another ---- */

static void add_launch(const struct gpu *gpu, struct simt_time *sum, double us[LIMITS],
                       const struct launch_record *l, bool first, bool cold)
{
    double launch = first ? gpu->first_us : gpu->next_us;
    struct launch_time t = replay_launch(gpu, l, cold, LIKELY);
    us[LIMIT_LAUNCH] += launch;
    sum->refused = t.refused ? t.refused : doubt(gpu, l, cold, &t, launch);
    if (first)
        sum->instructions = t.instructions;
    /* Which nvcc does is not known: the middle. */
    struct launch_time other = t.in_doubt ? replay_launch(gpu, l, cold, LOADS_ONE_BY_ONE) : t;
    for (int i = 0; i < LIMITS; i++)
        us[i] += (t.share[i] + other.share[i]) / 2;
}

struct simt_time predict(const struct gpu *gpu, const struct launch_record *launches, size_t count,
                         bool cold)
{
    struct simt_time sum = {0};
    double us[LIMITS] = {0};
    bool first = true;
    for (size_t i = 0; i < count && !sum.refused; i++) {
        if (launches[i].grid == 0) {
            us[LIMIT_LAUNCH] += gpu->memset_us;
            continue;
        }
        add_launch(gpu, &sum, us, &launches[i], first,
                   (cold && first) || (double)record_bytes(&launches[i]) > gpu->l2_mb * 1e6);
        first = false;
    }
    if (!sum.refused && first)
        sum.refused = "no kernel was launched";
    if (sum.refused)
        return sum;
    for (int i = 0; i < LIMITS; i++)
        sum.middle += us[i];
    for (int i = 0; i < LIMITS; i++) {
        sum.share[i] = us[i] / sum.middle;
        if (sum.share[i] > sum.share[sum.limit])
            sum.limit = (enum simt_limit)i;
    }
    sum.low = sum.middle * (1 - gpu->uncertainty);
    sum.high = sum.middle * (1 + gpu->uncertainty);
    return sum;
}
