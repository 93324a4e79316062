/* simt_thrust_sorted.h: of Thrust what works on sorted ranges, or puts them in two parts;
   mismatches, ranges that change places; and complex numbers. simt_thrust.h includes it. */
#pragma once

#include "simt_thrust.h"
#include <complex>

namespace thrust
{

/* Of one value the place, of many their distances from the first. */
#define SIMT_BOUND(NAME)                                                                           \
    template <class I, class T, class L = less<simt_value_of<I>>>                                  \
    I NAME(simt_policy where, I first, I last, const T &value, L before = L())                     \
    {                                                                                              \
        auto p = simt_plain_of(first);                                                             \
        ptrdiff_t n = last - first;                                                                \
        simt_value_of<I> x = value;                                                                \
        return first + simt_value<ptrdiff_t>(                                                      \
                           where, [=]() mutable { return std::NAME(p, p + n, x, before) - p; });   \
    }                                                                                              \
    template <class I, class J, class O, class L = less<simt_value_of<I>>>                         \
    O NAME(simt_policy where, I first, I last, J from, J to, O result, L before = L())             \
    {                                                                                              \
        auto p = simt_plain_of(first);                                                             \
        ptrdiff_t n = last - first;                                                                \
        return transform(where, from, to, result, [=](const simt_value_of<J> &x) mutable {         \
            return std::NAME(p, p + n, x, before) - p;                                             \
        });                                                                                        \
    }                                                                                              \
    SIMT_ALSO_WITHOUT_POLICY(NAME)
SIMT_BOUND(lower_bound)
SIMT_BOUND(upper_bound)
template <class I, class T, class L = less<simt_value_of<I>>>
bool binary_search(simt_policy where, I first, I last, const T &value, L before = L())
{
    return upper_bound(where, first, last, value, before) !=
           lower_bound(where, first, last, value, before);
}
template <class I, class J, class O, class L = less<simt_value_of<I>>>
O binary_search(simt_policy where, I first, I last, J from, J to, O result, L before = L())
{
    auto p = simt_plain_of(first);
    ptrdiff_t n = last - first;
    return transform(where, from, to, result, [=](const simt_value_of<J> &x) mutable {
        return std::binary_search(p, p + n, x, before);
    });
}
SIMT_ALSO_WITHOUT_POLICY(binary_search)
template <class I, class T, class L = less<simt_value_of<I>>>
pair<I, I> equal_range(simt_policy where, I first, I last, const T &value, L before = L())
{
    return {lower_bound(where, first, last, value, before),
            upper_bound(where, first, last, value, before)};
}
SIMT_ALSO_WITHOUT_POLICY(equal_range)

/* Of two sorted ranges one. */
#define SIMT_TOGETHER(NAME)                                                                        \
    template <class I, class J, class O, class L = less<simt_value_of<I>>>                         \
    O NAME(simt_policy where, I first, I last, J other, J other_last, O to, L before = L())        \
    {                                                                                              \
        auto p = simt_plain_of(first);                                                             \
        auto r = simt_plain_of(other);                                                             \
        auto q = simt_plain_of(to);                                                                \
        ptrdiff_t n = last - first, m = other_last - other;                                        \
        return to + simt_value<ptrdiff_t>(where, [=]() mutable {                                   \
                   return std::NAME(p, p + n, r, r + m, q, before) - q;                            \
               });                                                                                 \
    }                                                                                              \
    SIMT_ALSO_WITHOUT_POLICY(NAME)
SIMT_TOGETHER(merge)
SIMT_TOGETHER(set_union)
SIMT_TOGETHER(set_intersection)
SIMT_TOGETHER(set_difference)
SIMT_TOGETHER(set_symmetric_difference)

template <class I, class P> I stable_partition(simt_policy where, I first, I last, P goes_first)
{
    typedef simt_value_of<I> T;
    auto p = simt_plain_of(first);
    ptrdiff_t n = last - first;
    simt_room<T> room(where, (size_t)n);
    T *rest = room.p;
    return first + simt_value<ptrdiff_t>(where, [=]() mutable {
               ptrdiff_t kept = 0;
               for (ptrdiff_t i = 0; i < n; i++) {
                   T x = p[i];
                   if (goes_first(x))
                       p[kept++] = x;
                   else
                       new (rest + (i - kept)) T(x);
               }
               for (ptrdiff_t i = kept; i < n; i++)
                   p[i] = rest[i - kept];
               return kept;
           });
}
SIMT_ALSO_WITHOUT_POLICY(stable_partition)
template <class I, class P> I partition(simt_policy where, I first, I last, P goes_first)
{
    return stable_partition(where, first, last, goes_first);
}
SIMT_ALSO_WITHOUT_POLICY(partition)
template <class I, class O, class R, class P>
pair<O, R> partition_copy(simt_policy where, I first, I last, O to, R rest, P goes_first)
{
    return {copy_if(where, first, last, to, goes_first),
            copy_if(where, first, last, rest, [=](auto &&x) mutable { return !goes_first(x); })};
}
SIMT_ALSO_WITHOUT_POLICY(partition_copy)

template <class I, class J, class F = equal_to<simt_value_of<I>>>
pair<I, J> mismatch(simt_policy where, I first, I last, J other, F same = F())
{
    auto p = simt_plain_of(first);
    auto r = simt_plain_of(other);
    ptrdiff_t n = last - first;
    ptrdiff_t at = simt_value<ptrdiff_t>(
        where, [=]() mutable { return std::mismatch(p, p + n, r, same).first - p; });
    return {first + at, other + at};
}
SIMT_ALSO_WITHOUT_POLICY(mismatch)

template <class I, class L = less<simt_value_of<I>>>
pair<I, I> minmax_element(simt_policy where, I first, I last, L before = L())
{
    return {min_element(where, first, last, before), max_element(where, first, last, before)};
}
SIMT_ALSO_WITHOUT_POLICY(minmax_element)
template <class I, class J> J swap_ranges(simt_policy where, I first, I last, J other)
{
    auto p = simt_plain_of(first);
    auto r = simt_plain_of(other);
    ptrdiff_t n = last - first;
    simt_run(where, [=]() mutable {
        for (ptrdiff_t i = 0; i < n; i++) {
            simt_value_of<I> x = p[i];
            p[i] = r[i];
            r[i] = x;
        }
    });
    return other + n;
}
SIMT_ALSO_WITHOUT_POLICY(swap_ranges)

using std::abs;
using std::arg;
using std::complex;
using std::conj;
using std::exp;
using std::norm;
using std::polar;
using std::pow;
using std::sqrt;

} // namespace thrust

