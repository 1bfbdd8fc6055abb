// What is stored about classes: one number for each class, found by the address of the class without a lock.
#include "foundation.h"
#include "log.h"

enum { CAPACITY = 1 << 14 };

/// The upper half of the word holds the log. A number stored for an earlier log does not count.
static struct {
    _Atomic(const void *) metadata;
    _Atomic uint64_t stored;
    /// The mark of the class that the number is about. A plugin may have been loaded where another one was.
    _Atomic uint16_t mark;
} classes[CAPACITY];

#ifdef RECORDER_INTERPOSES

uint16_t recorder_class_mark(const void *metadata) {
    static _Atomic uint16_t last;
    // This is `ClassMetadata::Reserved` in include/swift/ABI/Metadata.h of Swift, which nothing uses. It is
    // zero in a class that was just loaded. If Swift uses it one day, it is left alone; classes are then told
    // apart by their addresses only.
    uint16_t *reserved = (uint16_t *)metadata + 15;
    uint16_t mark = __atomic_load_n(reserved, __ATOMIC_RELAXED);
    if (mark) return mark;
    uint16_t next = 0;
    while (!next) next = (uint16_t)(atomic_fetch_add(&last, 1) + 1);
    return __atomic_compare_exchange_n(reserved, &mark, next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ? next : mark;
}

#else

// Libraries with classes are never unloaded on this platform.
uint16_t recorder_class_mark(const void *metadata) { return (void)metadata, 1; }

#endif

static size_t place_of(const void *metadata) { return ((uintptr_t)metadata >> 3) * 0x9e3779b97f4a7c15u >> 50; }

/// How far from its place a class may lie. If no place is free within that distance, the table counts as
/// full.
enum { FARTHEST = 64 };

bool recorder_class_find(const recorder_log *log, const void *metadata, uint32_t *value) {
    size_t place = place_of(metadata);
    for (size_t probe = 0; probe < FARTHEST; probe++) {
        size_t index = (place + probe) % CAPACITY;
        const void *found = atomic_load_explicit(&classes[index].metadata, memory_order_acquire);
        if (!found) return false;
        if (found != metadata) continue;
        if (atomic_load_explicit(&classes[index].mark, memory_order_acquire) != recorder_class_mark(metadata)) return false;
        uint64_t stored = atomic_load_explicit(&classes[index].stored, memory_order_acquire);
        *value = (uint32_t)stored;
        if (stored >> 32 != (uint32_t)log->id) return false;
        uint32_t kind = (uint32_t)stored & RECORDER_KIND_MASK;
        return kind == 0 || recorder_text_lasts(log, kind);
    }
    return false;
}

void recorder_class_store(const recorder_log *log, const void *metadata, uint32_t value) {
    size_t place = place_of(metadata);
    for (size_t probe = 0; probe < FARTHEST; probe++) {
        size_t index = (place + probe) % CAPACITY;
        const void *found = NULL;
        if (!atomic_compare_exchange_strong(&classes[index].metadata, &found, metadata) && found != metadata) continue;
        atomic_store_explicit(&classes[index].stored, log->id << 32 | value, memory_order_relaxed);
        atomic_store_explicit(&classes[index].mark, recorder_class_mark(metadata), memory_order_release);
        return;
    }
}
