/* ptx.c: inline PTX in C++, for rewrite.c: each instruction of the table here becomes a statement
   that does the same ("Parallel Thread Execution ISA"). $0, $1 ... stand for operands, @ for a
   type. */
#include "ptx.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

/* The value of an instruction that writes $0: by the beginning of its name. */
static const struct row {
    const char *name, *value;
} values[] = {
    {"mov.", "$1"},
    {"cvta.to.global.", "$1"},
    {"cvta.global.", "$1"},
    {"cvta.to.shared.", "simt_to_shared((const void *)($1))"},
    {"cvta.shared.", "simt_from_shared($1)"},
    {"createpolicy.", "0"}, /* no caches here */
    {"add.", "(@)($1) + (@)($2)"},
    {"sub.", "(@)($1) - (@)($2)"},
    {"mul.lo.", "(@)((@)($1) * (@)($2))"},
    {"mul.hi.u32", "__umulhi($1, $2)"},
    {"mul.hi.s32", "__mulhi($1, $2)"},
    {"mul.rn.f", "(@)($1) * (@)($2)"},
    {"mul.f", "(@)($1) * (@)($2)"},
    {"mad.lo.", "(@)((@)($1) * (@)($2) + (@)($3))"},
    {"fma.rn.", "(@)fma((@)($1), (@)($2), (@)($3))"},
    {"mul.wide.u32", "(unsigned long long)(unsigned)($1) * (unsigned)($2)"},
    {"mul.wide.s32", "(long long)(int)($1) * (int)($2)"},
    {"div.", "(@)($1) / (@)($2)"},
    {"rem.", "(@)($1) % (@)($2)"},
    {"neg.", "-(@)($1)"},
    {"abs.", "(@)($1) < 0 ? -(@)($1) : (@)($1)"},
    {"selp.", "($3) ? (@)($1) : (@)($2)"},
    {"and.pred", "($1) && ($2)"},
    {"or.pred", "($1) || ($2)"},
    {"not.pred", "!($1)"},
    {"and.b", "(@)($1) & (@)($2)"},
    {"or.b", "(@)($1) | (@)($2)"},
    {"xor.b", "(@)($1) ^ (@)($2)"},
    {"not.b", "~(@)($1)"},
    {"shl.b", "(@)($1) << ($2)"},
    {"shr.", "(@)($1) >> ($2)"},
    {"min.", "min((@)($1), (@)($2))"},
    {"max.", "max((@)($1), (@)($2))"},
    {"popc.b32", "__popc($1)"},
    {"popc.b64", "__popcll($1)"},
    {"clz.b32", "__clz((int)($1))"},
    {"clz.b64", "__clzll((long long)($1))"},
    {"brev.b32", "__brev($1)"},
    {"bfind.u32", "31 - __clz((int)($1))"},
    {"bfe.u32", "simt_bfe($1, $2, $3)"},
    {"bfi.b32", "simt_bfi($1, $2, $3, $4)"},
    {"lop3.b32", "simt_lop3($1, $2, $3, $4)"},
    {"prmt.b32", "simt_prmt($1, $2, $3)"},
    {"shf.l.wrap.b32", "__funnelshift_l($1, $2, $3)"},
    {"shf.r.wrap.b32", "__funnelshift_r($1, $2, $3)"},
    {"ex2.approx.", "exp2f($1)"},
    {"lg2.approx.", "log2f($1)"},
    {"tanh.approx.f32", "tanhf($1)"},
    {"sin.approx.", "sinf($1)"},
    {"cos.approx.", "cosf($1)"},
    {"rcp.", "(@)1 / (@)($1)"},
    {"sqrt.", "(@)sqrt((@)($1))"},
    {"rsqrt.approx.", "(@)1 / (@)sqrt((@)($1))"},
    {"shfl.sync.idx.b32", "__shfl_sync($4, simt_ptx_as<unsigned>($1), $2, simt_ptx_width($3))"},
    {"shfl.sync.up.b32", "__shfl_up_sync($4, simt_ptx_as<unsigned>($1), $2, simt_ptx_width($3))"},
    {"shfl.sync.down.b32",
     "__shfl_down_sync($4, simt_ptx_as<unsigned>($1), $2, simt_ptx_width($3))"},
    {"shfl.sync.bfly.b32",
     "__shfl_xor_sync($4, simt_ptx_as<unsigned>($1), $2, simt_ptx_width($3))"},
    {"activemask.b32", "__activemask()"},
    {"vote.sync.ballot.b32", "__ballot_sync($2, $1)"},
    {"vote.sync.any.pred", "__any_sync($2, $1)"},
    {"vote.sync.all.pred", "__all_sync($2, $1)"},
    {"match.any.sync.b32", "__match_any_sync($2, (unsigned)($1))"},
    {"redux.sync.add.", "__reduce_add_sync($2, (@)($1))"},
    {"redux.sync.min.", "__reduce_min_sync($2, (@)($1))"},
    {"redux.sync.max.", "__reduce_max_sync($2, (@)($1))"},
};

