/* predict.c: see predict.h. */
#include "time/predict.h"
#include "time/price.h"
#include "time/replay.h"

_Static_assert((int)LIMITS == (int)SIMT_LIMITS, "the same limits, in the same order");

/* ---- launches one after another ---- */

static void add_launch(const struct gpu *gpu, struct simt_time *sum, double us[LIMITS],
                       const struct launch_record *l, bool first, bool cold)
{
    us[LIMIT_LAUNCH] += first ? gpu->first_us : gpu->next_us;
    struct launch_time t = replay_launch(gpu, l, cold);
    if (t.refused)
        sum->refused = t.refused;
    if (first)
        sum->instructions = t.instructions;
    for (int i = 0; i < LIMITS; i++)
        us[i] += t.share[i];
}

struct simt_time predict(const struct gpu *gpu, const struct launch_record *launches, size_t count,
                         bool cold)
{
    struct simt_time sum = {.refused = price_read()};
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
