// What is known about each task, by its number. Numbers rise: a ring holds them for the last 33 million tasks.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <string.h>
#include <sys/mman.h>

enum { BLOCKS = 1 << (TASK_RING_BITS - TASK_BLOCK_BITS), BLOCK_SIZE = 1 << TASK_BLOCK_BITS };

_Atomic uint8_t *task_ring;
_Atomic uint64_t task_newest_block;

bool task_states_begin(void) {
    if (task_ring) return true;
    size_t size = (size_t)BLOCKS * BLOCK_SIZE;
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

bool task_gets_first_state(const task_log *log, _Atomic uint8_t *place, task_state state) {
    uint8_t own = (uint8_t)(log->id << TASK_STATE_BITS);
    uint8_t byte = atomic_load_explicit(place, memory_order_relaxed);
    do {
        if (task_states_are_of(log, byte)) {
            if (byte & state) return false;
            own = byte;
        } else if (byte && (uint8_t)(byte - own) >> TASK_STATE_BITS < 1 << (7 - TASK_STATE_BITS)) {
            // This thread is late: a newer log has replaced this one.
            return false;
        }
    } while (!atomic_compare_exchange_weak_explicit(
        place, &byte, own | (uint8_t)state, memory_order_relaxed, memory_order_relaxed));
    return true;
}

#endif
