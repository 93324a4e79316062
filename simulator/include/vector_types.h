/* vector_types.h: CUDA's short vectors. A vector of 2 or 4 elements is copied in one piece, so that
   the simulator sees one wide access where hardware has one. */
#pragma once

typedef struct uint3 {
    unsigned x, y, z;
} uint3;

#ifdef __cplusplus
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
static inline constexpr uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }

/* Copying a compiler vector is one load and one store. */
#define SIMT_COPIED_WHOLE(T, NAME, BYTES)                                                          \
    typedef T simt_whole __attribute__((vector_size(BYTES), aligned(BYTES), may_alias));           \
    NAME() = default;                                                                              \
    NAME(const NAME &o) { *(simt_whole *)this = *(const simt_whole *)&o; }                         \
    NAME &operator=(const NAME &o)                                                                 \
    {                                                                                              \
        *(simt_whole *)this = *(const simt_whole *)&o;                                             \
        return *this;                                                                              \
    }

/* In a union a vector is one that the union copies by its bytes (rewrite.c). */
template <class T> struct simt_in_union {
    typedef T type;
};
#define SIMT_IN_UNION(NAME, T, ...)                                                                \
    template <> struct simt_in_union<NAME> {                                                       \
        struct alignas(NAME) type {                                                                \
            T __VA_ARGS__;                                                                         \
            type() = default;                                                                      \
            type(const NAME &o) { *&*this = o; }                                                   \
            template <class... _A> type(T a, _A... b) { *&*this = NAME(a, b...); }                 \
            template <class _V> auto operator=(const _V &o) -> decltype(*(NAME *)this = o)         \
            {                                                                                      \
                return *&*this = o;                                                                \
            }                                                                                      \
            NAME *operator&() { return (NAME *)this; }                                             \
            const NAME *operator&() const { return (const NAME *)this; }                           \
            operator NAME &() { return *&*this; }                                                  \
            operator const NAME &() const { return *&*this; }                                      \
        };                                                                                         \
    };

#define SIMT_VECTOR1(T, NAME)                                                                      \
    struct NAME {                                                                                  \
        T x;                                                                                       \
    };                                                                                             \
    static inline constexpr NAME make_##NAME(T x) { return {x}; }
#define SIMT_VECTOR2(T, NAME)                                                                      \
    struct alignas(2 * sizeof(T)) NAME {                                                           \
        T x, y;                                                                                    \
        SIMT_COPIED_WHOLE(T, NAME, 2 * sizeof(T))                                                  \
        constexpr NAME(T x, T y = 0) : x(x), y(y) {}                                               \
    };                                                                                             \
    SIMT_IN_UNION(NAME, T, x, y)                                                                   \
    static inline constexpr NAME make_##NAME(T x, T y) { return NAME(x, y); }
#define SIMT_VECTOR3(T, NAME)                                                                      \
    struct NAME {                                                                                  \
        T x, y, z;                                                                                 \
    };                                                                                             \
    static inline constexpr NAME make_##NAME(T x, T y, T z) { return {x, y, z}; }
#define SIMT_VECTOR4(T, NAME)                                                                      \
    struct alignas(4 * sizeof(T)) NAME {                                                           \
        T x, y, z, w;                                                                              \
        SIMT_COPIED_WHOLE(T, NAME, 4 * sizeof(T))                                                  \
        constexpr NAME(T x, T y = 0, T z = 0, T w = 0) : x(x), y(y), z(z), w(w) {}                 \
    };                                                                                             \
    SIMT_IN_UNION(NAME, T, x, y, z, w)                                                             \
    static inline constexpr NAME make_##NAME(T x, T y, T z, T w) { return NAME(x, y, z, w); }
/* 32 bytes are two accesses, also where the alignment is 32. */
#define SIMT_VECTOR4_OF_8(T, NAME, ALIGNMENT)                                                      \
    struct alignas(ALIGNMENT) NAME {                                                               \
        T x, y, z, w;                                                                              \
        typedef T simt_half __attribute__((vector_size(16), aligned(16), may_alias));              \
        NAME() = default;                                                                          \
        NAME(const NAME &o) { *this = o; }                                                         \
        NAME &operator=(const NAME &o)                                                             \
        {                                                                                          \
            simt_half low = ((const simt_half *)&o)[0], high = ((const simt_half *)&o)[1];         \
            ((simt_half *)this)[0] = low;                                                          \
            ((simt_half *)this)[1] = high;                                                         \
            return *this;                                                                          \
        }                                                                                          \
        constexpr NAME(T x, T y = 0, T z = 0, T w = 0) : x(x), y(y), z(z), w(w) {}                 \
    };                                                                                             \
    SIMT_IN_UNION(NAME, T, x, y, z, w)                                                             \
    static inline constexpr NAME make_##NAME(T x, T y, T z, T w) { return NAME(x, y, z, w); }
#define SIMT_VECTORS(T, NAME)                                                                      \
    SIMT_VECTOR1(T, NAME##1)                                                                       \
    SIMT_VECTOR2(T, NAME##2)                                                                       \
    SIMT_VECTOR3(T, NAME##3)                                                                       \
    SIMT_VECTOR4(T, NAME##4)
#define SIMT_VECTORS_OF_8(T, NAME)                                                                 \
    SIMT_VECTOR1(T, NAME##1)                                                                       \
    SIMT_VECTOR2(T, NAME##2)                                                                       \
    SIMT_VECTOR3(T, NAME##3)                                                                       \
    SIMT_VECTOR4_OF_8(T, NAME##4, 16)                                                              \
    SIMT_VECTOR4_OF_8(T, NAME##4_16a, 16)                                                          \
    SIMT_VECTOR4_OF_8(T, NAME##4_32a, 32)

SIMT_VECTORS(signed char, char)
SIMT_VECTORS(unsigned char, uchar)
SIMT_VECTORS(short, short)
SIMT_VECTORS(unsigned short, ushort)
SIMT_VECTORS(int, int)
SIMT_VECTORS(float, float)
SIMT_VECTOR1(unsigned, uint1)
SIMT_VECTOR2(unsigned, uint2)
SIMT_VECTOR4(unsigned, uint4)
SIMT_VECTORS_OF_8(double, double)
SIMT_VECTORS_OF_8(long, long)
SIMT_VECTORS_OF_8(unsigned long, ulong)
SIMT_VECTORS_OF_8(long long, longlong)
SIMT_VECTORS_OF_8(unsigned long long, ulonglong)
#else
typedef struct dim3 {
    unsigned x, y, z;
} dim3;
#endif
