/*
 * wmma.c: products of small matrices by a warp, for include/mma.h. All 32 lanes bring what they
 * have of the matrices; when the last one has come, the product of all is worked out.
 */
#include "fault.h"
#include "warp.h"

static const struct thread *lanes_of(const struct thread *t)
{
    return t - t->lane;
}

static const struct simt_mma *brought(const struct thread *lanes, unsigned lane)
{
    return (const struct simt_mma *)warp_value(lanes, lane); /* on that lane's stack */
}

static double a_at(const struct thread *lanes, int row, int k)
{
    const struct simt_mma *any = brought(lanes, 0);
    int e = any->a_by_columns ? k * any->m + row : row * any->k + k;
    return brought(lanes, (unsigned)e % WARP)->a[e / WARP];
}

static double b_at(const struct thread *lanes, int k, int column)
{
    const struct simt_mma *any = brought(lanes, 0);
    int e = any->b_by_columns ? column * any->k + k : k * any->n + column;
    return brought(lanes, (unsigned)e % WARP)->b[e / WARP];
}

static void multiply(const struct thread *lanes)
{
    const struct simt_mma *any = brought(lanes, 0);
    for (int e = 0; e < any->m * any->n; e++) {
        const struct simt_mma *mine = brought(lanes, (unsigned)e % WARP);
        double sum = mine->c[e / WARP];
        for (int k = 0; k < any->k; k++)
            sum += a_at(lanes, e / any->n, k) * b_at(lanes, k, e % any->n);
        mine->d[e / WARP] = sum;
    }
}

static void complete(const struct thread *t, unsigned mask)
{
    const struct thread *lanes = lanes_of(t);
    unsigned missing = (unsigned)__builtin_ctzll(~(unsigned long long)mask);
    if (missing < WARP)
        simt_fault(t, t->site, "%s takes all 32 lanes of a warp, and lane %u %s",
                   op_names[warp_op_of(t)], missing,
                   t->rank - t->lane + missing < simt_now.threads ? "has returned"
                                                                  : "does not exist");
    for (unsigned l = 1; l < WARP && warp_op_of(t) != SIMT_MMA; l++)
        if (warp_value(t, l) != warp_value(t, 0) || warp_argument(t, l) != warp_argument(t, 0))
            simt_fault(&lanes[l], t->site,
                       "%s: lane %u gives another address or distance than lane 0",
                       op_names[warp_op_of(t)], l);
    if (warp_op_of(t) == SIMT_MMA)
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
