// A sum in one launch: blocks of a cluster add up through each other's shared memory,
// clusters by one atomic each. Cluster size at compile time and at launch.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
namespace cg = cooperative_groups;

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t error_ = (call);                                                               \
        if (error_ != cudaSuccess) {                                                               \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

template <int BLOCK> __device__ int sum_of_block(int value)
{
    __shared__ int warps[BLOCK / 32];
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(0xffffffff, value, d);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (int w = 0; w < BLOCK / 32; w++)
        value += warps[w];
    return value;
}

template <int BLOCK> __device__ void sum_of_cluster(const int *in, int n, int *out)
{
    __shared__ int partial;
    cg::cluster_group cluster = cg::this_cluster();
    int value = 0;
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < (unsigned)n; i += gridDim.x * BLOCK)
        value += in[i];
    value = sum_of_block<BLOCK>(value);
    if (threadIdx.x == 0)
        partial = value;
    cluster.sync();
    if (cluster.thread_rank() == 0) {
        int sum = 0;
        for (unsigned b = 0; b < cluster.num_blocks(); b++)
            sum += *cluster.map_shared_rank(&partial, b);
        atomicAdd(out, sum);
    }
    cluster.sync();
}

template <int BLOCK> __global__ void __cluster_dims__(4, 1, 1) fixed(const int *in, int n, int *out)
{
    sum_of_cluster<BLOCK>(in, n, out);
}

template <int BLOCK> __global__ void chosen(const int *in, int n, int *out)
{
    sum_of_cluster<BLOCK>(in, n, out);
}

// Each block adds to the first one's histogram, in dynamic shared memory, by atomics.
__global__ void __cluster_dims__(2, 2) histogram(const int *in, int n, int *out, int bins)
{
    extern __shared__ int counts[];
    cg::cluster_group cluster = cg::this_cluster();
    int *first = cluster.map_shared_rank(counts, 0);
    unsigned rank = (blockIdx.x + gridDim.x * blockIdx.y) * blockDim.x + threadIdx.x;
    if (cluster.block_rank() == 0)
        for (int b = threadIdx.x; b < bins; b += blockDim.x)
            counts[b] = 0;
    cluster.sync();
    if (cluster.query_shared_rank(first) != 0 ||
        cluster.query_shared_rank(counts) != cluster.block_rank())
        __trap();
    for (unsigned i = rank; i < (unsigned)n; i += gridDim.x * gridDim.y * blockDim.x)
        atomicAdd(&first[in[i] % bins], 1);
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    if (cluster.block_rank() == 0)
        for (int b = threadIdx.x; b < bins; b += blockDim.x)
            atomicAdd(&out[b], counts[b]);
}

// Where a thread is, in each of the header's ways.
__global__ void places(int *wrong)
{
    cg::cluster_group c = cg::this_cluster();
    dim3 at = c.block_index(), of = c.dim_blocks(), t = c.thread_index();
    bool ok = of.x == 2 && of.y == 1 && of.z == 2 && c.num_blocks() == 4;
    ok = ok && at.x == blockIdx.x % 2 && at.y == 0 && at.z == blockIdx.z % 2;
    ok = ok && c.block_rank() == at.x + 2 * at.z;
    ok = ok && t.x == at.x * blockDim.x + threadIdx.x && t.z == at.z;
    ok = ok && c.num_threads() == 4 * blockDim.x && c.dim_threads().x == 2 * blockDim.x;
    ok = ok && c.thread_rank() == c.block_rank() * blockDim.x + threadIdx.x;
    cg::grid_group g = cg::this_grid();
    ok = ok && g.num_clusters() == gridDim.x * gridDim.y * gridDim.z / 4;
    ok = ok && g.cluster_index().z == blockIdx.z / 2 && g.dim_clusters().y == gridDim.y;
    if (!ok)
        atomicAdd(wrong, 1);
}

// A barrier of the whole grid, between blocks that are in clusters, too.
__global__ void both(int *out)
{
    cg::this_cluster().sync();
    out[blockIdx.x] = 1;
    cg::this_grid().sync();
    int other = out[(blockIdx.x + 3) % gridDim.x];
    cg::this_grid().sync();
    out[blockIdx.x] += other;
}

