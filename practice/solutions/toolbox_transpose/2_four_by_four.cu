/*
 * transpose-2, make it better: a tile of 4 x 4 in the registers of four lanes.
 *
 * A warp loads four rows of 32 floats, register r[k] from row k. Four neighbouring lanes then hold
 * a tile of 4 x 4: register k of lane c is its element (k, c). It shall be (c, k): each lane has a
 * row where it had a column. Here each of the 16 elements is handed out to all four lanes, and one
 * of them wants it: 16 shuffles for each warp. Four are enough.
 *
 * No shared memory. An element beyond the end of the array is 0.
 */
__global__ void transpose_tiles(const float *in, float *out, size_t n)
{
    size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32 * 128;
    unsigned lane = threadIdx.x % 32;
    float r[4];

    for (unsigned k = 0; k < 4; k++) {
        size_t i = first + 32 * k + lane;
        r[k] = i < n ? in[i] : 0.0f;
    }
    for (unsigned m = 2; m > 0; m /= 2) {
        bool upper = lane & m;
        for (unsigned k = 0; k < 4; k++) {
            if (k & m)
                continue; /* its partner k ^ m has swapped it */
            float given = upper ? r[k] : r[k | m];
            float taken = __shfl_xor_sync(0xffffffff, given, m);
            r[k] = upper ? taken : r[k];
            r[k | m] = upper ? r[k | m] : taken;
        }
    }
    for (unsigned k = 0; k < 4; k++) {
        size_t i = first + 32 * k + lane;
        if (i < n)
            out[i] = r[k];
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / (4 * block) + 1;
    transpose_tiles<<<grid, block>>>(in, out, n);
}
