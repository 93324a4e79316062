/* kernels.c: kernels that are known by their address alone, and launches of them. */
#include "fault.h"
#include "launch.h"
#include "lock.h"

static struct simt_kernel_entry {
    const void *kernel;
    struct simt_erased erased;
} * kernels;
static size_t kernel_count;

void *simt_know_kernel(const void *kernel, const struct simt_erased *erased)
{
    simt_lock();
    size_t i = 0;
    while (i < kernel_count && kernels[i].kernel != kernel)
        i++;
    if (i == kernel_count) {
        kernels = simt_grow(kernels, kernel_count, sizeof *kernels);
        kernels[kernel_count++] = (struct simt_kernel_entry){kernel, *erased};
    }
    simt_unlock();
    return (void *)kernel;
}

struct kernel_launch *kernels_launch(const struct simt_how *how, void **arguments)
{
    for (size_t i = 0; i < kernel_count; i++) {
        const struct simt_erased *e = &kernels[i].erased;
        struct kernel_launch *l =
            kernels[i].kernel == how->kernel ? malloc(sizeof *l + e->bytes) : NULL;
        if (!l)
            continue;
        *l = (struct kernel_launch){.how = *how, .call = e->call, .bytes = e->bytes};
        e->pack(l->closure, how->kernel, arguments);
        return l;
    }
    return NULL;
}
