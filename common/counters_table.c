/* counters_table.c: see counters_table.h. */
#include "counters_table.h"

#include "numbers.h"

enum { SECTOR_BYTES = 32 };

/* The cells of one launch, after the variant, n and the pass. */
typedef void cells_fn(FILE *out, const struct simt_counts *pass, size_t n);

static double ratio(uint64_t a, uint64_t b)
{
    return b > 0 ? (double)a / (double)b : 0;
}

static void global_titles(FILE *out, int width)
{
    fputs("\nGlobal memory: requests of warps and the 32-byte sectors they touch. Bytes for each "
          "element\nof the array: those that the threads asked for, and those in the sectors.\n",
          out);
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %8s %8s %5s %7s %6s\n", width, "", "", "", "loads:", "",
            "", "stores:", "", "", "bytes:", "");
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %8s %8s %5s %7s %6s\n", width, "variant", "n", "pass",
            "reqs", "sectors", "s/req", "reqs", "sectors", "s/req", "asked", "moved");
}

static void global_cells(FILE *out, const struct simt_counts *c, size_t n)
{
    uint64_t moved = SECTOR_BYTES * (c->gld_sectors + c->gst_sectors);
    fprintf(out, " %8llu %8llu %5.2f %8llu %8llu %5.2f %7.2f %6.2f\n",
            (unsigned long long)c->gld_requests, (unsigned long long)c->gld_sectors,
            ratio(c->gld_sectors, c->gld_requests), (unsigned long long)c->gst_requests,
            (unsigned long long)c->gst_sectors, ratio(c->gst_sectors, c->gst_requests),
            ratio(global_bytes(c), n), ratio(moved, n));
}

static void other_titles(FILE *out, int width)
{
    fputs(
        "\nShared memory: wavefronts, and those of the worst request. Barriers of blocks, shuffles"
        "\nand votes of warps, atomics of threads. SIMT efficiency: the share of lanes at work.\n",
        out);
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %9s %9s %9s %7s\n", width, "", "", "", "shared:", "", "",
            "", "shuffles", "", "SIMT");
    fprintf(out, "%-*s %7s %4s %8s %8s %5s %9s %9s %9s %7s\n", width, "variant", "n", "pass",
            "loads", "stores", "worst", "barriers", "+ votes", "atomics", "eff %");
}

static void other_cells(FILE *out, const struct simt_counts *c, size_t n)
{
    (void)n;
    fprintf(out, " %8llu %8llu %5llu %9llu %9llu %9llu %7.1f\n",
            (unsigned long long)c->shared_ld_wavefronts,
            (unsigned long long)c->shared_st_wavefronts, (unsigned long long)c->worst_conflict,
            (unsigned long long)c->barriers, (unsigned long long)c->shuffles,
            (unsigned long long)c->atomics, 100 * c->simt_efficiency);
}

static void rows(FILE *out, int width, const struct result *result, cells_fn *cells)
{
    const struct counters *counters = &result->counters;
    char size[SIZE_TEXT];
    format_size(result->n, size);
    for (size_t i = 0; i < counters->launches && i < MAX_PASSES; i++) {
        fprintf(out, "%-*s %7s %4zu", width, result->variant->name, size, i + 1);
        cells(out, &counters->passes[i], result->n);
    }
    if (counters->launches > MAX_PASSES)
        fprintf(out, "%-*s and %zu launches more\n", width, result->variant->name,
                counters->launches - MAX_PASSES);
}

void counters_table(FILE *out, int name_width, const struct result *results, size_t count)
{
    if (count == 0)
        return;
    global_titles(out, name_width);
    for (size_t i = 0; i < count; i++)
        rows(out, name_width, &results[i], global_cells);
    other_titles(out, name_width);
    for (size_t i = 0; i < count; i++)
        rows(out, name_width, &results[i], other_cells);
}
