/* rewrite.c: turns CUDA C++ into C++. simcc gives it the preprocessed source, in which
   macros are expanded and comments gone, on standard input, and compiles what it prints.

     k<T><<<g, b, s, st>>>(x)    simt_kernel([=](auto... a) { k<T>(a...); })(g, b, s, st).run(x)
     __shared__ T x[32];         struct t { T x[32]; };
                                 static __thread char b[sizeof(t)]; auto &x = ((t *)b)->x;
     extern __shared__ T x[];    T *x = (T *)simt_dynamic_shared; (in a function), or
                                 extern T x[] __asm__("simt_dynamic_shared"); (outside)
     __cluster_dims__(2) k() {   k() { simt_cluster_dims(dim3(2));
     (void *)k                   simt_kernel_pointer(k), if k is a kernel
     __global__, __device__ …    an attribute, or nothing

   No line is added or lost, so messages and debuggers show the reader's own lines.
   What the simulator cannot run is refused by name: "simcc: FILE:LINE: …", status 1. */
#include "extras/ptx.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct token {
    const char *at, *file; /* file: "name" and more, as a line marker gave it */
    int length, line;      /* length: 0 if it was dropped */
    int size;              /* as it was */
    char *text;            /* to be printed in its place; NULL: as it is */
};

static struct token *tokens;
static int count;

/* A token that was dropped is none of these. */
static bool is(int i, const char *text)
{
    return i >= 0 && i < count && (int)strlen(text) == tokens[i].length &&
           strncmp(tokens[i].at, text, strlen(text)) == 0;
}

/* Is it one of these characters? */
static bool is_one(int i, const char *characters)
{
    return i >= 0 && i < count && tokens[i].length == 1 && strchr(characters, *tokens[i].at);
}

static bool is_same(int i, int as)
{
    return i < count && tokens[i].length == tokens[as].length &&
           strncmp(tokens[i].at, tokens[as].at, (size_t)tokens[as].length) == 0;
}

static bool is_name(int i)
{
    return i >= 0 && i < count && (isalpha((unsigned char)*tokens[i].at) || *tokens[i].at == '_') &&
           !is(i, "return") && !is(i, "else") && !is(i, "do");
}

static void replace(int i, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (vasprintf(&tokens[i].text, format, list) < 0)
        abort();
    va_end(list);
}

static const char *text_of(int i)
{
    if (tokens[i].text)
        return tokens[i].text;
    return strndup(tokens[i].at, (size_t)tokens[i].length);
}

static _Noreturn void refuse_at(const char *file, int line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "simcc: %.*s:%d: ", (int)strcspn(file + 1, "\""), file + 1, line);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    exit(1);
}

static _Noreturn void refuse(int i, const char *what)
{
    const struct token *t = &tokens[i < count ? i : count - 1];
    refuse_at(t->file, t->line, "%s", what);
}

/* ---- from text to tokens ---- */

