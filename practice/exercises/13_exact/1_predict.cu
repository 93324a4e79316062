/*
 * 13-1, predict: where does a float go?
 *
 * x is -n / block, and it is added n times, as in the lesson. Put your numbers into answers[];
 * `make practice13-1` says what n and the block are, and which answers are right. Another seed asks
 * with other numbers. The 32 bits of a float: 1.5 is 0x3fc00000, and twice that has one more in its
 * exponent, which begins at bit 23.
 *
 *   1. The accumulator of x, of 16.
 *   2. By how many bits its significand is shifted there.
 *   3. What carry_over() would move on into the next accumulator, after all n additions.
 *
 * The kernel stays as it is.
 */
unsigned seed = 1;
double answers[3] = {-1, -1, -1};

__global__ void add_often(float x, size_t n, float *out)
{
    unsigned long long accumulators[16] = {};
    unsigned bits = __float_as_uint(x), shift = (bits >> 23) % 32;
    unsigned long long significand = (bits & 0x7fffff) | 0x800000;

    for (size_t i = 0; i < n; i++)
        accumulators[bits >> 28] += significand << shift;
    out[0] = bits >> 28;
    out[1] = shift;
    out[2] = accumulators[bits >> 28] >> 32;
}

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    add_often<<<1, 1>>>(-(float)n / (float)block, n, out);
}
