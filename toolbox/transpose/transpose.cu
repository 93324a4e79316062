/*
 * The transpose of a 32 x 32 tile: rows become columns. A warp holds the tile in 32 registers of
 * each lane; with shuffles it never leaves them.
 *
 * Look at: ./toolbox08 -v 'transpose*' --counters     what each way through shared memory costs
 */
#include "toolbox.h"

#define TILE_FLOATS (32 * 32)

/* r[k] of lane l is element (k, l) of the tile: row k, column l. Afterwards it is (l, k). In each
   round the lanes l and l ^ m swap what lies on the wrong side of the diagonal, in squares of
   m x m: 16 shuffles a round, 80 in all. r[] must have constant indices, or it is no register. */
static __device__ void transpose_registers(float r[32])
{
    unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned m = 16; m > 0; m /= 2) {
        bool upper = lane & m;
#pragma unroll
        for (unsigned k = 0; k < 32; k++) {
            if (k & m)
                continue; /* its partner k ^ m has swapped it */
            float given = upper ? r[k] : r[k | m];
            float taken = __shfl_xor_sync(0xffffffff, given, m);
            r[k] = upper ? taken : r[k];
            r[k | m] = upper ? r[k | m] : taken;
        }
    }
}

/* A row of the tile at a time, so that the lanes read neighbours. */
static __device__ void load_tile(float r[32], const float *tile)
{
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        r[k] = tile[32 * k + threadIdx.x % 32];
}

static __device__ void store_tile(float *tile, const float r[32])
{
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        tile[32 * k + threadIdx.x % 32] = r[k];
}

/* The tile of this warp; the grid covers all tiles, and the last block may have warps too many. */
static __device__ size_t first_of_tile(void)
{
    return ((size_t)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * TILE_FLOATS;
}

static __global__ void transpose(const float *in, size_t n, float *out)
{
    size_t first = first_of_tile();
    float r[32];

    if (first >= n)
        return; /* the whole warp, so no lane is missed */
    load_tile(r, in + first);
    transpose_registers(r);
    store_tile(out + first, r);
}

/* Where element (k, l) lies in shared memory: rows of PITCH floats, and within a row at l, or at
   l ^ k if SWIZZLED. A warp writes a row and reads a column. With 32 floats a row, a column lies
   in one bank, and reading it takes 32 wavefronts; with 33, or swizzled, its elements lie in 32
   banks, and it takes one. */
template <unsigned PITCH, bool SWIZZLED> static __device__ unsigned place(unsigned k, unsigned l)
{
    return k * PITCH + (SWIZZLED ? l ^ k : l);
}

template <unsigned PITCH, bool SWIZZLED>
static __global__ void transpose_by_shared(const float *in, size_t n, float *out)
{
    extern __shared__ float smem[];
    float *mine = smem + threadIdx.x / 32 * (32 * PITCH);
    unsigned lane = threadIdx.x % 32;
    size_t first = first_of_tile();
    float r[32];

    if (first >= n)
        return;
    load_tile(r, in + first);
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        mine[place<PITCH, SWIZZLED>(k, lane)] = r[k];
    __syncwarp();
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        r[k] = mine[place<PITCH, SWIZZLED>(lane, k)];
    store_tile(out + first, r);
}

static void set_grid(struct sum *s)
{
    s->grid = blocks_for(s->n, (size_t)s->block * 32);
}

static void launch_transpose(struct sum *s)
{
    set_grid(s);
    transpose<<<s->grid, s->block, 0, s->stream>>>(s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

template <unsigned PITCH, bool SWIZZLED> static void launch_by_shared(struct sum *s)
{
    size_t bytes = s->block / 32 * (32 * PITCH) * sizeof(float);
    set_grid(s);
    transpose_by_shared<PITCH, SWIZZLED>
        <<<s->grid, s->block, bytes, s->stream>>>(s->in, s->n, s->out);
    CUDA_CHECK(cudaGetLastError());
}

static void check_transpose(const struct answer *a, struct verdict *verdict)
{
    for (size_t i = 0; i < a->n; i++) {
        size_t tile = i / TILE_FLOATS * TILE_FLOATS, row = i % TILE_FLOATS / 32, column = i % 32;
        expect_word(verdict, a->out, i, word_at(a->in, tile + 32 * column + row));
    }
}

static const struct task task = {.words = n_words, .check = check_transpose, .unit = TILE_FLOATS};

/* name, what, launcher, threads of the largest block: 0, or those whose tiles fit into 48 KB */
#define TILES(NAME, WHAT, LAUNCH, MOST)                                                            \
    {                                                                                              \
        NAME, WHAT, LAUNCH, 32, 0, BLOCK_WHOLE_WARPS, 32, NULL, MOST, &task                        \
    }

static const struct variant variants[] = {
    TILES("transpose", "a 32 x 32 tile in each warp's registers, 80 shuffles", launch_transpose, 0),
    TILES("transpose_shared", "the same through shared memory, rows of 33 floats",
          (launch_by_shared<33, false>), 352),
    TILES("transpose_swizzle", "rows of 32, element (k, l) at l ^ k", (launch_by_shared<32, true>),
          384),
    TILES("transpose_conflict", "rows of 32: a column lies in one bank",
          (launch_by_shared<32, false>), 384),
};

const struct topic transpose_topic = TOPIC(variants);
