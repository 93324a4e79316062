/* simt_thrust.h: Thrust, as far as most programs call it. An algorithm over device memory is a
   kernel of one thread, so each access is checked; one over the host's is a loop. All are stable.
 */
#pragma once

#include "cuda_runtime.h"
#include <algorithm>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

#pragma GCC system_header /* no warnings about C++17 in C++14 */

namespace thrust
{

/* ---- where an algorithm runs ---- */

struct simt_policy {
    bool device;
    cudaStream_t stream;
    simt_policy on(cudaStream_t s) const { return {device, s}; }
    template <class _A> const simt_policy &operator()(const _A &) const { return *this; }
};
static constexpr simt_policy host = {false, 0}, seq = {false, 0}, device = {true, 0};
namespace cuda
{
static constexpr simt_policy par = {true, 0}, par_nosync = {true, 0};
}
namespace omp
{
static constexpr simt_policy par = {false, 0};
}

/* Runs f() by one thread of a kernel, or here: in a kernel, too. */
template <class _F> void simt_run(const simt_policy &where, _F f)
{
    simt_how how = {dim3(1), dim3(1), dim3(1), 0, false, nullptr, where.stream};
    if (!where.device || simt_runs_kernel())
        f();
    else {
        simt_library_call();
        simt_call(how, [f] {
            _F own = f; /* whose operator() may change it */
            own();
        });
    }
}
template <class _F> auto simt_value(const simt_policy &where, _F f)
{
    typedef decltype(f()) _R;
    if constexpr (std::is_void<_R>::value)
        simt_run(where, f);
    else if (!where.device || simt_runs_kernel())
        return f();
    else {
        _R *cell;
        cudaMallocHost((void **)&cell, sizeof(_R));
        simt_run(where, [=]() mutable { new (cell) _R(f()); });
        cudaStreamSynchronize(where.stream);
        _R value = *cell;
        cudaFreeHost(cell);
        return value;
    }
}
template <class T> struct simt_room { /* of the device, for as long as an algorithm runs */
    T *p;
    bool device;
    simt_room(const simt_policy &where, size_t n)
        : p(nullptr), device(where.device && !simt_runs_kernel())
    {
        if (device)
            cudaMalloc((void **)&p, n * sizeof(T) + 1);
        else
            p = (T *)simt_malloc(n * sizeof(T) + 1);
    }
    ~simt_room()
    {
        if (device)
            cudaFree(p);
        else
            simt_free(p);
    }
};

/* ---- pointers into device memory: on the host an element is copied ---- */

template <class T> struct device_ptr;
template <class T> struct device_reference {
    T *p;
    operator T() const
    {
        typename std::remove_const<T>::type value;
        if (simt_runs_kernel())
            return *p;
        cudaMemcpy((void *)&value, (const void *)p, sizeof value, cudaMemcpyDefault);
        return value;
    }
    const device_reference &operator=(const T &x) const
    {
        if (simt_runs_kernel())
            *p = x;
        else
            cudaMemcpy((void *)p, (const void *)&x, sizeof x, cudaMemcpyDefault);
        return *this;
    }
    const device_reference &operator=(const device_reference &x) const { return *this = (T)x; }
    device_reference(const device_reference &) = default;
    explicit device_reference(T *p) : p(p) {}
    const device_reference &operator+=(const T &x) const { return *this = (T) * this + x; }
    const device_reference &operator-=(const T &x) const { return *this = (T) * this - x; }
    const device_reference &operator*=(const T &x) const { return *this = (T) * this * x; }
    device_ptr<T> operator&() const { return p; }
    friend std::ostream &operator<<(std::ostream &out, const device_reference &r)
    {
        return out << (T)r;
    }
};
template <class T> struct device_ptr {
    typedef std::random_access_iterator_tag iterator_category;
    typedef typename std::remove_const<T>::type value_type;
    typedef ptrdiff_t difference_type;
    typedef device_ptr pointer;
    typedef device_reference<T> reference;
    T *p;
    device_ptr(T *p = nullptr) : p(p) {}
    template <class U> device_ptr(const device_ptr<U> &o) : p(o.p) {}
    T *get() const { return p; }
    reference operator*() const { return reference(p); }
    reference operator[](ptrdiff_t i) const { return reference(p + i); }
    device_ptr &operator++() { return ++p, *this; }
    device_ptr operator++(int) { return p++; }
    device_ptr &operator--() { return --p, *this; }
    device_ptr &operator+=(ptrdiff_t n) { return p += n, *this; }
    device_ptr &operator-=(ptrdiff_t n) { return p -= n, *this; }
    friend device_ptr operator+(device_ptr a, ptrdiff_t n) { return a.p + n; }
    friend device_ptr operator-(device_ptr a, ptrdiff_t n) { return a.p - n; }
    friend ptrdiff_t operator-(device_ptr a, device_ptr b) { return a.p - b.p; }
    friend bool operator==(device_ptr a, device_ptr b) { return a.p == b.p; }
    friend bool operator!=(device_ptr a, device_ptr b) { return a.p != b.p; }
    friend bool operator<(device_ptr a, device_ptr b) { return a.p < b.p; }
};
template <> struct device_ptr<void> {
    void *p;
    device_ptr(void *p = nullptr) : p(p) {}
    template <class U> device_ptr(const device_ptr<U> &o) : p(o.p) {}
    void *get() const { return p; }
};
template <class T> device_ptr<T> device_pointer_cast(T *p) { return p; }
template <class T> device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }
template <class T> T *raw_pointer_cast(T *p) { return p; }
template <class T> T *raw_pointer_cast(device_ptr<T> p) { return p.p; }
template <class T> device_ptr<T> device_malloc(size_t n)
{
    T *p;
    cudaMalloc((void **)&p, n * sizeof(T));
    return p;
}
inline device_ptr<void> device_malloc(size_t bytes) { return device_malloc<char>(bytes).p; }
template <class T> void device_free(device_ptr<T> p) { cudaFree((void *)p.p); }

