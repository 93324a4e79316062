/*
 * two_cores.cu: why one core runs all blocks (docs/simulator.md). One kernel and one grid, five
 * times: what its blocks do lies in the data. Each runs with the first block first, and with the
 * last one first: both are orders that two cores may come to, and both are right. A line says
 * whether the two left the same memory, and whether they counted the same.
 */
#include "../../simulator/simt.h"
#include <cstdio>
#include <cstring>

enum { BLOCKS = 64, THREADS = 32 };
enum what { ALONE, ADDS, TAKES_A_TICKET, ASKS_WHO_WAS_THERE, WAITS_FOR_ITS_NEIGHBOUR };

struct memory {
    int todo[BLOCKS];
    volatile int done[BLOCKS];
    int list[BLOCKS], tickets, there;
    float sum, out[BLOCKS];
};

__global__ void work(memory *m)
{
    int b = (int)blockIdx.x, before = b == 0 ? 0 : b - 1;
    if (threadIdx.x != 0)
        return;
    m->out[b] = (float)b;
    switch (m->todo[b]) {
    case ADDS:
        atomicAdd(&m->sum, b == 0 ? 1e8f : 1.0f); /* 1e8 + 1 is 1e8 */
        break;
    case TAKES_A_TICKET:
        m->list[atomicAdd(&m->tickets, 1)] = b;
        break;
    case ASKS_WHO_WAS_THERE:
        m->out[b] += (float)atomicExch(&m->there, b);
        break;
    case WAITS_FOR_ITS_NEIGHBOUR:
        while (b > 0 && m->done[before] == 0)
            ;
        m->done[b] = 1;
        break;
    }
}

int main()
{
    static const char *const names[] = {"alone", "adds", "takes a ticket", "asks who was there",
                                        "waits for its neighbour"};
    memory *gpu, *left = new memory[2];
    simt_counts counts[2];
    cudaMalloc(&gpu, sizeof *gpu);
    for (int what = ALONE; what <= WAITS_FOR_ITS_NEIGHBOUR; what++) {
        for (int backwards = 0; backwards < 2; backwards++) {
            memset((void *)&left[backwards], 0, sizeof *left);
            for (int b = 0; b < BLOCKS; b++)
                left[backwards].todo[b] = what;
            cudaMemcpy(gpu, &left[backwards], sizeof *gpu, cudaMemcpyHostToDevice);
            simt_last_block_first(backwards);
            simt_launches_clear();
            work<<<BLOCKS, THREADS>>>(gpu);
            cudaMemcpy(&left[backwards], gpu, sizeof *gpu, cudaMemcpyDeviceToHost);
            counts[backwards] = *simt_launch(0);
        }
        bool memory_same = memcmp((void *)&left[0], (void *)&left[1], sizeof *left) == 0;
        bool counts_same = memcmp(&counts[0], &counts[1], sizeof *counts) == 0;
        printf("%s: memory %s, counts %s\n", names[what], memory_same ? "the same" : "differs",
               counts_same ? "the same" : "differ");
    }
    delete[] left;
    return 0;
}
