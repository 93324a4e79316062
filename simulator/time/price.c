/*
 * price.c: see price.h. The table says what SASS needs for each instruction of x86-64: a copy
 * between registers is none (nvcc's code has three operands), 64-bit arithmetic is two (registers
 * have 32 bits), a branch is two with what brings lanes together again, a remainder some twenty.
 * What the simulator itself adds (calls of access.c, checks of indices) costs nothing.
 */
#include "time/price.h"
#include "fault.h"
#include "time/gpu.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

/* ---- the source: loops under #pragma unroll, and atomics whose results nothing takes ---- */

struct loop {
    const char *file;
    unsigned first, last; /* lines */
    uint64_t merged;      /* the set of the loop that nvcc makes one of with this one, or none */
};
enum { MOST_LOOPS = 64 * 16 };
static struct loop loops[MOST_LOOPS];
static size_t loop_count;

static struct source {
    char *name, **line; /* line[0] is the first; NULL: it is not there */
    unsigned lines;
} * sources;
static size_t source_count;

static int braces(const char *line)
{
    int depth = 0;
    for (; *line; line++)
        depth += (*line == '{') - (*line == '}');
    return depth;
}

/* The last line of the statement that begins at line i, counted from 0. */
static unsigned end_of_statement(const struct source *s, unsigned i)
{
    int depth = 0;
    for (; i < s->lines; i++) {
        const char *line = s->line[i], *comment = strstr(line, "/*");
        size_t end = comment ? (size_t)(comment - line) : strlen(line);
        depth += braces(line);
        while (end > 0 && isspace((unsigned char)line[end - 1]))
            end--;
        if (depth <= 0 && end > 0 && (line[end - 1] == ';' || line[end - 1] == '}'))
            return i;
    }
    return s->lines - 1;
}

static bool calls_something(const char *line)
{
    for (const char *open = line; (open = strchr(open, '(')); open++)
        if (open > line && (isalnum((unsigned char)open[-1]) || strchr("_>", open[-1])))
            return true;
    return false;
}

/* The condition of a loop's body, "if (CONDITION)" or "= CONDITION ? a : b" in one line; its
   length, or 0. */
static size_t condition(const struct source *s, const struct loop *l, const char **text)
{
    for (unsigned i = l->first; i < l->last && i < s->lines; i++) {
        const char *line = s->line[i], *from, *to;
        if ((from = strstr(line, "if (")) && (to = strrchr(line, ')')))
            from += strlen("if (");
        else if ((from = strstr(line, " = ")) && (to = strstr(line, " ? ")))
            from += strlen(" = ");
        else if (calls_something(line)) /* it may be one that all lanes must come to */
            return 0;
        else
            continue;
        *text = from;
        return from < to ? (size_t)(to - from) : 0;
    }
    return 0;
}

/* A loop that loads under a condition, and after it one that uses what was loaded under the same:
   nvcc makes one of them, and loads one after another (seen in its machine code of row_warp). */
static void find_merged(const struct source *s, size_t from)
{
    enum { NEAR = 10 }; /* lines between them */
    for (size_t i = from; i + 1 < loop_count; i++) {
        const char *a, *b;
        size_t length = condition(s, &loops[i], &a);
        if (length > 0 && loops[i + 1].first <= loops[i].last + NEAR &&
            condition(s, &loops[i + 1], &b) == length && strncmp(a, b, length) == 0)
            loops[i].merged = 1ull << (i + 1) % 64;
    }
}

static void find_loops(const struct source *s)
{
    size_t from = loop_count;
    for (unsigned i = 0; i + 1 < s->lines && loop_count < MOST_LOOPS; i++) {
        const char *pragma = strstr(s->line[i], "#pragma unroll");
        if (!pragma || strtol(pragma + strlen("#pragma unroll"), NULL, 10) == 1)
            continue;
        loops[loop_count++] = (struct loop){s->name, i + 2, end_of_statement(s, i + 1) + 1, 0};
    }
    find_merged(s, from);
}

