/* simt_std.h: libcu++'s headers of cuda/std that are the host's own here: cuda::std has what std
   has. A kernel is compiled by the host's compiler, so it may call that. */
#pragma once

#include "simt_atomic.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <ratio>
#include <tuple>
#include <type_traits>
#include <utility>
#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#include <variant>
#endif
#if __cplusplus >= 202002L
#include <bit>
#include <concepts>
#include <span>
#endif

namespace cuda
{
namespace std
{
using namespace ::std; /* what this namespace has of its own goes first */
} // namespace std

/* Of cuda/functional. */
#define SIMT_EXTREME_OF(NAME, EXPRESSION)                                                          \
    template <class T = void> struct NAME {                                                        \
        T operator()(const T &a, const T &b) const { return EXPRESSION; }                          \
    };                                                                                             \
    template <> struct NAME<void> {                                                                \
        template <class _A, class _B>                                                              \
        auto operator()(const _A &a, const _B &b) const -> ::std::common_type_t<_A, _B>            \
        {                                                                                          \
            return EXPRESSION;                                                                     \
        }                                                                                          \
    };
SIMT_EXTREME_OF(maximum, a < b ? b : a)
SIMT_EXTREME_OF(minimum, b < a ? b : a)
template <class _R, class _F> auto proclaim_return_type(_F f)
{
    return [f](auto &&...a) -> _R { return f(::std::forward<decltype(a)>(a)...); };
}

/* Of cuda/cmath: how many of size b hold a; the multiple of b that is not below a. */
template <class _A, class _B> constexpr ::std::common_type_t<_A, _B> ceil_div(_A a, _B b)
{
    return a / b + (a % b != 0);
}
template <class _A, class _B> constexpr ::std::common_type_t<_A, _B> round_up(_A a, _B b)
{
    return ceil_div(a, b) * b;
}
} // namespace cuda
