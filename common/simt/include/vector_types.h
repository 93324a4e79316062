/*
 * vector_types.h: CUDA's short vectors. A 2-, 4- or 8-word vector is copied in
 * one piece, so that the simulator sees one wide access where hardware has one.
 */
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H

typedef struct uint3 {
    unsigned x, y, z;
} uint3;

#ifdef __cplusplus
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z)
    {
    }
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
    {
    }
};

/* The union's last member is a compiler vector: copying it is one load, one store. */
#define SIMT_VECTOR2(T, NAME)                                                                      \
    struct alignas(2 * sizeof(T)) NAME {                                                           \
        typedef T simt_words __attribute__((vector_size(2 * sizeof(T)), may_alias));               \
        T x, y;                                                                                    \
        NAME() = default;                                                                          \
        NAME(T x, T y) : x(x), y(y)                                                                \
        {                                                                                          \
        }                                                                                          \
        NAME(const NAME &o)                                                                        \
        {                                                                                          \
            *(simt_words *)this = *(const simt_words *)&o;                                         \
        }                                                                                          \
        NAME &operator=(const NAME &o)                                                             \
        {                                                                                          \
            *(simt_words *)this = *(const simt_words *)&o;                                         \
            return *this;                                                                          \
        }                                                                                          \
    };                                                                                             \
    static inline NAME make_##NAME(T x, T y)                                                       \
    {                                                                                              \
        return NAME(x, y);                                                                         \
    }
#define SIMT_VECTOR4(T, NAME)                                                                      \
    struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) NAME {                                 \
        typedef T simt_words __attribute__((vector_size(4 * sizeof(T)), may_alias, aligned(16)));  \
        T x, y, z, w;                                                                              \
        NAME() = default;                                                                          \
        NAME(T x, T y, T z, T w) : x(x), y(y), z(z), w(w)                                          \
        {                                                                                          \
        }                                                                                          \
        NAME(const NAME &o)                                                                        \
        {                                                                                          \
            *(simt_words *)this = *(const simt_words *)&o;                                         \
        }                                                                                          \
        NAME &operator=(const NAME &o)                                                             \
        {                                                                                          \
            *(simt_words *)this = *(const simt_words *)&o;                                         \
            return *this;                                                                          \
        }                                                                                          \
    };                                                                                             \
    static inline NAME make_##NAME(T x, T y, T z, T w)                                             \
    {                                                                                              \
        return NAME(x, y, z, w);                                                                   \
    }

SIMT_VECTOR2(float, float2)
SIMT_VECTOR2(int, int2)
SIMT_VECTOR2(unsigned, uint2)
SIMT_VECTOR2(double, double2)
SIMT_VECTOR4(float, float4)
SIMT_VECTOR4(int, int4)
SIMT_VECTOR4(unsigned, uint4)
#undef SIMT_VECTOR2
#undef SIMT_VECTOR4
#else
typedef struct dim3 {
    unsigned x, y, z;
} dim3;
#endif
#endif
