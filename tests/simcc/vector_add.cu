// The first program of many tutorials.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define CHECK(call)                                                            \
{                                                                              \
    const cudaError_t error = call;                                            \
    if (error != cudaSuccess)                                                  \
    {                                                                          \
        fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__);                 \
        fprintf(stderr, "code: %d, reason: %s\n", error,                       \
                cudaGetErrorString(error));                                    \
        exit(1);                                                               \
    }                                                                          \
}

__global__ void vecAdd(double *a, double *b, double *c, int n)
{
    // Get our global thread ID
    int id = blockIdx.x*blockDim.x+threadIdx.x;

    // Make sure we do not go out of bounds
    if (id < n)
        c[id] = a[id] + b[id];
}

int main( int argc, char* argv[] )
{
    int n = 10007;
    double *h_a, *h_b, *h_c;
    double *d_a, *d_b, *d_c;
    size_t bytes = n*sizeof(double);

    h_a = (double*)malloc(bytes);
    h_b = (double*)malloc(bytes);
    h_c = (double*)malloc(bytes);

    CHECK(cudaMalloc(&d_a, bytes));
    CHECK(cudaMalloc((void **)&d_b, bytes));
    CHECK(cudaMalloc((void **)&d_c, bytes));

    // sin squared plus cosine squared is one
    for(int i = 0; i < n; i++ ) {
        h_a[i] = sin(i)*sin(i);
        h_b[i] = cos(i)*cos(i);
    }
    CHECK(cudaMemcpy( d_a, h_a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy( d_b, h_b, bytes, cudaMemcpyHostToDevice));

    int blockSize = 1024, gridSize;
    gridSize = (int)ceil((float)n/blockSize);
    vecAdd<<<gridSize, blockSize>>>(d_a, d_b, d_c, n);
    CHECK(cudaGetLastError());
    vecAdd<<<ceil(n / 256.0), 256>>>(d_a, d_b, d_c, n);   /* the grid as a double */
    CHECK(cudaPeekAtLastError());

    CHECK(cudaMemcpy( h_c, d_c, bytes, cudaMemcpyDeviceToHost ));

    double sum = 0;
    for(int i=0; i<n; i++)
        sum += h_c[i];
    printf("final result: %f\n", sum/n);

    cudaFree(d_a); cudaFree(d_b); cudaFree(d_c);
    free(h_a); free(h_b); free(h_c);
    CHECK(cudaDeviceReset());
    return fabs(sum/n - 1.0) < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