static const struct source *source_of(const char *name)
{
    for (size_t i = 0; i < source_count; i++)
        if (strcmp(sources[i].name, name) == 0)
            return &sources[i];
    sources = simt_grow(sources, source_count, sizeof *sources);
    struct source *s = &sources[source_count++];
    *s = (struct source){.name = strdup(name)};
    FILE *f = source_open(name);
    char *line = NULL;
    size_t room = 0;
    while (f && getline(&line, &room, f) > 0) {
        s->line = simt_grow(s->line, s->lines, sizeof *s->line);
        s->line[s->lines++] = strdup(line);
    }
    free(line);
    if (f)
        fclose(f);
    find_loops(s);
    return s;
}

/* Of a line: the loops that hold it, in words of 64. Loops beyond share bits: they are many, and
   one place is in few. */
static uint64_t loops_at(const char *file, unsigned line)
{
    uint64_t set = 0;
    const struct source *s = source_of(file);
    for (size_t i = 0; i < loop_count; i++)
        if (loops[i].file == s->name && loops[i].first <= line && line <= loops[i].last)
            set |= 1ull << i % 64;
    return set;
}

static uint64_t merged_with(uint64_t set)
{
    uint64_t merged = 0;
    for (size_t i = 0; i < loop_count; i++)
        if (set >> i % 64 & 1)
            merged |= loops[i].merged;
    return merged;
}

static bool begins_loop(const char *file, unsigned line)
{
    const struct source *s = source_of(file);
    for (size_t i = 0; i < loop_count; i++)
        if (loops[i].file == s->name && loops[i].first == line)
            return true;
    return false;
}

/* "x = atomicAdd(...)" takes it, "atomicAdd(...);" does not. */
static bool throws_away(const char *line)
{
    const char *atomic = strstr(line, "atomic");
    if (!atomic)
        return false;
    while (atomic > line && (isalnum((unsigned char)atomic[-1]) || strchr("_:.>-&[]", atomic[-1])))
        atomic--;
    while (atomic > line && isspace((unsigned char)atomic[-1]))
        atomic--;
    return atomic == line || strchr(";{})", atomic[-1]);
}

/* ---- prices ---- */

static double branch_price = 2, division_price = 20;

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool starts_any(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (starts(text, *list))
            return true;
    return false;
}

/* Is the last operand a register of 64 bits? */
static bool to_wide_register(const char *arguments)
{
    const char *comma = strrchr(arguments, ','), *last = comma ? comma + 1 : arguments;
    if (strchr(last, '(') || starts(last, "%fs") || !starts(last, "%r"))
        return false;
    return !strpbrk(last + 2, "dwb") || isalpha((unsigned char)last[2]);
}

/* Which share is for the units of whole numbers alone. A product with a sum (IMAD, which lea and
   imul become) runs where floats do; nvcc gives additions now to these, now to those; half of a
   division's are conversions and products. */
static double integer_share(const char *op, const char *arguments)
{
    size_t length = strlen(op);
    if (op[0] == 'j' || starts(op, "mov") || strstr(arguments, "xmm"))
        return 0;
    if (starts(op, "lea") || starts(op, "imul"))
        return 0;
    if (starts(op, "add") || starts(op, "sub") || starts(op, "div") || starts(op, "idiv"))
        return 0.5;
    return length > 2 && (op[length - 1] == 's' || op[length - 1] == 'd') && op[length - 2] == 's'
               ? 0
               : 1;
}

/* Conversions between floats and whole numbers, or doubles, and what begins with a reciprocal: a
   division of whole numbers converts, takes a reciprocal, and converts back. */
static double special_count(const char *op)
{
    if ((starts(op, "div") && !starts(op, "divs")) || starts(op, "idiv"))
        return 3;
    return starts(op, "divs") || starts(op, "sqrt") || starts(op, "cvt") ? 1 : 0;
}

