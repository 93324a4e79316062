/*
 * 00-1, predict: which elements are doubled, and how often?
 *
 * The kernel is that of first.cu. It is launched three times, with 1, 2 and 3 blocks. At first
 * element i is i + 1, so element 0 is 1. Put your numbers into answers[]; `make practice00-1` says
 * what n and the block size are, and which answers are right. Another seed asks with other blocks.
 *
 *   1. Element 5 in the end.
 *   2. Element 150 in the end.
 *   3. Element 700 in the end.
 *   4. Floats that the three launches read, together.
 *
 * The program stays as it is.
 */
unsigned seed = 2;
double answers[4] = {48, 1208, 2804, 2512};

__global__ void twice(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 2 * x[i];
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    cudaMemcpy(out, in, n * sizeof(float), cudaMemcpyDeviceToDevice);
    for (int grid = 1; grid <= 3; grid++)
        twice<<<grid, block>>>(out, n);
}
