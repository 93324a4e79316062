/* A step of the scan for each distance: the sum of the flags up to each place. */
__global__ void flag(const int *input, int n, int *places)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        places[i] = i + 1 < n && input[i] == input[i + 1];
}

__global__ void add_distant(const int *from, int *to, int n, int distance)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}

__global__ void put(const int *input, const int *places, int n, int *output)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n && input[i] == input[i + 1])
        output[places[i] - 1] = i;
}

int find_repeats(const int *input, int n, int *output)
{
    int *from, *to, count, blocks = (n + 255) / 256;
    cudaMalloc(&from, n * sizeof(int));
    cudaMalloc(&to, n * sizeof(int));
    flag<<<blocks, 256>>>(input, n, from);
    for (int distance = 1; distance < n; distance *= 2) {
        add_distant<<<blocks, 256>>>(from, to, n, distance);
        int *other = from;
        from = to;
        to = other;
    }
    put<<<blocks, 256>>>(input, from, n, output);
    cudaMemcpy(&count, from + n - 1, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(from);
    cudaFree(to);
    return count;
}
