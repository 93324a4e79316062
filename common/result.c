#include "result.h"

#include <string.h>

bool is_copy(const struct variant *variant)
{
    return (variant->flags & ROOF) && strcmp(variant->name, "copy") == 0;
}

double bytes_needed(const struct result *result)
{
    size_t written = is_copy(result->variant) ? result->n : result->written;
    return sizeof(float) * ((double)result->n + (double)written);
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
