// Thrust: vectors of host and device, algorithms over them, over raw pointers and over iterators without memory.
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <algorithm>

struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Dot {
    template <class T> __host__ __device__ float operator()(const T &t) const { return thrust::get<0>(t) * thrust::get<1>(t); }
};
__global__ void kernel(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x]++; }
int main()
{
    int wrong = 0;
    const int n = 1000;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = i * 37 % n;
    std::generate(h.begin(), h.end(), [i = 0]() mutable { return i++ * 37 % n; });
    thrust::device_vector<int> d = h;
    wrong += thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()) != n * (n - 1) / 2;
    thrust::sort(d.begin(), d.end());
    thrust::copy(d.begin(), d.end(), h.begin());
    for (int i = 0; i < n; i++) wrong += h[i] != i;
    thrust::sort(thrust::device, d.begin(), d.end(), thrust::greater<int>());
    wrong += d[0] != n - 1;
    d[0] = 7;
    wrong += d[0] != 7;
    kernel<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), 4);
    kernel<<<1, 32>>>(thrust::raw_pointer_cast(&d[0]), 4);
    wrong += d[0] != 9;
    thrust::device_vector<float> x(n, 1.0f), y(n);
    thrust::sequence(y.begin(), y.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2});
    wrong += y[5] != 7;
    thrust::exclusive_scan(y.begin(), y.end(), x.begin());
    wrong += x[2] != 5;
    wrong += *thrust::max_element(y.begin(), y.end()) != n + 1;
    wrong += thrust::max_element(y.begin(), y.end()) - y.begin() != n - 1;
    float dot = thrust::transform_reduce(thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin())), thrust::make_zip_iterator(thrust::make_tuple(x.begin() + 2, y.begin() + 2)), Dot(), 0.0f, thrust::plus<float>());
    wrong += dot != 2 * 3;
    int *raw; cudaMalloc(&raw, n * sizeof(int));
    thrust::device_ptr<int> p(raw);
    thrust::fill(p, p + n, 3);
    wrong += thrust::count(p, p + n, 3) != n;
    thrust::sequence(thrust::device, raw, raw + n);
    wrong += thrust::count_if(p, p + n, [] __device__ (int v) { return v % 2 == 0; }) != n / 2;
    thrust::counting_iterator<int> first(0);
    wrong += thrust::reduce(first, first + 10) != 45;
    wrong += thrust::transform_reduce(thrust::device, first, first + 10, [] __host__ __device__ (int v) { return v * v; }, 0, thrust::plus<int>()) != 285;
    thrust::device_vector<int> keys(6), counts(6), ones(6, 1), out(6);
    keys[0] = 1; keys[1] = 1; keys[2] = 2; keys[3] = 5; keys[4] = 5; keys[5] = 5;
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), out.begin(), counts.begin());
    wrong += ends.first - out.begin() != 3 || counts[2] != 3 || out[1] != 2;
    keys.erase(thrust::unique(keys.begin(), keys.end()), keys.end());
    wrong += keys.size() != 3;
    thrust::sort_by_key(keys.begin(), keys.end(), counts.begin(), thrust::greater<int>());
    wrong += counts[0] != 3;
    thrust::for_each(keys.begin(), keys.end(), [] __device__ (int &v) { v += 10; });
    thrust::copy(keys.begin(), keys.end(), std::ostream_iterator<int>(std::cout, " "));
    std::cout << "\n";
    auto it = thrust::copy_if(p, p + n, d.begin(), [] __device__ (int v) { return v < 10; });
    wrong += it - d.begin() != 10;
    wrong += thrust::inner_product(p, p + 4, p, 0) != 14;
    cudaFree(raw);
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
