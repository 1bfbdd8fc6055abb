// What is known about each task, by its number. Numbers rise: a ring holds them for the last 33 million tasks.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <string.h>
#include <sys/mman.h>

enum { BLOCKS = 1 << (TASK_RING_BITS - TASK_BLOCK_BITS), BLOCK_SIZE = 1 << (TASK_BLOCK_BITS - 1) };

_Atomic uint8_t *task_ring;
_Atomic uint64_t task_newest_block;

bool task_states_begin(void) {
    size_t size = (size_t)BLOCKS * BLOCK_SIZE;
    if (task_ring) {
        // For another log, every task is new.
        memset((void *)task_ring, 0, size);
        return true;
    }
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    task_ring = memory;
    return true;
}

void task_states_advance(uint64_t block) {
    uint64_t newest = atomic_load(&task_newest_block);
    while (newest < block && !atomic_compare_exchange_weak(&task_newest_block, &newest, block)) {}
    for (uint64_t next = newest + 1; next <= block && next - newest < BLOCKS; next++)
        memset((void *)&task_ring[(next + BLOCKS / 2) % BLOCKS * BLOCK_SIZE], 0, BLOCK_SIZE);
}

#endif
