// A sum in one launch: blocks of a cluster add up through each other's shared memory, clusters by one atomic each. Cluster size at compile time and at launch.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <int BLOCK> __device__ void sum_of_cluster(const int *in, int n, int *out) {
    __shared__ int partial;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) partial = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * BLOCK + threadIdx.x; i < (unsigned)n; i += gridDim.x * BLOCK) atomicAdd(&partial, in[i]);
    cluster.sync();
    if (cluster.thread_rank() == 0)
        for (unsigned b = 0; b < cluster.num_blocks(); b++) atomicAdd(out, *cluster.map_shared_rank(&partial, b));
    cluster.sync();
}

template <int BLOCK> __global__ void __cluster_dims__(4, 1, 1) fixed(const int *in, int n, int *out) { sum_of_cluster<BLOCK>(in, n, out); }
template <int BLOCK> __global__ void chosen(const int *in, int n, int *out) { sum_of_cluster<BLOCK>(in, n, out); }

// Each block adds to the first one's histogram, in dynamic shared memory, by atomics.
__global__ void __cluster_dims__(2, 2) histogram(const int *in, int n, int *out, int bins) {
    extern __shared__ int counts[];
    cg::cluster_group cluster = cg::this_cluster();
    int *first = cluster.map_shared_rank(counts, 0);
    unsigned rank = (blockIdx.x + gridDim.x * blockIdx.y) * blockDim.x + threadIdx.x;
    if (cluster.block_rank() == 0)
        for (int b = threadIdx.x; b < bins; b += blockDim.x) counts[b] = 0;
    cluster.sync();
    if (cluster.query_shared_rank(first) != 0 || cluster.query_shared_rank(counts) != cluster.block_rank()) __trap();
    for (unsigned i = rank; i < (unsigned)n; i += gridDim.x * gridDim.y * blockDim.x) atomicAdd(&first[in[i] % bins], 1);
    auto token = cluster.barrier_arrive();
    cluster.barrier_wait(std::move(token));
    if (cluster.block_rank() == 0)
        for (int b = threadIdx.x; b < bins; b += blockDim.x) atomicAdd(&out[b], counts[b]);
}

// Where a thread is, in each of the header's ways.
__global__ void places(int *wrong) {
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
    if (!ok) atomicAdd(wrong, 1);
}

// A barrier of the whole grid, between blocks that are in clusters, too.
__global__ void both(int *out) {
    cg::this_cluster().sync();
    out[blockIdx.x] = 1;
    cg::this_grid().sync();
    int other = out[(blockIdx.x + 3) % gridDim.x];
    cg::this_grid().sync();
    out[blockIdx.x] += other;
}

static cudaLaunchAttribute cluster_of(int x, int z = 1) {
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = x, a.val.clusterDim.y = 1, a.val.clusterDim.z = z;
    return a;
}

static cudaLaunchConfig_t config_of(dim3 grid, dim3 block, cudaLaunchAttribute *attributes, int count) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = block, config.attrs = attributes, config.numAttrs = count;
    return config;
}

static const int n = 100000, bins = 100;
static int *in, *out;

static cudaError_t launch(int grid, int cluster) {
    cudaLaunchAttribute attributes[2] = {cluster_of(cluster)};
    attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[1].val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = config_of(grid, 128, attributes, 2);
    cudaError_t error = cudaLaunchKernelEx(&config, chosen<128>, (const int *)in, (int)n, out);
    cudaGetLastError();
    return error;
}

// What is at out[k]; then all of it is 0.
static int answer(int k = 0) {
    CHECK(cudaDeviceSynchronize());
    const int result = out[k];
    memset(out, 0, bins * sizeof *out);
    return result;
}

int main() {
    in = managed<int>(n, [](int i) { return i * 7919ll % 1000; }), out = managed<int>(bins);
    int sum = 0, expected[bins] = {};
    for (int i = 0; i < n; i++) sum += in[i], expected[in[i] % bins]++;

    fixed<128><<<16, 128>>>(in, n, out);
    EXPECT(answer() == sum);
    for (int cluster = 1; cluster <= 8; cluster *= 2) {
        CHECK(launch(16, cluster));
        EXPECT(answer() == sum);
    }
    histogram<<<dim3(4, 2), 64, bins * sizeof(int)>>>(in, n, out, bins);
    LEFT(memcmp(out, expected, sizeof expected) == 0);
    answer();

    cudaLaunchAttribute cube = cluster_of(2, 2), cooperative[2] = {cluster_of(2)};
    cudaLaunchConfig_t config = config_of(dim3(4, 3, 2), 64, &cube, 1);
    void *arguments[] = {&out};
    CHECK(cudaLaunchKernelExC(&config, (const void *)places, arguments));
    EXPECT(answer() == 0);
    cooperative[1].id = cudaLaunchAttributeCooperative;
    cooperative[1].val.cooperative = 1;
    config = config_of(8, 1, cooperative, 2);
    CHECK(cudaLaunchKernelEx(&config, both, out));
    EXPECT(answer(5) == 2);

    // What a launch is refused for: a grid that is no multiple of the cluster; 16 blocks, where they are not allowed; 32.
    EXPECT(launch(15, 2) == cudaErrorInvalidClusterSize);
    fixed<128><<<15, 128>>>(in, n, out);
    EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize && launch(16, 16) == cudaErrorInvalidClusterSize);
    int blocks = 0, clusters = 0, attribute = 0;
    config = config_of(16, 64, nullptr, 0);
    CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, chosen<128>, &config));
    EXPECT(blocks == 8);
    CHECK(cudaFuncSetAttribute(chosen<128>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    CHECK(cudaOccupancyMaxPotentialClusterSize(&blocks, chosen<128>, &config));
    EXPECT(blocks == 16);
    CHECK(launch(16, 16));
    EXPECT(answer() == sum && launch(32, 32) == cudaErrorInvalidClusterSize);
    config = config_of(dim3(4, 1, 4), 64, &cube, 1);
    CHECK(cudaOccupancyMaxActiveClusters(&clusters, places, &config), cudaDeviceGetAttribute(&attribute, cudaDevAttrClusterLaunch, 0));
    EXPECT(clusters > 0 && attribute == 1);
    return verdict();
}
