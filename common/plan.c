/* plan.c: see plan.h. */
#include "plan.h"

#include "cuda_errors.h"
#include "gpus.h"
#include "message.h"
#include "numbers.h"
#include "task.h"
#include "variant_limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double GIB = 1024.0 * 1024 * 1024;

enum { REASON_TEXT = sizeof((struct skip *)0)->why };

/* Why a variant cannot run on this machine in such blocks, on whatever n; or NULL. */
static const char *why_absent(const struct variant *variant, const struct machine *machine,
                              unsigned block, char text[REASON_TEXT])
{
    unsigned here = 10 * (unsigned)machine->major + (unsigned)machine->minor;
    if (variant->launch == NULL)
        return variant->why_not;
    if ((variant->flags & NEEDS_PEERS) && machine->no_peers[0] != '\0')
        return machine->no_peers;
    if (variant->capability <= here)
        return variant->no_room != NULL ? variant->no_room(block) : NULL;
    snprintf(text, REASON_TEXT, "needs compute capability %u.%u, this GPU has %u.%u",
             variant->capability / 10, variant->capability % 10, here / 10, here % 10);
    return text;
}

/* ---- what of the command line a variant does not take ---- */

enum refusal { TAKES_ALL, TAKES_SOME, TAKES_NOTHING };

static bool refused_row(const struct variant *variant, size_t row, size_t gap,
                        char text[REASON_TEXT])
{
    char takes[LIMITS_TEXT];
    if (gap > 0 && has_rows(variant) && !takes_gap(variant)) {
        snprintf(text, REASON_TEXT, "takes no gap between rows");
        return true;
    }
    if (takes_row(variant, row))
        return false;
    snprintf(text, REASON_TEXT, "takes %s, not %zu", describe_rows(variant, takes), row);
    return true;
}

/* unit: floats of a row and its gap */
static bool refused_n(const struct variant *variant, size_t n, size_t unit, char text[REASON_TEXT])
{
    char takes[LIMITS_TEXT], size[SIZE_TEXT];
    if (takes_n(variant, n, unit))
        return false;
    snprintf(text, REASON_TEXT, "takes %s, not %s", describe_n(variant, unit, takes),
             format_size(n, size));
    return true;
}

/* Of the rows and sizes: the first that it does not take goes into text. */
static enum refusal refused_shapes(const struct variant *variant, const struct options *o,
                                   char text[REASON_TEXT])
{
    char other[REASON_TEXT];
    size_t taken = 0, refused = 0;
    for (size_t r = 0; r < o->row_count; r++) {
        if (refused_row(variant, o->rows[r], o->gap, refused == 0 ? text : other)) {
            refused++;
            continue;
        }
        for (size_t k = 0; k < o->size_count; k++) {
            bool no =
                refused_n(variant, o->sizes[k], o->rows[r] + o->gap, refused == 0 ? text : other);
            refused += no;
            taken += !no;
        }
    }
    return refused == 0 ? TAKES_ALL : taken > 0 ? TAKES_SOME : TAKES_NOTHING;
}

static enum refusal refused(const struct variant *variant, const struct options *o,
                            char text[REASON_TEXT])
{
    char takes[LIMITS_TEXT];
    if (!takes_pattern(variant, o->pattern)) {
        snprintf(text, REASON_TEXT, "takes " UNIT_PATTERNS ", not %s", pattern_name(o->pattern));
        return TAKES_NOTHING;
    }
    if (!takes_block(variant, o->block)) {
        snprintf(text, REASON_TEXT, "takes %s, not %u", describe_blocks(variant, takes), o->block);
        return TAKES_NOTHING;
    }
    return refused_shapes(variant, o, text);
}

/* ---- what runs ---- */

static void add_skip(struct plan *plan, const struct variant *variant, bool in_part, bool absent,
                     const char *why)
{
    struct skip *skip = &plan->skips[plan->skip_count++];
    *skip = (struct skip){.variant = variant, .in_part = in_part, .absent = absent};
    snprintf(skip->why, sizeof skip->why, "%s", why);
}

/* A variant that was named must take all that was typed. */
static bool refused_though_named(const struct variant *variant, const struct options *o,
                                 char text[REASON_TEXT])
{
    if (refused(variant, o, text) == TAKES_NOTHING)
        return true;
    for (size_t r = 0; r < o->row_count; r++) {
        if (refused_row(variant, o->rows[r], o->gap, text))
            return true;
        for (size_t k = 0; o->sized && k < o->size_count; k++)
            if (refused_n(variant, o->sizes[k], o->rows[r] + o->gap, text))
                return true;
    }
    return false;
}

