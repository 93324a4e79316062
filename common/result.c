/* result.c: see result.h. */
#include "result.h"

#include "element.h"

double bytes_needed(const struct result *result)
{
    return (double)element_bytes(result->variant->element) * (double)(result->n - result->in_gaps) +
           sizeof(float) * (double)result->written;
}

double gbps(const struct result *result, const struct measurement *measurement)
{
    return bytes_needed(result) / measurement->time.median / 1e3;
}

double percent_of_roof(const struct measurement *measurement)
{
    return 100 * measurement->roof / measurement->time.median;
}

bool result_ok(const struct result *result)
{
    return !result->checked || (result->plain.verdict.ok && result->graph.verdict.ok);
}
