/*
 * 03-3, write: which element is nearest to 0?
 *
 * Each block leaves in partial[blockIdx.x] the smallest |x| of its share, LOADS elements for each
 * thread. As in v3: each thread looks at its LOADS elements first, blockDim.x apart, then comes a
 * tree. What does a thread bring whose element is beyond the end? For a sum it was 0.
 *
 * fabsf(x) is |x|, fminf(a, b) the smaller of two, INFINITY larger than any. A share without
 * elements (n = 0) gives INFINITY. Blocks are powers of two. in[] may be overwritten. No shared
 * memory; no more barriers than one after the loads and one for each round.
 */
#define LOADS 4

__global__ void least(float *in, float *partial, size_t n)
{
    unsigned tid = threadIdx.x;
    unsigned share = blockDim.x * LOADS;
    size_t begin = (size_t)blockIdx.x * share;
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share;
    float *idata = in + begin; /* idata[0] to idata[count - 1] are this block's */

    /* your loads, and your tree */

    if (tid == 0)
        partial[blockIdx.x] = count > 0 ? idata[0] : INFINITY;
}

extern "C" void launch(float *in, float *partial, size_t n, unsigned block)
{
    size_t grid = n == 0 ? 1 : (n - 1) / (LOADS * block) + 1;
    least<<<grid, block>>>(in, partial, n);
}