/* Those that write none. */
static const struct row statements[] = {
    {"membar.cta", "__threadfence_block();"},
    {"membar.sys", "__threadfence_system();"},
    {"membar.", "__threadfence();"},
    {"fence.acq_rel.cta", "simt_fence_acq_rel(SIMT_OF_THE_BLOCK);"},
    {"fence.acq_rel.sys", "simt_fence_acq_rel(SIMT_OF_THE_SYSTEM);"},
    {"fence.acq_rel.", "simt_fence_acq_rel(SIMT_OF_THE_DEVICE);"},
    {"fence.sc.cta", "__threadfence_block();"},
    {"fence.sc.sys", "__threadfence_system();"},
    {"fence.", "__threadfence();"},
    {"bar.sync", "__syncthreads();"},
    {"barrier.sync", "__syncthreads();"},
    {"bar.warp.sync", "__syncwarp($0);"},
    {"cp.async.commit_group", "simt_async_commit();"},
    {"cp.async.wait_group", "simt_async_wait($0);"},
    {"cp.async.wait_all", "simt_async_commit(); simt_async_wait(0);"},
    {"nanosleep.u32", "__nanosleep($0);"},
    {"trap", "__trap();"},
    {"griddepcontrol.", ""},
    {"prefetch", ""},
};

static const struct row registers[] = {
    {"%laneid", "simt_rank_in_block() % 32"},
    {"%warpid", "simt_rank_in_block() / 32"},
    {"%lanemask_eq", "(1u << simt_rank_in_block() % 32)"},
    {"%lanemask_lt", "((1u << simt_rank_in_block() % 32) - 1)"},
    {"%lanemask_le", "((2u << simt_rank_in_block() % 32) - 1)"},
    {"%lanemask_ge", "~((1u << simt_rank_in_block() % 32) - 1)"},
    {"%lanemask_gt", "~((2u << simt_rank_in_block() % 32) - 1)"},
    {"%clock", "simt_clock()"},
    {"%clock64", "simt_clock()"},
    {"%globaltimer", "simt_clock()"},
    {"%globaltimer_lo", "(unsigned)simt_clock()"},
    {"%globaltimer_hi", "(unsigned)(simt_clock() >> 32)"},
    {"%clock_hi", "(unsigned)(simt_clock() >> 32)"},
    {"%nwarpid", "(blockDim.x * blockDim.y * blockDim.z + 31) / 32"},
    {"%warpsize", "32u"},
    {"WARP_SZ", "32u"},
    {"%tid.x", "threadIdx.x"},
    {"%tid.y", "threadIdx.y"},
    {"%tid.z", "threadIdx.z"},
    {"%ntid.x", "blockDim.x"},
    {"%ntid.y", "blockDim.y"},
    {"%ntid.z", "blockDim.z"},
    {"%ctaid.x", "blockIdx.x"},
    {"%ctaid.y", "blockIdx.y"},
    {"%ctaid.z", "blockIdx.z"},
    {"%nctaid.x", "gridDim.x"},
    {"%nctaid.y", "gridDim.y"},
    {"%nctaid.z", "gridDim.z"},
    {"%smid", "0u"}, /* which SM it is makes no difference here */
};

