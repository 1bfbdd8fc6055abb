// What is known of the classes of operations, found out once each.
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <string.h>

enum { CAPACITY = 8192 };

static operation_class classes[CAPACITY];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void describe(recorder_log *log, const void *metadata, operation_class *class) {
    typedef struct {
        const char *bytes;
        uint64_t count;
    } type_name;
    type_name name = {"Barrier", 7};
    if (metadata != foundation.barrier) {
        name = ((SWIFT type_name(*)(const void *type, bool is_qualified))foundation.symbols.swift_type_name)(metadata, false);
    }
    class->kind = recorder_text(log, name.bytes, name.count);
    class->is_observed = recorder_observe_class(metadata);
    class->has_base_readiness = class->is_observed && recorder_has_base_readiness(metadata);
    class->is_closure = foundation.block_field != 0 && foundation_is_a(metadata, foundation.symbols.block_operation);
}

const operation_class *classes_of(recorder_log *log, void *operation, operation_class *spare) {
    const void *metadata = *(const void **)operation;
    size_t place = ((uintptr_t)metadata >> 3) * 0x9e3779b97f4a7c15u >> 51;
    // One table for the one log of this process. Entries are never changed once their metadata is there.
    for (size_t probe = 0; probe < CAPACITY; probe++) {
        operation_class *class = &classes[(place + probe) % CAPACITY];
        const void *found = atomic_load_explicit(&class->metadata, memory_order_acquire);
        if (found == metadata) return class;
        if (found) continue;
        describe(log, metadata, spare);
        pthread_mutex_lock(&lock);
        found = atomic_load_explicit(&class->metadata, memory_order_relaxed);
        if (!found && count < CAPACITY / 2) {
            class->kind = spare->kind;
            class->is_observed = spare->is_observed;
            class->has_base_readiness = spare->has_base_readiness;
            class->is_closure = spare->is_closure;
            count++;
            atomic_store_explicit(&class->metadata, metadata, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
        return spare;
    }
    describe(log, metadata, spare);
    return spare;
}

#endif