/* ---- tuples, and iterators without memory of their own ---- */

using std::get, std::make_pair, std::make_tuple, std::pair, std::system_error, std::tie, std::tuple,
    std::tuple_element, std::tuple_size;

/* What an iterator needs beyond d(n), the element at n. */
#define SIMT_ITERATOR(NAME, VALUE, REFERENCE)                                                      \
    typedef std::random_access_iterator_tag iterator_category;                                     \
    typedef VALUE value_type;                                                                      \
    typedef ptrdiff_t difference_type;                                                             \
    typedef REFERENCE reference;                                                                   \
    typedef void pointer;                                                                          \
    ptrdiff_t at;                                                                                  \
    reference operator*() const { return element(at); }                                            \
    reference operator[](ptrdiff_t i) const { return element(at + i); }                            \
    NAME &operator++() { return ++at, *this; }                                                     \
    NAME operator++(int)                                                                           \
    {                                                                                              \
        NAME old = *this;                                                                          \
        return ++at, old;                                                                          \
    }                                                                                              \
    NAME &operator+=(ptrdiff_t n) { return at += n, *this; }                                       \
    friend NAME operator+(NAME a, ptrdiff_t n) { return a += n; }                                  \
    friend NAME operator-(NAME a, ptrdiff_t n) { return a += -n; }                                 \
    friend ptrdiff_t operator-(const NAME &a, const NAME &b) { return a.distance(b); }             \
    friend bool operator==(const NAME &a, const NAME &b) { return a.distance(b) == 0; }            \
    friend bool operator!=(const NAME &a, const NAME &b) { return a.distance(b) != 0; }            \
    friend bool operator<(const NAME &a, const NAME &b) { return a.distance(b) < 0; }

template <class T> struct counting_iterator {
    SIMT_ITERATOR(counting_iterator, T, T)
    T first;
    counting_iterator(T first = T()) : at(0), first(first) {}
    T element(ptrdiff_t i) const { return (T)(first + (T)i); }
    ptrdiff_t distance(const counting_iterator &o) const
    {
        ptrdiff_t apart =
            first < o.first ? -(ptrdiff_t)(o.first - first) : (ptrdiff_t)(first - o.first);
        return apart + at - o.at;
    }
};
template <class T> counting_iterator<T> make_counting_iterator(T x) { return x; }
template <class T> struct constant_iterator {
    SIMT_ITERATOR(constant_iterator, T, T)
    T value;
    constant_iterator(T value, ptrdiff_t at = 0) : at(at), value(value) {}
    T element(ptrdiff_t) const { return value; }
    ptrdiff_t distance(const constant_iterator &o) const { return at - o.at; }
};
template <class T> constant_iterator<T> make_constant_iterator(T x) { return x; }
template <class T> struct discard_reference {
    template <class U> const discard_reference &operator=(const U &) const { return *this; }
};
struct discard_iterator {
    SIMT_ITERATOR(discard_iterator, int, discard_reference<int>)
    discard_iterator(ptrdiff_t at = 0) : at(at) {}
    discard_reference<int> element(ptrdiff_t) const { return {}; }
    ptrdiff_t distance(const discard_iterator &o) const { return at - o.at; }
};
static inline discard_iterator make_discard_iterator() { return {}; }
template <class _F, class _I> struct transform_iterator {
    typedef decltype(std::declval<_F>()(*std::declval<_I>())) made;
    SIMT_ITERATOR(transform_iterator, std::decay_t<made>, made)
    _I base;
    mutable _F f; /* whose operator() need not be const */
    transform_iterator(_I base, _F f, ptrdiff_t at = 0) : at(at), base(base), f(f) {}
    made element(ptrdiff_t i) const { return f(base[i]); }
    ptrdiff_t distance(const transform_iterator &o) const { return (base + at) - (o.base + o.at); }
};
template <class _F, class _I> transform_iterator<_F, _I> make_transform_iterator(_I i, _F f)
{
    return {i, f};
}
template <class _E, class _I> struct permutation_iterator {
    typedef typename std::iterator_traits<_E>::reference made;
    SIMT_ITERATOR(permutation_iterator, typename std::iterator_traits<_E>::value_type, made)
    _E elements;
    _I places;
    permutation_iterator(_E e, _I i, ptrdiff_t at = 0) : at(at), elements(e), places(i) {}
    made element(ptrdiff_t i) const { return elements[places[i]]; }
    ptrdiff_t distance(const permutation_iterator &o) const
    {
        return (places + at) - (o.places + o.at);
    }
};
template <class _E, class _I> permutation_iterator<_E, _I> make_permutation_iterator(_E e, _I i)
{
    return {e, i};
}
template <class _TUPLE> struct zip_iterator;
template <class... _I> struct zip_iterator<std::tuple<_I...>> {
    typedef std::tuple<typename std::iterator_traits<_I>::value_type...> value;
    typedef std::tuple<typename std::iterator_traits<_I>::reference...> made;
    SIMT_ITERATOR(zip_iterator, value, made)
    std::tuple<_I...> parts;
    zip_iterator(std::tuple<_I...> parts, ptrdiff_t at = 0) : at(at), parts(parts) {}
    template <size_t... _K> made pick(std::index_sequence<_K...>, ptrdiff_t i) const
    {
        return made(std::get<_K>(parts)[i]...);
    }
    made element(ptrdiff_t i) const { return pick(std::index_sequence_for<_I...>(), i); }
    ptrdiff_t distance(const zip_iterator &o) const
    {
        return (std::get<0>(parts) + at) - (std::get<0>(o.parts) + o.at);
    }
};
template <class... _I> zip_iterator<std::tuple<_I...>> make_zip_iterator(std::tuple<_I...> parts)
{
    return parts;
}
template <class _A, class _B, class... _I>
zip_iterator<std::tuple<_A, _B, _I...>> make_zip_iterator(_A a, _B b, _I... i)
{
    return std::tuple<_A, _B, _I...>(a, b, i...);
}

