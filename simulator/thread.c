/* thread.c: the running thread, and the launch and blocks of each device. Others change them. */
#include "thread.h"

struct thread *simt_self;
struct launch simt_now;
unsigned simt_devices = 1, simt_at;
static struct block slots[MOST_DEVICES][SIMT_MAX_SMS * SM_BLOCKS]; /* kept between launches */
struct block *simt_slots = slots[0];
static struct launch launches[MOST_DEVICES]; /* while another device is entered */

void thread_enter(unsigned device)
{
    launches[simt_at] = simt_now;
    simt_now = launches[device];
    simt_slots = slots[device];
    simt_at = device;
}

const struct launch *launch_of(unsigned device)
{
    return device == simt_at ? &simt_now : &launches[device];
}

const struct block *blocks_of(unsigned device)
{
    return slots[device];
}

/* Counted cluster by cluster, x first in each. */
uint3 block_index_in(const struct launch *launch, unsigned long long number)
{
    dim3 c = launch->cluster_size, g = launch->grid_size;
    unsigned rank = (unsigned)(number % launch->cluster_blocks);
    number /= launch->cluster_blocks;
    g = (dim3){g.x / c.x, g.y / c.y, g.z / c.z}; /* in clusters */
    return (uint3){
        (unsigned)(number % g.x) * c.x + rank % c.x,
        (unsigned)(number / g.x % g.y) * c.y + rank / c.x % c.y,
        (unsigned)(number / g.x / g.y) * c.z + rank / c.x / c.y,
    };
}

uint3 block_index(unsigned long long number)
{
    return block_index_in(&simt_now, number);
}

uint32_t block_in_grid_number(uint32_t number)
{
    return simt_devices > 1 ? number & ((1u << DEVICE_SHIFT) - 1) : number;
}
