// Breadth-first search, level by level, with a queue filled through atomics.
#include <climits>
#include <cstdio>
#include <queue>
#include <vector>

struct Graph { int n; int *offsets, *edges; };   // compressed rows, on the device

__global__ void expand(Graph g, const int *frontier, int frontier_size, int *next, int *next_size, int *distance, int level)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < frontier_size; i += gridDim.x * blockDim.x) {
        const int v = frontier[i];
        for (int e = g.offsets[v]; e < g.offsets[v + 1]; ++e) {
            const int w = g.edges[e];
            if (atomicCAS(&distance[w], INT_MAX, level) == INT_MAX)   // the first to come takes it
                next[atomicAdd(next_size, 1)] = w;
        }
    }
}

static void fill(int *d, int value, int n)
{
    std::vector<int> h(n, value);
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
}

int main()
{
    const int n = 2000;
    std::vector<std::vector<int>> adjacent(n);
    unsigned r = 12345;
    for (int i = 0; i < 3 * n; ++i) {
        r = r * 1664525u + 1013904223u; int a = (r >> 8) % (n - 50);   // the last 50 stay alone
        r = r * 1664525u + 1013904223u; int b = (r >> 8) % (n - 50);
        adjacent[a].push_back(b);
        adjacent[b].push_back(a);
    }
    std::vector<int> offsets{0}, edges;
    for (auto &list : adjacent) {
        edges.insert(edges.end(), list.begin(), list.end());
        offsets.push_back((int)edges.size());
    }

    Graph g{n, nullptr, nullptr};
    int *frontier[2], *size, *distance;
    cudaMalloc(&g.offsets, offsets.size() * sizeof(int));
    cudaMalloc(&g.edges, edges.size() * sizeof(int));
    for (auto &f : frontier) cudaMalloc(&f, n * sizeof(int));
    cudaMalloc(&size, sizeof(int));
    cudaMalloc(&distance, n * sizeof(int));
    cudaMemcpy(g.offsets, &offsets[0], offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(g.edges, &edges[0], edges.size() * sizeof(int), cudaMemcpyHostToDevice);
    fill(distance, INT_MAX, n);
    fill(distance, 0, 1);
    fill(frontier[0], 0, 1);

    int current = 0, level = 0, waiting = 1;
    while (waiting > 0) {
        ++level;
        fill(size, 0, 1);
        expand<<<(waiting + 63) / 64, 64>>>(g, frontier[current], waiting, frontier[1 - current], size, distance, level);
        cudaMemcpy(&waiting, size, sizeof(int), cudaMemcpyDeviceToHost);
        current = 1 - current;
    }

    std::vector<int> got(n), expected(n, INT_MAX);
    cudaMemcpy(got.data(), distance, n * sizeof(int), cudaMemcpyDeviceToHost);
    std::queue<int> todo({0});
    expected[0] = 0;
    for (; !todo.empty(); todo.pop())
        for (int w : adjacent[todo.front()])
            if (expected[w] == INT_MAX) {
                expected[w] = expected[todo.front()] + 1;
                todo.push(w);
            }
    std::printf("%d levels, %s\n", level - 1, got == expected ? "all distances right" : "wrong");
    return got == expected ? 0 : 1;
}
