/* gpu.c: see gpu.h. gpus.toml has a table for each GPU, [NAME], a file of one's own the lines of
   one without that line: a line for each figure, key = value # source. Those that it leaves out are
   those of the GPU that like = "NAME" names, on a line before them. */
#include "time/gpu.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct key {
    const char *name;
    size_t offset;
    double least, most;
} keys[] = {
#define KEY(NAME) #NAME, offsetof(struct gpu, NAME)
    {KEY(sms), 1, 256},
    {KEY(mhz), 100, 10000},
    {KEY(issue), 1, 16},
    {KEY(product), 1, 10},
    {KEY(integers), 1, 512},
    {KEY(specials), 1, 512},
    {KEY(special), 1, 200},
    {KEY(warps), 16, 128},
    {KEY(blocks), 8, 64},
    {KEY(registers), 1024, 1 << 20},
    {KEY(sm_shared_kb), 16, 1024},
    {KEY(block_shared_kb), 16, 1024},
    {KEY(alu), 1, 50},
    {KEY(l1), 1, 1000},
    {KEY(l2), 10, 5000},
    {KEY(dram), 10, 10000},
    {KEY(shared), 1, 1000},
    {KEY(shuffle), 1, 1000},
    {KEY(vote), 1, 1000},
    {KEY(match), 1, 1000},
    {KEY(match_value), 0, 1000},
    {KEY(reduce), 1, 1000},
    {KEY(barrier), 0, 1000},
    {KEY(barrier_warp), 0, 100},
    {KEY(cluster), 0, 10000},
    {KEY(cluster_start), 0, 10000},
    {KEY(fence), 0, 10000},
    {KEY(block_start), 0, 10000},
    {KEY(gbps), 1, 100000},
    {KEY(bank_ns), 1, 1000},
    {KEY(write_cost), 0.1, 10},
    {KEY(l2_gbps), 1, 100000},
    {KEY(l2_sm), 1, 1024},
    {KEY(l2_mb), 0.01, 1000},
    {KEY(l1_caches), 0, 1},
    {KEY(atomic_ns), 0.01, 1000},
    {KEY(atomic_integer_ns), 0.01, 1000},
    {KEY(atomic_lane), 0, 1},
    {KEY(l2_atomics), 0.01, 1000},
    {KEY(first_us), 0, 1000},
    {KEY(next_us), 0, 1000},
    {KEY(memset_us), 0, 1000},
    {KEY(sync_us), 0, 1000},
    {KEY(sync_block_ns), 0, 1000},
    {KEY(uncertainty), 0, 1},
#undef KEY
};
enum { KEYS = sizeof keys / sizeof *keys };

FILE *source_open(const char *path)
{
    char at[8000];
    const char *root = getenv("SIMT_SOURCES");
    FILE *f = fopen(path, "r");
    if (f || path[0] == '/')
        return f;
    if (root && (size_t)snprintf(at, sizeof at, "%s/%s", root, path) < sizeof at &&
        (f = fopen(at, "r")))
        return f;
    ssize_t length = readlink("/proc/self/exe", at, sizeof at - 1);
    at[length < 0 ? 0 : length] = '\0';
    for (char *slash; !f && (slash = strrchr(at, '/')); *slash = '\0') {
        if (strlen(path) >= (size_t)(at + sizeof at - slash - 1))
            break;
        strcpy(slash + 1, path);
        f = fopen(at, "r");
    }
    return f;
}

static char message[600];

/* gpus.toml beside this file, as the compiler found it. */
static const char *gpus_file(void)
{
    static char path[4000];
    snprintf(path, sizeof path, "%s", __FILE__);
    char *name = strrchr(path, '/');
    snprintf(name ? name + 1 : path, 16, "gpus.toml");
    return path;
}

