// Thrust on sorted ranges: searches, merges, sets; partitions, mismatches, the least and the most; _1 and _2; memory that
// host and device share.
#include <cstdio>
#include <thrust/binary_search.h>
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#include <thrust/universal_vector.h>
#include <vector>

static int wrong;
#define EXPECT(x) (void)((x) || (std::printf("line %d: %s\n", __LINE__, #x), ++wrong))

struct is_even {
    __host__ __device__ bool operator()(int x) const { return x % 2 == 0; }
};

static bool same(const thrust::device_vector<int> &v, const std::vector<int> &expected)
{
    return std::vector<int>(v.begin(), v.end()) == expected;
}

__global__ void square(thrust::complex<float> *z) { *z = *z * *z; }

int main()
{
    thrust::device_vector<int> v(100), ends(10);
    for (int i = 0; i < 100; i++)
        v[i] = i * 7 % 10;
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
    std::printf("%d wrong\n", wrong);
    return wrong != 0;
}
