// Conway's Game of Life on pitched memory, two buffers swapped by pointer.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#define CUDA_OK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
    std::fprintf(stderr, "%s failed: %s (%s:%d)\n", #x, cudaGetErrorName(e_), __FILE__, __LINE__); \
    std::exit(1); } } while (false)

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

int main()
{
    constexpr int w = 70, h = 45, generations = 24;
    static cell world[h][w], result[h][w], expected[h][w];
    const int glider[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto &g : glider)
        world[g[1] + 40][g[0] + 65] = 1;      // it will cross the edges
    std::memset(expected, 0, sizeof expected);
    for (auto &g : glider)                    // a glider moves by (1, 1) in four generations
        expected[(g[1] + 40 + generations / 4) % h][(g[0] + 65 + generations / 4) % w] = 1;

    cell *a, *b;
    size_t pitch, pitch_b;
    CUDA_OK(cudaMallocPitch(&a, &pitch, w * sizeof(cell), h));
    CUDA_OK(cudaMallocPitch((void **)&b, &pitch_b, w, h));
    CUDA_OK(cudaMemset2D(b, pitch_b, 0, w, h));
    CUDA_OK(pitch == pitch_b ? cudaSuccess : cudaErrorUnknown);
    CUDA_OK(cudaMemcpy2D(a, pitch, world, w, w, h, cudaMemcpyHostToDevice));
    const dim3 block(16, 16), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    for (int g = 0; g < generations; ++g) {
        step<<<grid, block>>>(a, b, pitch, w, h);
        CUDA_OK(cudaGetLastError());
        std::swap(a, b);
    }
    CUDA_OK(cudaMemcpy2D(result, w, a, pitch, w, h, cudaMemcpyDeviceToHost));
    CUDA_OK(cudaFree(a));
    CUDA_OK(cudaFree(b));
    const bool same = std::memcmp(result, expected, sizeof result) == 0;
    std::puts(same ? "the glider arrived" : "the glider is lost");
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
