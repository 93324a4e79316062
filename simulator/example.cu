/* example.cu: a sum that lacks a barrier, for README.md; -DBARRIER puts it right. */
#include <stdio.h>
#ifdef SIMT_SIMULATOR
#include "simt.h"
#endif

__global__ void sum(const float *in, float *out)
{
    __shared__ float part[256];
    unsigned t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    for (unsigned stride = 128; stride > 0; stride /= 2) {
        if (t < stride)
            part[t] += part[t + stride];
#ifdef BARRIER
        __syncthreads();
#endif
    }
    if (t == 0)
        *out = part[0];
}

int main()
{
    float *data;
    cudaMallocManaged(&data, 257 * sizeof *data);
    for (int i = 0; i < 256; i++)
        data[i] = 1;
#ifdef SIMT_SIMULATOR
    simt_count_requests(true);
#endif
    sum<<<1, 256>>>(data, data + 256);
    cudaDeviceSynchronize();
    printf("sum of 256 ones: %g\n", data[256]);
#ifdef SIMT_SIMULATOR
    const struct simt_counts *c = simt_launch(0);
    printf("%llu requests load %llu sectors; %llu barriers; SIMT efficiency %.2f\n",
           (unsigned long long)c->gld_requests, (unsigned long long)c->gld_sectors,
           (unsigned long long)c->barriers, c->simt_efficiency);
#endif
    return 0;
}