/* Where nothing runs: what would have, were the command line another one; else why not here. */
static int refuse_all(const struct plan *plan)
{
    for (size_t k = 0; k < plan->skip_count; k++) {
        if (!plan->skips[k].absent)
            return complain(STATUS_USAGE, "%s %s", plan->skips[k].variant->name,
                            plan->skips[k].why);
    }
    if (plan->skip_count > 0)
        return complain(STATUS_NOTHING, "%s cannot run here: %s", plan->skips[0].variant->name,
                        plan->skips[0].why);
    return complain(STATUS_NOTHING,
                    "only variants here that are wrong on purpose: --known-wrong runs them");
}

/* Sets runs[] for the variants that will run on something, and notes what is skipped. Returns 0, 2
   or 77, as make_plan(). */
static int choose_variants(struct plan *plan, const struct machine *machine, bool *runs)
{
    const struct options *o = plan->options;
    char why[REASON_TEXT];
    bool some = false;
    for (size_t i = 0; plan->lesson->variants[i] != NULL; i++) {
        const struct variant *variant = plan->lesson->variants[i];
        if (!o->selected[i])
            continue;
        const char *absent = why_absent(variant, machine, o->block, why);
        if (absent == NULL && o->required[i] && refused_though_named(variant, o, why))
            return complain(STATUS_USAGE, "%s %s", variant->name, why);
        enum refusal refusal = absent != NULL ? TAKES_NOTHING : refused(variant, o, why);
        runs[i] = refusal != TAKES_NOTHING;
        some |= runs[i];
        if (refusal != TAKES_ALL)
            add_skip(plan, variant, runs[i], absent != NULL, absent != NULL ? absent : why);
    }
    return some ? STATUS_OK : refuse_all(plan);
}

/* ---- on what, and in how much memory ---- */

static void add_needs(struct size_plan *size, const struct cell *cell, const struct options *o,
                      unsigned sms)
{
    const struct variant *variant = cell->variant;
    size_t words = answer_words(variant, size->n, cell->row, o->gap);
    const struct task *task = variant->task;
    if (words > size->needs.out_words)
        size->needs.out_words = words;
    if (variant->flags & ON_CPU)
        return;
    size_t floats = scratch_floats(size->n, o->block, variant->per_thread, sms);
    if (task != NULL && task->scratch_per_sm > 0)
        floats = task->scratch_per_sm * sms;
    if (has_ragged_rows(variant) && rows_in(size->n, cell->row, 0) > size->needs.offsets)
        size->needs.offsets = rows_in(size->n, cell->row, 0);
    if (floats > size->needs.scratch_floats)
        size->needs.scratch_floats = floats;
    size->needs.work |= (variant->flags & OVERWRITES_INPUT) != 0;
    if (element_bytes(variant->element) > element_bytes(size->needs.element))
        size->needs.element = variant->element;
    size->needs.copy |= variant->task != NULL && size->n > 1 && words >= size->n;
}

static int check_grid(const struct variant *variant, unsigned block, size_t n)
{
    char size[SIZE_TEXT];
    size_t per_block = (size_t)block * variant->per_thread;
    size_t blocks = per_block == 0 || n == 0 ? 1 : (n - 1) / per_block + 1;
    if (blocks <= MAX_GRID || (variant->flags & ON_CPU))
        return STATUS_OK;
    return complain(STATUS_USAGE,
                    "%s needs %zu blocks of %u threads for %s numbers, a grid has at most %u: "
                    "take a larger -b or a smaller -n",
                    variant->name, blocks, block, format_size(n, size), MAX_GRID);
}

static int plan_size(struct plan *plan, struct size_plan *size, const bool *runs,
                     const struct machine *machine)
{
    const struct options *o = plan->options;
    size->needs = (struct needs){.out_words = 1, .scratch_floats = 1};
    if (machine->gpus > 0)
        size->needs.share = share_size(o, machine->gpus, size->n, 0);
    for (size_t i = 0; plan->lesson->variants[i] != NULL; i++) {
        const struct variant *variant = plan->lesson->variants[i];
        size_t rows = has_rows(variant) ? o->row_count : 1;
        for (size_t r = 0; runs[i] && r < rows; r++) {
            struct cell cell = {variant, has_rows(variant) ? o->rows[r] : 0};
            char why[REASON_TEXT];
            if (refused_row(variant, o->rows[r], o->gap, why) ||
                refused_n(variant, size->n, o->rows[r] + o->gap, why))
                continue;
            if (check_grid(variant, o->block, size->n) != STATUS_OK)
                return STATUS_USAGE;
            size->cells[size->cell_count++] = cell;
            plan->rows |= cell.row > 0;
            add_needs(size, &cell, o, machine->sms);
        }
    }
    return STATUS_OK;
}