/* Of an iterator: does it lead to device memory; the same one for a kernel. */
template <class _I> struct simt_plain {
    static constexpr bool device = false;
    static _I of(_I i) { return i; }
};
template <class T> struct simt_plain<device_ptr<T>> {
    static constexpr bool device = true;
    static T *of(device_ptr<T> p) { return p.p; }
};
template <class _F, class _I> struct simt_plain<transform_iterator<_F, _I>> {
    static constexpr bool device = simt_plain<_I>::device;
    static auto of(const transform_iterator<_F, _I> &t)
    {
        auto base = simt_plain<_I>::of(t.base);
        return transform_iterator<_F, decltype(base)>(base, t.f, t.at);
    }
};
template <class _E, class _I> struct simt_plain<permutation_iterator<_E, _I>> {
    static constexpr bool device = simt_plain<_E>::device || simt_plain<_I>::device;
    static auto of(const permutation_iterator<_E, _I> &p)
    {
        auto e = simt_plain<_E>::of(p.elements);
        auto i = simt_plain<_I>::of(p.places);
        return permutation_iterator<decltype(e), decltype(i)>(e, i, p.at);
    }
};
template <class... _I> struct simt_plain<zip_iterator<std::tuple<_I...>>> {
    static constexpr bool device = simt_any({simt_plain<_I>::device...});
    template <size_t... _K>
    static auto pick(std::index_sequence<_K...>, const zip_iterator<std::tuple<_I...>> &z)
    {
        typedef zip_iterator<std::tuple<decltype(simt_plain<_I>::of(std::declval<_I>()))...>> plain;
        return plain(std::make_tuple(simt_plain<_I>::of(std::get<_K>(z.parts))...), z.at);
    }
    static auto of(const zip_iterator<std::tuple<_I...>> &z)
    {
        return pick(std::index_sequence_for<_I...>(), z);
    }
};
template <class _I> auto simt_plain_of(_I i) { return simt_plain<_I>::of(i); }
template <class... _I> constexpr simt_policy simt_where()
{
    return {simt_any({simt_plain<_I>::device...}), 0};
}
template <class _I> using simt_value_of = typename std::iterator_traits<_I>::value_type;

/* ---- functions ---- */

#define SIMT_OPERATION(NAME, OPERANDS, RESULT, EXPRESSION)                                         \
    template <class T = void> struct NAME {                                                        \
        typedef T result_type;                                                                     \
        RESULT operator() OPERANDS const { return EXPRESSION; }                                    \
    };
SIMT_OPERATION(plus, (const T &a, const T &b), T, a + b)
SIMT_OPERATION(minus, (const T &a, const T &b), T, a - b)
SIMT_OPERATION(multiplies, (const T &a, const T &b), T, a *b)
SIMT_OPERATION(divides, (const T &a, const T &b), T, a / b)
SIMT_OPERATION(modulus, (const T &a, const T &b), T, a % b)
SIMT_OPERATION(negate, (const T &a), T, -a)
SIMT_OPERATION(square, (const T &a), T, a *a)
SIMT_OPERATION(identity, (const T &a), T, a)
SIMT_OPERATION(maximum, (const T &a, const T &b), T, a < b ? b : a)
SIMT_OPERATION(minimum, (const T &a, const T &b), T, b < a ? b : a)
SIMT_OPERATION(equal_to, (const T &a, const T &b), bool, a == b)
SIMT_OPERATION(not_equal_to, (const T &a, const T &b), bool, a != b)
SIMT_OPERATION(less, (const T &a, const T &b), bool, a < b)
SIMT_OPERATION(less_equal, (const T &a, const T &b), bool, a <= b)
SIMT_OPERATION(greater, (const T &a, const T &b), bool, a > b)
SIMT_OPERATION(greater_equal, (const T &a, const T &b), bool, a >= b)
SIMT_OPERATION(logical_and, (const T &a, const T &b), bool, a &&b)
SIMT_OPERATION(logical_or, (const T &a, const T &b), bool, a || b)
SIMT_OPERATION(logical_not, (const T &a), bool, !a)
SIMT_OPERATION(bit_and, (const T &a, const T &b), T, a &b)
SIMT_OPERATION(bit_or, (const T &a, const T &b), T, a | b)
SIMT_OPERATION(bit_xor, (const T &a, const T &b), T, a ^ b)
#undef SIMT_OPERATION
template <> struct plus<void> {
    template <class _A, class _B> auto operator()(const _A &a, const _B &b) const { return a + b; }
};
/* _1 * 2 + _2: a function of its arguments. */
template <class _F> struct simt_actor {
    _F f;
    template <class... _A> auto operator()(const _A &...a) const { return f(a...); }
};
template <int _I> struct simt_argument {
    template <class... _A> auto operator()(const _A &...a) const
    {
        return std::get<_I>(std::tuple<_A...>(a...));
    }
};
template <class _X, class... _A> auto simt_act(const _X &x, const _A &...) { return x; }
template <class _F, class... _A> auto simt_act(const simt_actor<_F> &x, const _A &...a)
{
    return x(a...);
}
template <class _F> simt_actor<_F> simt_make_actor(_F f) { return {f}; }
#define SIMT_ACTOR(OP)                                                                             \
    template <class _F, class _X> auto operator OP(const simt_actor<_F> &x, const _X &y)           \
    {                                                                                              \
        return simt_make_actor(                                                                    \
            [=](const auto &...a) { return simt_act(x, a...) OP simt_act(y, a...); });             \
    }                                                                                              \
    template <class _X, class _F, class = std::enable_if_t<std::is_arithmetic<_X>::value>>         \
    auto operator OP(const _X &x, const simt_actor<_F> &y)                                         \
    {                                                                                              \
        return simt_make_actor([=](const auto &...a) { return x OP simt_act(y, a...); });          \
    }
