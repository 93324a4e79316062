/* wmma.c: products of small matrices by a warp, for include/mma.h and for PTX. All 32 lanes bring
   what they have of the matrices; when the last one has come, the product of all is worked out. */
#include "barriers.h"
#include "fault.h"
#include <math.h>

static const struct simt_mma *brought(const struct thread *lanes, unsigned lane)
{
    return (const struct simt_mma *)warp_value(lanes, lane); /* on that lane's stack */
}

/* PTX's mma: so many elements to a register ("Matrix Fragments"); four lanes share eight rows'. */
static int lane_of(int line, int k, int packed)
{
    return line % 8 * 4 + k % (4 * packed) / packed;
}

static double a_at(const struct thread *lanes, int row, int k)
{
    const struct simt_mma *any = brought(lanes, 0);
    int p = any->packed;
    if (p > 0)
        return brought(lanes, (unsigned)lane_of(row, k, p))
            ->a[(row / 8 + any->m / 8 * (k / (4 * p))) * p + k % p];
    int e = any->a_by_columns ? k * any->m + row : row * any->k + k;
    return brought(lanes, (unsigned)e % WARP)->a[e / WARP];
}

static double b_at(const struct thread *lanes, int k, int column)
{
    const struct simt_mma *any = brought(lanes, 0);
    int p = any->packed;
    if (p > 0)
        return brought(lanes, (unsigned)lane_of(column, k, p))->b[k / (4 * p) * p + k % p];
    int e = any->b_by_columns ? column * any->k + k : k * any->n + column;
    return brought(lanes, (unsigned)e % WARP)->b[e / WARP];
}

static void multiply(const struct thread *lanes)
{
    const struct simt_mma *any = brought(lanes, 0);
    for (int e = 0; e < any->m * any->n; e++) {
        int row = e / any->n, column = e % any->n;
        bool fragment = any->packed > 0;
        int lane = fragment ? lane_of(row, column, 2) : e % WARP;
        int at = fragment ? row / 8 * 2 + column % 2 : e / WARP;
        const struct simt_mma *mine = brought(lanes, (unsigned)lane);
        double sum = mine->c[at];
        for (int k = 0; k < any->k; k++)
            sum += a_at(lanes, row, k) * b_at(lanes, k, column);
        mine->d[at] = sum;
    }
}

/* The addresses of eight rows of each matrix come from eight lanes. */
static void give_rows(const struct thread *lanes)
{
    for (unsigned l = 0; l < WARP; l++) {
        struct simt_ldmatrix *mine = (struct simt_ldmatrix *)warp_value(lanes, l);
        for (unsigned i = 0; i < mine->count; i++)
            for (unsigned j = 0; j < 2; j++) {
                unsigned row = mine->transposed ? l % 4 * 2 + j : l / 4;
                mine->rows[i][j] =
                    ((const struct simt_ldmatrix *)warp_value(lanes, i * 8 + row))->row;
            }
    }
}

static bool is_product(const struct thread *t)
{
    return warp_op_of(t) == SIMT_MMA || warp_op_of(t) == SIMT_PTX_MMA;
}

static void complete(const struct thread *t, unsigned mask)
{
    const struct thread *lanes = t - t->lane;
    unsigned missing = (unsigned)__builtin_ctzll(~(unsigned long long)mask);
    if (missing < WARP)
        simt_fault(t, t->site, "%s takes all 32 lanes of a warp, and lane %u %s",
                   op_names[warp_op_of(t)], missing,
                   t->rank - t->lane + missing < simt_now.threads ? "has returned"
                                                                  : "does not exist");
    if (warp_op_of(t) == SIMT_LDMATRIX) {
        give_rows(lanes);
        return;
    }
    for (unsigned l = 1; l < WARP && !is_product(t); l++)
        if (warp_value(t, l) != warp_value(t, 0) || warp_argument(t, l) != warp_argument(t, 0))
            simt_fault(&lanes[l], t->site,
                       "%s: lane %u gives another address or distance than lane 0",
                       op_names[warp_op_of(t)], l);
    if (is_product(t))
        multiply(lanes);
}

void simt_mma_sync(const struct simt_mma *mine)
{
    warp_matrix_op(SIMT_MMA, (uintptr_t)mine, 0, complete, __builtin_return_address(0));
}

