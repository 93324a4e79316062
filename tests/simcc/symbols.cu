// Variables that live on the device, seen from both sides.
#include <cstdio>
#include <cstring>

struct Params { float4 colour; int n; char tag[8]; };
__constant__ Params params;
__constant__ int primes[] = {2, 3, 5, 7, 11};
__device__ float table[4][8];
__device__ int initialised = 42;
static __device__ unsigned long long ticket;
__device__ __managed__ int shared_by_both = 5;
__device__ const float third = 1.0f / 3;

typedef float (*op_t)(float, float);
__device__ float add(float a, float b) { return a + b; }
__device__ float mul(float a, float b) { return a * b; }
__device__ op_t operations[2] = {add, mul};

__global__ void use(float *out, op_t op)
{
    int t = threadIdx.x;
    table[t / 8][t % 8] += primes[t % 5];
    out[t] = op(params.colour.x + params.colour.w, (float)params.n) + table[t / 8][t % 8] + third;
    if (t == 0) {
        initialised = 43;
        shared_by_both *= 2;
        out[32] = operations[1](6, 7);
    }
    atomicAdd(&ticket, 1ull);
}

#define CK(x) if ((x) != cudaSuccess) { printf("%s: %s\n", #x, cudaGetErrorString(cudaGetLastError())); return 1; }

int main()
{
    Params p = {make_float4(1, 2, 3, 4), 10, "hello"};
    CK(cudaMemcpyToSymbol(params, &p, sizeof p));
    float rows[4][8];
    for (int i = 0; i < 32; i++) rows[i / 8][i % 8] = 100.0f * i;
    void *address;
    CK(cudaGetSymbolAddress(&address, table));
    CK(cudaMemcpy(address, rows, sizeof rows, cudaMemcpyHostToDevice));
    float *as_floats;
    CK(cudaGetSymbolAddress((void **)&as_floats, table));
    CK(cudaMemset(as_floats + 8, 0, 8 * sizeof(float)));
    unsigned long long zero = 0;
    CK(cudaMemcpyToSymbol(ticket, &zero, sizeof(zero), 0, cudaMemcpyHostToDevice));
    op_t host_op;
    CK(cudaMemcpyFromSymbol(&host_op, operations, sizeof(op_t)));

    float *out, h[33];
    CK(cudaMalloc(&out, sizeof h));
    use<<<1, 32>>>(out, host_op);
    CK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
    int bad = 0, value;
    const int primes_again[] = {2, 3, 5, 7, 11};
    for (int i = 0; i < 32; i++)
        bad += h[i] != 5.0f + 10 + (i / 8 == 1 ? 0 : 100.0f * i) + primes_again[i % 5] + 1.0f / 3;
    bad += h[32] != 42;
    CK(cudaMemcpyFromSymbol(&value, initialised, sizeof value));
    bad += value != 43 || shared_by_both != 10;
    CK(cudaMemcpyFromSymbol(&zero, ticket, sizeof zero));
    bad += zero != 32;
    CK(cudaMemcpyFromSymbol(rows[0], table, 4 * sizeof(float), 12 * sizeof(float)));
    bad += rows[0][0] != primes_again[12 % 5];
    if (cudaMemcpyToSymbol(primes, rows, sizeof(int) * 6) == cudaSuccess) bad++;   // too long
    cudaGetLastError();
    printf("symbols: %d wrong\n", bad);
    return bad != 0;
}