/* A PTX type: C's, and its vectors of two and of four. */
static const struct type {
    const char *name, *of_c, *of_two, *of_four;
} types[] = {
    {"u8", "unsigned char", "uchar2", "uchar4"},
    {"s8", "signed char", "char2", "char4"},
    {"b8", "unsigned char", "uchar2", "uchar4"},
    {"u16", "unsigned short", "ushort2", "ushort4"},
    {"s16", "short", "short2", "short4"},
    {"b16", "unsigned short", "ushort2", "ushort4"},
    {"u32", "unsigned", "uint2", "uint4"},
    {"s32", "int", "int2", "int4"},
    {"b32", "unsigned", "uint2", "uint4"},
    {"f32", "float", "float2", "float4"},
    {"u64", "unsigned long long", "ulonglong2", NULL},
    {"s64", "long long", "longlong2", NULL},
    {"b64", "unsigned long long", "ulonglong2", NULL},
    {"f64", "double", "double2", NULL},
};

struct instruction {
    char *name, *operands[MOST];
    int count;
    bool unpacks; /* the first of them stand in braces */
    char *also;   /* a second result, as in r|p, or NULL */
};

/* The registers that the text declares: their names in PTX. */
static char *declared[32];
static int declared_count;

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static const struct row *row_of(const struct row *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (begins(name, rows[i].name))
            return &rows[i];
    return NULL;
}
#define ROW_OF(ROWS, NAME) row_of(ROWS, sizeof ROWS / sizeof *ROWS, NAME)

static bool has(const char *name, const char *part)
{
    const char *p = strstr(name, part);
    return p && (p[strlen(part)] == '.' || p[strlen(part)] == '\0');
}

static const struct type *type_of(const char *name)
{
    const char *last = strrchr(name, '.');
    for (size_t i = 0; last && i < sizeof types / sizeof *types; i++)
        if (strcmp(last + 1, types[i].name) == 0)
            return &types[i];
    return NULL;
}

static char *trim(char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    for (char *end = p + strlen(p); end > p && isspace((unsigned char)end[-1]);)
        *--end = '\0';
    return p;
}

/* "ld.global.v2.f32 {%0, %1}, [%2]" -> its name and three operands, [%2] without brackets */
static struct instruction parse(char *text)
{
    struct instruction in = {.name = trim(text)};
    char *p = in.name + strcspn(in.name, " \t\n");
    while (*p) {
        *p++ = '\0';
        size_t between = strspn(p, " \t\n,{}[]");
        in.unpacks |= in.count == 0 && memchr(p, '{', between);
        p += between;
        if (*p && in.count < MOST)
            in.operands[in.count++] = p;
        p += strcspn(p, ",{}[]");
    }
    for (int i = 0; i < in.count; i++)
        in.operands[i] = trim(in.operands[i]);
    in.also = in.count > 0 ? strchr(in.operands[0], '|') : NULL;
    if (in.also)
        *in.also++ = '\0';
    return in;
}

/* %3 or %3+16: the C++ expression; a special register; a number. NULL: unknown. */
static char *expression(const char *operand, char **given, int given_count)
{
    char *text, *end;
    for (int i = 0; i < declared_count; i++) {
        size_t length = strlen(declared[i]);
        if (strncmp(operand, declared[i], length) == 0 &&
            !isalnum((unsigned char)operand[length]) &&
            strspn(operand + length, " +0123456789-") == strlen(operand + length)) {
            if (asprintf(&text, "(simt_r%d %s)", i, operand + length) < 0)
                abort();
            return text;
        }
    }
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (strcmp(operand, registers[i].name) == 0)
            return strdup(registers[i].value);
    if (*operand != '%')
        return strspn(operand, "0123456789abcdefxABCDEFU.-+") == strlen(operand) ? strdup(operand)
                                                                                 : NULL;
    long k = strtol(operand + 1, &end, 10);
    if (end == operand + 1 || k < 0 || k >= given_count ||
        strspn(end, " +0123456789-") != strlen(end))
        return NULL;
    if (asprintf(&text, *end ? "((size_t)(%s) %s)" : "(%s)", given[k], end) < 0)
        abort();
    return text;
}

