/*
 * 15-1, predict: what is left of a variance?
 *
 * The numbers of a block, one for each thread, are n - 3 and n + 3 by turns: their mean is n, and
 * their variance is 9. It is found from the sums of x and of x^2. Put your numbers into answers[];
 * `make practice15-1` says what n and the block size are, and which answers are right. Another seed
 * asks with other numbers.
 *
 *   1. The shuffles, once for each warp that shuffles. A state has two words; block_merge() merges
 *      in each warp, and then once more in warp 0.
 *   2. How far is n^2 from the next larger float?
 *   3. What comes out as the variance?
 *
 * The kernel stays as it is.
 */
#include "15_operators/reduce.h" /* block_merge() */

unsigned seed = 1;
double answers[3] = {50, 2, 8};

struct two_sums {
    struct state {
        float sum, squares;
    };

    __device__ state none() const
    {
        return {0.0f, 0.0f};
    }
    __device__ state merge(state a, state b) const
    {
        return {a.sum + b.sum, a.squares + b.squares};
    }
};

__global__ void variance(float n, float *out)
{
    float x = threadIdx.x % 2 == 0 ? n - 3 : n + 3;
    two_sums::state s = block_merge(two_sums(), {x, x * x});

    if (threadIdx.x != 0)
        return;
    float mean = s.sum / (float)blockDim.x, next = __uint_as_float(__float_as_uint(n * n) + 1);
    out[0] = next - n * n;
    out[1] = s.squares / (float)blockDim.x - mean * mean;
}

extern "C" void launch(const float *, float *out, size_t n, unsigned block)
{
    variance<<<1, block>>>((float)n, out);
}
