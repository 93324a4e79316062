/* product.cu: how long the simulator takes for a tiled matrix product, beside a serial loop that
   the compiler optimizes (docs/simulator.md, What it costs). Processor time, the least of three
   runs. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 256, TILE = 16 };

__global__ void product(const float *a, const float *b, float *c)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < N; t += TILE) {
        as[y][x] = a[row * N + t + x];
        bs[y][x] = b[(t + y) * N + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * N + column] = sum;
}

/* As in a program of its own: not instrumented as simcc does it. */
__attribute__((noinline, optimize("O2"), no_sanitize("thread"), no_sanitize_coverage)) static void
serial(const float *a, const float *b, float *c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i * N + k] * b[k * N + j];
            c[i * N + j] = sum;
        }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main()
{
    static float expected[N * N];
    float *a, *b, *c;
    double least[2] = {1e9, 1e9};
    cudaMallocManaged(&a, sizeof expected);
    cudaMallocManaged(&b, sizeof expected);
    cudaMallocManaged(&c, sizeof expected);
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(i % 7);
        b[i] = (float)(i % 5);
    }
    for (int run = 0; run < 3; run++) {
        double begin = now();
        serial(a, b, expected);
        double middle = now();
        product<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(a, b, c);
        cudaDeviceSynchronize();
        double end = now();
        least[0] = middle - begin < least[0] ? middle - begin : least[0];
        least[1] = end - middle < least[1] ? end - middle : least[1];
    }
    for (int i = 0; i < N * N; i++)
        if (c[i] != expected[i]) {
            printf("wrong: element %d is %g, not %g\n", i, c[i], expected[i]);
            return 1;
        }
    /* Two of shared memory for each product of two elements; to fill the tiles; the result. */
    double accesses = (double)N * N * (2.0 * N + 4.0 * N / TILE + 1);
    printf("serial %.1f ms, simulated %.0f ms: %.1f times; %.0f million accesses a second\n",
           1e3 * least[0], 1e3 * least[1], least[1] / least[0], accesses / least[1] * 1e-6);
    return 0;
}
