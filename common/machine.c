/* machine.c: see machine.h. */
#include "machine.h"

#include "cuda_errors.h"
#include "device.h"
#include "report.h"

#include <ctype.h>
#include <string.h>

#if defined(__has_include) && !defined(SIMT_SIMULATOR)
#if __has_include(<cuda/std/__cccl/version.h>)
#include <cuda/std/__cccl/version.h>
#elif __has_include(<cccl/cuda/std/__cccl/version.h>)
#include <cccl/cuda/std/__cccl/version.h>
#endif
#endif

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The model's name as Linux tells it; an ARM machine has no such line. */
static void read_cpu(char *model, size_t room)
{
    char line[512];
    snprintf(model, room, "unknown CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *colon = strstr(line, ": ");
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            line[strcspn(line, "\n")] = '\0';
            snprintf(model, room, "%.200s", colon + 2);
            break;
        }
    }
    if (file != NULL)
        fclose(file);
}

static int attribute(enum cudaDeviceAttr which, int device)
{
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

void read_machine(struct machine *machine, int device)
{
    struct cudaDeviceProp prop;
    CUDA_CHECK(cudaGetDeviceProperties(&prop, device));
    *machine = (struct machine){
        .backend = ON_SIMULATOR ? "sim" : "cuda",
        .major = prop.major,
        .minor = prop.minor,
        .sms = (unsigned)prop.multiProcessorCount,
        .memory_bytes = prop.totalGlobalMem,
        .l2_bytes = (size_t)attribute(cudaDevAttrL2CacheSize, device),
        .memory_clock_khz = attribute(cudaDevAttrMemoryClockRate, device),
        .memory_bus_bits = attribute(cudaDevAttrGlobalMemoryBusWidth, device),
        .sm_clock_khz = attribute(cudaDevAttrClockRate, device),
    };
    snprintf(machine->gpu, sizeof machine->gpu, "%s", prop.name);
    machine->theoretical_gbps =
        2.0 * machine->memory_clock_khz * 1e3 * machine->memory_bus_bits / 8 / 1e9;
    CUDA_CHECK(cudaDriverGetVersion(&machine->driver));
    CUDA_CHECK(cudaRuntimeGetVersion(&machine->runtime));
    read_cpu(machine->cpu, sizeof machine->cpu);
    keep_plain(machine->gpu);
    keep_plain(machine->cpu);
}

static void print_string(FILE *out, const char *text, size_t length)
{
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* The grammar of a JSON number (RFC 8259, section 6), which knows no "+1", ".5",
   "0x10", "007" or "nan". */
static bool is_number(const char *text)
{
    text += *text == '-';
    if (text[0] == '0' && isdigit((unsigned char)text[1]))
        return false;
    size_t digits = strspn(text, "0123456789");
    text += digits;
    if (digits > 0 && *text == '.') {
        digits = strspn(text + 1, "0123456789");
        text += 1 + digits;
    }
    if (digits > 0 && (*text == 'e' || *text == 'E')) {
        text += 1 + (text[1] == '+' || text[1] == '-');
        digits = strspn(text, "0123456789");
        text += digits;
    }
    return digits > 0 && *text == '\0';
}

static void print_pair(FILE *out, const char *pair)
{
    const char *value = strchr(pair, '=') + 1;
    bool commit = strncmp(pair, "commit=", 7) == 0; /* some hashes look like numbers: 1234e56 */
    fprintf(out, ",\n  ");
    print_string(out, pair, (size_t)(value - 1 - pair));
    fprintf(out, ": ");
    if (is_number(value) && !commit)
        fputs(value, out);
    else
        print_string(out, value, strlen(value));
}

static void print_named(FILE *out, const char *name, const char *text)
{
    char plain[256];
    snprintf(plain, sizeof plain, "%s", text);
    keep_plain(plain);
    fprintf(out, "  \"%s\": \"%s\"", name, plain);
}

/* A number that the device did not tell is null. */
static void print_measure(FILE *out, const char *name, double value)
{
    if (value > 0)
        fprintf(out, "  \"%s\": %.15g,\n", name, value);
    else
        fprintf(out, "  \"%s\": null,\n", name);
}

void print_machine(FILE *out, const struct machine *machine, int pair_count, char **pairs)
{
    fprintf(out, "{\n");
    print_named(out, "backend", machine->backend);
    fprintf(out, ",\n");
    print_named(out, "gpu", machine->gpu);
    fprintf(out, ",\n  \"compute_capability\": \"%d.%d\",\n", machine->major, machine->minor);
    fprintf(out, "  \"driver\": \"%d.%d\",\n", machine->driver / 1000, machine->driver % 1000 / 10);
    fprintf(out, "  \"runtime\": \"%d.%d\",\n", machine->runtime / 1000,
            machine->runtime % 1000 / 10);
#ifdef CCCL_VERSION
    fprintf(out, "  \"cccl\": \"%d.%d.%d\",\n", CCCL_VERSION / 1000000, CCCL_VERSION / 1000 % 1000,
            CCCL_VERSION % 1000);
#endif
    print_measure(out, "sm_count", machine->sms);
    print_measure(out, "l2_bytes", (double)machine->l2_bytes);
    print_measure(out, "memory_bytes", (double)machine->memory_bytes);
    print_measure(out, "memory_clock_mhz", machine->memory_clock_khz / 1e3);
    print_measure(out, "memory_bus_bits", machine->memory_bus_bits);
    print_measure(out, "sm_clock_mhz", machine->sm_clock_khz / 1e3);
    print_measure(out, "theoretical_gbps", machine->theoretical_gbps);
    print_named(out, "cpu", machine->cpu);
    fprintf(out, ",\n");
    print_named(out, "host_compiler", COMPILER);
    fprintf(out, ",\n");
    print_named(out, "kernel_compiler", kernel_compiler());
    for (int i = 0; i < pair_count; i++)
        print_pair(out, pairs[i]);
    fprintf(out, "\n}\n");
}
