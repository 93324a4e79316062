// Functions whose operator() is not const, in Thrust's algorithms and CUB's; and headers that others include.
// run: SIMT_SCHEDULE=0..3
// tier: more
#include "check.cuh"
#include <cub/util_type.cuh>
#include <thrust/binary_search.h>
#include <thrust/count.h>
#include <thrust/detail/type_traits.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_scan.h>

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

int main() {
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
    cub::KeyValuePair<int, float> pair = {1, 2};
    EXPECT(pair.value == 2);
    return verdict();
}