/* A division of whole numbers estimates, multiplies back and corrects, twice. */
static double product_count(const char *op)
{
    if ((starts(op, "div") && !starts(op, "divs")) || starts(op, "idiv"))
        return 5;
    return starts(op, "imul");
}

/* Instructions in SASS. */
static double price(const char *op, const char *arguments)
{
    static const char *const free_ones[] = {"push", "pop",  "nop",  "endbr", "ret",    "jmp",
                                            "cltq", "cltd", "cqto", "leave", "data16", NULL};
    bool moves = starts(op, "mov") || starts(op, "lea");
    if (starts_any(op, free_ones) || strstr(arguments, moves ? "%rsp" : ",%rsp"))
        return 0;
    if (starts(op, "div") && !isalpha((unsigned char)op[3]) ? true : starts(op, "idiv"))
        return division_price;
    if (starts(op, "divs")) /* divss, divsd: a reciprocal and Newton's steps */
        return op[4] == 'd' ? 20 : 10;
    if (starts(op, "sqrt"))
        return op[5] == 'd' || op[6] == 'd' ? 24 : 12;
    if (starts(op, "mov") || starts(op, "pxor") || starts(op, "xorps"))
        return strstr(arguments, "(%rip)") ? 1
                                           : 0; /* threadIdx; else a copy, or the access itself */
    if (op[0] == 'j')
        return branch_price;
    if (to_wide_register(arguments) && starts(arguments, "$0x20,"))
        return 0; /* a shift by 32: the other one of a pair of registers */
    return starts(op, "lea") || !to_wide_register(arguments) ? 1 : 2;
}

/* What kernels call in the C library: a few are whole functions on a GPU, too. */
static const struct call {
    const char *name;
    double price;
} calls[] = {
    {"expf", 8},       {"logf", 14},         {"exp2f", 3},  {"log2f", 5},   {"sqrtf", 10},
    {"fmaxf", 1},      {"fminf", 1},         {"fabsf", 1},  {"fma", 1},     {"fmaf", 1},
    {"floorf", 1},     {"roundf", 3},        {"rintf", 1},  {"sinf", 20},   {"cosf", 20},
    {"tanhf", 20},     {"powf", 40},         {"exp", 40},   {"log", 50},    {"sqrt", 24},
    {"fmax", 2},       {"fmin", 2},          {"ldexp", 4},  {"ldexpf", 4},  {"frexpf", 6},
    {"nextafterf", 8}, {"fmod", 100},        {"fmodf", 60}, {"hypotf", 20}, {"pow", 90},
    {"sin", 60},       {"cos", 60},          {"llrint", 2}, {"llrintf", 2}, {"lrint", 2},
    {"lrintf", 2},     {"__popcountdi2", 2}, {"memcpy", 0}, {"memset", 0},  {"memmove", 0},
};

/* ---- this program's code ---- */

struct basic_block {
    uintptr_t at; /* in the file */
    struct price price;
    const char *unknown; /* a call without a price */
};
static struct basic_block *blocks;
static size_t block_count;

/* Where a call returns to. */
static struct place {
    uintptr_t at; /* in the file, as of a block: the first of both structures */
    uint64_t loops;
    bool unused; /* the source throws away the result, if it is of an atomic */
} * places;
static size_t place_count;

