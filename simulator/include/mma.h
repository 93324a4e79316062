/* mma.h: nvcuda::wmma, products of small matrices by a warp together (../extras/wmma.c). Which
   element of a matrix lies where in the fragments of the lanes is not specified, in CUDA neither. A
   lane loads and stores its own elements one by one; the products are added up exactly and rounded
   once, so the last bits of a result may differ from a GPU's. */
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{
struct matrix_a {
};
struct matrix_b {
};
struct accumulator {
};
struct row_major {
};
struct col_major {
};
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32 {
};
} // namespace precision

/* What an element is in memory, and how many bits of its fraction count. */
template <class T> struct simt_element {
    typedef T type;
};
template <> struct simt_element<precision::tf32> {
    typedef float type;
};
template <class T> SIMT_METHOD double simt_operand(T x) { return (double)(float)x; }
SIMT_METHOD double simt_operand(double x) { return x; }
SIMT_METHOD double simt_operand(int x) { return x; }

template <class T, int _M, int _N, int _K> constexpr bool simt_shape_is_right()
{
    const bool small = (_M == 16 && _N == 16) || (_M == 32 && _N == 8) || (_M == 8 && _N == 32);
    return std::is_same<T, precision::tf32>::value ? _M == 16 && _N == 16 && _K == 8
           : std::is_same<T, double>::value        ? _M == 8 && _N == 8 && _K == 4
           : std::is_same<T, float>::value
               ? (small && _K == 16) || (_M == 16 && _N == 16 && _K == 8)
           : std::is_same<T, __half>::value || std::is_same<T, __nv_bfloat16>::value ||
                   std::is_same<T, signed char>::value || std::is_same<T, unsigned char>::value ||
                   std::is_same<T, int>::value
               ? small && _K == 16
               : false;
}

template <class _USE, int _M, int _N, int _K, class T, class _LAYOUT = void> struct fragment {
    static_assert(simt_shape_is_right<T, _M, _N, _K>(),
                  "wmma: half, __nv_bfloat16, signed char and unsigned char come in 16x16x16, "
                  "32x8x16 and 8x32x16, precision::tf32 in 16x16x8, double in 8x8x4");
    static constexpr int simt_rows = std::is_same<_USE, matrix_b>::value ? _K : _M,
                         simt_columns = std::is_same<_USE, matrix_a>::value ? _K : _N,
                         num_elements = simt_rows * simt_columns / 32;
    static constexpr int num_storage_elements = num_elements;
    static constexpr bool simt_by_columns = std::is_same<_LAYOUT, col_major>::value;
    typedef typename simt_element<T>::type element_type, storage_element_type;
    element_type x[num_elements];

    SIMT_METHOD fragment() { memset((void *)x, 0x7f, sizeof x); } /* large: it was never filled */
    /* Where in memory this lane's i-th element is. */
    SIMT_METHOD static unsigned simt_place(int i, unsigned apart, bool memory_by_columns)
    {
        unsigned e = (unsigned)i * 32 + simt_rank_in_block() % 32;
        unsigned row = simt_by_columns ? e % simt_rows : e / simt_columns;
        unsigned column = simt_by_columns ? e / simt_rows : e % simt_columns;
        return memory_by_columns ? column * apart + row : row * apart + column;
    }
};

template <class _USE, int _M, int _N, int _K, class T, class _LAYOUT, class _V>
SIMT_METHOD void fill_fragment(fragment<_USE, _M, _N, _K, T, _LAYOUT> &f, const _V &value)
{
    for (auto &x : f.x)
        x = (typename simt_element<T>::type)value;
}

