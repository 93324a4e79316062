/*
 * width-2, make it better: half of the lanes work in vain.
 *
 * A warp takes four rows of 32 floats, and wants the sum of each four neighbours: 32 sums. Parts of
 * four lanes, two rounds, four registers: eight shuffles, and in the end one lane of four has
 * something to store. But after the first round already half of the lanes hold sums that are
 * never used.
 *
 * Let two lanes that meet share the work: each keeps some rows, and gives away the others. Three
 * shuffles for each warp are enough, each lane ends with one of the 32 sums, and all of them are
 * stored by one request. out[j] = in[4j] + in[4j + 1] + in[4j + 2] + in[4j + 3]. No shared memory,
 * and the loads stay as they are: take r[] for something that was computed, and is nowhere in
 * memory.
 */
__global__ void sums_of_four(const float *in, float *out, size_t n)
{
    size_t warp = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32;
    unsigned lane = threadIdx.x % 32;
    float r[4];

    for (unsigned k = 0; k < 4; k++) {
        size_t i = (4 * warp + k) * 32 + lane;
        r[k] = i < n ? in[i] : 0.0f;
    }
    for (unsigned m = 2; m > 0; m /= 2) {
        bool upper = lane & m;
        for (unsigned k = 0; k < m; k++) {
            float kept = upper ? r[k + m] : r[k], given = upper ? r[k] : r[k + m];
            r[k] = kept + __shfl_xor_sync(0xffffffff, given, m);
        }
    }
    size_t sum = 32 * warp + lane % 4 * 8 + lane / 4; /* row lane % 4, and there part lane / 4 */
    if (4 * sum < n)
        out[sum] = r[0];
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / (4 * block) + 1;
    sums_of_four<<<grid, block>>>(in, out, n);
}