/* With the operands for $0, $1 ..., and the type for @. */
static void print(FILE *out, const char *pattern, char **operands, const struct type *type)
{
    for (const char *p = pattern; *p; p++) {
        if (*p == '$')
            fputs(operands[*++p - '0'], out);
        else if (*p == '@')
            fputs(type ? type->of_c : "unsigned", out);
        else
            fputc(*p, out);
    }
}

/* In shared memory, the cluster's too? Then addresses are those of __cvta_generic_to_shared(). */
static bool in_shared(const struct instruction *in)
{
    return has(in->name, ".shared") || has(in->name, ".shared::cta");
}

/* As a pointer, or an expression that can be cast to one. */
static const char *address(const struct instruction *in, const char *expression)
{
    char *text;
    if (asprintf(&text, in_shared(in) ? "simt_from_shared((size_t)(%s))" : "(%s)", expression) < 0)
        abort();
    return text;
}

/* Loads and stores: from or to one address, of one to four values. */
static bool print_access(FILE *out, const struct instruction *in, char **e)
{
    bool load = begins(in->name, "ld.");
    const struct type *type = type_of(in->name);
    int width = has(in->name, ".v4") ? 4 : has(in->name, ".v2") ? 2 : 1;
    if (!type || in->count != width + 1 + has(in->name, ".L2::cache_hint") ||
        strstr(in->name, ".shared::cluster") || has(in->name, ".local"))
        return false;
    const char *of_c = width == 4 ? type->of_four : width == 2 ? type->of_two : type->of_c;
    bool strong = has(in->name, ".volatile") || has(in->name, ".relaxed");
    bool ordered = has(in->name, ".acquire") || has(in->name, ".release");
    const char *how = (strong || ordered) && width == 1 ? "volatile " : "";
    if (!of_c)
        return false;
    const char *fence = has(in->name, ".sys") ? "__threadfence_system(); " : "__threadfence(); ";
    if (ordered && !load)
        fputs(fence, out);
    fprintf(out, "auto simt_p = (%s%s *)%s; ", how, of_c, address(in, e[load ? width : 0]));
    if (load)
        fprintf(out, "%s simt_v = *simt_p; ", of_c);
    else if (width > 1)
        fprintf(out, "%s simt_v; ", of_c);
    for (int i = 0; i < width; i++) {
        const char *member = width == 1 ? "" : (const char *[]){".x", ".y", ".z", ".w"}[i];
        if (load)
            fprintf(out, "simt_ptx_set(%s, simt_v%s); ", e[i], member);
        else if (width > 1)
            fprintf(out, "simt_ptx_set(simt_v%s, %s); ", member, e[i + 1]);
        else
            fprintf(out, "%s simt_v; simt_ptx_set(simt_v, %s); ", of_c, e[1]);
    }
    if (!load)
        fputs("*simt_p = simt_v; ", out);
    if (ordered && load)
        fputs(fence, out);
    return true;
}

/* atom.global.add.u32 $0, [$1], $2 and red.global.add.u32 [$0], $1 */
static bool print_atomic(FILE *out, const struct instruction *in, char **e)
{
    static const char *const operations[][2] = {
        {".add", "atomicAdd"},   {".min", "atomicMin"}, {".max", "atomicMax"},
        {".and", "atomicAnd"},   {".or", "atomicOr"},   {".xor", "atomicXor"},
        {".exch", "atomicExch"}, {".cas", "atomicCAS"}, {".inc", "atomicInc"},
        {".dec", "atomicDec"},
    };
    bool result = begins(in->name, "atom.");
    const struct type *type = type_of(in->name);
    if (!type || strstr(in->name, ".shared::cluster") || has(in->name, ".noftz") ||
        in->count < 2 + result)
        return false;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        if (!has(in->name, operations[i][0]))
            continue;
        const char *of_c =
            strcmp(type->of_c, "long long") == 0 && i == 0 ? "unsigned long long" : type->of_c;
        if (result)
            fprintf(out, "simt_ptx_set(%s, ", e[0]);
        const char *scope = has(in->name, ".sys") ? "_system" : "";
        fprintf(out, "%s%s((%s *)%s", operations[i][1], scope, of_c, address(in, e[result]));
        for (int k = result + 1; k < in->count; k++)
            fprintf(out, ", simt_ptx_as<%s>(%s)", of_c, e[k]);
        fputs(result ? ")); " : "); ", out);
        return true;
    }
    return false;
}