static const char *wrong(const char *file, unsigned line, const char *what, const char *detail)
{
    char where[24] = "";
    if (line > 0)
        snprintf(where, sizeof where, ":%u", line);
    snprintf(message, sizeof message, "%.200s%s: %s%.120s", file, where, what, detail);
    for (char *c = message; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 127 ? '?' : *c;
    return message;
}

/* Without blanks at both ends, and without a comment that is not within quotes. */
static char *trimmed(char *text)
{
    bool quoted = false;
    for (char *p = text; *p; p++) {
        quoted ^= *p == '"';
        if (*p == '#' && !quoted)
            *p = '\0';
        if (*p == '\0')
            break;
    }
    while (isspace((unsigned char)*text))
        text++;
    for (size_t end = strlen(text); end > 0 && isspace((unsigned char)text[end - 1]);)
        text[--end] = '\0';
    return text;
}

/* The name in a line [NAME], or NULL. */
static char *table_name(char *line)
{
    char *text = trimmed(line);
    size_t length = strlen(text);
    if (length < 3 || text[0] != '[' || text[length - 1] != ']')
        return NULL;
    text[length - 1] = '\0';
    return text + 1;
}

/* "no GPU is called X: there are h200, h100, ..." */
static const char *unknown(const char *name, FILE *gpus)
{
    char *line = NULL, *table;
    size_t room = 0;
    size_t used =
        (size_t)snprintf(message, sizeof message, "no GPU is called \"%.60s\": there are", name);
    bool first = true;
    rewind(gpus);
    while (getline(&line, &room, gpus) > 0)
        if ((table = table_name(line)) && used < sizeof message) {
            used += (size_t)snprintf(message + used, sizeof message - used, "%s %s",
                                     first ? "" : ",", table);
            first = false;
        }
    free(line);
    if (used < sizeof message)
        snprintf(message + used, sizeof message - used, ", or name a file.toml");
    return message;
}

static const char *read_gpu(struct gpu *gpu, bool have[KEYS], const char *name, int depth);

static const char *take(struct gpu *gpu, bool have[KEYS], const char *file, unsigned number,
                        int depth, char *line)
{
    char *text = trimmed(line), *equals = strchr(text, '='), *end, detail[100];
    if (*text == '\0')
        return NULL;
    if (!equals)
        return wrong(file, number, "a line is KEY = VALUE # SOURCE, not ", text);
    *equals = '\0';
    char *key = trimmed(text), *value = trimmed(equals + 1);
    if (strcmp(key, "name") == 0 || strcmp(key, "like") == 0) {
        size_t length = strlen(value);
        if (length < 3 || value[0] != '"' || value[length - 1] != '"' ||
            length - 2 >= sizeof gpu->name)
            return wrong(file, number, "a name stands in quotes and is short, not ", value);
        value[length - 1] = '\0';
        if (key[0] == 'l')
            return depth > 4 ? wrong(file, number, "it is like one that is like it: ", value + 1)
                             : read_gpu(gpu, have, value + 1, depth + 1);
        snprintf(gpu->name, sizeof gpu->name, "%s", value + 1);
        return NULL;
    }
    for (size_t k = 0; k < KEYS; k++) {
        if (strcmp(keys[k].name, key) != 0)
            continue;
        double x = strtod(value, &end);
        if (end == value || *end || !(x >= keys[k].least && x <= keys[k].most)) {
            snprintf(detail, sizeof detail, "%s from %g to %g, not %.40s", key, keys[k].least,
                     keys[k].most, value);
            return wrong(file, number, "a GPU has ", detail);
        }
        *(double *)((char *)gpu + keys[k].offset) = x;
        have[k] = true;
        return NULL;
    }
    return wrong(file, number, "no figure of a GPU is called ", key);
}

/* name: of a table of gpus.toml, or a path. */
static const char *read_gpu(struct gpu *gpu, bool have[KEYS], const char *name, int depth)
{
    char *line = NULL, *table;
    size_t room = 0, length = strlen(name);
    const char *problem = NULL;
    bool is_path = strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".toml") == 0);
    bool inside = is_path, found = is_path;
    const char *path = is_path ? name : gpus_file();
    FILE *f = is_path ? fopen(path, "r") : source_open(path);
    if (!f)
        return is_path ? wrong(name, 0, "no such file", "")
                       : wrong(path, 0, "it is not there",
                               ": run this in the repository's folder, or set SIMT_SOURCES to it");
    for (unsigned number = 1; !problem && getline(&line, &room, f) > 0; number++) {
        char *copy = strdup(line);
        if ((table = table_name(copy)) && !is_path)
            found |= inside = strcmp(table, name) == 0;
        else if (inside)
            problem = take(gpu, have, path, number, depth, line);
        free(copy);
    }
    if (!problem && !found)
        problem = unknown(name, f);
    free(line);
    fclose(f);
    return problem;
}

const char *gpu_read(struct gpu *gpu, const char *name)
{
    bool have[KEYS] = {false};
    *gpu = (struct gpu){0};
    const char *problem = read_gpu(gpu, have, name, 0);
    for (size_t k = 0; !problem && k < KEYS; k++)
        if (!have[k])
            problem =
                wrong(name, 0,
                      "this figure is missing, and no like = \"NAME\" before it: ", keys[k].name);
    if (!problem && !gpu->name[0])
        problem = wrong(name, 0, "this figure is missing: ", "name");
    return problem;
}
