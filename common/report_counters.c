#include "report_counters.h"

#include "numbers.h"

static const char row_format[] = "%-*s %7s %4s %8s %8s %5s %7s %7s %5s %7s %7s %5s\n";

static void titles(FILE *out, int width)
{
    fprintf(out, "\nGlobal memory: requests of warps and the 32-byte sectors they touch. "
                 "Shared memory: wavefronts.\n");
    fprintf(out, row_format, width, "", "", "", "loads:", "", "", "stores:", "", "", "shared:", "",
            "SIMT");
    fprintf(out, row_format, width, "variant", "n", "pass", "reqs", "sectors", "s/req", "reqs",
            "sectors", "s/req", "loads", "stores", "eff %");
}

static double per_request(uint64_t sectors, uint64_t requests)
{
    return requests > 0 ? (double)sectors / (double)requests : 0;
}

static void row(FILE *out, const struct simt_counts *c)
{
    fprintf(out, " %8llu %8llu %5.2f %7llu %7llu %5.2f %7llu %7llu %5.1f\n",
            (unsigned long long)c->gld_requests, (unsigned long long)c->gld_sectors,
            per_request(c->gld_sectors, c->gld_requests), (unsigned long long)c->gst_requests,
            (unsigned long long)c->gst_sectors, per_request(c->gst_sectors, c->gst_requests),
            (unsigned long long)c->shared_ld_wavefronts,
            (unsigned long long)c->shared_st_wavefronts, 100 * c->simt_efficiency);
}

void report_counters(FILE *out, int name_width, const struct result *result, bool with_titles)
{
    char size[SIZE_TEXT];
    const struct counts *counts = &result->counts;
    if (with_titles)
        titles(out, name_width);
    format_size(result->n, size);
    for (size_t i = 0; i < counts->launches && i < MAX_PASSES; i++) {
        fprintf(out, "%-*s %7s %4zu", name_width, result->variant->name, size, i + 1);
        row(out, &counts->passes[i]);
    }
    if (counts->launches > MAX_PASSES)
        fprintf(out, "%-*s and %zu launches more\n", name_width, result->variant->name,
                counts->launches - MAX_PASSES);
}
