/*
 * scan_array: prefix sums of the whole array, out[i] = in[0] + ... + in[i], in one launch.
 *
 * New:     against scan_block.cu: a tile's block must know the sum of all tiles before; it looks
 *          back at what their blocks have published ("decoupled look-back": Merrill and Garland,
 *          "Single-pass parallel prefix scan with decoupled look-back", NVIDIA NVR-2016-002, 2016).
 * Why:     each float is read once and written once.
 * Look at: ./scan -v scan_array,scan_two_pass,scan_cub -n 256M
 */
#include "library/parts/slots.h"
#include "scan_tile.h"

/* What a tile's block has published in its slot: nothing yet, the sum of the tile, or the sum of
   all tiles up to and with this one. */
enum status { NOTHING, AGGREGATE, PREFIX };

/* The upper half of a slot: status and number of the launch, modulo 2^30. */
static __device__ unsigned stamp(unsigned epoch, enum status status)
{
    return epoch << 2 | status;
}

/* A slot for each line of 128 bytes. Hundreds of blocks read the slots just before their own, over
   and over: side by side these would all lie in a few lines, and one part of the L2 cache would
   have to answer everybody (results/trials.md). */
#define SLOT_WORDS 16

/* How the blocks of a launch are chained. In device memory; all of it is zero at first. */
struct chain {
    word *ticket;  /* upper half: number of this launch, lower half: of the next tile */
    word *slots;   /* a status and a sum of each tile: they arrive together, with no fence */
    unsigned room; /* slots, at least as many as tiles */
};

static __device__ word *slot_of(struct chain c, unsigned tile)
{
    return &c.slots[(size_t)tile * SLOT_WORDS];
}

/* For a whole warp: the sum of all tiles before this one. Lane l looks at the tile l + 1 before,
   and if need be at 32 more, and 32 more. Neighbours are added first, so that each sum is one of
   tiles that follow each other. */
static __device__ float look_back(struct chain c, unsigned epoch, unsigned tile)
{
    unsigned lane = threadIdx.x % 32, prefixes;
    float sum = 0.0f;

    do {
        const volatile word *slot =
            slot_of(c, tile - 1 - lane); /* not read before the first tile */
        unsigned published, nearest, status;
        word w;
        do { /* until all up to the nearest prefix are there; the first tile has one */
            w = tile > lane ? *slot : (word)stamp(epoch, PREFIX) << 32;
            status = (unsigned)(w >> 32) - stamp(epoch, NOTHING);
            published = __ballot_sync(0xffffffff, status == AGGREGATE || status == PREFIX);
            prefixes = __ballot_sync(0xffffffff, status == PREFIX);
            nearest = prefixes != 0 ? __ffs(prefixes) - 1 : 31;
        } while (~published << (31 - nearest) != 0);
        float value = lane <= nearest ? __uint_as_float((unsigned)w) : 0.0f;
#pragma unroll
        for (int d = 1; d < 32; d *= 2)
            value += __shfl_xor_sync(0xffffffff, value, d);
        sum += value;
        tile -= 32;
    } while (prefixes == 0);
    return sum;
}

/* For a whole warp of a tile's block: publishes, looks back, publishes again. */
static __device__ float tiles_before(struct chain c, unsigned epoch, unsigned tile, float aggregate)
{
    bool first_lane = threadIdx.x % 32 == 0;
    float before = 0.0f;

    if (tile > 0) {
        if (first_lane)
            publish(slot_of(c, tile), stamp(epoch, AGGREGATE), aggregate);
        before = look_back(c, epoch, tile);
    }
    if (first_lane)
        publish(slot_of(c, tile), stamp(epoch, PREFIX), before + aggregate);
    return before;
}

/* Leaves the chain ready for the next launch. The last tile has its sum only when all the others
   have published, and so have their tickets: it can begin anew with these. Numbers of launches
   come again after 2^30: so every 2^29th launch stamps all slots, also those it does not use. */
static __device__ void next_launch(struct chain c, unsigned epoch, unsigned tile)
{
    if (tile == gridDim.x - 1)
        *(volatile word *)c.ticket = (word)(epoch + 1) << 32;
    for (unsigned i = tile + gridDim.x; epoch % (1u << 29) == 0 && i < c.room; i += gridDim.x)
        publish(slot_of(c, i), stamp(epoch, NOTHING), 0.0f);
}

/* Tiles are not numbered by blockIdx, for nothing says that blocks begin in that order: a block
   draws a ticket. A block waits only for those that drew before, and so have begun. */
static __global__ void chained_scan(struct array a, struct chain c)
{
    __shared__ word drawn;
    __shared__ float before;
    struct tile t;

    if (threadIdx.x == 0)
        drawn = atomicAdd(c.ticket, 1ull);
    __syncthreads();
    unsigned epoch = (unsigned)(drawn >> 32), tile = (unsigned)drawn;
    load_tile(&t, a, tile);
    float all, mine = warps_before(scan_tile(&t), &all);
    if (threadIdx.x < 32) {
        float sum = tiles_before(c, epoch, tile, all);
        if (threadIdx.x == 0) {
            before = sum;
            next_launch(c, epoch, tile);
        }
    }
    __syncthreads();
    store_tile(&t, a, tile, before + mine);
}

/* The chain is kept from launch to launch, and made anew when more tiles come. */
static struct chain chain_for(unsigned tiles)
{
    static struct chain chain;
    if (tiles > chain.room) {
        size_t bytes = (1 + (size_t)tiles) * SLOT_WORDS * sizeof(word);
        CUDA_CHECK(cudaFree(chain.ticket));
        CUDA_CHECK(cudaMalloc((void **)&chain.ticket, bytes));
        CUDA_CHECK(cudaMemset(chain.ticket, 0, bytes));
        chain.slots = chain.ticket + SLOT_WORDS;
        chain.room = tiles;
    }
    return chain;
}

static void launch(struct sum *s)
{
    struct array a = array_of(s);
    s->grid = blocks_for(a.end, TILE(s->block));
    chained_scan<<<s->grid, s->block, 0, s->stream>>>(a, chain_for(s->grid));
    CUDA_CHECK(cudaGetLastError());
}

extern const struct variant variant_scan_array = {
    .name = "scan_array",
    .what = "one pass: each tile's block looks back",
    .launch = launch,
    .per_thread = 4 * ROWS,
    .block_rule = BLOCK_WHOLE_WARPS,
    .min_block = 32,
    .task = &scan_array_task,
};
