// Cells of grids: heat in three dimensions, whose boundaries stay, with 3-D blocks and copies; Conway's Game of Life in pitched
// memory, two buffers swapped by pointer.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cstdint>
#include <utility>

#define IDX(i, j, k) ((i) + dim.x * ((j) + dim.y * (k)))

__global__ void heat(const float *in, float *out, int3 dim, float k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= dim.x || y >= dim.y || z >= dim.z) return;
    float c = in[IDX(x, y, z)];
    bool inner = x > 0 && x < dim.x - 1 && y > 0 && y < dim.y - 1 && z > 0 && z < dim.z - 1;
    out[IDX(x, y, z)] = !inner ? c :
        c + k * (in[IDX(x - 1, y, z)] + in[IDX(x + 1, y, z)] + in[IDX(x, y - 1, z)] + in[IDX(x, y + 1, z)] +
                 in[IDX(x, y, z - 1)] + in[IDX(x, y, z + 1)] - 6 * c);
}

static void heat_3d()
{
    const int3 dim = make_int3(20, 13, 9);
    const int n = dim.x * dim.y * dim.z, steps = 5;
    const float k = 0.125f;
    std::vector<float> a(n), b(n), got(n);
    float *d[2];
    for (int i = 0; i < n; i++) a[i] = (float)(i * 31 % 64);
    for (int i = 0; i < 2; i++) CHECK(cudaMalloc((void **)&d[i], n * sizeof(float)));
    CHECK(cudaMemcpy(d[0], a.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    dim3 threads(8, 4, 4);
    dim3 blocks((dim.x + threads.x - 1) / threads.x,
                (dim.y + threads.y - 1) / threads.y,
                (dim.z + threads.z - 1) / threads.z);
    for (int s = 0; s < steps; s++) {
        heat<<<blocks, threads>>>(d[s % 2], d[1 - s % 2], dim, k);
        for (int z = 0; z < dim.z; z++) for (int y = 0; y < dim.y; y++) for (int x = 0; x < dim.x; x++) {
            float c = a[IDX(x, y, z)];
            b[IDX(x, y, z)] = x == 0 || y == 0 || z == 0 || x == dim.x - 1 || y == dim.y - 1 || z == dim.z - 1 ? c :
                c + k * (a[IDX(x - 1, y, z)] + a[IDX(x + 1, y, z)] + a[IDX(x, y - 1, z)] + a[IDX(x, y + 1, z)] +
                         a[IDX(x, y, z - 1)] + a[IDX(x, y, z + 1)] - 6 * c);
        }
        a.swap(b);
    }
    CHECK(cudaGetLastError(), cudaMemcpy(got.data(), d[steps % 2], n * sizeof(float), cudaMemcpyDeviceToHost));
    EACH(i, n, fabsf(got[i] - a[i]) < 1e-4f);

    /* The same box in pitched memory and back, without its first layer and column, which stay zero. */
    cudaExtent box = make_cudaExtent(dim.x * sizeof(float), dim.y, dim.z), inner = make_cudaExtent((dim.x - 1) * sizeof(float), dim.y, dim.z - 1);
    cudaPitchedPtr pitched;
    CHECK(cudaMalloc3D(&pitched, box), cudaMemset3D(pitched, 0, box));
    cudaMemcpy3DParms copy = {0};
    copy.srcPtr = make_cudaPitchedPtr(d[steps % 2], dim.x * sizeof(float), dim.x, dim.y);
    copy.dstPtr = pitched;
    copy.srcPos = copy.dstPos = make_cudaPos(sizeof(float), 0, 1);
    copy.extent = inner;
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaMemcpy3DAsync(&copy));
    copy.srcPtr = pitched;
    copy.dstPtr = make_cudaPitchedPtr(b.data(), dim.x * sizeof(float), dim.x, dim.y);
    copy.srcPos = copy.dstPos = make_cudaPos(0, 0, 0);
    copy.extent = box;
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    for (int z = 0; z < dim.z; z++) for (int y = 0; y < dim.y; y++) for (int x = 0; x < dim.x; x++)
        EXPECT(b[IDX(x, y, z)] == (x == 0 || z == 0 ? 0 : got[IDX(x, y, z)]));
    CHECK(cudaFree(pitched.ptr), cudaFree(d[0]), cudaFree(d[1]));
}

using cell = std::uint8_t;

__device__ inline const cell *row_of(const cell *grid, size_t pitch, int y)
{
    return reinterpret_cast<const cell *>(reinterpret_cast<const char *>(grid) + y * pitch);
}

__global__ void step(const cell *__restrict__ from, cell *__restrict__ to, size_t pitch, int w, int h)
{
    const int2 p = make_int2(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);
    if (p.x >= w || p.y >= h)
        return;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
            if (dx != 0 || dy != 0)
                neighbours += __ldg(&row_of(from, pitch, (p.y + dy + h) % h)[(p.x + dx + w) % w]);
    const bool alive = row_of(from, pitch, p.y)[p.x];
    to[p.y * pitch + p.x] = neighbours == 3 || (alive && neighbours == 2);
}

static void game_of_life()
{
    constexpr int w = 70, h = 45, generations = 24;
    cell world[h][w] = {}, result[h][w], expected[h][w] = {};
    const int glider[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto &g : glider) { // it moves by (1, 1) in four generations, and crosses the edges
        world[g[1] + 40][g[0] + 65] = 1;
        expected[(g[1] + 40 + generations / 4) % h][(g[0] + 65 + generations / 4) % w] = 1;
    }

    cell *a, *b;
    size_t pitch, pitch_b;
    CHECK(cudaMallocPitch(&a, &pitch, w * sizeof(cell), h), cudaMallocPitch((void **)&b, &pitch_b, w, h), cudaMemset2D(b, pitch_b, 0, w, h));
    EXPECT(pitch == pitch_b);
    CHECK(cudaMemcpy2D(a, pitch, world, w, w, h, cudaMemcpyHostToDevice));
    const dim3 block(16, 16), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    for (int g = 0; g < generations; ++g) {
        step<<<grid, block>>>(a, b, pitch, w, h);
        CHECK(cudaGetLastError());
        std::swap(a, b);
    }
    CHECK(cudaMemcpy2D(result, w, a, pitch, w, h, cudaMemcpyDeviceToHost), cudaFree(a), cudaFree(b));
    EXPECT(std::memcmp(result, expected, sizeof result) == 0); // the glider arrived
}

int main()
{
    heat_3d(), game_of_life();
    return verdict();
}
