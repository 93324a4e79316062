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
        template <class A, class B>                                                                \
        auto operator()(const A &a, const B &b) const -> ::std::common_type_t<A, B>                \
        {                                                                                          \
            return EXPRESSION;                                                                     \
        }                                                                                          \
    };
SIMT_EXTREME_OF(maximum, a < b ? b : a)
SIMT_EXTREME_OF(minimum, b < a ? b : a)
template <class R, class F> auto proclaim_return_type(F f)
{
    return [f](auto &&...a) -> R { return f(::std::forward<decltype(a)>(a)...); };
}

/* Of cuda/cmath: how many of size b hold a; the multiple of b that is not below a. */
template <class A, class B> constexpr ::std::common_type_t<A, B> ceil_div(A a, B b)
{
    return a / b + (a % b != 0);
}
template <class A, class B> constexpr ::std::common_type_t<A, B> round_up(A a, B b)
{
    return ceil_div(a, b) * b;
}
} // namespace cuda