static int by_place(const void *a, const void *b)
{
    const uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

/* An instruction, and what its lines in the source say. */
struct instruction {
    uintptr_t pc;
    char *text;           /* "mov    0x57692(%rip),%r15d        # 5fa00 <threadIdx>" */
    bool new_line;        /* it is of another line than the one before; this line is ... */
    bool is_head;         /* ... the head of an unrolled loop: costs nothing */
    bool unrolled;        /* ... in a loop under #pragma unroll */
    bool intrinsic;       /* ... one instruction for nvcc */
    struct place returns; /* of a call */
};

/* A branch forward past a few instructions that touch no memory: nvcc makes these conditional. */
struct short_branch {
    size_t block;
    uintptr_t to;
    double price, past; /* its own; of what it goes past, so far */
};
enum { MOST_SHORT = 16, MOST_PAST = 7, CALL_BYTES = 5 };

struct reader {
    struct basic_block *at;
    bool next, skip; /* the next instruction begins a block; a function of ours */
    bool is_head;
    struct price recent[5]; /* prices, for a check of an index that follows */
    unsigned recent_count;
    double intrinsic; /* what is left of the price of the intrinsic that this line is; or < 0 */
    bool counts;      /* the last instruction changes a register by a constant, or compares it */
    bool unrolled;
    double last;
    struct counted *counted; /* loops of this function */
    size_t counted_count;
    struct instruction *code;     /* its instructions */
    size_t length, lined;         /* so many; of so many the line is known */
    char function[200], line[40]; /* of the instruction before, as far as they matter */
    unsigned constants;           /* registers that hold what nvcc knows, as bits */
    bool constant_flags;          /* and the last comparison */
    unsigned upper; /* registers whose lower half is 0: what is joined to it costs nothing */
    struct short_branch branch[MOST_SHORT];
    unsigned branches;
    uintptr_t last_branch_to, other_way_to; /* other_way_to: up to there is the compiler's own */
    char compared[40];                      /* operands of the last comparison */
};

static void begin_block(struct reader *r, uintptr_t pc)
{
    blocks = simt_grow(blocks, block_count, sizeof *blocks);
    r->at = &blocks[block_count++];
    *r->at = (struct basic_block){.at = pc};
    r->next = false;
    r->recent_count = 0;
}

static void add_price(struct reader *r, struct price more)
{
    r->at->price.all += more.all;
    r->at->price.integer += more.integer;
    r->at->price.doubtful += more.doubtful;
    r->at->price.divisions += more.divisions;
    r->at->price.special += more.special;
    r->at->price.products += more.products;
    r->recent[r->recent_count++ % 5] = more;
}

/* ---- nvcc unrolls loops of so many rounds: what follows from their counter is constant ---- */

struct counted {
    uintptr_t first, end;
    unsigned counter; /* a register, as a bit */
};

/* The register that an operand names, as a bit: "%r14d" and "%r14" are one; or 0. */
static unsigned register_bit(const char *name)
{
    static const char old[] = "axbxcxdxsidibpsp";
    if (*name++ != '%')
        return 0;
    if (name[0] == 'r' && isdigit((unsigned char)name[1]))
        return 1u << strtol(name + 1, NULL, 10) % 16;
    name += (name[0] == 'r' || name[0] == 'e') && strlen(name) > 2;
    for (unsigned i = 0; i < 8; i++)
        if (name[0] == old[2 * i] &&
            (name[1] == old[2 * i + 1] || (i < 4 && strchr("lh", name[1]))))
            return 1u << i;
    return 0;
}

/* All registers that are named in these operands; *other: something else is, but no number. */
static unsigned registers_in(const char *text, const char *end, bool *other)
{
    unsigned set = 0;
    for (; text < end; text++)
        if (*text == '%') {
            char name[8];
            size_t length = strcspn(text, ",)");
            snprintf(name, sizeof name, "%.*s", length < 7 ? (int)length : 7, text);
            unsigned bit = register_bit(name);
            *other |= bit == 0;
            set |= bit;
        }
    return set;
}

static unsigned counters_at(const struct reader *r, uintptr_t pc)
{
    unsigned set = 0;
    for (size_t i = 0; i < r->counted_count; i++)
        if (r->counted[i].first <= pc && pc < r->counted[i].end)
            set |= r->counted[i].counter;
    return set;
}

static const char *last_operand(const char *arguments)
{
    const char *comma = strrchr(arguments, ','), *open = strrchr(arguments, '(');
    if (open && comma > open && strchr(open, ')') > comma) /* within parentheses */
        for (comma = open; comma > arguments && *comma != ','; comma--)
            ;
    return comma && *comma == ',' ? comma + 1 : arguments;
}

/* Is it known when the kernel is compiled? Notes down what its result is. */
static bool follow_constants(struct reader *r, uintptr_t pc, const char *op, const char *arguments)
{
    const char *last = last_operand(arguments), *end = arguments + strlen(arguments);
    bool copies = starts(op, "mov") || starts(op, "lea"),
         tests = starts(op, "cmp") || starts(op, "test");
    bool other = strchr(arguments, '(') && !starts(op, "lea");
    unsigned known = r->constants | counters_at(r, pc);
    unsigned from = registers_in(arguments, copies ? last : end, &other), to = register_bit(last);
    bool constant = !other && (from & ~known) == 0 && (from || counters_at(r, pc));
    if (op[0] == 'j')
        return r->constant_flags;
    if (tests)
        return r->constant_flags = constant && from;
    if (starts(op, "set") || starts(op, "cmov"))
        constant &= r->constant_flags;
    if (starts(op, "div") || starts(op, "idiv"))
        r->constants &= ~9u; /* rax, rdx */
    r->constants = constant ? r->constants | to : r->constants & ~to;
    return constant && to;
}

/* Of two halves that are put together to 64 bits: the registers are a pair, it costs nothing. */
static bool joins_halves(struct reader *r, const char *op, const char *arguments)
{
    const char *last = last_operand(arguments);
    bool other = false, joins = false;
    unsigned to = register_bit(last);
    if (starts(op, "or") || starts(op, "add"))
        joins = (registers_in(arguments, arguments + strlen(arguments), &other) & r->upper) &&
                arguments[0] == '%';
    r->upper &= ~to;
    if (starts(op, "shl") && starts(arguments, "$0x20,"))
        r->upper |= to;
    return joins;
}

static void pass_branches(struct reader *r, uintptr_t pc, double price)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < r->branches; i++) {
        struct short_branch b = r->branch[i];
        b.past += price;
        if (pc >= b.to) {
            blocks[b.block].price.all -= b.price;
            blocks[b.block].price.doubtful -= b.price;
        } else if (b.past <= MOST_PAST)
            r->branch[kept++] = b;
    }
    r->branches = kept;
}