static cudaError_t launch(void (*kernel)(const int *, int, int *), int grid, int cluster,
                          const int *in, int n, int *out)
{
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim.x = cluster;
    attributes[0].val.clusterDim.y = 1;
    attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = 128;
    config.attrs = attributes;
    config.numAttrs = 2;
    cudaError_t error = cudaLaunchKernelEx(&config, kernel, in, n, out);
    cudaGetLastError();
    return error;
}

static int failures;
static void is(const char *what, long got, long expected)
{
    failures += got != expected;
    printf("%-40s %ld%s\n", what, got, got == expected ? "" : "  wrong");
}

int main()
{
    const int n = 100000, bins = 100;
    std::vector<int> in(n);
    long sum = 0;
    for (int i = 0; i < n; i++)
        sum += in[i] = i * 7919ll % 1000;
    int *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(int)));
    CHECK(cudaMalloc(&d_out, bins * sizeof(int)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    auto answer = [&] {
        int out[bins];
        CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
        CHECK(cudaMemset(d_out, 0, sizeof out));
        return std::vector<int>(out, out + bins);
    };
    CHECK(cudaMemset(d_out, 0, bins * sizeof(int)));

    fixed<128><<<16, 128>>>(d_in, n, d_out);
    CHECK(cudaGetLastError());
    is("a sum, clusters of 4", answer()[0], sum);
    for (int cluster = 1; cluster <= 8; cluster *= 2) {
        CHECK(launch(chosen<128>, 16, cluster, d_in, n, d_out));
        is("a sum, clusters of 1, 2, 4, 8", answer()[0], sum);
    }

    histogram<<<dim3(4, 2), 64, bins * sizeof(int)>>>(d_in, n, d_out, bins);
    CHECK(cudaGetLastError());
    std::vector<int> counts = answer(), expected(bins);
    for (int x : in)
        expected[x % bins]++;
    is("a histogram", counts == expected, 1);

    cudaLaunchAttribute cube = {};
    cube.id = cudaLaunchAttributeClusterDimension;
    cube.val.clusterDim.x = 2, cube.val.clusterDim.y = 1, cube.val.clusterDim.z = 2;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4, 3, 2);
    config.blockDim = 64;
    config.attrs = &cube;
    config.numAttrs = 1;
    void *arguments[] = {&d_out};
    CHECK(cudaLaunchKernelExC(&config, (const void *)places, arguments));
    is("threads that are elsewhere", answer()[0], 0);

    cudaLaunchAttribute attributes[2] = {cube, cube};
    attributes[0].val.clusterDim.z = 1;
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = 1;
    config.gridDim = 8;
    config.blockDim = 1;
    config.attrs = attributes;
    config.numAttrs = 2;
    CHECK(cudaLaunchKernelEx(&config, both, d_out));
    is("a cooperative launch of clusters", answer()[5], 2);
    config.blockDim = 64;
    config.attrs = &cube;
    config.numAttrs = 1;

    // What a launch is refused for.
    is("grid no multiple of the cluster", launch(chosen<128>, 15, 2, d_in, n, d_out),
       cudaErrorInvalidClusterSize);
    fixed<128><<<15, 128>>>(d_in, n, d_out);
    is("the same by __cluster_dims__", cudaGetLastError(), cudaErrorInvalidClusterSize);
    is("16 blocks, not allowed", launch(chosen<128>, 16, 16, d_in, n, d_out),
       cudaErrorInvalidClusterSize);
    int blocks = 0, clusters = 0, attribute = 0;
    config.gridDim = 16;
    config.numAttrs = 0;
    CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, chosen<128>, &config));
    is("largest cluster", blocks, 8);
    CHECK(cudaFuncSetAttribute(chosen<128>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, chosen<128>, &config));
    is("largest cluster, if allowed", blocks, 16);
    CHECK(launch(chosen<128>, 16, 16, d_in, n, d_out));
    is("a sum, clusters of 16", answer()[0], sum);
    is("32 blocks", launch(chosen<128>, 32, 32, d_in, n, d_out), cudaErrorInvalidClusterSize);
    config.gridDim = dim3(4, 1, 4);
    config.numAttrs = 1;
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, places, &config));
    is("clusters at once", clusters > 0, 1);
    CHECK(cudaDeviceGetAttribute(&attribute, cudaDevAttrClusterLaunch, 0));
    is("the device has clusters", attribute, 1);
    return failures != 0;
}
