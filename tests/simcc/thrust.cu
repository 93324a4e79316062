// Thrust: algorithms over vectors, pointers and iterators; sorted ranges; functions whose operator() is not const, in CUB, too.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <algorithm>
#include <iostream>
#include <cub/util_type.cuh>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/detail/type_traits.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
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
#include <thrust/logical.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>
#include <thrust/universal_vector.h>

// Thrust: vectors of host and device, algorithms over them, over raw pointers and over iterators without memory.
struct Saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct Dot {
    template <class T> __host__ __device__ float operator()(const T &t) const { return thrust::get<0>(t) * thrust::get<1>(t); }
};
__global__ void kernel(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x]++; }
static void thrust_algorithms() {
    const int n = 1000;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; i++) h[i] = i * 37 % n;
    std::generate(h.begin(), h.end(), [i = 0]() mutable { return i++ * 37 % n; });
    thrust::device_vector<int> d = h;
    EXPECT(thrust::reduce(d.begin(), d.end(), 0, thrust::plus<int>()) == n * (n - 1) / 2);
    thrust::sort(d.begin(), d.end());
    thrust::copy(d.begin(), d.end(), h.begin());
    EACH(i, n, h[i] == i);
    thrust::sort(thrust::device, d.begin(), d.end(), thrust::greater<int>());
    EXPECT(d[0] == n - 1);
    d[0] = 7;
    EXPECT(d[0] == 7);
    kernel<<<1, 32>>>(thrust::raw_pointer_cast(d.data()), 4);
    kernel<<<1, 32>>>(thrust::raw_pointer_cast(&d[0]), 4);
    EXPECT(d[0] == 9);
    thrust::device_vector<float> x(n, 1.0f), y(n);
    thrust::sequence(y.begin(), y.end());
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Saxpy{2});
    EXPECT(y[5] == 7);
    thrust::exclusive_scan(y.begin(), y.end(), x.begin());
    EXPECT(x[2] == 5);
    EXPECT(*thrust::max_element(y.begin(), y.end()) == n + 1);
    EXPECT(thrust::max_element(y.begin(), y.end()) - y.begin() == n - 1);
    typedef thrust::device_vector<float>::iterator Floats;
    thrust::zip_iterator<thrust::tuple<Floats, Floats>> both = thrust::make_zip_iterator(thrust::make_tuple(x.begin(), y.begin()));
    float dot = thrust::transform_reduce(both, thrust::make_zip_iterator(x.begin() + 2, y.begin() + 2), Dot(), 0.0f, thrust::plus<float>());
    EXPECT(dot == 2 * 3);
    thrust::device_vector<int> key = std::vector<int>{1, 1, 1, 2, 2}, inclusive(5), exclusive(5);
    thrust::inclusive_scan_by_key(key.begin(), key.end(), thrust::make_counting_iterator(1), inclusive.begin());
    thrust::exclusive_scan_by_key(key.begin(), key.end(), thrust::make_counting_iterator(1), exclusive.begin(), 10, thrust::equal_to<int>(), thrust::maximum<int>());
    EXPECT(inclusive[2] == 6 && inclusive[4] == 9 && exclusive[0] == 10 && exclusive[3] == 10);
    x = {1, 2, 3};
    EXPECT(x.size() == 3 && x[2] == 3);
    thrust::device_ptr<void> bytes = thrust::device_malloc(n);
    EXPECT(bytes.get());
    thrust::device_free(bytes);
    int *raw; cudaMalloc(&raw, n * sizeof(int));
    thrust::device_ptr<int> p(raw);
    thrust::fill(p, p + n, 3);
    EXPECT(thrust::count(p, p + n, 3) == n);
    thrust::sequence(thrust::device, raw, raw + n);
    EXPECT(thrust::count_if(p, p + n, [] __device__ (int v) { return v % 2 == 0; }) == n / 2);
    thrust::counting_iterator<int> first(0);
    EXPECT(thrust::reduce(first, first + 10) == 45);
    EXPECT(thrust::transform_reduce(thrust::device, first, first + 10, [] __host__ __device__ (int v) { return v * v; }, 0, thrust::plus<int>()) == 285);
    thrust::device_vector<int> keys(6), counts(6), ones(6, 1), out(6);
    keys[0] = 1; keys[1] = 1; keys[2] = 2; keys[3] = 5; keys[4] = 5; keys[5] = 5;
    auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), ones.begin(), out.begin(), counts.begin());
    EXPECT(ends.first - out.begin() == 3 && counts[2] == 3 && out[1] == 2);
    EXPECT(thrust::unique_copy(keys.begin(), keys.end(), ones.begin()) - ones.begin() == 3 && ones[1] == 2 && ones[2] == 5 && keys[1] == 1);
    keys.erase(thrust::unique(keys.begin(), keys.end()), keys.end());
    EXPECT(keys.size() == 3);
    thrust::sort_by_key(keys.begin(), keys.end(), counts.begin(), thrust::greater<int>());
    EXPECT(counts[0] == 3);
    thrust::for_each(keys.begin(), keys.end(), [] __device__ (int &v) { v += 10; });
    thrust::copy(keys.begin(), keys.end(), std::ostream_iterator<int>(std::cout, " "));
    std::cout << "\n";
    auto it = thrust::copy_if(p, p + n, d.begin(), [] __device__ (int v) { return v < 10; });
    EXPECT(it - d.begin() == 10);
    EXPECT(thrust::inner_product(p, p + 4, p, 0) == 14);
    cudaFree(raw);
}