template <class _USE, int _M, int _N, int _K, class T, class _LAYOUT>
SIMT_METHOD void load_matrix_sync(fragment<_USE, _M, _N, _K, T, _LAYOUT> &f,
                                  const typename simt_element<T>::type *p, unsigned apart)
{
    static_assert(!std::is_same<_USE, accumulator>::value,
                  "wmma: to load an accumulator takes a layout, too");
    simt_matrix_sync(SIMT_LOAD_MATRIX, p, apart, sizeof *p);
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = p[f.simt_place(i, apart, f.simt_by_columns)];
}
template <int _M, int _N, int _K, class T>
SIMT_METHOD void load_matrix_sync(fragment<accumulator, _M, _N, _K, T> &f, const T *p,
                                  unsigned apart, layout_t layout)
{
    simt_matrix_sync(SIMT_LOAD_MATRIX, p, apart, sizeof *p);
    for (int i = 0; i < f.num_elements; i++)
        f.x[i] = p[f.simt_place(i, apart, layout == mem_col_major)];
}
template <int _M, int _N, int _K, class T>
SIMT_METHOD void store_matrix_sync(T *p, const fragment<accumulator, _M, _N, _K, T> &f,
                                   unsigned apart, layout_t layout)
{
    simt_matrix_sync(SIMT_STORE_MATRIX, p, apart, sizeof *p);
    for (int i = 0; i < f.num_elements; i++)
        p[f.simt_place(i, apart, layout == mem_col_major)] = f.x[i];
}

/* What comes with what: the operands' type, and the accumulators'. */
template <class T, class _C, class _D> constexpr bool simt_types_are_right()
{
    const bool floats = std::is_same<_C, float>::value && std::is_same<_D, float>::value;
    return std::is_same<T, __half>::value
               ? (std::is_same<_C, float>::value || std::is_same<_C, __half>::value) &&
                     (std::is_same<_D, float>::value || std::is_same<_D, __half>::value)
           : std::is_same<T, double>::value
               ? std::is_same<_C, double>::value && std::is_same<_D, double>::value
           : std::is_same<T, __nv_bfloat16>::value || std::is_same<T, precision::tf32>::value
               ? floats
               : std::is_same<_C, int>::value && std::is_same<_D, int>::value;
}

/* d = a b + c; saturate: of whole numbers what is too large becomes the largest. */
template <int _M, int _N, int _K, class T, class _A, class _B, class _D, class _C>
SIMT_METHOD void mma_sync(fragment<accumulator, _M, _N, _K, _D> &d,
                          const fragment<matrix_a, _M, _N, _K, T, _A> &a,
                          const fragment<matrix_b, _M, _N, _K, T, _B> &b,
                          const fragment<accumulator, _M, _N, _K, _C> &c, bool saturate = false)
{
    static_assert(simt_types_are_right<T, _C, _D>(),
                  "wmma: half goes with accumulators of half or float, __nv_bfloat16 and "
                  "precision::tf32 with float, bytes with int, double with double");
    double of_a[a.num_elements], of_b[b.num_elements], of_c[c.num_elements], of_d[c.num_elements];
    for (int i = 0; i < a.num_elements; i++)
        of_a[i] = simt_operand(a.x[i]);
    for (int i = 0; i < b.num_elements; i++)
        of_b[i] = simt_operand(b.x[i]);
    for (int i = 0; i < c.num_elements; i++)
        of_c[i] = simt_operand(c.x[i]);
    simt_mma mine = {_M, _N, _K, a.simt_by_columns, b.simt_by_columns, of_a, of_b, of_c, of_d};
    simt_mma_sync(&mine);
    for (int i = 0; i < d.num_elements; i++)
        d.x[i] = std::is_same<_D, int>::value && !saturate ? (_D)(int)(unsigned)(long long)of_d[i]
                 : !std::is_same<_D, int>::value           ? (_D)of_d[i]
                 : of_d[i] > 2147483647.0                  ? (_D)2147483647
                 : of_d[i] < -2147483648.0                 ? (_D)(-2147483647 - 1)
                                                           : (_D)of_d[i];
}

/* 10 bits of fraction, the nearest, of two the larger. */
SIMT_METHOD float __float_to_tf32(float x)
{
    unsigned bits = __float_as_uint(x);
    return x - x != 0 ? x : __uint_as_float((bits + 0x1000) & ~0x1fffu);
}
} // namespace wmma
} // namespace nvcuda