static const char *string_end(const char *p)
{
    char quote = *p++;
    while (*p && *p != quote)
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

/* R"tag( … )tag" */
static const char *raw_string_end(const char *p)
{
    char end[32];
    snprintf(end, sizeof end, ")%.*s\"", (int)strcspn(p + 1, "("), p + 1);
    const char *found = strstr(p, end);
    return found ? found + strlen(end) : p + strlen(p);
}

/* R, LR, uR, UR, u8R before a quote. */
static bool is_raw(const char *word, size_t length)
{
    return word[length - 1] == 'R' && (length == 1 || (length == 2 && strchr("LuU", *word)) ||
                                       (length == 3 && strncmp(word, "u8", 2) == 0));
}

static const char *token_end(const char *p)
{
    static const char *const long_ones[] = {"<<", "<=", ">=", "->", "::"};
    if (isdigit((unsigned char)*p)) { /* 1'000, 0x1p-3f, 1e+5 */
        while (isalnum((unsigned char)*p) || *p == '.' || *p == '_' || *p == '\'' ||
               (strchr("+-", *p) && *p && strchr("eEpP", p[-1])))
            p++;
        return p;
    }
    if (isalpha((unsigned char)*p) || *p == '_') {
        const char *word = p;
        while (isalnum((unsigned char)*p) || *p == '_')
            p++;
        return *p == '"' && is_raw(word, (size_t)(p - word)) ? raw_string_end(p) : p;
    }
    if (*p == '"' || *p == '\'')
        return string_end(p);
    for (size_t k = 0; k < sizeof long_ones / sizeof *long_ones; k++)
        if (strncmp(p, long_ones[k], strlen(long_ones[k])) == 0)
            return p + strlen(long_ones[k]);
    return p + 1;
}

/* Of folders, or of files with a part of these names; toolkit_headers.txt has the others. */
static const char *const refused_headers[] = {
    "/cooperative_groups/", "/cub/", "/cuda/", "/curand", "/mma.h", "/thrust/",
};

/* CCCL: CUB and libcu++, which mark themselves as system headers. They are rewritten as the
   reader's own files are. Gives the path within it, "/cub/block/…", or NULL. */
static const char *within_cccl(const char *path)
{
    static const char *const folders[] = {"/cccl", "/cub", "/libcudacxx/include"};
    static const char *const first[] = {"/cub/", "/cuda/", "/nv/", "/thrust/"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        const char *found = strstr(path, folders[k]);
        for (size_t f = 0; found && found < string_end(path) && f < sizeof first / sizeof *first;
             f++)
            if (strncmp(found + strlen(folders[k]), first[f], strlen(first[f])) == 0)
                return found + strlen(folders[k]);
    }
    return NULL;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static _Noreturn void refuse_header(const char *name, const char *file, int line, const char *why)
{
    refuse_at(file, line, "%.*s is not supported%s", (int)strcspn(name + 1, "\""), name + 1, why);
}

/* A header named after CUDA's that is not the simulator's. within: CCCL's headers include it. */
static void check_header(const char *path, bool within, const char *file, int line)
{
    const char *of_cccl = within_cccl(path);
    if (of_cccl && begins(of_cccl, "/cub/device/"))
        refuse_header(of_cccl, file, line, ": of CUB what a block and a warp do is");
    if (within || (of_cccl && (begins(of_cccl, "/cub/") || begins(of_cccl, "/cuda/std/"))))
        return;
    if (of_cccl)
        refuse_header(of_cccl, file, line, "");
    for (size_t k = 0; k < sizeof refused_headers / sizeof *refused_headers; k++) {
        const char *name = strstr(path, refused_headers[k]);
        if (name && name < string_end(path))
            refuse_header(name, file, line, "");
    }
}

/* Is that where the file of this line marker lies? The marker escapes " and \ with a \. */
static bool lies_in(const char *file, const char *folder)
{
    for (file++; *folder; file++, folder++) {
        file += *file == '\\';
        if (*file != *folder)
            return false;
    }
    return true;
}

/* Tokens of the reader's files and CCCL's only: not of the system's headers (flag 3 of a line
   marker, # LINE "FILE" FLAGS), nor of the simulator's own. */
static void split(const char *p, const char *own_headers)
{
    const char *file = "\"?\"", *reader = file;
    bool skip = false, line_start = true, library = false;
    int reader_line = 1;
    int line = 1, room = 0;
    while (*p) {
        if (*p == '\n' || isspace((unsigned char)*p)) {
            line += *p == '\n';
            line_start |= *p++ == '\n';
        } else if ((line_start && *p == '#') || skip) {
            size_t length = strcspn(p, "\n");
            if (p[0] == '#' && p[1] == ' ' && isdigit((unsigned char)p[2])) {
                const char *old = file, *flags;
                int old_line = line;
                line = atoi(p + 2) - 1;
                file = p + strcspn(p, "\"");
                flags = string_end(file);
                /* The same file again: only the expansion of a system's macro begins or ends. */
                if (strncmp(old, file, (size_t)(flags - file)) != 0) {
                    bool own = lies_in(file, own_headers);
                    bool system = memchr(flags, '3', (size_t)(p + length - flags)) != NULL;
                    bool within = library;
                    library = !own && within_cccl(file);
                    if (!within && !skip) {
                        reader = old;
                        reader_line = old_line;
                    }
                    if ((system || library) && !own && !skip)
                        check_header(file, within, reader, reader_line);
                    skip = own || (system && !library);
                }
            }
            p += length;
        } else {
            if (count == room)
                tokens = realloc(tokens, (size_t)(room = 2 * room + 1024) * sizeof *tokens);
            const char *end = token_end(p);
            tokens[count++] = (struct token){p, file, (int)(end - p), line, (int)(end - p), NULL};
            for (; p < end; p++)
                line += *p == '\n';
            line_start = false;
        }
    }
}

/* ---- brackets ---- */

static _Noreturn void refuse_alone(int i)
{
    refuse_at(tokens[i].file, tokens[i].line, "this %c has no partner", *tokens[i].at);
}

/* From the bracket at i on they do not come in pairs. */
static _Noreturn void refuse_bracket(int i)
{
    int *open = malloc((size_t)count * sizeof *open), depth = 0;
    for (int k = i; k < count; k++) {
        if (is_one(k, "([{"))
            open[depth++] = k;
        if (!is_one(k, ")]}"))
            continue;
        i = depth > 0 ? open[--depth] : k;
        if (i == k || strchr("()[]{}", *tokens[i].at)[1] != *tokens[k].at)
            refuse_alone(is(i, "{") ? k : i);
    }
    refuse_alone(depth > 0 ? open[depth - 1] : i);
}

/* From a bracket to its partner: step 1 forwards, -1 backwards. Not for < and >. */
static int partner(int i, int step)
{
    int depth = 0;
    for (int k = i; k >= 0 && k < count; k += step) {
        depth += is_one(k, "([{") - is_one(k, ")]}");
        if (depth == 0)
            return k;
    }
    refuse_bracket(i);
}

/* The token after i, or after the bracket that opens there. */
static int after(int i)
{
    return is_one(i, "([{") ? partner(i, 1) + 1 : i + 1;
}

/* Behind the < > that may begin at i. */
static int after_template(int i)
{
    int depth = 0;
    for (int k = i; is(i, "<") && k < count && !is_one(k, ";{"); k++) {
        depth += is(k, "<") - is(k, ">");
        if (depth == 0)
            return k + 1;
    }
    return i;
}

static int statement_start(int i)
{
    while (i > 0 && !is_one(i - 1, ";{}"))
        i--;
    return i;
}

static int template_start(int i)
{
    int depth = 0;
    for (int k = i; k >= 0 && !is(k, ";"); k--) {
        if (is_one(k, ")]}"))
            k = partner(k, -1);
        depth += is(k, ">") - is(k, "<");
        if (depth == 0)
            return k;
    }
    refuse(i, "this > has no <");
}

/* ---- launches ---- */

/* The compiler's time grows with the square of a kernel's parameters: 1,000 take seconds, 10,000
   minutes. C++ promises 256 of a function ([implimits]). */
enum { MOST_PARAMETERS = 1024 };

/* Between the bracket at i and its partner: of a kernel, or of a launch. */
static void limit_parameters(int i)
{
    int commas = 0;
    for (int k = i + 1, close = partner(i, 1); k < close; k = after(k))
        commas += is(k, ",");
    if (commas >= MOST_PARAMETERS)
        refuse_at(tokens[i].file, tokens[i].line,
                  "a kernel of more than %d parameters is not supported", MOST_PARAMETERS);
}

/* The first token of the kernel's expression, whose last is i: a::k<T>, (*p), table[2]. */
static int kernel_start(int i)
{
    for (;;) {
        if (is(i, ">"))
            i = template_start(i) - 1;
        while (is_one(i, ")]")) {
            i = partner(i, -1);
            if (!is_name(i - 1) && !is_one(i - 1, ")]"))
                return i;
            i--;
        }
        if (!is_name(i))
            refuse(i < 0 ? 0 : i, "no kernel before <<<");
        i -= is(i - 1, "template"); /* as in a::template k<T> */
        if (is(i - 1, ".") || is(i - 1, "->"))
            i -= 2;
        else if (is(i - 1, "::") && (is_name(i - 2) || is(i - 2, ">")))
            i -= 2;
        else
            return is(i - 1, "::") ? i - 1 : i;
    }
}

/* Which of several kernels of a name: the one whose parameters have the arguments' types. */
#define BY_TYPE "static_cast<void (*)(typename std::decay<decltype(simt_a)>::type...)>"

static bool has_one_address(int start, int i);

static void launch(int i)
{
    int start = kernel_start(i - 1), end = i + 2;
    /* >>>( with any spaces: the last three of a row of >, if there are more. */
    for (; !is(end, ">") || !is(end + 1, ">") || !is(end + 2, ">") || !is(end + 3, "(");
         end = after(end))
        if (end >= count || is(end, ";"))
            refuse(i, "this <<< has no >>>(");
    const char *first = text_of(start);
    replace(i + 1, "(");
    replace(end, ")");
    replace(end + 1, ".");
    limit_parameters(end + 3);
    if (has_one_address(start, i - 1)) {
        replace(start, "simt_kernel_at(%s", first);
        replace(i, ")");
        replace(end + 2, "run");
        return;
    }
    replace(start, "simt_kernel([=](auto... simt_a) __attribute__((no_sanitize(\"thread\"))) { %s",
            first);
    char *kernel = NULL; /* once more, on one line */
    size_t bytes;
    FILE *out = open_memstream(&kernel, &bytes);
    for (int k = start; k < i; k++)
        fprintf(out, "%s%s", tokens[k].at != tokens[k - 1].at + tokens[k - 1].size ? " " : "",
                k == start ? first : text_of(k));
    fclose(out);
    replace(i,
            "(simt_a...); }, [=](auto &...simt_a) -> decltype(" BY_TYPE "(%s)) { return " BY_TYPE
            "(%s); })",
            kernel, kernel);
    replace(end + 2, "run");
    for (int k = end + 4, close = partner(end + 3, 1); k < close; k = after(k))
        if (is(k, "__null")) /* NULL: a number to a template, not a pointer */
            replace(k, "nullptr");
}

/* cudaLaunchKernel((void *)k, …): the kernel's type says what its arguments are. */
static void keep_kernel_type(int i)
{
    for (int k = i + 1; k < count && !is(k, ";"); k++) {
        int type = k + 2 + is(k + 2, "const");
        if (!is_one(k, "(,") || !is(k + 1, "(") || !is(type, "void") || !is(type + 1, "*") ||
            !is(type + 2, ")"))
            continue;
        for (int cast = k + 1; cast <= type + 2; cast++)
            replace(cast, "");
        return;
    }
}

/* ---- kernels as pointers without a type: (void *)k, reinterpret_cast<void *>(k) ---- */

static struct kernel {               /* declared or defined here */
    int name, parameters, arguments; /* tokens; how many its template takes, -1: that may vary */
    bool defined;
} * kernels;
static int kernel_count;

/* Is one of these between two tokens? */
static bool has_one(int from, int to, const char *characters)
{
    while (from < to && !is_one(from, characters))
        from++;
    return from < to;
}

/* How many are between < and >, as T, 4 or A<B, C>. */
static int template_arguments(int from, int to)
{
    int arguments = 1, depth = 0;
    for (int k = from; k < to; k = after(k)) {
        depth += is(k, "<") - is(k, ">");
        arguments += is(k, ",") && depth == 0;
    }
    return arguments;
}

static void find_kernel_names(void)
{
    for (int i = 0; i < count; i++) {
        if (!is(i, "__global__"))
            continue;
        int k = i + 1;
        while (k < count && !is_one(k, "(;{"))
            k++;
        while (is(k - 1, "__cluster_dims__") || is(k - 1, "__attribute__")) /* not yet its name */
            for (k = after(k); k < count && !is_one(k, "(;{");)
                k++;
        if (!is(k, "(") || !is_name(k - 1))
            continue;
        bool gives_nothing = false, is_template = false;
        int start = statement_start(i), close = partner(k, 1), first = i;
        for (; start < k; start++) {
            gives_nothing |= is(start, "void");
            is_template |= is(start, "template");
            first = is(start, "template") ? start + 2 : first;
        }
        if (!gives_nothing)
            refuse(k - 1, "a __global__ function must return void");
        limit_parameters(k);
        struct kernel one = {k - 1, k, 0, is(close + 1, "{")};
        int last = i; /* of its template, if it has one */
        while (is_template && last > first && !is(last, ">"))
            last--;
        if (is_template)
            one.arguments = has_one(first, last, "=.") ? -1 : template_arguments(first, last);
        kernels = realloc(kernels, (size_t)(kernel_count + 1) * sizeof *kernels);
        kernels[kernel_count++] = one;
    }
}

/* Do these tokens name one kernel, so that its address has a type? Not one of several of a name,
   nor a template whose arguments the call decides, nor one with default arguments. */
static bool has_one_address(int start, int i)
{
    int open = is(i, ">") ? template_start(i) : i + 1, name = open - 1, found = 0, defined = 0;
    int arguments = is(i, ">") ? template_arguments(open + 1, i) : 0;
    for (int k = start; k < name; k++)
        if (!is_name(k) && !is(k, "::"))
            return false;
    for (int n = 0; n < kernel_count; n++) {
        const struct kernel *k = &kernels[n];
        if (!is_same(name, k->name))
            continue;
        if (k->arguments != arguments || has_one(k->parameters, partner(k->parameters, 1), "=."))
            return false;
        found++;
        defined += k->defined;
    }
    return found == 1 || (found > 0 && defined == 1);
}

static bool is_kernel_name(int i)
{
    bool known = false;
    for (int n = 0; n < kernel_count && !known; n++)
        known = is_same(i, kernels[n].name);
    return known;
}

/* The last token of a kernel's name that begins here, as in &a::k<T>; -1: it is none. */
static int kernel_end(int i)
{
    i += is(i, "&");
    while (is_name(i) && is(i + 1, "::"))
        i += 2;
    bool known = is_kernel_name(i);
    if (!known || !is(i + 1, "<") || is(i + 2, "<"))
        return known && !is(i + 1, "(") ? i : -1;
    int end = after_template(i + 1);
    return end > i + 1 ? end - 1 : -1;
}

/* At the bracket of a cast to void *: keeps the types of the kernel's arguments. */
static void keep_kernel(int i)
{
    bool c_cast = is(i, "(");
    int type = i + 1 + is(i + 1, "const"), close = type + 2 + (c_cast ? 0 : 1);
    if (!is(type, "void") || !is(type + 1, "*") || !is(type + 2, c_cast ? ")" : ">") ||
        tokens[i].text || (!c_cast && !is(close, "(")))
        return;
    int first = close + 1, end = kernel_end(first);
    if (c_cast && end < 0 && is(first, "(")) /* (void *)(k) */
        end = kernel_end(first + 1) < 0 ? -1 : kernel_end(first + 1) + 1;
    if (end < 0 || (is(first, "(") && !is(end, ")")))
        return;
    for (int k = c_cast ? i : i - 1; k <= close; k++)
        replace(k, "");
    replace(close, "simt_kernel_pointer(");
    replace(end, c_cast ? "%s)" : "%s", text_of(end));
}

/* Removes __cluster_dims__(…) and returns its arguments. */
static char *cluster_dims(int i)
{
    char *dims = "";
    int end = is(i + 1, "(") ? partner(i + 1, 1) : i;
    for (int k = i + 2; k < end; k++)
        if (asprintf(&dims, "%s %s", dims, text_of(k)) < 0)
            abort();
    for (int k = i; k <= end; k++)
        replace(k, "");
    return dims;
}

/* ---- shared memory ---- */

/* In a function a pointer, with the array's other dimensions; outside, the array itself. */
static void dynamic_shared(int name, int end, bool in_function)
{
    const char *x = text_of(name);
    if (!is(name + 2, "]"))
        refuse(name, "extern __shared__ takes an array without a size, as in: float x[];");
    if (in_function) {
        replace(name, is(name + 3, "[") ? "(*%s)" : "*%s", x);
        replace(name + 1, "");
        replace(name + 2, "");
        replace(end, " = (decltype(%s))simt_dynamic_shared;", x);
    } else {
        replace(name, "extern %s", x); /* after alignas(), which must come first */
        replace(end, " __asm__(\"simt_dynamic_shared\");");
    }
}

/* Bytes, so that no constructor runs, and references into them with the reader's names. "used":
   else the compiler assumes 0 where it sees no store. */
static void static_shared(int start, int end, const char *references)
{
    replace(start, "struct simt_%d { %s", start, text_of(start));
    replace(end,
            "; }; static_assert(sizeof(simt_%d) <= 49152, \"more than 49152 bytes of static shared "
            "memory\"); alignas(simt_%d) static __thread char simt_of_%d[sizeof(simt_%d)] "
            "__attribute__((used));%s",
            start, start, start, start, references);
}

/* A template's type, as A<T> x; else auto, of whose members a template knows none. */
static const char *shared_type(int start, int name)
{
    char *type = "";
    bool is_template = false;
    for (int k = start, depth = 0; k < name; k++) {
        is_template |= is(k, "<");
        depth += is(k, "<") - is(k, ">");
        if ((!is_name(k) && !isdigit((unsigned char)*tokens[k].at) && !is_one(k, "<>,") &&
             !is(k, "::")) ||
            (is(k, ",") && depth == 0))
            return "auto";
        if (!is(k, "__shared__") && !is(k, "static") &&
            asprintf(&type, "%s %s", type, text_of(k)) < 0)
            abort();
    }
    return is_template && is(name + 1, ";") ? type : "auto";
}

static void shared(int i, bool in_function)
{
    int start = i, end = i, name = 0, depth = 0;
    bool dynamic = false;
    char *references = "";
    while (start > 0 && !is_one(start - 1, ";{}:"))
        start--;
    for (bool named = false; end < count; end = after(end)) {
        depth += is(end, "<") - is(end, ">");
        if (is_one(end, "[,;") && depth == 0 && !named && is_name(end - 1)) {
            name = name == 0 ? end - 1 : name;
            named = true;
            if (asprintf(&references, "%s %s &%s = ((simt_%d *)simt_of_%d)->%s;", references,
                         shared_type(start, end - 1), text_of(end - 1), start, start,
                         text_of(end - 1)) < 0)
                abort();
        }
        named &= !is(end, ",");
        if (is(end, ";"))
            break;
    }
    for (int k = start; k < end; k++) {
        dynamic |= is(k, "extern");
        if (is(k, "__shared__") || is(k, "static") || is(k, "extern"))
            replace(k, "");
    }
    if (name == 0)
        refuse(i, "this __shared__ declaration is not understood: write it as in float x[32];");
    if (!dynamic && is(name + 1, "[") && is(name + 2, "]"))
        refuse(name,
               "a __shared__ array needs a size, or extern in front: extern __shared__ float x[];");
    if (dynamic)
        dynamic_shared(name, end, in_function);
    else if (in_function)
        static_shared(start, end, references);
    else
        replace(start, "__attribute__((used)) static __thread %s", text_of(start));
}

/* ---- barriers in branches ---- */

static int *barrier_names; /* tokens: functions that have one in them, and variables of cooperative
                              groups' thread_block */
static int barrier_name_count;

static void add_barrier_name(int i)
{
    barrier_names =
        realloc(barrier_names, (size_t)(barrier_name_count + 1) * sizeof *barrier_names);
    barrier_names[barrier_name_count++] = i;
}

static bool is_barrier_name(int i)
{
    for (int n = 0; n < barrier_name_count; n++)
        if (is_same(i, barrier_names[n]))
            return true;
    return false;
}

/* block.sync(), cg::sync(block), cg::this_thread_block().sync() */
static bool is_block_sync(int i)
{
    return is(i, "sync") && is(i + 1, "(") &&
           (is_barrier_name(is(i - 1, ".") ? i - 2 : i + 2) || is(i - 4, "this_thread_block"));
}

static bool has_barrier(int from, int to)
{
    for (int k = from; k < to; k++)
        if (begins(tokens[k].at, "__syncthreads") || is_block_sync(k) ||
            (is_one(k + 1, "(<") && is_barrier_name(k)))
            return true;
    return false;
}

static void find_barrier_names(void)
{
    for (int i = 2; i + 2 < count; i++) {
        int before = i - 1 - 2 * is(i - 1, "::");
        if (is(i, "thread_block"))
            add_barrier_name(i + 1 + is(i + 1, "&"));
        else if (is(i, "this_thread_block") && is(before, "="))
            add_barrier_name(before - 1);
        if (!is(i, "{") || !is(i - 1, ")"))
            continue;
        int name = partner(i - 1, -1) - 1; /* name(...) { ... with a barrier ... } */
        if (is_name(name) && !is(name, "if") && !is(name, "for") && !is(name, "while") &&
            !is(name, "switch") && !is_barrier_name(name) && has_barrier(i, partner(i, 1)))
            add_barrier_name(name);
    }
}

/* Not one of an initializer: s = {1, 2}; */
static bool is_block(int i)
{
    return is(i, "{") && (is_one(i - 1, ");{}:") || is(i - 1, "else") || is(i - 1, "do"));
}

/* The token after the statement that begins at i. */
static int after_statement(int i)
{
    if (is(i, "if") || is(i, "for") || is(i, "while") || is(i, "switch")) {
        bool is_if = is(i, "if");
        while (i < count && !is(i, "("))
            i++;
        i = after_statement(partner(i, 1) + 1);
        return is_if && is(i, "else") ? after_statement(i + 1) : i;
    }
    if (is(i, "do"))
        i = after_statement(i + 1);
    while (i < count && !is(i, ";") && !is_block(i))
        i = after(i);
    return is(i, "{") ? partner(i, 1) + 1 : i + 1;
}

/* if (c) ... __syncthreads() ...: barriers.c is handed c, and so knows which threads pass by. Not a
   declaration, nor what the compiler decides. */
static void watch_branch(int i)
{
    int open = i + 1, close;
    if (!is(open, "("))
        return;
    close = partner(open, 1);
    for (int k = open + 1; k < close; k = after(k))
        if (is(k, ";") || (is(k, "=") && !is(k + 1, "=") && !is_one(k - 1, "=!<>+-*/%&|^")))
            return;
    int otherwise = after_statement(close + 1);
    bool where_true = has_barrier(close + 1, otherwise);
    bool where_false =
        is(otherwise, "else") && has_barrier(otherwise, after_statement(otherwise + 1));
    if (where_true == where_false)
        return;
    replace(open, "(simt_watched((bool)(");
    replace(close, "), %d))", where_true ? 1 : 2);
}

/* A loop or switch with a barrier: after it barriers.c is told, without a branch, which threads
   left. Not where it is all that an if or a loop has. */
static void watch_loop(int i)
{
    int last = after_statement(i) - 1;
    if (is_one(i - 1, "{};:") && has_barrier(i, last))
        replace(last, "%s simt_left();", text_of(last));
}

/* The same after the statement that calls a function with a barrier: a thread may return early. */
static void watch_call(int i)
{
    int end = i, k = i - 1;
    for (; k >= 0 && !is_one(k, ";{}"); k--) {
        k = is_one(k, ")]") ? partner(k, -1) : k;
        if (is_one(k, "([") || is(k, "return") || is(k, "else") || is(k, "do") || is(k, "if") ||
            is(k, "for") || is(k, "while") || is(k, "switch"))
            return;
    }
    if (is(k, "{") && !is_block(k))
        return;
    while (end < count && !is_one(end, ";})"))
        end = after(end);
    k = end; /* in the head of a for? */
    while (k < count && !is_one(k, "})"))
        k = after(k);
    if (is(end, ";") && is(k, "}"))
        replace(end, "%s simt_left();", text_of(end));
}

/* ---- inline PTX ---- */

/* Appends what the string token says: without quotes, an end of line for \n, % for %%. */
static void add_string(FILE *out, int i, bool escaped)
{
    for (const char *p = tokens[i].at + 1, *end = tokens[i].at + tokens[i].length - 1; p < end;
         p++) {
        if (*p == '\\')
            fputc(strchr("nt", *++p) ? ' ' : *p, out);
        else if (escaped && *p == '%' && p[1] == '%')
            fputc(*++p, out);
        else
            fputc(*p, out);
    }
}

/* asm volatile("…" : "=r"(a) : "r"(b) : "memory") becomes do { … } while (0). */
static void inline_ptx(int i)
{
    int open = i + 1, k, operands = 0;
    while (is(open, "volatile") || is(open, "__volatile__"))
        open++;
    if (!is(open, "("))
        refuse(i, "this asm statement is not understood");
    int close = partner(open, 1);
    char *text, *given[32], *unknown;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    int first = open + 1;
    while (first < close && *tokens[first].at == '"')
        first++;
    for (k = open + 1; k < first; k++)
        add_string(out, k, first < close);
    fclose(out);
    for (k = first; k < close; k = after(k)) { /* "=r"(expression) */
        if (!is(k, "(") || operands == 32)
            continue;
        FILE *expression = open_memstream(&given[operands++], &bytes);
        for (int e = k + 1; e < partner(k, 1); e++)
            fprintf(expression, "%s ", text_of(e));
        fclose(expression);
    }
    char *cpp = ptx_to_cpp(text, given, operands, &unknown);
    if (!cpp && within_cccl(tokens[i].file)) { /* the program may never reach it */
        if (asprintf(&cpp, "simt_no_ptx(\"%s\");", unknown) < 0)
            abort();
    }
    if (!cpp)
        refuse_at(tokens[i].file, tokens[i].line, "inline PTX: %s is not supported", unknown);
    replace(i, "do { %s } while (0)", cpp);
    for (k = i + 1; k <= close; k++)
        replace(k, "");
}

/* ---- a kernel that is called like a function ---- */

static bool is_number_type(int i)
{
    static const char *const types[] = {"int",  "unsigned", "long",   "short", "char",
                                        "bool", "float",    "double", "size_t"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (is(i, types[k]))
            return true;
    return false;
}

/* As what the text declares the name at i: a sum of these. */
enum { A_KERNEL = 1, A_FUNCTION = 2, ANOTHER = 4 }; /* another: what may be called, too */
static int declared(int i)
{
    int found = 0;
    char name[256];
    snprintf(name, sizeof name, "%.*s", tokens[i].length, tokens[i].at);
    for (int k = 1; k < count; k++) {
        if (!is(k, name) || is(k - 1, "return") || is(k - 1, "else") || is(k - 1, "do") ||
            !(is_name(k - 1) || is_one(k - 1, "*&>")))
            continue;
        bool global = false; /* what declares it */
        for (int start = k; start >= 0 && !is_one(start, ";{}"); start--)
            global |= is(start, "__global__");
        bool function = is(k + 1, "(") && is(partner(k + 1, 1) + 1, "{");
        bool callable = is(k + 1, "(") || (is_one(k + 1, "={;)") && !is_number_type(k - 1));
        found |= global ? A_KERNEL : function ? A_FUNCTION : callable ? ANOTHER : 0;
    }
    return found;
}

/* k(x); or k<T>(x); as a statement: nvcc refuses it, too. */
static void refuse_plain_call(int i)
{
    bool statement = is_one(i - 1, ";{})") || is(i - 1, "else");
    if (!statement || !is_name(i) || (!is(i + 1, "(") && !is(i + 1, "<")) || is(i + 2, "<"))
        return;
    int end = is(i + 1, "(") ? i : kernel_end(i);
    if (end < i || !is(end + 1, "(") || !is(partner(end + 1, 1) + 1, ";") || !is_kernel_name(i) ||
        declared(i) != A_KERNEL)
        return;
    refuse_at(tokens[i].file, tokens[i].line,
              "%.*s is a kernel: did you mean %.*s<<<grid, block>>>(...)?", tokens[i].length,
              tokens[i].at, tokens[i].length, tokens[i].at);
}

/* f<<<…>>>(…) of a function without __global__: nvcc refuses it, too. */
static void refuse_no_kernel(int i)
{
    int name = (is(i - 1, ">") ? template_start(i - 1) : i) - 1;
    if (is_name(name) && !is_kernel_name(name) && declared(name) == A_FUNCTION)
        refuse_at(tokens[i].file, tokens[i].line, "%.*s is no kernel: __global__ is missing",
                  tokens[name].length, tokens[name].at);
}

/* ---- __device__ and __constant__ variables ---- */

static bool outside; /* a variable of the device lies outside of its sections */

/* The section of a variable outside of functions that the device alone may touch, for access.c.
   NULL: it is no such, or none that a section can hold. */
static const char *section_of(int i)
{
    enum { HELD = 5 }; /* those before are never written, or held elsewhere */
    static const char *const others[] = {"const", "constexpr", "extern", "__shared__",
                                         "using", "template",  "inline", "__managed__"};
    const char *section = "simt_device";
    int start = statement_start(i), end = i;
    while (end < count && !is_one(end, "(;={[}"))
        end = is(end, "alignas") || is(end, "__attribute__") ? after(end + 1) : end + 1;
    for (int k = start; k < end; k++) {
        if (is(k, "__constant__"))
            section = "simt_constant";
        for (size_t o = 0; o < sizeof others / sizeof *others; o++)
            if (is(k, others[o])) {
                outside = outside || (o >= HELD && is_one(end, ";=[{"));
                return NULL;
            }
    }
    outside = outside || is_one(end, "{");
    return is_one(end, ";=[") && end > i + 2 ? section : NULL;
}

/* ---- all of it ---- */

#define OLD_TEXTURES                                                                               \
    "texture and surface references are gone since CUDA 12: cudaCreateTextureObject() and "        \
    "cudaCreateSurfaceObject() make objects"

#define THE_DRIVER "the driver API (cu...) is not supported: the runtime's (cuda...) is"

#define OTHER_SOBOL                                                                                \
    "Sobol's numbers of 64 bits, or scrambled, are not supported: curandStateSobol32 is"

static const struct {
    const char *word, *what; /* a word that ends in * stands for all that begin so */
} refused[] = {
    {"tex3DLod", "mipmaps are not supported"},
    {"tex3DGrad", "mipmaps are not supported"},
    {"tex1DLod", "mipmaps are not supported"},
    {"tex2DLod", "mipmaps are not supported"},
    {"tex1DGrad", "mipmaps are not supported"},
    {"tex2DGrad", "mipmaps are not supported"},
    {"cudaMipmappedArray_t", "mipmaps are not supported"},
    {"cudaGetCurrentGraphExec", "a graph that a kernel launches is not supported"},
    {"cudaStreamGraph*", "a graph that a kernel launches is not supported"},
    {"curandStateSobol64*", OTHER_SOBOL},
    {"curandStateScrambledSobol*", OTHER_SOBOL},
    {"CURAND_RNG_QUASI_SOBOL64", OTHER_SOBOL},
    {"CURAND_RNG_QUASI_SCRAMBLED*", OTHER_SOBOL},
    {"curandDirectionVectors64*", OTHER_SOBOL},
    {"cuInit", THE_DRIVER},
    {"CUdevice", THE_DRIVER},
    {"CUcontext", THE_DRIVER},
    {"CUmodule", THE_DRIVER},
    {"CUdeviceptr", THE_DRIVER},
    {"cuLaunchKernel", THE_DRIVER},
    {"cudaBindTexture*", OLD_TEXTURES},
    {"cudaUnbindTexture", OLD_TEXTURES},
    {"textureReference", OLD_TEXTURES},
    {"cudaBindSurfaceToArray", OLD_TEXTURES},
};

static void refuse_word(int i)
{
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        size_t length = strcspn(refused[k].word, "*");
        if (strncmp(tokens[i].at, refused[k].word, length) == 0 &&
            ((size_t)tokens[i].length == length || refused[k].word[length] == '*'))
            refuse(i, refused[k].what);
    }
}

/* texture<float, 2> t; or surface<void, 2> s; in a file that has no template of that name. */
static bool is_old_texture(int i)
{
    static bool known, own;
    for (int k = 1; !known && k < count; k++)
        own |=
            (is(k, "texture") || is(k, "surface")) && (is(k - 1, "struct") || is(k - 1, "class"));
    known = true;
    return !own && (is(i, "texture") || is(i, "surface")) && is(i + 1, "<") &&
           (i == 0 || is_one(i - 1, ";}") || is(i - 1, "static"));
}

/* A call of CUDA that is a statement of its own: the program does not look at its result. */
static bool is_ignored_call(int i)
{
    static const char *const names[] = {
        "cudaMalloc",           "cudaMemcpy",       "cudaMemset",           "cudaFree",
        "cudaHostAlloc",        "cudaHostRegister", "cudaLaunch",           "cudaGraphLaunch",
        "cudaGraphInstantiate", "cudaEventRecord",  "cudaEventSynchronize", "cudaEventElapsedTime",
        "cudaFuncSetAttribute"};
    bool known =
        is(i, "cudaSetDevice") || is(i, "cudaDeviceSynchronize") || is(i, "cudaStreamSynchronize");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        known |= begins(tokens[i].at, names[k]);
    return known && is_one(i - 1, ";{}") && is(i + 1, "(") && is(partner(i + 1, 1) + 1, ";");
}

/* What the braces around a place belong to. */
struct scope {
    bool function;    /* or a class, or an initialiser: not a namespace or a file */
    bool device;      /* a function that runs on the GPU only */
    bool both;        /* one that runs there and on the host */
    int first;        /* the token that opened it */
    char within[256]; /* the namespace, with :: */
};

/* ---- what differs between the passes of nvcc, for the host and for the device (merge.c) ---- */

struct variants {
    int begin, middle, end; /* simt_variants, simt_or, simt_end */
};
static struct variants *halves; /* in functions of both kinds, until these end */
static int halves_count;

static void drop(int from, int to)
{
    for (int k = from; k <= to; k++) {
        replace(k, "");
        tokens[k].length = 0;
    }
}

static bool names_device(int from, int to)
{
    for (int k = from; k <= to; k++)
        if (is(k, "__device__") || is(k, "__global__"))
            return true;
    return false;
}

/* At simt_variants: drops one text. in_device: in a declaration for the device alone. */
static void choose(int i, const struct scope *in, bool in_device)
{
    struct variants v = {i, i, i};
    while (!is(v.middle, "simt_or"))
        v.middle++;
    for (v.end = v.middle; !is(v.end, "simt_end");)
        v.end++;
    bool device = in->device || in->both || in_device;
    if (!device && (!in->function || names_device(i, v.end))) /* a definition of something */
        device = names_device(i, v.end) || v.end > v.middle + 1;
    if (in->both) { /* the host's text will be needed, too */
        halves = realloc(halves, (size_t)(halves_count + 1) * sizeof *halves);
        halves[halves_count++] = v;
    }
    drop(device ? i : v.middle, device ? v.middle : v.end);
    drop(device ? v.end : i, device ? v.end : i);
}

/* A function for both, of which parts differ: { if (in a kernel) { … } else { … } }. The device's
   body is where it was, the host's on one line after it. */
static void write_both(int open, int close)
{
    char *body = NULL;
    size_t bytes;
    FILE *out = open_memstream(&body, &bytes);
    for (int k = open + 1, h = 0; k < close; k++) {
        while (h < halves_count && halves[h].end < k)
            h++;
        const struct variants *v = h < halves_count && halves[h].begin <= k ? &halves[h] : NULL;
        if (tokens[k].at != tokens[k - 1].at + tokens[k - 1].size)
            fputc(' ', out);
        if (!v)
            fputs(text_of(k), out);
        else if (k > v->begin && k < v->middle)
            fprintf(out, "%.*s", tokens[k].size, tokens[k].at);
    }
    fclose(out);
    replace(open, "%s if (simt_in_kernel()) {", text_of(open));
    replace(close, "} else { %s } }", body);
    halves_count = 0;
}

/* More that open than close. */
static int count_braces(void)
{
    int left = 0;
    for (int i = 0; i < count; i++)
        left += is(i, "simt_variants") ? -count : is(i, "{") - is(i, "}");
    return left;
}

/* ---- classes: how they are aligned, for access.c ---- */

static FILE *classes;
static char *classes_text;

/* At the { of a namespace: its name, as C++ has it and as messages do. Of a class outside of
   functions, in that namespace: its row in a table. */
static void note_class(int i, char *within, size_t room)
{
    int start = statement_start(i - 1), name = 0;
    bool is_typedef = is(start, "typedef");
    if (within_cccl(tokens[i].file) || is(start, "template"))
        return;
    while (start < i && !is(start, "struct") && !is(start, "class") && !is(start, "union") &&
           !is(start, "namespace"))
        start++;
    for (int k = start + 1; k < i && !name; k = after(k))
        if (is(k, "alignas") || is(k, "__attribute__"))
            k++;
        else if (is_name(k))
            name = k;
    size_t length = strlen(within);
    if (is(start, "namespace")) {
        for (int k = start + 1; k < i; k = after(k))
            if (is(k, "__attribute__"))
                k++;
            else if ((is_name(k) || is(k, "::")) && length + 64 < room)
                length += (size_t)snprintf(within + length, room - length, "%s", text_of(k));
        snprintf(within + length, room - length, "%s", name ? "::" : "");
        return;
    }
    bool named = name && (is_one(name + 1, "{:") || is(name + 1, "final"));
    if (!name && is_typedef && is_name(partner(i, 1) + 1))
        name = partner(i, 1) + 1;
    const char *kind = named ? text_of(start) : "";
    if (start < i && !is(start - 1, "enum") && name && (named || is(name + 1, ";")))
        fprintf(classes, "{\"%s%s\", sizeof(%s ::%s%s), alignof(%s ::%s%s)}, ", within,
                text_of(name), kind, within, text_of(name), kind, within, text_of(name));
}

/* ---- classes with a destructor, and none to copy ---- */

/* Of a destructor that does something the class's name and {, without a word on copying. */
static struct owner {
    int name, body;
} owners[64];
static int owner_count;

static void find_owners(void)
{
    for (int n = 1; n < count && owner_count < 64; n++) {
        int body = is(n - 1, "~") && is(n + 1, "(") ? partner(n + 1, 1) + 1 : count, k = 0;
        while (is_name(body))
            body++; /* noexcept */
        if (!is(body, "{") || is(body + 1, "}"))
            continue;
        while (k < count &&
               !(is_same(k, n) && is(k + 1, "(") && is_same(k + 2 + is(k + 2, "const"), n) &&
                 is(after_template(k + 3 + is(k + 2, "const")), "&")))
            k++;
        if (k == count)
            owners[owner_count++] = (struct owner){n, body};
    }
}

/* At return x; of a variable of such a class: nvcc's host compiler makes no copy. Here it must be
   one, or f(s[i]) would not be seen; so the variable's destructor does nothing. from: where the
   function begins. */
static void keep_owner(int i, int from)
{
    for (int k = from; k < i && owner_count > 0 && is(i + 2, ";"); k++) {
        int name = after_template(k + 1);
        if (!is_same(name, i + 1) || !is_one(name + 1, ";({=") || is(k - 1, "static"))
            continue;
        for (int o = 0; o < owner_count; o++)
            if (is(k, "auto") || is_same(owners[o].name, k)) {
                replace(owners[o].body, "{ if (simt_was_returned(this)) return;");
                replace(i + 1, "simt_returned(%s)", text_of(i + 1));
            }
        return;
    }
}

/* A union is copied by its bytes, so a vector in it must not have a function that copies. */
static void plain_vectors(int i)
{
    int open = i + 1;
    while (is_name(open) || is_one(open, ":(,"))
        open = after(open);
    for (int k = open + 1; is(open, "{") && k < partner(open, 1); k++) {
        bool member = is_name(k) && is_name(k + 1) && is_one(k + 2, ";,[={") &&
                      (is_one(k - 1, "{;}") || is(k - 1, "const") || is(k - 1, "volatile"));
        if (member &&
            !strstr(" struct class union enum using friend delete goto throw ", text_of(k)))
            replace(k, "typename simt_in_union<%s>::type", text_of(k));
    }
}

static void rewrite(void)
{
    struct scope scopes[256] = {{0}}, *in = scopes;
    bool device = false, host = false, name_space = false; /* seen in this declaration */
    char *cluster = NULL; /* the arguments of its __cluster_dims__ */
    if (count_braces() > 0)
        refuse_bracket(0);
    find_kernel_names();
    find_barrier_names();
    for (int i = 0; i < count; i++) {
        if (is(i, "{")) {
            bool c_linkage = is(i - 2, "extern") && *tokens[i - 1].at == '"';
            if (in + 1 == scopes + sizeof scopes / sizeof *scopes)
                refuse(i, "braces nested too deeply");
            in[1].function = in->function || !(name_space || c_linkage);
            in[1].device = in->device || (device && !host);
            in[1].both = in->both || (device && host);
            in[1].first = i;
            strcpy(in[1].within, in->within);
            if (!in->function)
                note_class(i, in[1].within, sizeof in->within);
            in++;
            if (cluster)
                replace(i, "{ simt_cluster_dims(dim3(%s));", cluster);
            cluster = NULL;
        } else if (is(i, "}") && in > scopes) {
            in--;
            if (halves_count > 0 && in[1].both && !in->both)
                write_both(in[1].first, i);
        } else if (is(i, "simt_variants")) {
            choose(i, in, device && !host);
        } else if (is(i, "__global__")) {
            replace(i, " __attribute__((noinline, noipa))"); /* a blank: extern "C"__global__ */
            device = true;
        } else if (is(i, "__device__") || is(i, "__constant__")) {
            const char *section = in->function ? NULL : section_of(i);
            device = device || is(i, "__device__");
            replace(i, section ? "__attribute__((section(\"%s\")))" : "", section);
        } else if (is(i, "__managed__")) {
            outside = true;
            replace(i, "");
        } else if (is(i, "static") && (in->device || in->both)) {
            outside = true;
        } else if (is(i, "__host__")) {
            replace(i, "");
            host = true;
        } else if (is(i, "__noinline__") && !is(i - 1, "(")) {
            replace(i, "__attribute__((noinline))");
        } else if (is(i, "namespace")) {
            name_space = true;
        } else if (is(i, "__shared__")) {
            shared(i, in->function);
        } else if (is(i, "<<") && is(i + 1, "<") && !is(i - 1, "operator")) {
            refuse_no_kernel(i);
            launch(i);
        } else if (in->device &&
                   (is(i, "cudaDeviceSynchronize") || is(i, "cudaThreadSynchronize"))) {
            refuse(
                i,
                "cudaDeviceSynchronize() in a kernel is gone since CUDA 12: what a kernel launches "
                "runs after it; cudaStreamTailLaunch orders such launches");
        } else if (is(i, "if") && (in->device || in->both)) {
            watch_branch(i);
        } else if ((is(i, "for") || is(i, "while") || is(i, "do") || is(i, "switch")) &&
                   (in->device || in->both)) {
            watch_loop(i);
        } else if (is_barrier_name(i) && is_one(i + 1, "(<") && (in->device || in->both)) {
            watch_call(i);
        } else if (is(i, "union")) {
            plain_vectors(i);
        } else if (is(i, "return") && in->function && is_name(i + 1)) {
            struct scope *outer = scopes + 1;
            while (!outer->function)
                outer++;
            keep_owner(i, outer->first);
        } else if (is(i, "clock") && is(i + 1, "(") && in->device) {
            replace(i, "simt_clock");
        } else if ((is(i, "asm") || is(i, "__asm__")) && (in->device || in->both)) {
            inline_ptx(i);
        } else if (is(i, "(") || (is(i, "<") && is(i - 1, "reinterpret_cast"))) {
            keep_kernel(i);
        } else if (is(i, "__cluster_dims__")) {
            cluster = cluster_dims(i);
        } else if (is(i, ";") && cluster) {
            refuse(i, "__cluster_dims__ is needed where the kernel has its body");
        } else if (is(i, "cudaLaunchKernel") || is(i, "cudaLaunchKernelExC") ||
                   is(i, "cudaLaunchCooperativeKernel")) {
            keep_kernel_type(i);
        } else if (is_old_texture(i)) {
            refuse(i, OLD_TEXTURES);
        } else {
            refuse_word(i);
        }
        if (in->function && !tokens[i].text && is_ignored_call(i))
            replace(i, "simt_ignored(), %.*s", tokens[i].length, tokens[i].at);
        if (in->function && !in->device)
            refuse_plain_call(i);
        if (is(i, ";") || is(i, "{") || is(i, "}"))
            device = host = name_space = false;
    }
}

int main(int argc, char **argv)
{
    char *source = NULL;
    size_t room = 0;
    if (argc != 2 || getdelim(&source, &room, '\0', stdin) <= 0)
        return 2;
    split(source, argv[1]);
    find_owners(); /* before tokens are dropped */
    classes = open_memstream(&classes_text, &room);
    rewrite();
    fclose(classes);
    const char *printed = source;
    for (int i = 0; i < count; i++) {
        if (!tokens[i].text)
            continue;
        fwrite(printed, 1, (size_t)(tokens[i].at - printed), stdout);
        fputs(tokens[i].text, stdout);
        printed = tokens[i].at + tokens[i].size;
    }
    fputs(printed, stdout);
    printf("\n__attribute__((section(\"simt_classes\"), used)) static const simt_class "
           "simt_classes[] = {%s{}};\n",
           classes_text);
    if (outside)
        printf("__attribute__((section(\"simt_outside\"), used)) static char simt_outside;\n");
    return fflush(stdout) != 0 || ferror(stdout) ? 3 : owner_count > 0 ? 4 : 0;
}
