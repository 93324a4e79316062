/*
 * 16-6, make it better: ragged rows.
 *
 * Row r begins at float r * r, and has 2 r + 1 floats, or what is left of them: 1, 3, 5, 7 ... A
 * thread for each row is right, but the last one has the longest. Let every thread take EACH
 * floats, one after the other, wherever rows begin and end: it finds the row of its first float,
 * adds, and where a row ends, it adds its part to out[] by an atomic. (The numbers are small and
 * whole, so the order does not matter here.) out[] is zero before the launch.
 *
 * out[r] is the sum of row r. One launch, and no thread reads more than EACH floats.
 */
enum { EACH = 8 };

static __host__ __device__ size_t row_of(size_t i) /* of float i */
{
    size_t r = (size_t)sqrtf((float)i);
    while (r * r > i)
        r--;
    while ((r + 1) * (r + 1) <= i)
        r++;
    return r;
}

__global__ void sum_rows(const float *in, float *out, size_t n)
{
    size_t first = EACH * (blockIdx.x * (size_t)blockDim.x + threadIdx.x), r = row_of(first);
    float sum = 0.0f;

    for (size_t i = first; i < first + EACH && i < n; i++) {
        sum += in[i];
        bool row_ends = i + 1 == (r + 1) * (r + 1), mine_end = i + 1 == first + EACH || i + 1 == n;
        if (row_ends || mine_end) {
            atomicAdd(&out[r], sum);
            sum = 0.0f;
            r += row_ends;
        }
    }
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    if (n == 0)
        return;
    size_t rows = row_of(n - 1) + 1, threads = (n + EACH - 1) / EACH;
    cudaMemset(out, 0, rows * sizeof *out);
    sum_rows<<<(threads + block - 1) / block, block>>>(in, out, n);
}