/* Host memory that can be had without swapping, in bytes: Linux tells it as
   MemAvailable, in KiB (proc(5)); elsewhere, all there is. */
static size_t available_memory(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    if (kib > 0)
        return (size_t)kib * 1024;
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

struct room {
    size_t device, host; /* bytes free */
};

/* On the simulator device memory is host memory too, and it remembers of each word who
   used it last, in up to seven times as much (simulator/race.c). Ten leave room for the rest. */
static size_t host_bytes(const struct needs *needs, unsigned offset, size_t n)
{
    return data_bytes(offset, n) + (ON_SIMULATOR ? 11 * device_bytes(needs, offset, n) : 0);
}

static bool fits(const struct room *room, const struct needs *needs, unsigned offset, size_t n)
{
    return device_bytes(needs, offset, n) <= room->device &&
           host_bytes(needs, offset, n) <= room->host;
}

/* What n numbers would need, if the parts that grow with n shrink in proportion. */
static struct needs scaled(const struct size_plan *size, size_t n)
{
    struct needs needs = size->needs;
    double share = (double)n / (double)size->n;
    needs.share = (size_t)((double)needs.share * share);
    if (needs.out_words > 1)
        needs.out_words = (size_t)((double)needs.out_words * share) + 1;
    needs.scratch_floats = (size_t)((double)needs.scratch_floats * share) + 1;
    needs.offsets = (size_t)((double)needs.offsets * share);
    return needs;
}

static int check_memory(const struct size_plan *size, const struct room *room, unsigned offset)
{
    char typed[SIZE_TEXT], smaller[SIZE_TEXT];
    size_t n = size->n, power = 1;
    if (fits(room, &size->needs, offset, n))
        return STATUS_OK;
    size_t device = device_bytes(&size->needs, offset, n);
    bool on_host = device <= room->device;
    while (power <= n / 2)
        power *= 2;
    for (struct needs needs = scaled(size, power); power > 1 && !fits(room, &needs, offset, power);
         needs = scaled(size, power))
        power /= 2;
    return complain(
        STATUS_USAGE, "%s numbers need %.1f GiB of %s memory, %.1f are free: take -n %s or less",
        format_size(n, typed),
        (double)(on_host ? host_bytes(&size->needs, offset, n) : device) / GIB,
        on_host ? "host" : "device", (double)(on_host ? room->host : room->device) / GIB,
        format_size(power, smaller));
}

/* ---- all of it ---- */

static void describe(struct plan *plan)
{
    plan->name_width = (int)strlen("plain read");
    plan->sums_only = true;
    for (size_t i = 0; plan->lesson->variants[i] != NULL; i++) {
        const struct variant *variant = plan->lesson->variants[i];
        int length = (int)strlen(variant->name);
        if (plan->options->selected[i] && length > plan->name_width)
            plan->name_width = length;
        plan->sums_only &= variant->task == NULL;
    }
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL)
        abort(); /* some kilobytes */
    return memory;
}

static int plan_sizes(struct plan *plan, const struct machine *machine)
{
    const struct options *o = plan->options;
    bool runs[MAX_VARIANTS] = {false};
    struct room room = {0, available_memory()};
    size_t total;
    int status = choose_variants(plan, machine, runs);
    CUDA_CHECK(cudaMemGetInfo(&room.device, &total));
    for (size_t k = 0; status == STATUS_OK && k < o->size_count; k++) {
        struct size_plan *size = &plan->sizes[k];
        size->n = o->sizes[k];
        size->cells = allocate(MAX_VARIANTS * o->row_count, sizeof *size->cells);
        status = plan_size(plan, size, runs, machine);
        if (status == STATUS_OK && o->model == NULL) /* a model's arrays take no room */
            status = check_memory(size, &room, o->offset);
    }
    return status;
}

int make_plan(struct plan *plan, const struct lesson *lesson, const struct options *options,
              const struct machine *machine)
{
    *plan = (struct plan){.lesson = lesson, .options = options};
    plan->sizes = allocate(options->size_count, sizeof *plan->sizes);
    plan->skips = allocate(MAX_VARIANTS, sizeof *plan->skips);
    describe(plan);
    int status = plan_sizes(plan, machine);
    if (status != STATUS_OK)
        free_plan(plan);
    return status;
}

void free_plan(struct plan *plan)
{
    for (size_t k = 0; k < plan->options->size_count; k++)
        free(plan->sizes[k].cells);
    free(plan->sizes);
    free(plan->skips);
}
