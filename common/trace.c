#include "trace.h"

#include "gpu.h"
#include "message.h"
#include "simt/simt.h"

#include <string.h>

int trace_open(struct trace *trace, const struct options *options)
{
    *trace = (struct trace){.options = options};
    int status = whole_file_open(&trace->file, "the trace", options->trace);
    if (trace->file.lines != NULL)
        fputs("variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line\n",
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

/* Writes "in,7": which array, and which element of it. */
static void put_place(FILE *out, const struct bench *bench, const struct simt_access *access)
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
        {"out", b->out, sizeof(float)},
    };
    if (access->kind == SIMT_SHUFFLE || access->in_shared) {
        size_t unit = access->in_shared ? sizeof(float) : 1;
        fprintf(out, "%s,%zu", access->in_shared ? "shared" : "lane", access->address / unit);
        return;
    }
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        size_t offset = access->address - (uintptr_t)arrays[i].start;
        if (arrays[i].start != NULL && offset < arrays[i].bytes) {
            fprintf(out, "%s,%zu", arrays[i].name, offset / sizeof(float));
            return;
        }
    }
    fputs("other,", out);
}

void trace_add(struct trace *trace, const struct bench *bench, const struct result *result)
{
    static const char *const kinds[] = {"load", "store", "atomic", "shuffle"};
    FILE *out = trace->file.lines;
    if (out == NULL || (result->variant->flags & ON_CPU))
        return;
    size_t count = simt_traced();
    for (unsigned k = 0; k < trace->options->trace_block_count; k++)
        for (size_t i = 0; i < count; i++) {
            const struct simt_access *a = simt_access(i);
            const char *slash = strrchr(a->line, '/');
            if (a->block != trace->options->trace_blocks[k])
                continue;
            fprintf(out, "%s,%zu,%u,%u,%u,%u,%u,%s,", result->variant->name, result->n, a->block,
                    a->step, a->epoch, a->thread / 32, a->thread % 32, kinds[a->kind]);
            put_place(out, bench, a);
            fprintf(out, ",%u,%s\n", a->bytes, slash ? slash + 1 : a->line);
            trace->seen[k] = true;
        }
}

#else

void trace_add(struct trace *trace, const struct bench *bench, const struct result *result)
{
    (void)trace, (void)bench, (void)result;
}

#endif
