// The executors that tasks run on. In the log they are queues, and are listed when they are first used.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <stdlib.h>
#include <string.h>

enum {
    EXECUTOR_BITS = 18,
    EXECUTORS = 1 << EXECUTOR_BITS,
    /// A search ends after that many places; what is not found gets the number of the last executor in its way.
    LONGEST_SEARCH = 64,
    TYPE_BITS = 10,
};

/// An executor's number, by its object. The address of one that is gone may belong to another object of the same type.
typedef struct {
    _Atomic hidden_address object;
    /// Its number; the upper half is the log. 0 while it is being listed.
    _Atomic uint64_t number;
} known_executor;

static known_executor *known;

typedef struct {
    _Atomic(const void *) type;
    _Atomic uint64_t text;
} known_type;

static known_type types[1 << TYPE_BITS];

void executors_begin(void) {
    if (!known) known = calloc(EXECUTORS, sizeof *known);
}

static size_t spread(uintptr_t address, int bits) {
    return (address >> 4) * 0x9e3779b97f4a7c15u >> (64 - bits);
}

uint32_t type_text(const task_log *log, const void *type) {
    known_type *entry = &types[spread((uintptr_t)type, TYPE_BITS)];
    uint64_t text = atomic_load_explicit(&entry->text, memory_order_acquire);
    if (atomic_load_explicit(&entry->type, memory_order_acquire) == type && text >> 32 == (uint32_t)log->id
        && atomic_load_explicit(&entry->text, memory_order_relaxed) == text && log_text_lasts(log->log, (uint32_t)text))
        return (uint32_t)text;
    typedef struct {
        const char *bytes;
        size_t count;
    } type_name;
    type_name name = ((SWIFT type_name(*)(const void *, bool))task_runtime.type_name)(type, false);
    uint32_t number = recorder_text(log->log, name.bytes, name.count);
    // Another thread that reads meanwhile finds 0, or that the text changed.
    atomic_store_explicit(&entry->text, 0, memory_order_relaxed);
    atomic_store_explicit(&entry->type, type, memory_order_release);
    atomic_store_explicit(&entry->text, log->id << 32 | number, memory_order_release);
    return number;
}

/// Lists an executor in the log. Without an object, it is the pool of threads that the runtime has.
static uint32_t list(const task_log *log, void *object, const void *implementation) {
    uint64_t kind = LOG_EXECUTOR_POOL;
    uint32_t name = 0;
    if (!object) {
        name = recorder_text(log->log, "global executor", 15);
    } else if (object == ((SWIFT executor_reference(*)(void))task_runtime.main_executor)().object) {
        kind = LOG_EXECUTOR_MAIN;
        name = recorder_text(log->log, "main actor", 10);
    } else {
        // An actor's own executor is the actor, without an implementation.
        kind = implementation ? LOG_EXECUTOR_CUSTOM : LOG_EXECUTOR_ACTOR;
        name = type_text(log, (const void *)word_at(object, 0));
    }
    uint64_t number = recorder_next_queue(log->log);
    if (number >= 1 << 24) return 0;
    record opened = {number, kind | (uint64_t)name << LOG_EXECUTOR_NAME_BIT, RECORD_EXECUTOR_OPENED};
    log_append_all(log->log, log->id, log_time(log->log), &opened, 1);
    return (uint32_t)number;
}

static __attribute__((noinline)) uint32_t find(const task_log *log, void *object, const void *implementation) {
    // 0 stands for a free place, so the pool needs another address.
    hidden_address key = hidden(object ? object : (const void *)&known);
    size_t first = spread(key, EXECUTOR_BITS);
    for (size_t probe = 0; probe < LONGEST_SEARCH; probe++) {
        known_executor *entry = &known[(first + probe) % EXECUTORS];
        hidden_address found = atomic_load_explicit(&entry->object, memory_order_acquire);
        if (found && found != key) continue;
        if (!found && !atomic_compare_exchange_strong(&entry->object, &found, key) && found != key) continue;
        uint64_t number = atomic_load_explicit(&entry->number, memory_order_acquire);
        if (number >> 32 == (uint32_t)log->id && number) return (uint32_t)number;
        // Two threads may list it at the same time: the number that was stored first is the one that counts.
        uint64_t listed = log->id << 32 | list(log, object, implementation);
        if (atomic_compare_exchange_strong(&entry->number, &number, listed)) return (uint32_t)listed;
        return (uint32_t)number;
    }
    return 0;
}

uint32_t executor_number(const task_log *log, void *object, const void *implementation) {
    if (!known) return 0;
    hidden_address key = hidden(object ? object : (const void *)&known);
    const known_executor *entry = &known[spread(key, EXECUTOR_BITS)];
    if (atomic_load_explicit(&entry->object, memory_order_acquire) == key) {
        uint64_t number = atomic_load_explicit(&entry->number, memory_order_acquire);
        if (number >> 32 == (uint32_t)log->id && number) return (uint32_t)number;
    }
    return find(log, object, implementation);
}

uint32_t executor_of_thread(const task_log *log, void **object) {
    executor_reference executor = ((SWIFT executor_reference(*)(void))task_runtime.current_executor)();
    *object = executor.object;
    // Without an actor, the task may prefer an executor of the program's own.
    if (!executor.object)
        executor = ((SWIFT executor_reference(*)(bool))task_runtime.preferred_executor)(false);
    return executor_number(log, executor.object, executor.implementation);
}

#endif