static void take_call(struct reader *r, const char *to)
{
    const char *name = strchr(to, '<');
    char bare[256];
    r->constants &= ~0xf3du; /* those that a call may change: rax, rcx, rdx, rsi, rdi, r8 to r11 */
    if (!name)
        return;
    snprintf(bare, sizeof bare, "%s", name + 1);
    bare[strcspn(bare, "@>+")] = '\0';
    if (strstr(bare, "trace_pc")) {
        r->other_way_to = 0;
        r->next = !r->skip;
        r->at = NULL;
        return;
    }
    if (!r->at)
        return;
    bool accesses = starts(bare, "__tsan_") && (strstr(bare, "read") || strstr(bare, "write"));
    r->at->price.accesses += accesses;
    if (accesses || (strstr(name, "@plt") && bare[0] != '_'))
        r->branches = 0;
    if (strstr(bare, "ubsan")) { /* the simulator's own check of an index */
        r->branches -= r->branches > 0;
        for (unsigned i = 0; i < 5 && i < r->recent_count; i++)
            r->at->price.all -= r->recent[i].all, r->at->price.integer -= r->recent[i].integer;
    }
    r->recent_count = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(bare, calls[i].name) == 0) {
            r->at->price.all += calls[i].price;
            return;
        }
    if (strstr(name, "@plt") && bare[0] != '_') /* of a library; the compiler's own begin with _ */
        r->at->unknown = strdup(bare);
}

/* Does it add or shift by a constant, or make an address? Where a loop is unrolled that is known
   beforehand, or part of the access. */
static bool is_constant(const char *op, const char *arguments)
{
    static const char *const some[] = {"add", "sub", "shl", "sal", "sar", "shr", "cmp", NULL};
    if (starts(op, "lea")) /* an address */
        return true;
    return starts_any(op, some) && (arguments[0] == '$' || !strchr(arguments, ',')) &&
           !strchr(arguments, '(');
}

