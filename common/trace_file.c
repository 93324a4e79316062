/* trace_file.c: see report.h. */
#include "report.h"

#include "cuda_errors.h"
#include "message.h"
#include "simt.h"

#include <string.h>

int trace_open(struct trace *trace, const struct options *options)
{
    *trace = (struct trace){.options = options};
    int status = whole_file_open(&trace->file, "the trace", options->trace);
    if (trace->file.lines != NULL)
        fputs("# trace " TRACE_VERSION "\n"
              "variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line,"
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

enum { SECTOR = 32 }; /* bytes */

/* An array of the driver's, or NULL: then it is memory that the step allocated. */
static const char *find_array(const struct bench *bench, uintptr_t address, size_t *offset)
{
    const struct buffers *b = &bench->buffers;
    const struct {
        const char *name;
        const void *start;
        size_t bytes;
    } arrays[] = {
        {"in", b->input, bench->n * element_bytes(bench->element)},
        {"in", b->work, bench->n * element_bytes(bench->element)},
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

/* Where an address lies: which array, and how many bytes into it. Memory of the step's own begins
   with the sector of its lowest address that is touched. */
static const char *place_of(const struct bench *bench, uintptr_t address, bool in_shared,
                            uintptr_t lowest, size_t *offset)
{
    *offset = address;
    const char *array = in_shared ? "shared" : find_array(bench, address, offset);
    if (array == NULL)
        *offset = address - lowest;
    return array == NULL ? "other" : array;
}

/* Writes "in,7": which array, and which 4 bytes of it; of a shuffle which lane. */
static void put_place(FILE *out, const struct bench *bench, const struct simt_access *access,
                      uintptr_t lowest)
{
    size_t offset;
    if (access->kind == SIMT_SHUFFLE) {
        fprintf(out, "lane,%zu", (size_t)access->address);
        return;
    }
    const char *array = place_of(bench, access->address, access->in_shared, lowest, &offset);
    fprintf(out, "%s,%zu", access->remote ? "remote" : array, offset / sizeof(float));
}

static uintptr_t lowest_of_others(const struct bench *bench, size_t count)
{
    uintptr_t lowest = UINTPTR_MAX;
    size_t offset;
    for (size_t i = 0; i < count; i++) {
        const struct simt_access *a = simt_access(i);
        if (a->kind != SIMT_SHUFFLE && !a->in_shared && a->address < lowest &&
            find_array(bench, a->address, &offset) == NULL)
            lowest = a->address / SECTOR * SECTOR;
    }
    return lowest;
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* "# block v0,1000,0: threads=256 ...": how large it and its grid are, how far past a sector's
   beginning the arrays are, and what the simulator counted of this block. */
static void put_block(FILE *out, const struct bench *bench, const struct result *result,
                      unsigned block)
{
    const struct simt_counts *c = simt_block_counts(block);
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {
        {"threads", c->block},
        {"grid", c->grid},
        {"in_at", (uintptr_t)bench->buffers.input % SECTOR},
        {"out_at", (uintptr_t)bench->buffers.out % SECTOR},
        {"gld_requests", c->gld_requests},
        {"gld_sectors", c->gld_sectors},
        {"gst_requests", c->gst_requests},
        {"gst_sectors", c->gst_sectors},
        {"shared_ld_wavefronts", c->shared_ld_wavefronts},
        {"shared_st_wavefronts", c->shared_st_wavefronts},
        {"remote_ld_requests", c->remote_ld_requests},
        {"remote_st_requests", c->remote_st_requests},
        {"atomics", c->atomics},
        {"shuffles", c->shuffles},
        {"barriers", c->barriers},
    };
    fprintf(out, "# block %s,%zu,%u:", result->variant->name, result->n, block);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        fprintf(out, " %s=%llu", fields[i].name, (unsigned long long)fields[i].value);
    fputc('\n', out);
}

/* "# race v6_volatile,512,0: shared,12 0,5,reads,v6.cu:40 0,3,wrote,v6.cu:40 | TEXT": the word, the
   block and thread that met it, the one that was there before, and the simulator's line. */
static void put_race(FILE *out, const struct bench *bench, const struct result *result,
                     unsigned block, const struct simt_race *race, uintptr_t lowest)
{
    static const char *const verbs[2][2] = {{"read", "wrote"}, {"reads", "writes"}};
    size_t offset;
    const char *array = place_of(bench, race->address, race->in_shared, lowest, &offset);
    fprintf(out, "# race %s,%zu,%u: %s,%zu", result->variant->name, result->n, block, array,
            offset / sizeof(float));
    for (int i = 1; i >= 0; i--)
        fprintf(out, " %u,%u,%s,%s", race->block[i], race->thread[i], verbs[i][race->wrote[i]],
                file_name(race->line[i]));
    fprintf(out, " | %s\n", race->text);
}

static void put_access(FILE *out, const struct bench *bench, const struct result *result,
                       const struct simt_access *a, uintptr_t lowest)
{
    static const char *const kinds[] = {"load", "store", "atomic", "shuffle"};
    fprintf(out, "%s,%zu,%u,%u,%u,%u,%u,%s,", result->variant->name, result->n, a->block, a->step,
            a->epoch, a->thread / 32, a->thread % 32, kinds[a->kind]);
    put_place(out, bench, a, lowest);
    fprintf(out, ",%u,%s,%u,%u,%u\n", a->bytes, file_name(a->line), a->barriers[SIMT_OF_BLOCK],
            a->barriers[SIMT_OF_CLUSTER], a->barriers[SIMT_OF_GRID]);
}

void trace_add(struct trace *trace, const struct bench *bench, const struct result *result)
{
    FILE *out = trace->file.lines;
    if (out == NULL || (result->variant->flags & ON_CPU))
        return;
    size_t count = simt_traced();
    uintptr_t lowest = lowest_of_others(bench, count);
    for (unsigned k = 0; k < trace->options->trace_block_count; k++) {
        unsigned block = trace->options->trace_blocks[k];
        if (simt_block_counts(block) == NULL)
            continue;
        put_block(out, bench, result, block);
        for (size_t i = 0; i < simt_races(); i++)
            if (simt_race(i)->block[1] == block)
                put_race(out, bench, result, block, simt_race(i), lowest);
        for (size_t i = 0; i < count; i++)
            if (simt_access(i)->block == block) {
                put_access(out, bench, result, simt_access(i), lowest);
                trace->seen[k] = true;
            }
    }
}

#else

void trace_add(struct trace *trace, const struct bench *bench, const struct result *result)
{
    (void)trace, (void)bench, (void)result;
}

#endif
