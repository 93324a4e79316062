/*
 * nccl: each GPU sums its share, NVIDIA's library NCCL adds up what they found.
 *
 * New:     against host.cu: ncclAllReduce() in the streams, after the local sums. Afterwards every
 *          GPU has the sum, and the host has not waited.
 * Why:     it is what most programs use, for it works over NVLink, over PCIe and over a network. It
 *          is made for long vectors; here the vector is one float.
 * Look at: ./step14 -n 1K,1M: its time in a graph, beside that of nvlink_slots
 */
#include "local_sum.h"
#include <stdlib.h>

#if __has_include(<nccl.h>) && !defined(WITHOUT_NCCL)
#include <nccl.h>

#define NCCL_CHECK(call)                                                                           \
    do {                                                                                           \
        ncclResult_t nccl_check_error = (call);                                                    \
        if (nccl_check_error != ncclSuccess) {                                                     \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    ncclGetErrorString(nccl_check_error));                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* A communicator for each GPU: made once, for that takes long. */
static ncclComm_t *communicators(const struct sum *s)
{
    static ncclComm_t communicators[MOST_GPUS];
    static bool made;
    int devices[MOST_GPUS];
    for (unsigned g = 0; g < s->gpus; g++)
        devices[g] = s->shares[g].device;
    /* Sums in the switches of NVLink (multicast) are for long vectors, and need rights that a
       machine shared with others may not give. Set it to 1 to get them. */
    setenv("NCCL_NVLS_ENABLE", "0", 0);
    if (!made)
        NCCL_CHECK(ncclCommInitAll(communicators, (int)s->gpus, devices));
    made = true;
    return communicators;
}

static void launch(struct sum *s)
{
    ncclComm_t *communicator = communicators(s);

    for (unsigned g = 0; g < s->gpus; g++)
        sum_locally(s, g);
    NCCL_CHECK(ncclGroupStart()); /* one thread calls for all GPUs: the calls belong together */
    for (unsigned g = 0; g < s->gpus; g++)
        NCCL_CHECK(ncclAllReduce(s->shares[g].out, s->shares[g].out, 1, ncclFloat, ncclSum,
                                 communicator[g], s->shares[g].stream));
    NCCL_CHECK(ncclGroupEnd());
}

#define LAUNCH launch
#else
#define LAUNCH NULL
#endif

extern const struct variant variant_nccl = {
    .name = "nccl",
    .what = "each GPU sums its share, NCCL adds",
    .launch = LAUNCH,
    .flags = MANY_GPUS,
    .why_not =
        "NCCL was not there when this was built: install libnccl-dev, or make NCCL_HOME=FOLDER "
        "with its include/ and lib/",
};