/* "%eax,%r12d" and "%r12d,%eax" are the same two. */
static bool same_pair(const char *a, const char *b)
{
    size_t first = strcspn(a, ",");
    return strcmp(a, b) == 0 || (a[first] && strncmp(last_operand(b), a, first) == 0 &&
                                 strncmp(b, a + first + 1, strlen(a + first + 1)) == 0);
}

/* What a jump costs. Of a choice that the compiler itself made within a basic block, one way
   counts; a comparison of floats for equality takes two jumps here. */
static double take_branch(struct reader *r, uintptr_t pc, const char *op, const char *arguments,
                          double all)
{
    uintptr_t to = strtoull(arguments, NULL, 16);
    if (op[0] != 'j')
        return all;
    if (strcmp(op, "jmp") == 0) {
        if (r->last_branch_to > pc && r->last_branch_to <= pc + 5 && to > pc)
            r->other_way_to = to;
        return all;
    }
    r->last_branch_to = to;
    if (strcmp(op, "jp") == 0)
        return 0;
    if (to > pc && r->branches < MOST_SHORT)
        r->branch[r->branches++] = (struct short_branch){(size_t)(r->at - blocks), to, all, 0};
    return all;
}

static void take_instruction(struct reader *r, const struct instruction *i)
{
    uintptr_t pc = i->pc;
    char *text = i->text, *arguments = text + strcspn(text, " \t");
    if (i->new_line) {
        r->is_head = i->is_head;
        r->unrolled = i->unrolled;
        r->intrinsic = i->intrinsic ? 1 : -1;
    }
    if (*arguments)
        *arguments++ = '\0';
    arguments += strspn(arguments, " \t");
    char *comment = strchr(arguments, '#');
    if (starts(text, "call")) {
        if (r->next)
            begin_block(r, pc);
        take_call(r, arguments);
        return;
    }
    if (comment)
        *comment = '\0';
    if (r->next)
        begin_block(r, pc);
    bool known = follow_constants(r, pc, text, arguments), joins = joins_halves(r, text, arguments);
    if (!r->at || r->is_head || pc < r->other_way_to)
        return;
    double all = known || joins ? 0 : price(text, arguments);
    bool constant = all > 0 && is_constant(text, arguments);
    if (text[0] == 'j' && strcmp(text, "jne") == 0 && r->counts &&
        strtoull(arguments, NULL, 16) < pc) {
        r->at->price.all -= r->last; /* a loop of so many rounds: nvcc unrolls it, too */
        all = 0;
    }
    if (constant && r->unrolled)
        all = 0;
    if (starts(text, "cmov") && all == 1 && same_pair(r->compared, arguments))
        all = 0; /* a minimum or maximum */
    if (starts(text, "cmp"))
        snprintf(r->compared, sizeof r->compared, "%s", arguments);
    pass_branches(r, pc, text[0] == 'j' ? 0 : all);
    all = take_branch(r, pc, text, arguments, all);
    if (r->intrinsic >= 0) {
        all = all < r->intrinsic ? all : r->intrinsic;
        r->intrinsic -= all;
    }
    r->counts = constant;
    r->last = all;
    bool wide = text[0] != 'j' && !constant && all == 2 && to_wide_register(arguments);
    add_price(r, (struct price){.all = all,
                                .integer = all * integer_share(text, arguments),
                                .doubtful = wide             ? all / 2
                                            : text[0] == 'j' ? all
                                                             : 0,
                                .divisions = starts(text, "divs"),
                                .special = special_count(text),
                                .products = product_count(text)});
}

