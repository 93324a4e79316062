/* merge.c: puts the texts of nvcc's two passes together. nvcc compiles a file twice, for the host
   without __CUDA_ARCH__, for the device with it; here both are one program. simcc preprocesses a
   file that asks for it twice, and merge HOST DEVICE prints the lines that they share, and

     simt_variants … simt_or … simt_end

   where they differ: the host's lines, the device's lines. rewrite.c knows which function that
   is in, and takes the right one. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One line of preprocessed text. file: "name", as a line marker gave it. */
struct line {
    const char *text, *file;
    int length, number;
    bool ours; /* of the reader's files: not a marker, not empty, not of the system's headers */
};

struct lines {
    struct line *at;
    size_t count, room;
};

/* With both its quotes. Inside, " and \ are escaped with a \. */
static size_t name_length(const char *name)
{
    size_t length = 1;
    while (name[length] != '\0' && name[length] != '"')
        length += name[length] == '\\' ? 2 : 1;
    return length + 1;
}

static bool same_name(const struct line *a, const char *b)
{
    return strncmp(a->file, b, name_length(a->file)) == 0;
}

static bool is_empty(const char *p, int length)
{
    while (length > 0 && isspace((unsigned char)p[length - 1]))
        length--;
    return length == 0;
}

static void add(struct lines *lines, struct line l)
{
    if (lines->count == lines->room) {
        lines->room = 2 * lines->room + 1024;
        lines->at = realloc(lines->at, lines->room * sizeof l);
        if (!lines->at)
            abort();
    }
    lines->at[lines->count++] = l;
}

static struct lines read_lines(const char *path)
{
    struct lines lines = {0};
    struct line now = {.file = "\"\"", .number = 1};
    char *text = NULL;
    size_t room = 0;
    bool system = false;
    FILE *file = fopen(path, "r");
    if (!file || getdelim(&text, &room, '\0', file) < 0)
        exit(2);
    fclose(file);
    for (char *p = text; *p; p += now.length) {
        now.text = p;
        now.length = (int)strcspn(p, "\n") + 1;
        if (p[now.length - 1] == '\0')
            now.length--;
        if (p[0] == '#' && p[1] == ' ' && isdigit((unsigned char)p[2])) {
            const char *name = p + strcspn(p, "\"");
            bool again = same_name(&now, name); /* only a macro's expansion begins or ends */
            now.file = name;
            const char *flags = name + name_length(name);
            if (!again)
                system = memchr(flags, '3', strcspn(flags, "\n"));
            now.ours = false;
            add(&lines, now);
            now.number = atoi(p + 2);
            continue;
        }
        now.ours = !system && !is_empty(p, now.length);
        add(&lines, now);
        now.number++;
    }
    return lines;
}

static bool same(const struct line *a, const struct line *b)
{
    return a->number == b->number && same_name(a, b->file) && a->length == b->length &&
           strncmp(a->text, b->text, (size_t)a->length) == 0;
}

/* A place is without flags: they say that a file begins or ends, which clang counts. */
static void print(const struct line *l, bool with_place)
{
    if (with_place)
        printf("\n# %d %.*s\n", l->number, (int)name_length(l->file), l->file);
    fwrite(l->text, 1, (size_t)l->length, stdout);
}

static size_t next_ours(const struct lines *lines, size_t i)
{
    while (i < lines->count && !lines->at[i].ours)
        i++;
    return i;
}

/* Where both agree again: the first lines from h and d on that are the same. */
static void find_end(const struct lines *host, const struct lines *device, size_t *h, size_t *d)
{
    for (size_t i = *h; i < host->count; i = next_ours(host, i + 1))
        for (size_t j = *d; j < device->count; j = next_ours(device, j + 1)) {
            if (same(&host->at[i], &device->at[j])) {
                *h = i;
                *d = j;
                return;
            }
            if (same_name(&device->at[j], host->at[i].file) &&
                device->at[j].number > host->at[i].number)
                break; /* this line of the host is not the device's */
        }
    *h = host->count;
    *d = device->count;
}

/* A body on one line: of two lines that differ, what they share up to their last { is printed, and
   what they share from the next } on returned, without both of which they are left. Not where a
   string may be. */
static struct line share_braces(struct line *a, struct line *b)
{
    int least = a->length < b->length ? a->length : b->length, head = 0, tail = 0;
    for (int i = 0; i < least && a->text[i] == b->text[i] && !strchr("\"'", a->text[i]); i++)
        if (a->text[i] == '{')
            head = i + 1;
    for (int i = 1; head > 0 && i <= least - head; i++) {
        char c = a->text[a->length - i];
        if (c != b->text[b->length - i] || strchr("\"'", c))
            break;
        if (c == '}')
            tail = i;
    }
    struct line opens = *a, closes = *a;
    opens.length = head;
    closes.text += a->length - tail;
    closes.length = tail;
    if (head > 0)
        print(&opens, true);
    for (int k = 0; k < 2; k++) {
        struct line *l = k == 0 ? a : b;
        l->text += head;
        l->length -= head + tail;
    }
    return closes;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    struct lines host = read_lines(argv[1]), device = read_lines(argv[2]);
    size_t d = next_ours(&device, 0);
    for (size_t h = 0; h < host.count; h++) {
        if (!host.at[h].ours) {
            print(&host.at[h], false);
            continue;
        }
        if (d < device.count && same(&host.at[h], &device.at[d])) {
            print(&host.at[h], false);
            d = next_ours(&device, d + 1);
            continue;
        }
        size_t host_end = h, device_end = d;
        find_end(&host, &device, &host_end, &device_end);
        struct line closes = {.length = 0};
        if (host_end == next_ours(&host, h + 1) && device_end == next_ours(&device, d + 1) &&
            host.at[h].number == device.at[d].number && same_name(&host.at[h], device.at[d].file))
            closes = share_braces(&host.at[h], &device.at[d]);
        printf("\nsimt_variants");
        for (; h < host_end; h++)
            print(&host.at[h], host.at[h].ours);
        printf("\nsimt_or");
        for (; d < device_end; d = next_ours(&device, d + 1))
            print(&device.at[d], true);
        printf("\nsimt_end");
        if (closes.length > 0)
            print(&closes, true);
        if (host_end < host.count)
            print(&host.at[host_end], true);
        h = host_end;
        d = next_ours(&device, d + 1);
    }
    return fflush(stdout) != 0 || ferror(stdout);
}