#define SIMT_OPERATORS(X)                                                                          \
    X(+) X(-) X(*) X(/) X(%) X(<) X(>) X(<=) X(>=) X(==) X(!=) X(&&) X(||) X(&) X(|) X(^)
SIMT_OPERATORS(SIMT_ACTOR)
template <class _F> auto operator-(const simt_actor<_F> &x)
{
    return simt_make_actor([=](const auto &...a) { return -x(a...); });
}
template <class _F> auto operator!(const simt_actor<_F> &x)
{
    return simt_make_actor([=](const auto &...a) { return !x(a...); });
}
namespace placeholders
{
static constexpr simt_actor<simt_argument<0>> _1 = {};
static constexpr simt_actor<simt_argument<1>> _2 = {};
static constexpr simt_actor<simt_argument<2>> _3 = {};
} // namespace placeholders

template <class _A, class _B> struct unary_function {
    typedef _A argument_type;
    typedef _B result_type;
};
template <class _A, class _B, class _C> struct binary_function {
    typedef _C result_type;
};
namespace random
{
using std::minstd_rand;
typedef std::minstd_rand default_random_engine;
using std::normal_distribution, std::uniform_int_distribution, std::uniform_real_distribution;
} // namespace random
using namespace random;
using std::addressof, std::advance, std::distance, std::iterator_traits, std::max, std::min,
    std::swap;
namespace detail
{
using namespace std; /* type traits */
}

/* ---- algorithms: of each one with a policy; SIMT_ALGORITHMS has them all ---- */

/* f(…) with these iterators as a kernel has them. */
template <class... _I> auto simt_with(simt_policy where, _I... i)
{
    return [=](auto f) { return simt_value(where, [=]() mutable { return f(i...); }); };
}
template <class... _I> auto simt_on(simt_policy where, _I... i)
{
    return simt_with(where, simt_plain_of(i)...);
}

