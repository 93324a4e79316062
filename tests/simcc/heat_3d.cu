// Heat equation on a 3-D grid with 3-D blocks; boundaries stay as they are.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#define IDX(i, j, k) ((i) + dim.x * ((j) + dim.y * (k)))
#define CUDA_CALL(x) do { if((x)!=cudaSuccess) { \
    printf("Error at %s:%d\n",__FILE__,__LINE__);\
    return EXIT_FAILURE;}} while(0)

__global__ void heat(const float *in, float *out, int3 dim, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= dim.x || y >= dim.y || z >= dim.z) return;
    float c = in[IDX(x, y, z)];
    bool inner = x > 0 && x < dim.x - 1 && y > 0 && y < dim.y - 1 && z > 0 && z < dim.z - 1;
    out[IDX(x, y, z)] = !inner ? c :
        c + k * (in[IDX(x - 1, y, z)] + in[IDX(x + 1, y, z)] + in[IDX(x, y - 1, z)] + in[IDX(x, y + 1, z)] +
                 in[IDX(x, y, z - 1)] + in[IDX(x, y, z + 1)] - 6 * c);
}

int main(void)
{
    const int3 dim = make_int3(20, 13, 9);
    const int n = dim.x * dim.y * dim.z, steps = 5;
    const float k = 0.125f;
    float *a = (float *)malloc(n * sizeof(float)), *b = (float *)malloc(n * sizeof(float)), *got = (float *)malloc(n * sizeof(float));
    float *d[2];
    for (int i = 0; i < n; i++) a[i] = (float)(i * 31 % 64);
    for (int i = 0; i < 2; i++) CUDA_CALL(cudaMalloc((void **)&d[i], n * sizeof(float)));
    CUDA_CALL(cudaMemcpy(d[0], a, n * sizeof(float), cudaMemcpyHostToDevice));

    dim3 threads(8, 4, 4);
    dim3 blocks((dim.x + threads.x - 1) / threads.x,
                (dim.y + threads.y - 1) / threads.y,
                (dim.z + threads.z - 1) / threads.z);
    for (int s = 0; s < steps; s++) {
        heat<<<blocks, threads>>>(d[s % 2], d[1 - s % 2], dim, k);
        for (int z = 0; z < dim.z; z++) for (int y = 0; y < dim.y; y++) for (int x = 0; x < dim.x; x++) {
            float c = a[IDX(x, y, z)];
            b[IDX(x, y, z)] = x == 0 || y == 0 || z == 0 || x == dim.x - 1 || y == dim.y - 1 || z == dim.z - 1 ? c :
                c + k * (a[IDX(x - 1, y, z)] + a[IDX(x + 1, y, z)] + a[IDX(x, y - 1, z)] + a[IDX(x, y + 1, z)] +
                         a[IDX(x, y, z - 1)] + a[IDX(x, y, z + 1)] - 6 * c);
        }
        float *t = a; a = b; b = t;
    }
    CUDA_CALL(cudaGetLastError());
    CUDA_CALL(cudaMemcpy(got, d[steps % 2], n * sizeof(float), cudaMemcpyDeviceToHost));
    float worst = 0;
    for (int i = 0; i < n; i++) worst = fmaxf(worst, fabsf(got[i] - a[i]));
    printf("largest difference %g\n", worst);

    /* The same box in pitched memory and back, without its first layer and column, which stay zero. */
    cudaExtent box = make_cudaExtent(dim.x * sizeof(float), dim.y, dim.z), inner = make_cudaExtent((dim.x - 1) * sizeof(float), dim.y, dim.z - 1);
    cudaPitchedPtr pitched;
    CUDA_CALL(cudaMalloc3D(&pitched, box));
    CUDA_CALL(cudaMemset3D(pitched, 0, box));
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(d[steps % 2], dim.x * sizeof(float), dim.x, dim.y);
    copy.dstPtr = pitched;
    copy.srcPos = copy.dstPos = make_cudaPos(sizeof(float), 0, 1);
    copy.extent = inner;
    copy.kind = cudaMemcpyDeviceToDevice;
    CUDA_CALL(cudaMemcpy3DAsync(&copy));
    copy.srcPtr = pitched;
    copy.dstPtr = make_cudaPitchedPtr(b, dim.x * sizeof(float), dim.x, dim.y);
    copy.srcPos = copy.dstPos = make_cudaPos(0, 0, 0);
    copy.extent = box;
    copy.kind = cudaMemcpyDeviceToHost;
    CUDA_CALL(cudaMemcpy3D(&copy));
    for (int z = 0; z < dim.z; z++) for (int y = 0; y < dim.y; y++) for (int x = 0; x < dim.x; x++)
        if (b[IDX(x, y, z)] != (x == 0 || z == 0 ? 0 : got[IDX(x, y, z)])) worst = 1;
    cudaFree(pitched.ptr);
    free(a); free(b); free(got); cudaFree(d[0]); cudaFree(d[1]);
    return worst < 1e-4f ? EXIT_SUCCESS : EXIT_FAILURE;
}
