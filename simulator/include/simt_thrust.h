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
    template <class A> const simt_policy &operator()(const A &) const { return *this; }
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
template <class F> void simt_run(const simt_policy &where, F f)
{
    simt_how how = {dim3(1), dim3(1), dim3(1), 0, false, nullptr, where.stream};
    if (!where.device || simt_runs_kernel())
        f();
    else {
        simt_library_call();
        simt_call(how, [f] {
            F own = f; /* whose operator() may change it */
            own();
        });
    }
}
template <class F> auto simt_value(const simt_policy &where, F f)
{
    typedef decltype(f()) R;
    if constexpr (std::is_void<R>::value)
        simt_run(where, f);
    else if (!where.device || simt_runs_kernel())
        return f();
    else {
        R *cell;
        cudaMallocHost((void **)&cell, sizeof(R));
        simt_run(where, [=]() mutable { new (cell) R(f()); });
        cudaStreamSynchronize(where.stream);
        R value = *cell;
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
        return (ptrdiff_t)(first - o.first) + at - o.at;
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
template <class F, class I> struct transform_iterator {
    typedef decltype(std::declval<F>()(*std::declval<I>())) made;
    SIMT_ITERATOR(transform_iterator, std::decay_t<made>, made)
    I base;
    mutable F f; /* whose operator() need not be const */
    transform_iterator(I base, F f, ptrdiff_t at = 0) : at(at), base(base), f(f) {}
    made element(ptrdiff_t i) const { return f(base[i]); }
    ptrdiff_t distance(const transform_iterator &o) const { return (base + at) - (o.base + o.at); }
};
template <class F, class I> transform_iterator<F, I> make_transform_iterator(I i, F f)
{
    return {i, f};
}
template <class E, class I> struct permutation_iterator {
    typedef typename std::iterator_traits<E>::reference made;
    SIMT_ITERATOR(permutation_iterator, typename std::iterator_traits<E>::value_type, made)
    E elements;
    I places;
    permutation_iterator(E e, I i, ptrdiff_t at = 0) : at(at), elements(e), places(i) {}
    made element(ptrdiff_t i) const { return elements[places[i]]; }
    ptrdiff_t distance(const permutation_iterator &o) const
    {
        return (places + at) - (o.places + o.at);
    }
};
template <class E, class I> permutation_iterator<E, I> make_permutation_iterator(E e, I i)
{
    return {e, i};
}
template <class TUPLE> struct zip_iterator;
template <class... I> struct zip_iterator<std::tuple<I...>> {
    typedef std::tuple<typename std::iterator_traits<I>::value_type...> value;
    typedef std::tuple<typename std::iterator_traits<I>::reference...> made;
    SIMT_ITERATOR(zip_iterator, value, made)
    std::tuple<I...> parts;
    zip_iterator(std::tuple<I...> parts, ptrdiff_t at = 0) : at(at), parts(parts) {}
    template <size_t... K> made pick(std::index_sequence<K...>, ptrdiff_t i) const
    {
        return made(std::get<K>(parts)[i]...);
    }
    made element(ptrdiff_t i) const { return pick(std::index_sequence_for<I...>(), i); }
    ptrdiff_t distance(const zip_iterator &o) const
    {
        return (std::get<0>(parts) + at) - (std::get<0>(o.parts) + o.at);
    }
};
template <class... I> zip_iterator<std::tuple<I...>> make_zip_iterator(std::tuple<I...> parts)
{
    return parts;
}
template <class A, class B, class... I>
zip_iterator<std::tuple<A, B, I...>> make_zip_iterator(A a, B b, I... i)
{
    return std::tuple<A, B, I...>(a, b, i...);
}

/* Of an iterator: does it lead to device memory; the same one for a kernel. */
template <class I> struct simt_plain {
    static constexpr bool device = false;
    static I of(I i) { return i; }
};
template <class T> struct simt_plain<device_ptr<T>> {
    static constexpr bool device = true;
    static T *of(device_ptr<T> p) { return p.p; }
};
template <class F, class I> struct simt_plain<transform_iterator<F, I>> {
    static constexpr bool device = simt_plain<I>::device;
    static auto of(const transform_iterator<F, I> &t)
    {
        auto base = simt_plain<I>::of(t.base);
        return transform_iterator<F, decltype(base)>(base, t.f, t.at);
    }
};
template <class E, class I> struct simt_plain<permutation_iterator<E, I>> {
    static constexpr bool device = simt_plain<E>::device || simt_plain<I>::device;
    static auto of(const permutation_iterator<E, I> &p)
    {
        auto e = simt_plain<E>::of(p.elements);
        auto i = simt_plain<I>::of(p.places);
        return permutation_iterator<decltype(e), decltype(i)>(e, i, p.at);
    }
};
template <class... I> struct simt_plain<zip_iterator<std::tuple<I...>>> {
    static constexpr bool device = simt_any({simt_plain<I>::device...});
    template <size_t... K>
    static auto pick(std::index_sequence<K...>, const zip_iterator<std::tuple<I...>> &z)
    {
        typedef zip_iterator<std::tuple<decltype(simt_plain<I>::of(std::declval<I>()))...>> plain;
        return plain(std::make_tuple(simt_plain<I>::of(std::get<K>(z.parts))...), z.at);
    }
    static auto of(const zip_iterator<std::tuple<I...>> &z)
    {
        return pick(std::index_sequence_for<I...>(), z);
    }
};
template <class I> auto simt_plain_of(I i) { return simt_plain<I>::of(i); }
template <class... I> constexpr simt_policy simt_where()
{
    return {simt_any({simt_plain<I>::device...}), 0};
}
template <class I> using simt_value_of = typename std::iterator_traits<I>::value_type;

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
    template <class A, class B> auto operator()(const A &a, const B &b) const { return a + b; }
};
/* _1 * 2 + _2: a function of its arguments. */
template <class F> struct simt_actor {
    F f;
    template <class... A> auto operator()(const A &...a) const { return f(a...); }
};
template <int I> struct simt_argument {
    template <class... A> auto operator()(const A &...a) const
    {
        return std::get<I>(std::tuple<A...>(a...));
    }
};
template <class X, class... A> auto simt_act(const X &x, const A &...) { return x; }
template <class F, class... A> auto simt_act(const simt_actor<F> &x, const A &...a)
{
    return x(a...);
}
template <class F> simt_actor<F> simt_make_actor(F f) { return {f}; }
#define SIMT_ACTOR(OP)                                                                             \
    template <class F, class X> auto operator OP(const simt_actor<F> &x, const X &y)               \
    {                                                                                              \
        return simt_make_actor(                                                                    \
            [=](const auto &...a) { return simt_act(x, a...) OP simt_act(y, a...); });             \
    }                                                                                              \
    template <class X, class F, class = std::enable_if_t<std::is_arithmetic<X>::value>>            \
    auto operator OP(const X &x, const simt_actor<F> &y)                                           \
    {                                                                                              \
        return simt_make_actor([=](const auto &...a) { return x OP simt_act(y, a...); });          \
    }
#define SIMT_OPERATORS(X)                                                                          \
    X(+) X(-) X(*) X(/) X(%) X(<) X(>) X(<=) X(>=) X(==) X(!=) X(&&) X(||) X(&) X(|) X(^)
SIMT_OPERATORS(SIMT_ACTOR)
template <class F> auto operator-(const simt_actor<F> &x)
{
    return simt_make_actor([=](const auto &...a) { return -x(a...); });
}
template <class F> auto operator!(const simt_actor<F> &x)
{
    return simt_make_actor([=](const auto &...a) { return !x(a...); });
}
namespace placeholders
{
static constexpr simt_actor<simt_argument<0>> _1 = {};
static constexpr simt_actor<simt_argument<1>> _2 = {};
static constexpr simt_actor<simt_argument<2>> _3 = {};
} // namespace placeholders

template <class A, class B> struct unary_function {
    typedef A argument_type;
    typedef B result_type;
};
template <class A, class B, class C> struct binary_function {
    typedef C result_type;
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
template <class... I> auto simt_with(simt_policy where, I... i)
{
    return [=](auto f) { return simt_value(where, [=]() mutable { return f(i...); }); };
}
template <class... I> auto simt_on(simt_policy where, I... i)
{
    return simt_with(where, simt_plain_of(i)...);
}

template <class I, class F> I for_each(simt_policy where, I first, I last, F f)
{
    simt_on(where, first, last)([=](auto p, auto end) mutable { std::for_each(p, end, f); });
    return last;
}
template <class I, class F> I for_each_n(simt_policy where, I first, size_t n, F f)
{
    return for_each(where, first, first + (ptrdiff_t)n, f);
}
template <class I, class O, class F> O transform(simt_policy where, I first, I last, O to, F f)
{
    simt_on(where, first, last,
            to)([=](auto p, auto end, auto q) mutable { std::transform(p, end, q, f); });
    return to + (last - first);
}
template <class I, class J, class O, class F>
O transform(simt_policy where, I first, I last, J second, O to, F f)
{
    simt_on(where, first, last, second,
            to)([=](auto p, auto end, auto r, auto q) mutable { std::transform(p, end, r, q, f); });
    return to + (last - first);
}
template <class I, class O, class F, class P>
O transform_if(simt_policy where, I first, I last, O to, F f, P wanted)
{
    simt_on(where, first, last, to)([=](auto p, auto end, auto q) mutable {
        for (; p != end; ++p, ++q)
            if (wanted(*p))
                *q = f(*p);
    });
    return to + (last - first);
}
template <class I, class O> O copy_n(simt_policy where, I first, size_t n, O to)
{
    typedef simt_value_of<I> T;
    if constexpr (simt_plain<I>::device == simt_plain<O>::device) {
        simt_on(where, first, to)([=](auto p, auto q) mutable {
            for (size_t i = 0; i < n; i++, ++p, ++q)
                *q = *p;
        });
        if constexpr (std::is_same<typename std::iterator_traits<O>::iterator_category,
                                   std::random_access_iterator_tag>::value)
            return to + (ptrdiff_t)n;
        else
            return to;
    } else { /* between host and device: in one piece */
        std::vector<T> bytes(n);
        simt_room<T> room({true, 0}, n);
        T *between = room.p;
        if constexpr (simt_plain<I>::device) {
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
template <class I, class O> O copy(simt_policy where, I first, I last, O to)
{
    return copy_n(where, first, (size_t)(last - first), to);
}
template <class I, class S, class O, class P>
O copy_if(simt_policy where, I first, I last, S stencil, O to, P wanted)
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
template <class I, class O, class P> O copy_if(simt_policy where, I first, I last, O to, P wanted)
{
    return copy_if(where, first, last, first, to, wanted);
}
template <class I, class P> I remove_if(simt_policy where, I first, I last, P unwanted)
{
    return copy_if(where, first, last, first, first,
                   [=](auto &&x) mutable { return !unwanted(x); });
}
template <class T> auto simt_equals(T value)
{
    return [=](auto &&x) { return x == value; };
}
template <class I, class T> I remove(simt_policy where, I first, I last, T value)
{
    return remove_if(where, first, last, simt_equals(value));
}
template <class I, class F> void tabulate(simt_policy where, I first, I last, F f)
{
    transform(where, counting_iterator<ptrdiff_t>(0), counting_iterator<ptrdiff_t>(last - first),
              first, f);
}
template <class I, class T> void fill(simt_policy where, I first, I last, T value)
{
    simt_value_of<I> v = value;
    tabulate(where, first, last, [=](ptrdiff_t) { return v; });
}
template <class I, class T> I fill_n(simt_policy where, I first, size_t n, T value)
{
    return fill(where, first, first + (ptrdiff_t)n, value), first + (ptrdiff_t)n;
}
template <class I, class T = simt_value_of<I>>
void sequence(simt_policy where, I first, I last, T start = T(0), T step = T(1))
{
    tabulate(where, first, last, [=](ptrdiff_t i) { return (T)(start + (T)i * step); });
}
template <class I, class F> void generate(simt_policy where, I first, I last, F f)
{
    tabulate(where, first, last, [=](ptrdiff_t) mutable { return f(); });
}
template <class I, class P, class T>
void replace_if(simt_policy where, I first, I last, P p, T value)
{
    transform(where, first, last, first,
              [=](auto &&x) mutable -> simt_value_of<I> { return p(x) ? value : x; });
}
template <class I, class T> void replace(simt_policy where, I first, I last, T old, T value)
{
    replace_if(where, first, last, simt_equals(old), value);
}
template <class I, class F, class T, class R>
T transform_reduce(simt_policy where, I first, I last, F f, T start, R op)
{
    return simt_on(where, first, last)([=](auto p, auto end) mutable {
        return std::accumulate(p, end, start,
                               [&](const T &sum, auto &&x) -> T { return op(sum, (T)f(x)); });
    });
}
template <class I, class T = simt_value_of<I>, class R = plus<T>>
T reduce(simt_policy where, I first, I last, T start = T(), R op = R())
{
    return transform_reduce(where, first, last, identity<simt_value_of<I>>(), start, op);
}
template <class I, class J, class T, class R = plus<T>, class F = multiplies<T>>
T inner_product(simt_policy where, I first, I last, J second, T start, R op = R(), F f = F())
{
    return simt_on(where, first, last, second)([=](auto p, auto end, auto q) mutable {
        return std::inner_product(p, end, q, start, op, f);
    });
}
template <class I, class P> ptrdiff_t count_if(simt_policy where, I first, I last, P p)
{
    return simt_on(where, first, last)(
        [=](auto q, auto end) mutable { return (ptrdiff_t)std::count_if(q, end, p); });
}
template <class I, class T> ptrdiff_t count(simt_policy where, I first, I last, T value)
{
    return count_if(where, first, last, simt_equals(value));
}
/* The first for which this holds, or last. */
template <class I, class P> I find_if(simt_policy where, I first, I last, P wanted)
{
    return first + simt_on(where, first, last)(
                       [=](auto p, auto end) mutable { return std::find_if(p, end, wanted) - p; });
}
template <class I, class T> I find(simt_policy where, I first, I last, T value)
{
    return find_if(where, first, last, simt_equals(value));
}
template <class I, class P> bool any_of(simt_policy where, I first, I last, P p)
{
    return find_if(where, first, last, p) != last;
}
template <class I, class P> bool none_of(simt_policy where, I first, I last, P p)
{
    return !any_of(where, first, last, p);
}
template <class I, class P> bool all_of(simt_policy where, I first, I last, P p)
{
    return none_of(where, first, last, [=](auto &&x) mutable { return !p(x); });
}
template <class I, class J> bool equal(simt_policy where, I first, I last, J second)
{
    return simt_on(where, first, last,
                   second)([=](auto p, auto end, auto q) { return std::equal(p, end, q); });
}
template <class I, class L = less<simt_value_of<I>>>
I min_element(simt_policy where, I first, I last, L before = L())
{
    return first + simt_on(where, first, last)([=](auto p, auto end) mutable {
               return std::min_element(p, end, before) - p;
           });
}
template <class I, class L = less<simt_value_of<I>>>
I max_element(simt_policy where, I first, I last, L before = L())
{
    return min_element(where, first, last,
                       [=](auto &&a, auto &&b) mutable { return before(b, a); });
}

/* ---- scans ---- */

template <class I, class O, class T, class R>
O exclusive_scan(simt_policy where, I first, I last, O to, T start, R op)
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
template <class I, class O, class T = simt_value_of<I>>
O exclusive_scan(simt_policy where, I first, I last, O to, T start = T())
{
    return exclusive_scan(where, first, last, to, start, plus<T>());
}
template <class I, class O, class R = plus<simt_value_of<I>>>
O inclusive_scan(simt_policy where, I first, I last, O to, R op = R())
{
    simt_on(where, first, last,
            to)([=](auto p, auto end, auto q) mutable { std::partial_sum(p, end, q, op); });
    return to + (last - first);
}
template <class I, class O, class F, class R>
O transform_inclusive_scan(simt_policy where, I first, I last, O to, F f, R op)
{
    return inclusive_scan(where, make_transform_iterator(first, f),
                          make_transform_iterator(last, f), to, op);
}
template <class I, class O, class F, class T, class R>
O transform_exclusive_scan(simt_policy where, I first, I last, O to, F f, T start, R op)
{
    return exclusive_scan(where, make_transform_iterator(first, f),
                          make_transform_iterator(last, f), to, start, op);
}
template <class I, class O, class R = minus<simt_value_of<I>>>
O adjacent_difference(simt_policy where, I first, I last, O to, R op = R())
{
    simt_on(where, first, last,
            to)([=](auto p, auto end, auto q) mutable { std::adjacent_difference(p, end, q, op); });
    return to + (last - first);
}

/* ---- sorting: by merging, which is stable ---- */

template <class P, class T, class L> void simt_merge_sort(P p, ptrdiff_t n, T *room, L before)
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
template <class I, class L = less<simt_value_of<I>>>
void stable_sort(simt_policy where, I first, I last, L before = L())
{
    ptrdiff_t n = last - first;
    simt_room<simt_value_of<I>> room(where, (size_t)n);
    simt_on(where, first,
            room.p)([=](auto p, auto r) mutable { simt_merge_sort(p, n, r, before); });
}
template <class I, class L = less<simt_value_of<I>>>
void sort(simt_policy where, I first, I last, L before = L())
{
    stable_sort(where, first, last, before);
}
template <class K, class V, class L = less<simt_value_of<K>>>
void stable_sort_by_key(simt_policy where, K first, K last, V values, L before = L())
{
    struct item {
        simt_value_of<K> key;
        simt_value_of<V> value;
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
template <class K, class V, class L = less<simt_value_of<K>>>
void sort_by_key(simt_policy where, K first, K last, V values, L before = L())
{
    stable_sort_by_key(where, first, last, values, before);
}
template <class I, class L = less<simt_value_of<I>>>
bool is_sorted(simt_policy where, I first, I last, L before = L())
{
    return simt_on(where, first,
                   last)([=](auto p, auto end) mutable { return std::is_sorted(p, end, before); });
}
template <class I> void reverse(simt_policy where, I first, I last)
{
    simt_on(where, first, last)([](auto p, auto end) {
        for (; p < end && p < --end; ++p) {
            simt_value_of<I> x = *p;
            *p = *end;
            *end = x;
        }
    });
}

/* ---- runs of equal keys, and other places ---- */

template <class I, class E = equal_to<simt_value_of<I>>>
I unique(simt_policy where, I first, I last, E same = E())
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
template <class K, class V, class A, class B, class E = equal_to<simt_value_of<K>>,
          class R = plus<simt_value_of<V>>>
pair<A, B> reduce_by_key(simt_policy where, K first, K last, V values, A keys_to, B values_to,
                         E same = E(), R op = R())
{
    ptrdiff_t n = last - first;
    ptrdiff_t runs = simt_on(where, first, values, keys_to,
                             values_to)([=](auto k, auto v, auto a, auto b) mutable {
        ptrdiff_t count = 0;
        for (ptrdiff_t i = 0; i < n;) {
            simt_value_of<K> key = k[i];
            simt_value_of<V> sum = v[i];
            for (i++; i < n && same(key, k[i]); i++)
                sum = op(sum, v[i]);
            a[count] = key;
            b[count++] = sum;
        }
        return count;
    });
    return {keys_to + runs, values_to + runs};
}
template <class K, class V, class O, class E = equal_to<simt_value_of<K>>,
          class R = plus<simt_value_of<V>>>
O inclusive_scan_by_key(simt_policy where, K first, K last, V values, O to, E same = E(),
                        R op = R())
{
    ptrdiff_t n = last - first;
    simt_on(where, first, values, to)([=](auto k, auto v, auto q) mutable {
        for (ptrdiff_t i = 0; i < n; i++) {
            simt_value_of<V> x = v[i];
            q[i] = i > 0 && same(k[i - 1], k[i]) ? op(q[i - 1], x) : x;
        }
    });
    return to + n;
}
template <class K, class V, class O, class T = simt_value_of<V>,
          class E = equal_to<simt_value_of<K>>, class R = plus<T>>
O exclusive_scan_by_key(simt_policy where, K first, K last, V values, O to, T start = T(),
                        E same = E(), R op = R())
{
    ptrdiff_t n = last - first;
    simt_on(where, first, values, to)([=](auto k, auto v, auto q) mutable {
        T sum = start;
        for (ptrdiff_t i = 0; i < n; i++) {
            simt_value_of<V> x = v[i];
            q[i] = sum = i > 0 && same(k[i - 1], k[i]) ? sum : start;
            sum = op(sum, x);
        }
    });
    return to + n;
}
template <class M, class I, class O> O gather(simt_policy where, M first, M last, I from, O to)
{
    return copy_n(where, make_permutation_iterator(from, first), (size_t)(last - first), to);
}
template <class I, class M, class O> void scatter(simt_policy where, I first, I last, M map, O to)
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
    X(is_sorted) X(reverse) X(unique) X(reduce_by_key) X(gather) X(scatter) \
    X(inclusive_scan_by_key) X(exclusive_scan_by_key)
/* clang-format on */
/* Without a policy the iterators' types decide. */
#define SIMT_ALSO_WITHOUT_POLICY(NAME)                                                             \
    template <class I, class... A, class = std::enable_if_t<!std::is_same<I, simt_policy>::value>> \
    auto NAME(I first, A... a)                                                                     \
    {                                                                                              \
        return NAME(simt_where<I, A...>(), first, a...);                                           \
    }
SIMT_ALGORITHMS(SIMT_ALSO_WITHOUT_POLICY)
template <class... A> auto uninitialized_copy(A... a) { return copy(a...); }
template <class... A> auto uninitialized_copy_n(A... a) { return copy_n(a...); }
template <class... A> void uninitialized_fill(A... a) { fill(a...); }

/* ---- vectors ---- */

template <class T, bool MANAGED = false> struct device_vector;
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
template <class T, bool MANAGED> struct device_vector {
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
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    device_vector(I first, I last)
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
    template <class I> void assign(I first, I last)
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
        if (MANAGED)
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