template <class _I, class _F> _I for_each(simt_policy where, _I first, _I last, _F f)
{
    simt_on(where, first, last)([=](auto p, auto end) mutable { std::for_each(p, end, f); });
    return last;
}
template <class _I, class _F> _I for_each_n(simt_policy where, _I first, size_t n, _F f)
{
    return for_each(where, first, first + (ptrdiff_t)n, f);
}
template <class _I, class _O, class _F>
_O transform(simt_policy where, _I first, _I last, _O to, _F f)
{
    simt_on(where, first, last,
            to)([=](auto p, auto end, auto q) mutable { std::transform(p, end, q, f); });
    return to + (last - first);
}
template <class _I, class _J, class _O, class _F>
_O transform(simt_policy where, _I first, _I last, _J second, _O to, _F f)
{
    simt_on(where, first, last, second,
            to)([=](auto p, auto end, auto r, auto q) mutable { std::transform(p, end, r, q, f); });
    return to + (last - first);
}
template <class _I, class _O, class _F, class _P>
_O transform_if(simt_policy where, _I first, _I last, _O to, _F f, _P wanted)
{
    simt_on(where, first, last, to)([=](auto p, auto end, auto q) mutable {
        for (; p != end; ++p, ++q)
            if (wanted(*p))
                *q = f(*p);
    });
    return to + (last - first);
}
template <class _I, class _O> _O copy_n(simt_policy where, _I first, size_t n, _O to)
{
    typedef simt_value_of<_I> T;
    if constexpr (simt_plain<_I>::device == simt_plain<_O>::device) {
        simt_on(where, first, to)([=](auto p, auto q) mutable {
            for (size_t i = 0; i < n; i++, ++p, ++q)
                *q = *p;
        });
        if constexpr (std::is_same<typename std::iterator_traits<_O>::iterator_category,
                                   std::random_access_iterator_tag>::value)
            return to + (ptrdiff_t)n;
        else
            return to;
    } else { /* between host and device: in one piece */
        std::vector<T> bytes(n);
        simt_room<T> room({true, 0}, n);
        T *between = room.p;
        if constexpr (simt_plain<_I>::device) {
            simt_on({true, 0}, first)([=](auto p) mutable {
                for (size_t i = 0; i < n; i++)
                    new (between + i) T(p[(ptrdiff_t)i]);
            });
            cudaMemcpy((void *)bytes.data(), between, n * sizeof(T), cudaMemcpyDeviceToHost);
            return std::copy(bytes.begin(), bytes.end(), to);
        } else {
            std::copy_n(first, n, bytes.begin());
            cudaMemcpy(between, (void *)bytes.data(), n * sizeof(T), cudaMemcpyHostToDevice);
            return copy_n(simt_policy{true, 0}, device_ptr<T>(between), n, to);
        }
    }
}
template <class _I, class _O> _O copy(simt_policy where, _I first, _I last, _O to)
{
    return copy_n(where, first, (size_t)(last - first), to);
}
template <class _I, class _S, class _O, class _P>
_O copy_if(simt_policy where, _I first, _I last, _S stencil, _O to, _P wanted)
{
    return to +
           simt_on(where, first, last, stencil, to)([=](auto p, auto end, auto s, auto q) mutable {
               ptrdiff_t kept = 0;
               for (; p != end; ++p, ++s)
                   if (wanted(*s))
                       q[kept++] = *p;
               return kept;
           });
}
template <class _I, class _O, class _P>
_O copy_if(simt_policy where, _I first, _I last, _O to, _P wanted)
{
    return copy_if(where, first, last, first, to, wanted);
}
template <class _I, class _P> _I remove_if(simt_policy where, _I first, _I last, _P unwanted)
{
    return copy_if(where, first, last, first, first,
                   [=](auto &&x) mutable { return !unwanted(x); });
}
template <class T> auto simt_equals(T value)
{
    return [=](auto &&x) { return x == value; };
}
template <class _I, class T> _I remove(simt_policy where, _I first, _I last, T value)
{
    return remove_if(where, first, last, simt_equals(value));
}
template <class _I, class _F> void tabulate(simt_policy where, _I first, _I last, _F f)
{
    transform(where, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(last - first),
              first, f);
}
template <class _I, class T> void fill(simt_policy where, _I first, _I last, T value)
{
    simt_value_of<_I> v = value;
    tabulate(where, first, last, [=](ptrdiff_t) { return v; });
}
template <class _I, class T> _I fill_n(simt_policy where, _I first, size_t n, T value)
{
    return fill(where, first, first + (ptrdiff_t)n, value), first + (ptrdiff_t)n;
}
template <class _I, class T = simt_value_of<_I>>
void sequence(simt_policy where, _I first, _I last, T start = T(0), T step = T(1))
{
    tabulate(where, first, last, [=](ptrdiff_t i) { return (T)(start + (T)i * step); });
}
template <class _I, class _F> void generate(simt_policy where, _I first, _I last, _F f)
{
    tabulate(where, first, last, [=](ptrdiff_t) mutable { return f(); });
}
template <class _I, class _P, class T>
void replace_if(simt_policy where, _I first, _I last, _P p, T value)
{
    transform(where, first, last, first,
              [=](auto &&x) mutable -> simt_value_of<_I> { return p(x) ? value : x; });
}
template <class _I, class T> void replace(simt_policy where, _I first, _I last, T old, T value)
{
    replace_if(where, first, last, simt_equals(old), value);
}
template <class _I, class _F, class T, class _R>
T transform_reduce(simt_policy where, _I first, _I last, _F f, T start, _R op)
{
    return simt_on(where, first, last)([=](auto p, auto end) mutable {
        return std::accumulate(p, end, start,
                               [&](const T &sum, auto &&x) -> T { return op(sum, (T)f(x)); });
    });
}
template <class _I, class T = simt_value_of<_I>, class _R = plus<T>>
T reduce(simt_policy where, _I first, _I last, T start = T(), _R op = _R())
{
    return transform_reduce(where, first, last, identity<simt_value_of<_I>>(), start, op);
}
template <class _I, class _J, class T, class _R = plus<T>, class _F = multiplies<T>>
T inner_product(simt_policy where, _I first, _I last, _J second, T start, _R op = _R(), _F f = _F())
{
    return simt_on(where, first, last, second)([=](auto p, auto end, auto q) mutable {
        return std::inner_product(p, end, q, start, op, f);
    });
}
template <class _I, class _P> ptrdiff_t count_if(simt_policy where, _I first, _I last, _P p)
{
    return simt_on(where, first, last)(
        [=](auto q, auto end) mutable { return (ptrdiff_t)std::count_if(q, end, p); });
}
template <class _I, class T> ptrdiff_t count(simt_policy where, _I first, _I last, T value)
{
    return count_if(where, first, last, simt_equals(value));
}
/* The first for which this holds, or last. */
template <class _I, class _P> _I find_if(simt_policy where, _I first, _I last, _P wanted)
{
    return first + simt_on(where, first, last)(
                       [=](auto p, auto end) mutable { return std::find_if(p, end, wanted) - p; });
}
template <class _I, class T> _I find(simt_policy where, _I first, _I last, T value)
{
    return find_if(where, first, last, simt_equals(value));
}
template <class _I, class _P> bool any_of(simt_policy where, _I first, _I last, _P p)
{
    return find_if(where, first, last, p) != last;
}
template <class _I, class _P> bool none_of(simt_policy where, _I first, _I last, _P p)
{
    return !any_of(where, first, last, p);
}
template <class _I, class _P> bool all_of(simt_policy where, _I first, _I last, _P p)
{
    return none_of(where, first, last, [=](auto &&x) mutable { return !p(x); });
}
template <class _I, class _J> bool equal(simt_policy where, _I first, _I last, _J second)
{
    return simt_on(where, first, last,
                   second)([=](auto p, auto end, auto q) { return std::equal(p, end, q); });
}
template <class _I, class _L = less<simt_value_of<_I>>>
_I min_element(simt_policy where, _I first, _I last, _L before = _L())
{
    return first + simt_on(where, first, last)([=](auto p, auto end) mutable {
               return std::min_element(p, end, before) - p;
           });
}
template <class _I, class _L = less<simt_value_of<_I>>>
_I max_element(simt_policy where, _I first, _I last, _L before = _L())
{
    return min_element(where, first, last,
                       [=](auto &&a, auto &&b) mutable { return before(b, a); });
}