/* The loops that end as "add $1,%rbx; ...; cmp $4,%rbx; jne FIRST". */
static void find_counted(struct reader *r)
{
    char compared[8] = "";
    r->counted_count = 0;
    for (size_t i = 0; i < r->length; i++) {
        const char *text = r->code[i].text, *at;
        uintptr_t pc = r->code[i].pc, first;
        if (starts(text, "cmp") && (at = strchr(text, '$')) && (at = strstr(at, ",%")))
            snprintf(compared, sizeof compared, "%.7s", at + 1);
        else if (starts(text, "jne") && register_bit(compared) &&
                 (first = strtoull(text + 3, NULL, 16)) < pc) {
            r->counted = simt_grow(r->counted, r->counted_count, sizeof *r->counted);
            r->counted[r->counted_count++] = (struct counted){first, pc, register_bit(compared)};
        } else
            compared[0] = '\0';
    }
}

/* Of an instruction, a function that is inlined there, or has it, and its line. The innermost one
   begins a new line where the function, the number or the discriminator is another. */
static void take_source(void *to, size_t i, char *function, char *file)
{
    struct reader *r = to;
    struct instruction *at = &r->code[i];
    char *colon = strrchr(file, ':');
    unsigned line = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
    if (line == 0)
        return;
    *colon++ = '\0';
    const struct source *s = source_of(file);
    uint64_t set = loops_at(file, line);
    at->returns.loops |= set;
    at->returns.unused |=
        line <= s->lines && !strstr(file, "/include/./") && throws_away(s->line[line - 1]);
    if (i < r->lined)
        return;
    r->lined = i + 1;
    at->new_line = strncmp(function, r->function, sizeof r->function - 1) != 0 ||
                   strncmp(colon, r->line, sizeof r->line - 1) != 0;
    snprintf(r->function, sizeof r->function, "%s", function);
    snprintf(r->line, sizeof r->line, "%s", colon);
    at->is_head = begins_loop(file, line);
    at->unrolled = set != 0;
    at->intrinsic = strstr(file, "/device_functions.h");
}

static uintptr_t base; /* of this program's file, where it has been loaded */

static void take_function(struct reader *r)
{
    void **pcs = simt_zeroed(r->length, sizeof *pcs);
    for (size_t i = 0; i < r->length; i++)
        pcs[i] = (void *)(base + r->code[i].pc + 1);
    r->lined = 0;
    r->function[0] = '\0';
    places_ask(pcs, r->length, take_source, r);
    find_counted(r);
    r->at = NULL;
    r->next = r->is_head = r->constant_flags = false;
    r->constants = r->upper = r->branches = 0;
    for (size_t i = 0; i < r->length; i++) {
        struct instruction *now = &r->code[i];
        now->returns.at = i + 1 < r->length ? now[1].pc : now->pc + CALL_BYTES;
        if (starts(now->text, "call")) {
            places = simt_grow(places, place_count, sizeof *places);
            places[place_count++] = now->returns;
        }
        take_instruction(r, now);
    }
    free(pcs);
}

static void forget_function(struct reader *r)
{
    for (size_t i = 0; i < r->length; i++)
        free(r->code[i].text);
    r->length = 0;
}

static void take_line(struct reader *r, char *line)
{
    char *colon = strchr(line, ':'), *name = strchr(line, '<');
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == ' ' && colon && colon[1] == '\t') { /* "  8367:\tmov    %rdi,%rbp" */
        r->code = simt_grow(r->code, r->length, sizeof *r->code);
        r->code[r->length++] =
            (struct instruction){.pc = strtoull(line, NULL, 16), .text = strdup(colon + 2)};
    } else if (name) /* "0000000000009209 <_ZL10sum_blocksPKfPfm>:" */
        r->skip = strstr(name, "<simt_") || strstr(name, "simt_call") || strstr(name, "ENKU");
}

static FILE *objdump;
static uintptr_t objdump_from;