void simt_matrix_sync(enum simt_op op, const void *p, unsigned apart, unsigned element_bytes)
{
    void *pc = __builtin_return_address(0);
    if (apart * element_bytes % 16 != 0 || (uintptr_t)p % 16 != 0)
        simt_wrong(simt_self, pc,
                   "%s takes an address that is a multiple of 32 bytes, and rows that lie a "
                   "multiple of 16 bytes apart",
                   op_names[op]);
    else if ((uintptr_t)p % 32 != 0)
        simt_note(simt_self, pc,
                  "%s asks for an address that is a multiple of 32 bytes; hardware takes 16",
                  op_names[op]);
    warp_matrix_op(op, (uintptr_t)p, apart, complete, pc);
}

/* ---- PTX: ldmatrix and mma.sync ---- */

void simt_ldmatrix_sync(struct simt_ldmatrix *mine)
{
    void *pc = __builtin_return_address(0);
    if (simt_self->lane < mine->count * 8 && (uintptr_t)mine->row % 16 != 0)
        simt_wrong(simt_self, pc, "%s takes addresses of rows that are multiples of 16 bytes",
                   op_names[SIMT_LDMATRIX]);
    warp_matrix_op(SIMT_LDMATRIX, (uintptr_t)mine, 0, complete, pc);
}

static bool is(const char *type, const char *name)
{
    return strcmp(type, name) == 0;
}

static int bytes_of(const char *type)
{
    return is(type, "f64")                                          ? 8
           : is(type, "f32") || is(type, "tf32") || is(type, "s32") ? 4
           : is(type, "f16") || is(type, "bf16")                    ? 2
                                                                    : 1;
}

static double half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31  ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(fraction + 1024, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

/* The nearest half; of two as near the even one. */
static uint16_t half_bits(double x)
{
    uint16_t sign = signbit(x) ? 0x8000 : 0;
    int exponent;
    if (x != x)
        return 0x7fff;
    x = fabs(x);
    if (x >= 65520)
        return sign | 0x7c00;
    frexp(x, &exponent);
    exponent = x == 0 || exponent < -13 ? -13 : exponent;
    long steps = lrint(ldexp(x, 11 - exponent)); /* a carry goes into the exponent */
    return (uint16_t)(sign | ((exponent + 13) * 1024 + steps));
}

/* Element i of registers. */
static double element_of(const char *type, const void *registers, int i)
{
    const char *p = (const char *)registers + i * bytes_of(type);
    uint32_t bits = 0;
    float single;
    double wide;
    if (is(type, "f64"))
        return memcpy(&wide, p, sizeof wide), wide;
    memcpy(&bits, p, (size_t)bytes_of(type));
    if (is(type, "f16"))
        return half_value((uint16_t)bits);
    if (is(type, "s8") || is(type, "s32"))
        return is(type, "s8") ? (int8_t)bits : (int32_t)bits;
    if (is(type, "u8"))
        return bits;
    bits = is(type, "bf16") ? bits << 16 : is(type, "tf32") ? bits & ~0x1fffu : bits;
    memcpy(&single, &bits, sizeof single);
    return single;
}

static void put_element(const char *type, void *registers, int i, double x)
{
    char *p = (char *)registers + i * bytes_of(type);
    uint16_t half = is(type, "f16") ? half_bits(x) : 0;
    float single = is(type, "f32") ? (float)x : 0;
    int32_t number = is(type, "s32") ? (int32_t)(uint32_t)(int64_t)x : 0;
    memcpy(p,
           is(type, "f64")   ? (void *)&x
           : is(type, "f16") ? (void *)&half
           : is(type, "f32") ? (void *)&single
                             : (void *)&number,
           (size_t)bytes_of(type));
}

void simt_mma_registers(int m, int k, const char *const types[4], const void *a, const void *b,
                        const void *c, void *d)
{
    double of_a[16], of_b[8], of_c[4], of_d[4];
    int packed = bytes_of(types[1]) == 8 ? 1 : 4 / bytes_of(types[1]);
    for (int i = 0; i < m * k / WARP; i++)
        of_a[i] = element_of(types[1], a, i);
    for (int i = 0; i < 8 * k / WARP; i++)
        of_b[i] = element_of(types[2], b, i);
    for (int i = 0; i < m * 8 / WARP; i++)
        of_c[i] = element_of(types[3], c, i);
    struct simt_mma mine = {m, 8, k, false, false, of_a, of_b, of_c, of_d, packed};
    warp_matrix_op(SIMT_PTX_MMA, (uintptr_t)&mine, 0, complete, __builtin_return_address(0));
    for (int i = 0; i < m * 8 / WARP; i++)
        put_element(types[0], d, i, of_d[i]);
}