/* cp.async.ca.shared.global [$0], [$1], $2, $3: of $2 bytes the last ones are 0 from the $3rd on */
static bool print_copy(FILE *out, const struct instruction *in, char **e)
{
    int count = in->count - has(in->name, ".L2::cache_hint");
    bool wide = has(in->name, ".cg");
    if (!in_shared(in) || !has(in->name, ".global") || count < 3 || count > 4)
        return false;
    fprintf(out, "static_assert((%s) == 16 || (!%d && ((%s) == 4 || (%s) == 8)), ", e[2], wide,
            e[2], e[2]);
    fprintf(out, "\"cp.async.ca copies 4, 8 or 16 bytes, cp.async.cg 16\"); ");
    fprintf(out, "simt_cp_async(%s, (const void *)(%s), %s, %s); ", address(in, e[0]), e[1], e[2],
            e[count == 4 ? 3 : 2]);
    return true;
}

/* setp.lt.s32 $0, $1, $2: lo, ls, hi and hs are those of numbers without a sign. */
static bool print_comparison(FILE *out, const struct instruction *in, char **e)
{
    static const char *const operators[][2] = {
        {".eq", "=="}, {".ne", "!="}, {".lt", "<"},  {".le", "<="}, {".gt", ">"},
        {".ge", ">="}, {".lo", "<"},  {".ls", "<="}, {".hi", ">"},  {".hs", ">="},
    };
    const struct type *type = type_of(in->name);
    for (size_t i = 0; type && in->count == 3 && i < sizeof operators / sizeof *operators; i++)
        if (strncmp(in->name + strlen("setp"), operators[i][0], 3) == 0 &&
            in->name[strlen("setp.lt")] == '.' && !has(in->name, ".and") && !has(in->name, ".or")) {
            fprintf(out, "%s = simt_ptx_as<%s>(%s) %s simt_ptx_as<%s>(%s); ", e[0], type->of_c,
                    e[1], operators[i][1], type->of_c, e[2]);
            return true;
        }
    return false;
}

/* mov.b64 {$0, $1}, $2 and mov.b64 $0, {$1, $2} */
static void print_halves(FILE *out, const struct instruction *in, char **e)
{
    bool wide = has(in->name, ".b64");
    const char *half = wide ? "unsigned" : "unsigned short",
               *whole = wide ? "unsigned long long" : "unsigned";
    if (in->unpacks)
        for (int i = 0; i < 2; i++)
            fprintf(out, "simt_ptx_set(%s, (%s)(simt_ptx_as<%s>(%s) >> %d)); ", e[i], half, whole,
                    e[2], i * (wide ? 32 : 16));
    else
        fprintf(out, "simt_ptx_set(%s, (%s)simt_ptx_as<%s>(%s) | (%s)simt_ptx_as<%s>(%s) << %d); ",
                e[0], whole, half, e[1], whole, half, e[2], wide ? 32 : 16);
}

/* cvt.u64.u32 and its like: between whole numbers, or from one of them to a float. */
static bool print_conversion(FILE *out, const struct instruction *in, char **e)
{
    const struct type *from = type_of(in->name), *to = NULL;
    char *name = strdup(in->name + strlen("cvt"));
    if (from && in->count == 2) {
        *strrchr(name, '.') = '\0';
        to = type_of(name);
    }
    bool rounds = begins(name, ".rn.") || begins(name, ".rzi.");
    if (!to || (strrchr(name, '.') != name && !rounds) || (from->name[0] == 'f' && !rounds))
        return false;
    fprintf(out, "simt_ptx_set(%s, (%s)simt_ptx_as<%s>(%s)); ", e[0], to->of_c, from->of_c, e[1]);
    return true;
}

