/* harness.c: the loop over the rivals of a subject, the CSV, the table that is printed. */
#include "harness.h"

#include "cuda_errors.h"
#include "message.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL = 10, NUMBER = 12, OFFSET = 7, CELL = 9 };
#define CHUNK ((size_t)16 << 20) /* elements that are made at a time */

/* ---- the numbers ---- */

void upload(struct comparison *c, enum element element)
{
    size_t bytes = element_bytes(element);
    size_t all = c->bytes / (bytes < sizeof(float) ? sizeof(float) : bytes); /* host[] has floats */
    char *some = malloc((all < CHUNK ? all : CHUNK) * bytes);
    c->element = element;
    if (some == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu numbers", CHUNK));
    for (size_t start = 0; start < all; start += CHUNK) {
        size_t count = all - start < CHUNK ? all - start : CHUNK;
        make_elements(element, c->host + start, count, some);
        CUDA_CHECK(cudaMemcpy((char *)c->gpus.shares[0].in + start * bytes, some, count * bytes,
                              cudaMemcpyHostToDevice));
    }
    free(some);
}

void open_numbers(struct comparison *c)
{
    struct share *first = &c->gpus.shares[0];
    size_t floats = c->most * c->subject->room / sizeof(float) + 64;
    c->host = malloc(floats * sizeof(float));
    if (c->host == NULL)
        exit(complain(STATUS_USAGE, "no memory for %zu numbers: take a smaller --most", floats));
    fill_data(c->host, floats, PATTERN_UNIFORM, 1);
    if (c->subject->many_gpus) {
        c->bytes = c->most / c->gpus.count * sizeof(float);
        open_shares(&c->gpus, &c->options, c->host, c->most / c->gpus.count * c->gpus.count);
        CUDA_CHECK(cudaMalloc((void **)&c->whole, c->most * sizeof(float)));
        CUDA_CHECK(cudaMemcpy(c->whole, c->host, c->most * sizeof(float), cudaMemcpyHostToDevice));
    } else {
        c->bytes = floats * sizeof(float);
        CUDA_CHECK(cudaMalloc((void **)&first->in, c->bytes));
        CUDA_CHECK(cudaMalloc((void **)&first->out, sizeof(double)));
        CUDA_CHECK(cudaMemset(first->out, 0, sizeof(double)));
        upload(c, ELEMENT_FLOAT);
    }
    CUDA_CHECK(cudaEventCreate(&c->start));
    CUDA_CHECK(cudaEventCreate(&c->stop));
}

/* ---- the errors ---- */

/* The sum that lies in out, as a double; own: it has the type of the elements. */
static double read_sum(const struct comparison *c, bool own)
{
    union {
        float f;
        double d;
        int64_t whole;
        uint16_t bits;
        _Float16 half;
    } sum;
    CUDA_CHECK(cudaStreamSynchronize(c->gpus.shares[0].stream));
    CUDA_CHECK(cudaMemcpy(&sum, c->gpus.shares[0].out, sizeof sum, cudaMemcpyDeviceToHost));
    if (own && c->element == ELEMENT_HALF)
        return (double)(float)sum.half;
    if (own) {
        uint32_t upper = (uint32_t)sum.bits << 16;
        memcpy(&sum.f, &upper, sizeof sum.f);
    }
    return c->element == ELEMENT_DOUBLE  ? sum.d
           : c->element == ELEMENT_INT32 ? (double)sum.whole
                                         : (double)sum.f;
}

static double error_of(const struct comparison *c, const struct setting *setting,
                       const struct exact_sum *exact, const struct variant *way, bool own)
{
    if (exact == NULL || way->flags & ROOF)
        return NAN;
    queue_sum(c, setting, way, 0, 0);
    return fabs(read_sum(c, own) - exact->sum) / (c->subject->error_unit * exact->sum_abs);
}

/* ---- the CSV ---- */

/* Five digits, as far as a time is good for: 1.1360, 1132.3. */
static void put_figure(FILE *out, double figure)
{
    fprintf(out, "%.*f", figure < 10 ? 4 : figure < 100 ? 3 : figure < 1000 ? 2 : 1, figure);
}

static void put_error(FILE *out, double error)
{
    if (!isnan(error))
        fprintf(out, "%.4g", error);
}

/* Writes what the row has in this column. */
static void put_column(const struct comparison *c, const struct row *row, const char *name)
{
    const struct setting *s = &row->setting;
    const struct outcome *o = &row->outcome;
    FILE *out = c->csv.lines;
    const struct {
        const char *name, *text;
    } texts[] = {
        {"element", element_name(c->element)},
        {"pattern", c->label},
        {"operator", c->question},
        {"of", c->of},
        {"cache", s->cold ? "cold" : "warm"},
        {"launch", c->subject->launches[s->launch]},
        {"way", row->way},
        {"rival", row->rival},
        {"kind", row->kind},
    };
    const struct {
        const char *name;
        size_t number;
    } numbers[] = {
        {"n", s->n},           {"offset", s->offset},     {"gpus", c->gpus.count},
        {"rounds", o->rounds}, {"columns", c->columns},   {"segments", c->segments},
        {"loads", row->loads}, {"threads", row->threads}, {"blocks", row->blocks},
        {"parts", row->parts}, {"chosen", row->chosen},
    };
    const struct {
        const char *name;
        double figure;
    } figures[] = {
        {"us", o->us[0]},
        {"ours_us", o->us[0]},
        {"way_us", o->us[0]},
        {"rival_us", o->us[1]},
        {"ratio", o->ratio},
        {"low", o->low},
        {"high", o->high},
        {"ci", (o->high - o->low) / 2},
        {"above", o->above},
        {"above_low", o->above_low},
        {"above_high", o->above_high},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(name, texts[i].name) == 0)
            fputs(texts[i].text, out);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0)
            fprintf(out, "%zu", numbers[i].number);
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(name, figures[i].name) == 0)
            put_figure(out, figures[i].figure);
    if (strcmp(name, "ours_error") == 0)
        put_error(out, row->errors[0]);
    if (strcmp(name, "rival_error") == 0)
        put_error(out, row->errors[1]);
}