// Thrust on sorted ranges: searches, merges, sets; partitions, mismatches, the least and the most; _1 and _2; memory that host and device share.
struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

static bool same(const thrust::device_vector<int> &v, const std::vector<int> &expected) { return std::vector<int>(v.begin(), v.end()) == expected; }

__global__ void square(thrust::complex<float> *z) { *z = *z * *z; }

static void thrust_sorted() {
    thrust::device_vector<int> v(100), ends(10);
    for (int i = 0; i < 100; i++) v[i] = i * 7 % 10;
    thrust::sort(v.begin(), v.end());
    thrust::counting_iterator<int> from(0);
    thrust::upper_bound(v.begin(), v.end(), from, from + 10, ends.begin());
    EXPECT(ends[0] == 10 && ends[9] == 100);
    EXPECT(thrust::lower_bound(thrust::device, v.begin(), v.end(), 5) - v.begin() == 50);
    EXPECT(thrust::binary_search(v.begin(), v.end(), 9) && !thrust::binary_search(v.begin(), v.end(), 10));
    EXPECT(thrust::equal_range(v.begin(), v.end(), 3).second - v.begin() == 40);

    const int a_values[] = {1, 2, 2, 4}, b_values[] = {2, 3, 4, 4};
    thrust::device_vector<int> a(a_values, a_values + 4), b(b_values, b_values + 4), to(8);
    EXPECT(thrust::merge(a.begin(), a.end(), b.begin(), b.end(), to.begin()) == to.end());
    EXPECT(same(to, {1, 2, 2, 2, 3, 4, 4, 4}));
    to.resize(thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), to.begin()) - to.begin());
    EXPECT(same(to, {1, 2, 2, 3, 4, 4}));
    to.resize(thrust::set_intersection(a.begin(), a.end(), b.begin(), b.end(), to.begin()) - to.begin());
    EXPECT(same(to, {2, 4}));
    to.resize(thrust::set_difference(a.begin(), a.end(), b.begin(), b.end(), to.begin()) - to.begin());
    EXPECT(same(to, {1, 2}));
    EXPECT(thrust::mismatch(a.begin(), a.end(), b.begin()).first - a.begin() == 0);
    EXPECT(thrust::stable_partition(a.begin(), a.end(), is_even()) - a.begin() == 3);
    EXPECT(same(a, {2, 2, 4, 1}));
    thrust::swap_ranges(a.begin(), a.end(), b.begin());
    EXPECT(same(a, {2, 3, 4, 4}));
    const auto both = thrust::minmax_element(b.begin(), b.end());
    EXPECT(*both.first == 1 && *both.second == 4);

    using namespace thrust::placeholders;
    thrust::transform(a.begin(), a.end(), b.begin(), a.begin(), 10 * _1 + _2);
    EXPECT(same(a, {22, 32, 44, 41}));
    thrust::universal_vector<int> shared(4, 5);
    thrust::transform(thrust::device, shared.begin(), shared.end(), shared.begin(), _1 + 1);
    cudaDeviceSynchronize();
    EXPECT(thrust::raw_pointer_cast(shared.data())[3] == 6);

    thrust::device_vector<thrust::complex<float>> z(1, thrust::complex<float>(1, 2));
    square<<<1, 1>>>(thrust::raw_pointer_cast(z.data()));
    const thrust::complex<float> w = z[0];
    EXPECT(w.real() == -3 && w.imag() == 4);
}

