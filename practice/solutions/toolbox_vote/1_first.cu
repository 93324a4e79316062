/*
 * vote-1, write: the first that is not positive.
 *
 * For each row of 32 floats: at which place, 0 to 31, stands the first float that is not greater
 * than 0? 32 if there is none. The last row may be shorter: what is not there is no float.
 *
 * Allowed: one vote for each warp. Forbidden: shared memory, atomics, to load an element twice.
 */
__global__ void first_of_rows(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned lane = threadIdx.x % 32;
    unsigned ends = __ballot_sync(0xffffffff, i < n && !(in[i] > 0)); /* a bit for each */
    unsigned first = ends == 0 ? 32 : __ffs(ends) - 1;

    if (lane == 0 && i < n)
        out[i / 32] = first;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / block + 1;
    first_of_rows<<<grid, block>>>(in, out, n);
}
