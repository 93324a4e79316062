/*
 * 00-2, predict: where is a refused launch reported?
 *
 * Three launches, the second with larger blocks; a block has at most 1024 threads. Then four calls,
 * and each returns cudaSuccess or an error. At first element 0 is 1. Put your numbers into
 * answers[]; `make practice00-2` says how large the blocks are, and which answers are right.
 *
 *   1. How many of the four calls return an error?
 *   2. Which is the first that does, 1 to 4? (0: none)
 *   3. Element 0 in the end.
 *
 * The program stays as it is.
 */
unsigned seed = 1;
double answers[3] = {1, 3, 4};

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 2 * x[i];
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    float host[3] = {0, 0, 0};
    cudaMemcpy(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice);

    twice<<<1, block>>>(out, n);
    twice<<<1, 4 * block>>>(out, n);
    twice<<<1, block>>>(out, n);

    const cudaError_t said[4] = {
        cudaDeviceSynchronize(),                                          /* 1 */
        cudaMemcpy(&host[2], out, sizeof(float), cudaMemcpyDeviceToHost), /* 2 */
        cudaGetLastError(),                                               /* 3 */
        cudaGetLastError(),                                               /* 4 */
    };

    for (int call = 4; call >= 1; call--)
        if (said[call - 1] != cudaSuccess) {
            host[0]++;
            host[1] = call;
        }
    cudaMemcpy(out, host, sizeof host, cudaMemcpyHostToDevice);
}
