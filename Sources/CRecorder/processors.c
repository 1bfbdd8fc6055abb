// The processors that a program has.
#define _GNU_SOURCE
#include "log.h"

#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <stdlib.h>

/// The mask of the process's first thread: threads inherit it, and a thread may narrow its own.
static uint32_t usable(long configured) {
    // The kernel fails if the set has fewer bits than it knows processors, which may be more than configured.
    for (size_t count = configured > 1024 ? (size_t)configured : 1024; count <= 1 << 18; count *= 2) {
        cpu_set_t *set = CPU_ALLOC(count);
        if (!set) return 0;
        size_t size = CPU_ALLOC_SIZE(count);
        CPU_ZERO_S(size, set);
        int number = sched_getaffinity(getpid(), size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (number > 0) return (uint32_t)number;
    }
    return 0;
}
#endif

void recorder_count_processors(uint32_t *online, uint32_t *usable_by_program) {
    long number = sysconf(_SC_NPROCESSORS_ONLN);
    *online = number > 0 ? (uint32_t)number : 0;
#ifdef __linux__
    *usable_by_program = usable(sysconf(_SC_NPROCESSORS_CONF));
#else
    *usable_by_program = *online;
#endif
}
