/* devices.c: how large the devices are, which of them a thread of the host has chosen, which may
   touch the memory of which, and their __device__ and __constant__ variables. */
#include "devices.h"
#include "fault.h"
#include "summary.h"
#include <pthread.h>

unsigned simt_sms = 4, simt_sm_blocks = SM_BLOCKS;
bool simt_sms_stay;
unsigned simt_block_shared = BLOCK_SHARED, simt_cluster_most = CLUSTER_BLOCKS;

/* ---- how many ---- */

/* The number that a variable of the environment asks for, or `otherwise`. */
static unsigned setting(const char *name, unsigned least, unsigned most, const char *of_what,
                        unsigned otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text || !*text)
        return otherwise;
    unsigned long number = strtoul(text, &end, 10);
    if (*end || *text == '-' || number < least || number > most)
        simt_fault(NULL, NULL, "%s=%s: a number of %s from %u to %u is needed", name, text, of_what,
                   least, most);
    return (unsigned)number;
}

static void read_environment(void)
{
    simt_devices = setting("SIMT_GPUS", 1, MOST_DEVICES, "devices", simt_devices);
    simt_sms = setting("SIMT_SMS", 1, SIMT_MAX_SMS, "SMs", simt_sms);
    simt_sm_blocks = setting("SIMT_SM_BLOCKS", 1, SM_BLOCKS, "blocks", SM_BLOCKS);
    simt_block_shared = 1024 * setting("SIMT_SHARED_KB", 48, BLOCK_SHARED / 1024,
                                       "KB of shared memory in a block", BLOCK_SHARED / 1024);
    simt_cluster_most =
        setting("SIMT_CLUSTER", 1, CLUSTER_BLOCKS, "blocks in a cluster", CLUSTER_BLOCKS);
}

/* ---- which: for each thread of the host; thread_local is where shared memory is ---- */

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned users;

static void forget_user(void *unused)
{
    __atomic_fetch_sub(&users, 1, __ATOMIC_SEQ_CST);
}

static void make_key(void)
{
    pthread_key_create(&key, forget_user);
}

void device_choose(unsigned device)
{
    pthread_once(&once, make_key);
    pthread_setspecific(key, (void *)((uintptr_t)device + 1));
}

unsigned device_current(void)
{
    pthread_once(&once, make_key);
    uintptr_t chosen = (uintptr_t)pthread_getspecific(key);
    if (chosen == 0) {
        __atomic_fetch_add(&users, 1, __ATOMIC_SEQ_CST);
        device_choose(0);
    }
    return chosen == 0 || chosen > simt_devices ? 0 : (unsigned)chosen - 1;
}

unsigned device_users(void)
{
    return __atomic_load_n(&users, __ATOMIC_SEQ_CST);
}

/* ---- peers: every device reaches every other, once it was enabled ---- */

static unsigned enabled[MOST_DEVICES]; /* of each device, a bit for each peer */

bool device_reaches(unsigned from, unsigned to)
{
    return from == to || (enabled[from] >> to & 1);
}

void device_let_reach(unsigned from, unsigned to, bool may)
{
    enabled[from] = (enabled[from] & ~(1u << to)) | (unsigned)may << to;
}

/* ---- variables ---- */

/* The linker's: the sections that rewrite.c puts __device__ and __constant__ variables into. */
extern char __start_simt_device __attribute__((weak)), __stop_simt_device __attribute__((weak));
extern char __start_simt_constant __attribute__((weak)), __stop_simt_constant __attribute__((weak));

static bool is_between(uintptr_t address, const char *start, const char *stop)
{
    return address - (uintptr_t)start < (uintptr_t)stop - (uintptr_t)start;
}

bool is_constant_variable(uintptr_t address)
{
    return is_between(address, &__start_simt_constant, &__stop_simt_constant);
}

bool is_device_variable(uintptr_t address)
{
    return is_between(address, &__start_simt_device, &__stop_simt_device) ||
           is_constant_variable(address);
}

/* Of one section. */
static void change_variables(char *start, size_t bytes, char *kept[MOST_DEVICES], unsigned from,
                             unsigned to)
{
    if (bytes == 0)
        return;
    for (unsigned d = 0; d < MOST_DEVICES && !kept[d]; d++) {
        kept[d] = malloc(bytes);
        if (!kept[d])
            simt_fault(NULL, NULL, "no memory left for the variables of device %u", d);
        memcpy(kept[d], start, bytes);
    }
    memcpy(kept[from], start, bytes);
    memcpy(start, kept[to], bytes);
}

/* A device that was never entered has them as device 0 had them when the first other was. */
void device_variables(unsigned from, unsigned to)
{
    static char *variables[MOST_DEVICES], *constants[MOST_DEVICES];
    change_variables(&__start_simt_device, (size_t)(&__stop_simt_device - &__start_simt_device),
                     variables, from, to);
    change_variables(&__start_simt_constant,
                     (size_t)(&__stop_simt_constant - &__start_simt_constant), constants, from, to);
}

uint64_t devices_sum(uint64_t sum, const void *p, size_t bytes)
{
    const char *at = p;
    for (uint64_t word; bytes > 0; at += sizeof word) {
        size_t part = bytes < sizeof word ? bytes : sizeof word;
        word = bytes;
        memcpy(&word, at, part);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 29;
        bytes -= part;
    }
    return sum;
}

uint64_t devices_sum_of_variables(uint64_t sum)
{
    return devices_sum(sum, &__start_simt_device,
                       (size_t)(&__stop_simt_device - &__start_simt_device));
}

__attribute__((constructor)) static void before_main(void)
{
    explore_schedules();
    read_environment();
    fault_catch_signals();
}