/* Has objdump print from the function that holds this place on. */
static void disassemble(uintptr_t pc)
{
    char command[200];
    void *first = _Unwind_FindEnclosingFunction((void *)(base + pc));
    uintptr_t from = first ? (uintptr_t)first - base : pc;
    if (objdump && objdump_from == from)
        return;
    if (objdump)
        pclose(objdump);
    /* Not by the program's name: a file may have replaced it. */
    snprintf(command, sizeof command,
             "LC_ALL=C exec objdump -d --no-show-raw-insn --start-address=%zu /proc/%d/exe "
             "2>/dev/null",
             objdump_from = from, (int)getpid());
    objdump = popen(command, "re");
}

/* Reads the functions of the first of these places, which are in order, and of those near it;
   returns how many places these are. */
static size_t read_functions(const uintptr_t *pcs, size_t count)
{
    enum { NEAR = 1 << 14 }; /* to read on takes no longer than to begin again */
    struct reader reader = {.intrinsic = -1};
    char *line = NULL;
    size_t room = 0, near = 1, read = 0;
    while (near < count && pcs[near] - pcs[near - 1] < NEAR)
        near++;
    disassemble(pcs[0]);
    while (objdump && read < near && getline(&line, &room, objdump) > 0) {
        if (line[0] != '\n' || reader.length == 0) {
            take_line(&reader, line);
            continue;
        }
        uintptr_t end = reader.code[reader.length - 1].pc + CALL_BYTES;
        if (reader.code[0].pc < pcs[read] && pcs[read] <= end)
            take_function(&reader);
        while (read < near && pcs[read] <= end)
            read++;
        forget_function(&reader);
    }
    if (objdump)
        pclose(objdump);
    objdump = NULL;
    free(reader.code);
    free(reader.counted);
    free(line);
    return near;
}

static void *find(const void *pc, const void *array, size_t count, size_t bytes)
{
    uintptr_t at = (uintptr_t)pc - base;
    return count > 0 ? bsearch(&at, array, count, bytes, by_place) : NULL;
}

static const struct place *place_of(const void *pc)
{
    return find(pc, places, place_count, sizeof *places);
}

void price_begin(void *const pcs[ENTRIES])
{
    void *lowest = pcs[0];
    base = places_base();
    for (int i = 1; i < ENTRIES; i++)
        lowest = pcs[i] < lowest ? pcs[i] : lowest;
    if (!place_of(lowest))
        disassemble((uintptr_t)lowest - base);
}

const char *price_look_up(const void *const *pcs, size_t count)
{
#ifndef __x86_64__
    return "instructions are priced from code for x86-64 alone";
#endif
    uintptr_t *new = NULL;
    size_t news = 0;
    base = places_base();
    for (size_t i = 0; i < count; i++)
        if (!place_of(pcs[i])) {
            new = simt_grow(new, news, sizeof *new);
            new[news++] = (uintptr_t)pcs[i] - base;
        }
    if (news > 0)
        qsort(new, news, sizeof *new, by_place);
    for (size_t i = 0; i < news;)
        i += read_functions(new + i, news - i);
    if (news > 0) {
        qsort(blocks, block_count, sizeof *blocks, by_place);
        qsort(places, place_count, sizeof *places, by_place);
    }
    free(new);
    return count == 0 || block_count > 0
               ? NULL
               : "objdump (of binutils) does not read this program's code";
}

static const struct basic_block *block_at(const void *pc)
{
    return find(pc, blocks, block_count, sizeof *blocks);
}

struct price price_of_block(const void *pc)
{
    const struct basic_block *b = block_at(pc);
    return b ? b->price : (struct price){0};
}

const char *price_unknown_call(const void *pc)
{
    const struct basic_block *b = block_at(pc);
    return b ? b->unknown : NULL;
}

uint64_t price_loops(const void *pc)
{
    const struct place *p = place_of(pc);
    return p ? p->loops : 0;
}

bool price_may_merge(const void *load, const void *next)
{
    return (merged_with(price_loops(load)) & price_loops(next)) != 0;
}

bool price_is_unused(const void *pc)
{
    const struct place *p = place_of(pc);
    return p && p->unused;
}
