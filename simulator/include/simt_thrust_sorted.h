/* simt_thrust_sorted.h: of Thrust what works on sorted ranges, or puts them in two parts;
   mismatches, ranges that change places; and complex numbers. simt_thrust.h includes it. */
#pragma once

#include "simt_thrust.h"
#include <complex>

namespace thrust
{

/* Of one value the place, of many their distances from the first. */
#define SIMT_BOUND(NAME)                                                                           \
    template <class _I, class T, class _L = less<simt_value_of<_I>>>                               \
    _I NAME(simt_policy where, _I first, _I last, const T &value, _L before = _L())                \
    {                                                                                              \
        simt_value_of<_I> x = value;                                                               \
        return first + simt_on(where, first, last)([=](auto p, auto end) mutable {                 \
                   return std::NAME(p, end, x, before) - p;                                        \
               });                                                                                 \
    }                                                                                              \
    template <class _I, class _J, class _O, class _L = less<simt_value_of<_I>>>                    \
    _O NAME(simt_policy where, _I first, _I last, _J from, _J to, _O result, _L before = _L())     \
    {                                                                                              \
        return simt_each(                                                                          \
            where, first, last, from, to, result,                                                  \
            [=](auto p, auto end, auto &x) mutable { return std::NAME(p, end, x, before) - p; });  \
    }
template <class _I, class _J, class _O, class _F>
_O simt_each(simt_policy where, _I first, _I last, _J from, _J to, _O result, _F f)
{
    auto p = simt_plain_of(first), end = simt_plain_of(last);
    return transform(where, from, to, result,
                     [=](const simt_value_of<_J> &x) mutable { return f(p, end, x); });
}
SIMT_BOUND(lower_bound)
SIMT_BOUND(upper_bound)
template <class _I, class T, class _L = less<simt_value_of<_I>>>
bool binary_search(simt_policy where, _I first, _I last, const T &value, _L before = _L())
{
    return upper_bound(where, first, last, value, before) !=
           lower_bound(where, first, last, value, before);
}
template <class _I, class _J, class _O, class _L = less<simt_value_of<_I>>>
_O binary_search(simt_policy where, _I first, _I last, _J from, _J to, _O result, _L before = _L())
{
    return simt_each(where, first, last, from, to, result, [=](auto p, auto end, auto &x) mutable {
        return std::binary_search(p, end, x, before);
    });
}
template <class _I, class T, class _L = less<simt_value_of<_I>>>
pair<_I, _I> equal_range(simt_policy where, _I first, _I last, const T &value, _L before = _L())
{
    return {lower_bound(where, first, last, value, before),
            upper_bound(where, first, last, value, before)};
}

/* Of two sorted ranges one. */
#define SIMT_TOGETHER(NAME)                                                                        \
    template <class _I, class _J, class _O, class _L = less<simt_value_of<_I>>>                    \
    _O NAME(simt_policy where, _I first, _I last, _J other, _J other_last, _O to,                  \
            _L before = _L())                                                                      \
    {                                                                                              \
        return to + simt_on(where, first, last, other, other_last,                                 \
                            to)([=](auto p, auto end, auto r, auto r_end, auto q) mutable {        \
                   return std::NAME(p, end, r, r_end, q, before) - q;                              \
               });                                                                                 \
    }
SIMT_TOGETHER(merge)
SIMT_TOGETHER(set_union)
SIMT_TOGETHER(set_intersection)
SIMT_TOGETHER(set_difference)
SIMT_TOGETHER(set_symmetric_difference)

template <class _I, class _P>
_I stable_partition(simt_policy where, _I first, _I last, _P goes_first)
{
    typedef simt_value_of<_I> T;
    ptrdiff_t n = last - first;
    simt_room<T> room(where, (size_t)n);
    return first + simt_on(where, first, room.p)([=](auto p, T *rest) mutable {
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
template <class _I, class _P> _I partition(simt_policy where, _I first, _I last, _P goes_first)
{
    return stable_partition(where, first, last, goes_first);
}
template <class _I, class _O, class _R, class _P>
pair<_O, _R> partition_copy(simt_policy where, _I first, _I last, _O to, _R rest, _P goes_first)
{
    return {copy_if(where, first, last, to, goes_first),
            copy_if(where, first, last, rest, [=](auto &&x) mutable { return !goes_first(x); })};
}

template <class _I, class _J, class _F = equal_to<simt_value_of<_I>>>
pair<_I, _J> mismatch(simt_policy where, _I first, _I last, _J other, _F same = _F())
{
    ptrdiff_t at = simt_on(where, first, last, other)(
        [=](auto p, auto end, auto r) mutable { return std::mismatch(p, end, r, same).first - p; });
    return {first + at, other + at};
}
template <class _I, class _L = less<simt_value_of<_I>>>
pair<_I, _I> minmax_element(simt_policy where, _I first, _I last, _L before = _L())
{
    return {min_element(where, first, last, before), max_element(where, first, last, before)};
}
template <class _I, class _J> _J swap_ranges(simt_policy where, _I first, _I last, _J other)
{
    simt_on(where, first, last, other)([](auto p, auto end, auto r) {
        for (; p != end; ++p, ++r) {
            simt_value_of<_I> x = *p;
            *p = *r;
            *r = x;
        }
    });
    return other + (last - first);
}
/* clang-format off */
#define SIMT_SORTED(X) \
    X(lower_bound) X(upper_bound) X(binary_search) X(equal_range) X(merge) X(set_union) \
    X(set_intersection) X(set_difference) X(set_symmetric_difference) X(stable_partition) \
    X(partition) X(partition_copy) X(mismatch) X(minmax_element) X(swap_ranges)
/* clang-format on */
SIMT_SORTED(SIMT_ALSO_WITHOUT_POLICY)

using std::abs, std::arg, std::complex, std::conj, std::exp, std::norm, std::polar, std::pow,
    std::sqrt;

} // namespace thrust