/* ---- scans ---- */

template <class _I, class _O, class T, class _R>
_O exclusive_scan(simt_policy where, _I first, _I last, _O to, T start, _R op)
{
    simt_on(where, first, last, to)([=](auto p, auto end, auto q) mutable {
        for (T sum = start; p != end; ++p, ++q) {
            T next = op(sum, *p);
            *q = sum;
            sum = next;
        }
    });
    return to + (last - first);
}
template <class _I, class _O, class T = simt_value_of<_I>>
_O exclusive_scan(simt_policy where, _I first, _I last, _O to, T start = T())
{
    return exclusive_scan(where, first, last, to, start, plus<T>());
}
template <class _I, class _O, class _R = plus<simt_value_of<_I>>>
_O inclusive_scan(simt_policy where, _I first, _I last, _O to, _R op = _R())
{
    simt_on(where, first, last,
            to)([=](auto p, auto end, auto q) mutable { std::partial_sum(p, end, q, op); });
    return to + (last - first);
}
template <class _I, class _O, class _F, class _R>
_O transform_inclusive_scan(simt_policy where, _I first, _I last, _O to, _F f, _R op)
{
    return inclusive_scan(where, make_transform_iterator(first, f),
                          make_transform_iterator(last, f), to, op);
}
template <class _I, class _O, class _F, class T, class _R>
_O transform_exclusive_scan(simt_policy where, _I first, _I last, _O to, _F f, T start, _R op)
{
    return exclusive_scan(where, make_transform_iterator(first, f),
                          make_transform_iterator(last, f), to, start, op);
}
template <class _I, class _O, class _R = minus<simt_value_of<_I>>>
_O adjacent_difference(simt_policy where, _I first, _I last, _O to, _R op = _R())
{
    simt_on(where, first, last,
            to)([=](auto p, auto end, auto q) mutable { std::adjacent_difference(p, end, q, op); });
    return to + (last - first);
}

/* ---- sorting: by merging, which is stable ---- */

template <class _P, class T, class _L> void simt_merge_sort(_P p, ptrdiff_t n, T *room, _L before)
{
    for (ptrdiff_t width = 1; width < n; width *= 2) {
        for (ptrdiff_t start = 0; start < n; start += 2 * width) {
            ptrdiff_t middle = start + width < n ? start + width : n;
            ptrdiff_t end = middle + width < n ? middle + width : n, a = start, b = middle;
            for (ptrdiff_t i = start; i < end; i++)
                new (room + i) T(b == end || (a < middle && !before(p[b], p[a])) ? p[a++] : p[b++]);
        }
        for (ptrdiff_t i = 0; i < n; i++)
            p[i] = room[i];
    }
}
template <class _I, class _L = less<simt_value_of<_I>>>
void stable_sort(simt_policy where, _I first, _I last, _L before = _L())
{
    ptrdiff_t n = last - first;
    simt_room<simt_value_of<_I>> room(where, (size_t)n);
    simt_on(where, first,
            room.p)([=](auto p, auto r) mutable { simt_merge_sort(p, n, r, before); });
}
template <class _I, class _L = less<simt_value_of<_I>>>
void sort(simt_policy where, _I first, _I last, _L before = _L())
{
    stable_sort(where, first, last, before);
}
template <class _K, class _V, class _L = less<simt_value_of<_K>>>
void stable_sort_by_key(simt_policy where, _K first, _K last, _V values, _L before = _L())
{
    struct item {
        simt_value_of<_K> key;
        simt_value_of<_V> value;
    };
    ptrdiff_t n = last - first;
    simt_room<item> room(where, 2 * (size_t)n);
    simt_on(where, first, values, room.p)([=](auto k, auto v, item *all) mutable {
        for (ptrdiff_t i = 0; i < n; i++)
            new (all + i) item{k[i], v[i]};
        simt_merge_sort(all, n, all + n,
                        [=](item &a, item &b) mutable { return before(a.key, b.key); });
        for (ptrdiff_t i = 0; i < n; i++) {
            k[i] = all[i].key;
            v[i] = all[i].value;
        }
    });
}
template <class _K, class _V, class _L = less<simt_value_of<_K>>>
void sort_by_key(simt_policy where, _K first, _K last, _V values, _L before = _L())
{
    stable_sort_by_key(where, first, last, values, before);
}
template <class _I, class _L = less<simt_value_of<_I>>>
bool is_sorted(simt_policy where, _I first, _I last, _L before = _L())
{
    return simt_on(where, first,
                   last)([=](auto p, auto end) mutable { return std::is_sorted(p, end, before); });
}
template <class _I> void reverse(simt_policy where, _I first, _I last)
{
    simt_on(where, first, last)([](auto p, auto end) {
        for (; p < end && p < --end; ++p) {
            simt_value_of<_I> x = *p;
            *p = *end;
            *end = x;
        }
    });
}