void put_row(const struct comparison *c, const struct row *row)
{
    char columns[256], *rest = columns, *name;
    snprintf(columns, sizeof columns, "%s", c->subject->columns);
    while ((name = strsep(&rest, ",")) != NULL) {
        put_column(c, row, name);
        fputc(rest != NULL ? ',' : '\n', c->csv.lines);
    }
}

/* ---- the rivals ---- */

/* Whether this rival is compared here at all. */
static bool is_there(const struct comparison *c, const struct rival *rival)
{
    return rival->way != NULL && rival->way->launch != NULL &&
           (!rival->own_type || rival->way->element == c->element);
}

/* How this rival is launched at this n, in the order of the CSV. */
static size_t settings_of(const struct comparison *c, const struct rival *rival, size_t n,
                          unsigned offset, struct setting settings[2 * LAUNCHES])
{
    size_t count = 0;
    for (int launch = 0; launch < LAUNCHES; launch++) {
        unsigned caches = c->quick && launch == STREAM ? 0 : rival->caches[launch];
        if (caches & COLD)
            settings[count++] = (struct setting){n, offset, (enum launch)launch, true};
        if (caches & WARM)
            settings[count++] = (struct setting){n, offset, (enum launch)launch, false};
    }
    return count;
}

static bool is_shown(const struct rival *rival, size_t setting)
{
    return rival->shown == ALL || (rival->shown != NOTHING && setting == 0);
}

static void show(struct comparison *c, const struct rival *rival, const struct outcome *o)
{
    if (rival->shown == ABOVE) {
        printf(" %*.2f", CELL - 1, o->above);
    } else {
        printf(" %*.3f%c", CELL - 2, o->ratio, o->low > 1 ? '*' : ' ');
        c->pairs += rival->shown == ALL;
        c->slower += rival->shown == ALL && o->low > 1;
    }
    fflush(stdout);
}

static void against(struct comparison *c, size_t n, unsigned offset, const struct rival *rival,
                    const struct exact_sum *exact)
{
    struct setting settings[2 * LAUNCHES];
    const struct variant *const ways[2] = {c->subject->ours, rival->way};
    size_t count = settings_of(c, rival, n, offset, settings);
    double errors[2] = {NAN, NAN};
    for (int i = 0; i < 2 && count > 0; i++)
        errors[i] = error_of(c, &settings[0], exact, ways[i], i == 1 && rival->own_type);
    for (size_t i = 0; i < count; i++) {
        struct row row = {.setting = settings[i],
                          .way = ways[0]->name,
                          .rival = ways[1]->name,
                          .outcome = measure_pair(c, &settings[i], ways),
                          .errors = {errors[0], errors[1]}};
        put_row(c, &row);
        if (is_shown(rival, i))
            show(c, rival, &row.outcome);
    }
}

void compare_at(struct comparison *c, size_t n, unsigned offset, size_t rivals)
{
    const struct subject *subject = c->subject;
    bool measured = subject->error_unit > 0;
    struct exact_sum exact;
    if (n == 0 || n > c->most)
        return;
    if (subject->most_checked > 0 && n > subject->most_checked)
        measured = false;
    if (measured)
        exact = sum_elements_exactly(c->element, c->host + offset, n);
    if (subject->check != NULL)
        subject->check(c, n, offset);
    printf("%-*s%*zu%*u", LABEL, c->label, NUMBER, n, OFFSET, offset);
    for (size_t i = 0; i < rivals; i++)
        if (is_there(c, &subject->rivals[i]))
            against(c, n, offset, &subject->rivals[i], measured ? &exact : NULL);
    printf("\n");
}

/* Three lines: the rival, the launch and the cache of each column. */
void print_head(const struct comparison *c)
{
    const struct subject *subject = c->subject;
    printf("%s\n", subject->what);
    for (size_t i = 0; i < subject->rival_count; i++)
        if (subject->rivals[i].way != NULL && subject->rivals[i].way->launch != NULL)
            printf("    %-20s %s\n", subject->rivals[i].way->name, subject->rivals[i].way->what);
    for (int line = 0; line < 3 && subject->rival_count > 0; line++) {
        if (line < 2)
            printf("%*s", LABEL + NUMBER + OFFSET, "");
        else
            printf("%-*s%*s%*s", LABEL, "", NUMBER, "n", OFFSET, "offset");
        for (size_t i = 0; i < subject->rival_count; i++) {
            const struct rival *rival = &subject->rivals[i];
            struct setting settings[2 * LAUNCHES];
            size_t count = is_there(c, rival) ? settings_of(c, rival, 0, 0, settings) : 0;
            for (size_t s = 0; s < count; s++)
                if (is_shown(rival, s))
                    printf(" %*.*s", CELL - 1, CELL - 1,
                           line == 0               ? rival->way->name
                           : line == 1             ? subject->launches[settings[s].launch]
                           : rival->shown == ABOVE ? "us above"
                           : settings[s].cold      ? "cold"
                                                   : "warm");
        }
        printf("\n");
    }
}