// Functions whose operator() is not const, in Thrust's algorithms and CUB's.
struct smaller {
    __host__ __device__ bool operator()(int a, int b) { return a < b; }
};
struct smaller_of_two {
    template <class T> __host__ __device__ bool operator()(T a, T b) { return thrust::get<0>(a) < thrust::get<0>(b); }
};
struct odd {
    __host__ __device__ bool operator()(int a) { return a % 2; }
};
struct twice {
    __host__ __device__ int operator()(int a) { return 2 * a; }
};
struct add {
    __host__ __device__ int operator()(int a, int b) { return a + b; }
};

static void thrust_not_const() {
    const int given[] = {3, 1, 4, 1, 5, 9};
    thrust::device_vector<int> d(given, given + 6), e(6), f(12);
    auto first = d.begin(), last = d.end();
    EXPECT(thrust::max_element(first, last, smaller()) - first == 5 && thrust::min_element(first, last, smaller()) - first == 1);
    EXPECT(thrust::count_if(first, last, odd()) == 5 && thrust::any_of(first, last, odd()) && !thrust::all_of(first, last, odd()));
    thrust::sort(first, last, smaller());
    EXPECT(d[0] == 1 && d[5] == 9 && thrust::is_sorted(first, last, smaller()));
    thrust::sequence(e.begin(), e.end());
    thrust::sort_by_key(first, last, e.begin(), smaller());
    EXPECT(thrust::lower_bound(first, last, 4, smaller()) - first == 3 && thrust::binary_search(first, last, 4, smaller()));
    auto both = thrust::make_zip_iterator(thrust::make_tuple(first, e.begin()));
    EXPECT(thrust::max_element(both, both + 6, smaller_of_two()) - both == 5);
    EXPECT(thrust::transform_reduce(first, last, twice(), 0, add()) == 46 && thrust::inner_product(first, last, first, 0, add(), add()) == 46);
    EXPECT(thrust::reduce(thrust::make_transform_iterator(first, twice()), thrust::make_transform_iterator(last, twice()), 0, add()) == 46);
    thrust::transform_inclusive_scan(first, last, e.begin(), twice(), add());
    EXPECT(e[5] == 46);
    EXPECT(thrust::set_union(first, last, first, last, f.begin(), smaller()) - f.begin() == 6);
    size_t bytes = 0;
    int *in = thrust::raw_pointer_cast(d.data()), *out = thrust::raw_pointer_cast(f.data());
    cub::DeviceReduce::Reduce(nullptr, bytes, in, out, 6, add(), 0);
    thrust::device_vector<char> room(bytes);
    cub::DeviceReduce::Reduce(thrust::raw_pointer_cast(room.data()), bytes, in, out, 6, add(), 0);
    EXPECT(f[0] == 23);
    EXPECT(thrust::remove_if(first, last, odd()) - first == 1 && thrust::stable_partition(first, first + 1, odd()) == first);
    thrust::counting_iterator<unsigned> zero(0), ten(10); // a difference below 0
    EXPECT(zero < ten && thrust::reduce(zero, ten, 0u) == 45 && thrust::find(zero, ten, 7u) - zero == 7);
    d.assign(2, 5);
    d.insert(d.begin(), 1);
    d.insert(d.end(), 3, 9);
    EXPECT(d.size() == 6 && d[0] == 1 && d[1] == 5 && d[2] == 5 && d[5] == 9);
    const cub::KeyValuePair<int, float> pair = {1, 2}, equal(0, 2), less(5, 1);
    EXPECT(pair.value == 2 && cub::ArgMax()(pair, equal).key == 0 && cub::ArgMax()(less, pair).key == 1 && cub::ArgMin()(pair, less).key == 5);
}

int main() {
    thrust_algorithms(), thrust_sorted(), thrust_not_const();
    return verdict();
}