/* ---- runs of equal keys, and other places ---- */

template <class _I, class _E = equal_to<simt_value_of<_I>>>
_I unique(simt_policy where, _I first, _I last, _E same = _E())
{
    ptrdiff_t n = last - first;
    return first + simt_on(where, first)([=](auto p) mutable {
               ptrdiff_t kept = n > 0;
               for (ptrdiff_t i = 1; i < n; i++)
                   if (!same(p[kept - 1], p[i]))
                       p[kept++] = p[i];
               return kept;
           });
}
template <class _I, class _O, class _E = equal_to<simt_value_of<_I>>>
_O unique_copy(simt_policy where, _I first, _I last, _O to, _E same = _E())
{
    ptrdiff_t n = last - first;
    return to + simt_on(where, first, to)([=](auto p, auto q) mutable {
               ptrdiff_t kept = 0;
               for (ptrdiff_t i = 0; i < n; i++)
                   if (i == 0 || !same(p[i - 1], p[i]))
                       q[kept++] = p[i];
               return kept;
           });
}
template <class _K, class _V, class _A, class _B, class _E = equal_to<simt_value_of<_K>>,
          class _R = plus<simt_value_of<_V>>>
pair<_A, _B> reduce_by_key(simt_policy where, _K first, _K last, _V values, _A keys_to,
                           _B values_to, _E same = _E(), _R op = _R())
{
    ptrdiff_t n = last - first;
    ptrdiff_t runs = simt_on(where, first, values, keys_to,
                             values_to)([=](auto k, auto v, auto a, auto b) mutable {
        ptrdiff_t count = 0;
        for (ptrdiff_t i = 0; i < n;) {
            simt_value_of<_K> key = k[i];
            simt_value_of<_V> sum = v[i];
            for (i++; i < n && same(key, k[i]); i++)
                sum = op(sum, v[i]);
            a[count] = key;
            b[count++] = sum;
        }
        return count;
    });
    return {keys_to + runs, values_to + runs};
}
template <class _K, class _V, class _O, class _E = equal_to<simt_value_of<_K>>,
          class _R = plus<simt_value_of<_V>>>
_O inclusive_scan_by_key(simt_policy where, _K first, _K last, _V values, _O to, _E same = _E(),
                         _R op = _R())
{
    ptrdiff_t n = last - first;
    simt_on(where, first, values, to)([=](auto k, auto v, auto q) mutable {
        for (ptrdiff_t i = 0; i < n; i++) {
            simt_value_of<_V> x = v[i];
            q[i] = i > 0 && same(k[i - 1], k[i]) ? op(q[i - 1], x) : x;
        }
    });
    return to + n;
}
template <class _K, class _V, class _O, class T = simt_value_of<_V>,
          class _E = equal_to<simt_value_of<_K>>, class _R = plus<T>>
_O exclusive_scan_by_key(simt_policy where, _K first, _K last, _V values, _O to, T start = T(),
                         _E same = _E(), _R op = _R())
{
    ptrdiff_t n = last - first;
    simt_on(where, first, values, to)([=](auto k, auto v, auto q) mutable {
        T sum = start;
        for (ptrdiff_t i = 0; i < n; i++) {
            simt_value_of<_V> x = v[i];
            q[i] = sum = i > 0 && same(k[i - 1], k[i]) ? sum : start;
            sum = op(sum, x);
        }
    });
    return to + n;
}
template <class _M, class _I, class _O>
_O gather(simt_policy where, _M first, _M last, _I from, _O to)
{
    return copy_n(where, make_permutation_iterator(from, first), (size_t)(last - first), to);
}
template <class _I, class _M, class _O>
void scatter(simt_policy where, _I first, _I last, _M map, _O to)
{
    copy_n(where, first, (size_t)(last - first), make_permutation_iterator(to, map));
}
/* clang-format off */
#define SIMT_ALGORITHMS(X) \
    X(for_each_n) X(for_each) X(transform) X(transform_if) X(copy_n) X(copy) X(copy_if) \
    X(remove_if) X(remove) X(fill) X(fill_n) X(tabulate) X(sequence) X(generate) X(replace_if) \
    X(replace) X(transform_reduce) X(reduce) X(inner_product) X(count_if) X(count) X(find_if) \
    X(find) X(any_of) X(none_of) X(all_of) X(equal) X(min_element) X(max_element) \
    X(exclusive_scan) X(inclusive_scan) X(transform_inclusive_scan) X(transform_exclusive_scan) \
    X(adjacent_difference) X(stable_sort) X(sort) X(stable_sort_by_key) X(sort_by_key) \
    X(is_sorted) X(reverse) X(unique) X(unique_copy) X(reduce_by_key) X(gather) X(scatter) \
    X(inclusive_scan_by_key) X(exclusive_scan_by_key)
