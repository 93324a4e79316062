/*
 * 15-2, repair: a maximum that is lost.
 *
 * The kernel is the lesson's, and right. The operator has two mistakes: a maximum may come out that
 * is no element at all, and a NaN is lost on the way. The maximum of an array with a NaN is a NaN,
 * wherever that is; the maximum of no elements is -INFINITY. Repair the operator.
 *
 * launch() asks for five maxima, and answer() writes 99 for a NaN: both stay as they are.
 */
#include "15_operators/reduce.h" /* reduce<false>(): one launch for any operator */

enum { GRID = 4 };

struct maximum_of {
    typedef float state;
    float plus;    /* the elements are in[i] + plus, ... */
    size_t nan_at; /* ... but this one is a NaN */

    static __device__ float larger(float a, float b)
    {
        return a != a || b <= a ? a : b; /* a NaN in b is not <= a */
    }
    __device__ state none() const
    {
        return -INFINITY;
    }
    __device__ state add(state s, float x, size_t i) const
    {
        return larger(s, i == nan_at ? NAN : x + plus);
    }
    __device__ state merge(state a, state b) const
    {
        return larger(a, b);
    }
    __device__ void answer(state s, float *out) const
    {
        *out = s == s ? s : 99.0f;
    }
};

extern "C" void launch(const float *in, float *out, size_t n, unsigned block)
{
    const size_t nowhere = ~(size_t)0;
    const maximum_of asked[5] = {{0, nowhere}, {-100, nowhere}, {0, 0}, {0, n / 2}, {0, n - 1}};
    static float *partial; /* kept from call to call */
    if (partial == NULL)
        cudaMalloc((void **)&partial, GRID * sizeof *partial);
    for (int k = 0; k < 5; k++)
        reduce<false>
            <<<GRID, block>>>(asked[k], in, n, partial, (unsigned *)zeroed_word(), out + k);
}
