/* trace_file.c: see trace_file.h. */
#include "trace_file.h"

#include "cuda_errors.h"
#include "message.h"
#include "simt.h"

#include <string.h>

int trace_open(struct trace *trace, const struct options *options)
{
    *trace = (struct trace){.options = options};
    int status = whole_file_open(&trace->file, "the trace", options->trace);
    if (trace->file.lines != NULL)
        fputs("variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line,"
              "block_barriers,cluster_barriers,grid_barriers\n",
              trace->file.lines);
    return status;
}

int trace_close(struct trace *trace)
{
    const struct options *options = trace->options;
    for (unsigned i = 0; options->trace != NULL && i < options->trace_block_count; i++) {
        if (!trace->seen[i])
            return complain(STATUS_USAGE,
                            "--trace-blocks: no first launch had a block %u that touches memory",
                            options->trace_blocks[i]);
    }
    return whole_file_close(&trace->file);
}

#ifdef SIMT_SIMULATOR

/* An array of the driver's, or NULL: then it is memory that the step allocated. */
static const char *find_array(const struct bench *bench, uintptr_t address, size_t *offset)
{
    const struct buffers *b = &bench->buffers;
    const struct {
        const char *name;
        const void *start;
        size_t bytes;
    } arrays[] = {
        {"in", b->input, bench->n * sizeof(float)},
        {"in", b->work, bench->n * sizeof(float)},
        {"scratch", b->scratch, b->scratch_bytes},
        {"out", b->out, b->out_bytes},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        *offset = address - (uintptr_t)arrays[i].start;
        if (arrays[i].start != NULL && *offset < arrays[i].bytes)
            return arrays[i].name;
    }
    return NULL;
}

/* Writes "in,7": which array, and which element of it. Memory of the step's own begins at the
   lowest address of it that is touched. */
static void put_place(FILE *out, const struct bench *bench, const struct simt_access *access,
                      uintptr_t lowest)
{
    size_t offset = access->address;
    const char *array = "lane";
    size_t unit = 1;
    if (access->kind != SIMT_SHUFFLE) {
        unit = sizeof(float);
        array = access->in_shared ? "shared" : find_array(bench, access->address, &offset);
    }
    if (array == NULL)
        offset = access->address - lowest;
    fprintf(out, "%s,%zu", array == NULL ? "other" : array, offset / unit);
}

static uintptr_t lowest_of_others(const struct bench *bench, size_t count)
{
    uintptr_t lowest = UINTPTR_MAX;
    size_t offset;
    for (size_t i = 0; i < count; i++) {
        const struct simt_access *a = simt_access(i);
        if (a->kind != SIMT_SHUFFLE && !a->in_shared && a->address < lowest &&
            find_array(bench, a->address, &offset) == NULL)
            lowest = a->address;
    }
    return lowest;
}

void trace_add(struct trace *trace, const struct bench *bench, const struct result *result)
{
    static const char *const kinds[] = {"load", "store", "atomic", "shuffle"};
    FILE *out = trace->file.lines;
    if (out == NULL || (result->variant->flags & ON_CPU))
        return;
    size_t count = simt_traced();
    uintptr_t lowest = lowest_of_others(bench, count);
    for (unsigned k = 0; k < trace->options->trace_block_count; k++)
        for (size_t i = 0; i < count; i++) {
            const struct simt_access *a = simt_access(i);
            const char *slash = strrchr(a->line, '/');
            if (a->block != trace->options->trace_blocks[k])
                continue;
            fprintf(out, "%s,%zu,%u,%u,%u,%u,%u,%s,", result->variant->name, result->n, a->block,
                    a->step, a->epoch, a->thread / 32, a->thread % 32, kinds[a->kind]);
            put_place(out, bench, a, lowest);
            fprintf(out, ",%u,%s,%u,%u,%u\n", a->bytes, slash ? slash + 1 : a->line,
                    a->barriers[SIMT_OF_BLOCK], a->barriers[SIMT_OF_CLUSTER],
                    a->barriers[SIMT_OF_GRID]);
            trace->seen[k] = true;
        }
}

#else

void trace_add(struct trace *trace, const struct bench *bench, const struct result *result)
{
    (void)trace, (void)bench, (void)result;
}

#endif