/* clang-format on */
/* Without a policy the iterators' types decide. */
#define SIMT_ALSO_WITHOUT_POLICY(NAME)                                                             \
    template <class _I, class... _A,                                                               \
              class = std::enable_if_t<!std::is_same<_I, simt_policy>::value>>                     \
    auto NAME(_I first, _A... a)                                                                   \
    {                                                                                              \
        return NAME(simt_where<_I, _A...>(), first, a...);                                         \
    }
SIMT_ALGORITHMS(SIMT_ALSO_WITHOUT_POLICY)
template <class... _A> auto uninitialized_copy(_A... a) { return copy(a...); }
template <class... _A> auto uninitialized_copy_n(_A... a) { return copy_n(a...); }
template <class... _A> void uninitialized_fill(_A... a) { fill(a...); }

/* ---- vectors ---- */

template <class T, bool _MANAGED = false> struct device_vector;
template <class T> struct host_vector : std::vector<T> {
    using std::vector<T>::vector;
    host_vector() = default;
    host_vector(const device_vector<T> &v) : std::vector<T>(v.size())
    {
        copy(v.begin(), v.end(), this->begin());
    }
    host_vector &operator=(const device_vector<T> &v)
    {
        this->resize(v.size());
        copy(v.begin(), v.end(), this->begin());
        return *this;
    }
};
template <class T, bool _MANAGED> struct device_vector {
    typedef device_ptr<T> iterator, pointer;
    typedef device_ptr<T> const_iterator;
    typedef T value_type;
    typedef size_t size_type;
    typedef device_reference<T> reference;

    device_vector() = default;
    explicit device_vector(size_t n, const T &value = T()) { resize(n, value); }
    device_vector(const device_vector &v) { assign(v.begin(), v.end()); }
    device_vector(device_vector &&v) { swap(v); }
    device_vector(const std::vector<T> &v) { assign(v.begin(), v.end()); }
    device_vector(std::initializer_list<T> list) { assign(list.begin(), list.end()); }
    template <class _I, class = typename std::iterator_traits<_I>::iterator_category>
    device_vector(_I first, _I last)
    {
        assign(first, last);
    }
    ~device_vector()
    {
        if (start)
            cudaFree((void *)start);
    }
    device_vector &operator=(const device_vector &v)
    {
        if (&v != this)
            assign(v.begin(), v.end());
        return *this;
    }
    device_vector &operator=(device_vector &&v) { return swap(v), *this; }
    device_vector &operator=(const std::vector<T> &v) { return assign(v.begin(), v.end()), *this; }
    device_vector &operator=(std::initializer_list<T> v) { return *this = std::vector<T>(v); }
    void assign(size_t n, const T &value) { clear(), resize(n, value); }
    template <class _I, class = typename std::iterator_traits<_I>::iterator_category>
    void assign(_I first, _I last)
    {
        count = 0;
        reserve((size_t)(last - first));
        count = (size_t)(last - first);
        thrust::copy(first, last, begin());
    }
    void reserve(size_t n)
    {
        T *old = start;
        if (n <= room)
            return;
        if (_MANAGED)
            cudaMallocManaged((void **)&start, n * sizeof(T));
        else
            cudaMalloc((void **)&start, n * sizeof(T));
        room = n;
        if (old && count > 0)
            cudaMemcpy((void *)start, (const void *)old, count * sizeof(T),
                       cudaMemcpyDeviceToDevice);
        if (old)
            cudaFree((void *)old);
    }
    void resize(size_t n, const T &value = T())
    {
        size_t before = count;
        reserve(n);
        count = n;
        if (n > before)
            fill(begin() + (ptrdiff_t)before, end(), value);
    }
    void push_back(const T &x)
    {
        reserve(count < room ? room : 2 * room + 1);
        count++;
        end()[-1] = x;
    }
    void pop_back() { count--; }
    void clear() { count = 0; }
    void shrink_to_fit() {}
    template <class... _A> iterator insert(iterator at, _A... what) /* as that of std::vector */
    {
        std::vector<T> all(count);
        ptrdiff_t before = at - begin();
        thrust::copy(begin(), end(), all.begin());
        all.insert(all.begin() + before, what...);
        assign(all.begin(), all.end());
        return begin() + before;
    }
    iterator erase(iterator first, iterator last)
    {
        thrust::copy(last, end(), first);
        count -= (size_t)(last - first);
        return first;
    }
    void swap(device_vector &v)
    {
        std::swap(start, v.start);
        std::swap(count, v.count);
        std::swap(room, v.room);
    }
    size_t size() const { return count; }
    size_t capacity() const { return room; }
    bool empty() const { return count == 0; }
    iterator begin() const { return start; }
    iterator end() const { return start + count; }
    iterator cbegin() const { return begin(); }
    iterator cend() const { return end(); }
    pointer data() const { return start; }
    reference operator[](size_t i) const { return reference(start + i); }
    reference front() const { return reference(start); }
    reference back() const { return reference(start + count - 1); }
    friend bool operator==(const device_vector &a, const device_vector &b)
    {
        return a.size() == b.size() && equal(a.begin(), a.end(), b.begin());
    }

  private:
    T *start = nullptr;
    size_t count = 0, room = 0;
};

template <class T> using universal_vector = device_vector<T, true>;

} // namespace thrust

#include "simt_thrust_sorted.h"