/* ldmatrix.sync.aligned.m8n8.x2.shared.b16 {$0, $1}, [$2] */
static bool print_ldmatrix(FILE *out, const struct instruction *in, char **e)
{
    int matrices = has(in->name, ".x4") ? 4 : has(in->name, ".x2") ? 2 : 1;
    if (!in_shared(in) || !has(in->name, ".m8n8") || !has(in->name, ".b16") ||
        in->count != matrices + 1)
        return false;
    fprintf(out, "unsigned simt_v[%d]; simt_ptx_ldmatrix<%d, %d>(simt_v, %s); ", matrices, matrices,
            has(in->name, ".trans"), address(in, e[matrices]));
    for (int i = 0; i < matrices; i++)
        fprintf(out, "simt_ptx_set(%s, simt_v[%d]); ", e[i], i);
    return true;
}

/* mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d}, {a}, {b}, {c}: any n8, 8 bits or more. */
static bool print_mma(FILE *out, const struct instruction *in, char **e)
{
    static const struct {
        const char *name;
        int bits;
    } sizes[] = {{"f16", 16}, {"bf16", 16}, {"tf32", 32}, {"s8", 8},
                 {"u8", 8},   {"f64", 64},  {"f32", 32},  {"s32", 32}};
    char *name = strdup(in->name), *part[MOST], *rest = name;
    int parts = 0, bits[4] = {0}, m, k;
    for (char *p; (p = strsep(&rest, ".")) && parts < MOST;)
        if (strcmp(p, "satfinite") != 0)
            part[parts++] = p;
    if (parts != 10 || strcmp(part[4], "row") != 0 || strcmp(part[5], "col") != 0 ||
        sscanf(part[3], "m%dn8k%d", &m, &k) != 2 || strcmp(part[1], "sync") != 0)
        return false;
    for (int i = 0; i < 4; i++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            if (strcmp(part[6 + i], sizes[s].name) == 0)
                bits[i] = sizes[s].bits;
    if (bits[0] == 0 || bits[1] == 0 || bits[2] != bits[1] || bits[3] != bits[0] || m % 8 != 0 ||
        m > 16 || k > 32)
        return false;
    int wide = bits[1] == 64 ? 64 : 32, wide_c = bits[0] == 64 ? 64 : 32;
    int d = m * 8 * bits[0] / wide_c / 32, a = m * k * bits[1] / wide / 32;
    int b = 8 * k * bits[1] / wide / 32;
    if (a == 0 || b == 0 || in->count != d + a + b + d)
        return false;
    const char *of_a = wide == 64 ? "double" : "unsigned";
    const char *of_d = wide_c == 64 ? "double" : "unsigned";
    const struct {
        const char *array, *type;
        int from, count;
    } arrays[] = {{"a", of_a, d, a}, {"b", of_a, d + a, b}, {"c", of_d, d + a + b, d}};
    for (int i = 0; i < 3; i++) {
        fprintf(out, "%s simt_%s[] = {", arrays[i].type, arrays[i].array);
        for (int j = 0; j < arrays[i].count; j++)
            fprintf(out, "simt_ptx_as<%s>(%s), ", arrays[i].type, e[arrays[i].from + j]);
        fputs("}; ", out);
    }
    fprintf(out, "%s simt_d[%d]; const char *simt_types[] = {", of_d, d);
    for (int i = 0; i < 4; i++)
        fprintf(out, "\"%s\", ", part[6 + i]);
    fprintf(out, "}; simt_mma_registers(%d, %d, simt_types, simt_a, simt_b, simt_c, simt_d); ", m,
            k);
    for (int i = 0; i < d; i++)
        fprintf(out, "simt_ptx_set(%s, simt_d[%d]); ", e[i], i);
    return true;
}

static const struct {
    const char *name;
    bool (*print)(FILE *out, const struct instruction *in, char **e);
} printers[] = {
    {"ld.", print_access},         {"st.", print_access},        {"atom.", print_atomic},
    {"red.", print_atomic},        {"cp.async.ca.", print_copy}, {"cp.async.cg.", print_copy},
    {"ldmatrix.", print_ldmatrix}, {"mma.", print_mma},          {"setp.", print_comparison},
    {"cvt.", print_conversion},
};

static bool print_instruction(FILE *out, struct instruction *in, char **given, int given_count)
{
    char *e[MOST];
    for (int i = 0; i < in->count; i++)
        if (!(e[i] = expression(in->operands[i], given, given_count)))
            return false;
    if (in->also && (!begins(in->name, "shfl.sync.") || in->count != 5))
        return false;
    fputs("{ ", out);
    const struct row *row;
    bool known = true;
    if (in->also) { /* is the other lane in the segment? */
        char *also = expression(in->also, given, given_count);
        if (!also)
            return false;
        fprintf(out, "bool simt_p = simt_ptx_in_segment('%c', %s, %s); ", in->name[10], e[2], e[3]);
        fprintf(out, "%s = simt_p; ", also);
    }
    size_t p = 0;
    while (p < sizeof printers / sizeof *printers && !begins(in->name, printers[p].name))
        p++;
    if (p < sizeof printers / sizeof *printers) {
        known = printers[p].print(out, in, e);
    } else if (begins(in->name, "mov.b") && in->count == 3) {
        print_halves(out, in, e);
    } else if ((row = ROW_OF(statements, in->name))) {
        print(out, row->value, e, NULL);
    } else if ((row = ROW_OF(values, in->name)) && in->count > 0) {
        fprintf(out, "simt_ptx_set(%s, ", e[0]);
        print(out, row->value, e, type_of(in->name));
        fputs("); ", out);
    } else {
        known = false;
    }
    fputs(" } ", out);
    return known;
}

/* .reg .u32 a, b */
static bool declare(FILE *out, char *text)
{
    struct instruction in = parse(text + strlen(".reg") + strspn(text + strlen(".reg"), " \t\n"));
    const struct type *type = type_of(in.name);
    if (!type && strcmp(in.name, ".pred") != 0)
        return false;
    for (int i = 0; i < in.count; i++) {
        if (declared_count == sizeof declared / sizeof *declared || strpbrk(in.operands[i], "<> "))
            return false;
        fprintf(out, "%s simt_r%d; ", type ? type->of_c : "bool", declared_count);
        declared[declared_count++] = in.operands[i];
    }
    return true;
}

/* @p or @!p before an instruction: only then. Gives what follows, or NULL. */
static char *print_condition(FILE *out, char *text)
{
    bool not = text[1] == '!';
    char *name = text + 1 + not, *end = name + strcspn(name, " \t\n"), *condition;
    if (!*end)
        return NULL;
    *end = '\0';
    if (!(condition = expression(name, NULL, 0)))
        return NULL;
    fprintf(out, "if (%s%s) ", not ? "!" : "", condition);
    return end + 1;
}

char *ptx_to_cpp(char *text, char **given, int given_count, char **unknown)
{
    char *cpp = NULL;
    size_t bytes;
    FILE *out = open_memstream(&cpp, &bytes);
    declared_count = 0;
    for (char *next, *p = text; p; p = next) {
        next = strchr(p, ';');
        if (next)
            *next++ = '\0';
        p += strspn(p, " \t\n{}");
        *unknown = p;
        if (strncmp(p, ".reg", 4) == 0) {
            if (!declare(out, p))
                return NULL;
            continue;
        }
        if (*p == '@' && !(p = print_condition(out, p)))
            return NULL;
        struct instruction in = parse(p);
        *unknown = in.name;
        if (*in.name && !print_instruction(out, &in, given, given_count))
            return NULL;
    }
    fclose(out);
    return cpp;
}
