#include <stdio.h>
#include <string.h>

#define N (1024 * 3)
#define RADIUS 4
#define BLOCK_SIZE 128

// derivative coefficients
__constant__ float c_coef[RADIUS + 1];

__global__ void stencil_1d(float *in, float *out) {
    __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x;
    int lindex = threadIdx.x + RADIUS;

    // Read input elements into shared memory
    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
    }

    // Synchronize (ensure all the data is available)
    __syncthreads();

    // Apply the stencil
    float result = c_coef[0] * temp[lindex];
    #pragma unroll
    for (int offset = 1; offset <= RADIUS; offset++)
        result += c_coef[offset] * (temp[lindex - offset] + temp[lindex + offset]);

    // Store the result
    out[gindex] = result;
}

int main(void) {
    static float in[N + 2 * RADIUS], out[N];
    float coef[RADIUS + 1] = { 4.f, 3.f, 2.f, 1.f, .5f };
    float *d_in, *d_out;
    int size = (N + 2 * RADIUS) * sizeof(float), bad = 0;

    for (int i = 0; i < N + 2 * RADIUS; i++) in[i] = i % 17;
    cudaMalloc((void **)&d_in, size);
    cudaMalloc((void **)&d_out, N * sizeof(float));
    cudaMemcpy(d_in, in, size, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(c_coef, coef, sizeof(coef));

    // Launch stencil_1d() kernel on GPU
    stencil_1d<<<N/BLOCK_SIZE,BLOCK_SIZE>>>(d_in + RADIUS, d_out);

    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        float *p = in + RADIUS + i, sum = coef[0] * p[0];
        for (int k = 1; k <= RADIUS; k++) sum += coef[k] * (p[-k] + p[k]);
        if (out[i] != sum) bad++;
    }
    if (bad) printf("%d of %d wrong\n", bad, N); else printf("stencil ok\n");
    cudaFree(d_in); cudaFree(d_out);
    return bad != 0;
}
