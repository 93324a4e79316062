/*
 * 14-1, predict: what crosses NVLink, and from where on does it pay?
 *
 * n floats are divided among several GPUs; they bring their sums together as in the lesson, by
 * slots in each other's memory. Put your numbers into answers[]; `make practice14-1` says what n
 * and the number of GPUs are, and which answers are right. Another seed asks with other numbers.
 *
 *   1. How many floats has GPU 2? begin() says where its share begins, and where the next one does.
 *   2. Bytes that all GPUs together store into each other's memory, for one sum.
 *   3. From how many thousand floats on are these GPUs as fast as one? A GPU reads 840 floats in
 *      a nanosecond, however many there are. To bring the sums together takes 1050 ns more.
 *
 * The kernel stays as it is.
 */
#include "library/parts/slots.h"

unsigned seed = 8;
double answers[3] = {-1, -1, -1};

enum { MOST = 8 };

struct memory {
    word *of[MOST]; /* of each GPU: a slot for every other one */
};

/* Where the share of GPU g begins. */
size_t begin(size_t n, unsigned gpus, unsigned g)
{
    return n / gpus * g + n % gpus * g / gpus;
}

__global__ void sum_with_peers(struct share share, struct memory slots, unsigned rank,
                               unsigned gpus)
{
    float sum = 0.0f;
    for (size_t i = threadIdx.x; i < share.n; i += blockDim.x)
        sum += share.in[i];
    sum = block_sum(sum);
    if (threadIdx.x > 0)
        return;
    float total = 0.0f;
    for (unsigned g = 0; g < gpus; g++)
        if (g != rank)
            publish(&slots.of[g][rank], 1, sum);
    for (unsigned g = 0; g < gpus; g++)
        total += g == rank ? sum : await_slot(&slots.of[rank][g], 1);
    share.out[0] = total;
}

/* Nanoseconds for n floats on so many GPUs, beside the time of a launch. */
double nanoseconds(double n, unsigned gpus)
{
    return n / (840.0 * gpus) + (gpus > 1 ? 1050 : 0);
}

extern "C" void launch(const struct share *shares, unsigned gpus, unsigned block)
{
    struct memory slots;
    size_t n = 0;
    for (unsigned g = 0; g < gpus; g++) {
        cudaSetDevice(shares[g].device);
        cudaMalloc((void **)&slots.of[g], MOST * sizeof(word));
        cudaMemset(slots.of[g], 0, MOST * sizeof(word));
        n += shares[g].n;
    }
    for (unsigned g = 0; g < gpus; g++) {
        cudaSetDevice(shares[g].device);
        sum_with_peers<<<1, block, 0, shares[g].stream>>>(shares[g], slots, g, gpus);
    }

    double thousands = 0;
    while (nanoseconds(1000 * thousands, gpus) > nanoseconds(1000 * thousands, 1))
        thousands++;
    float words[4] = {(float)(begin(n, gpus, 3) - begin(n, gpus, 2)), (float)thousands,
                      (float)(n / gpus), 882}; /* two answers, and two that are none */
    cudaMemcpy(shares[0].out + 1, words, sizeof words, cudaMemcpyHostToDevice);
}
