#include "objects.h"

#include <sched.h>
#include <stdlib.h>

/// Lists by address. The lowest bit of a list's head is its lock, which is held for a few instructions.
static _Atomic uintptr_t buckets[OBJECT_LISTS];

static _Atomic uintptr_t *bucket_of(const void *object) { return &buckets[object_list(object)]; }

static recorded_operation *lock(_Atomic uintptr_t *bucket) {
    for (int attempt = 0;; attempt++) {
        uintptr_t head = atomic_load_explicit(bucket, memory_order_relaxed);
        if (!(head & 1)
            && atomic_compare_exchange_weak_explicit(
                bucket, &head, head | 1, memory_order_acquire, memory_order_relaxed))
            return (recorded_operation *)head;
        // Its holder may have been interrupted.
        if (attempt % 64 == 63) sched_yield();
    }
}

static void unlock(_Atomic uintptr_t *bucket, recorded_operation *head) {
    atomic_store_explicit(bucket, (uintptr_t)head, memory_order_release);
}

/// The operation whose deinitializer this thread runs. Another object may get its memory next.
THREAD_LOCAL void *dying;

__thread recorded_operation *objects_last_found THREAD_LOCAL_MODEL;

static hidden_address object_of(recorded_operation *entry) {
    return atomic_load_explicit(&entry->object, memory_order_acquire);
}

/// The first entry in a bucket. Entries are added at the head and never leave their bucket, so a list can be
/// read without its lock.
static recorded_operation *first_in(_Atomic uintptr_t *bucket) {
    return (recorded_operation *)(atomic_load_explicit(bucket, memory_order_acquire) & ~(uintptr_t)1);
}

recorded_operation *objects_look_up(void *object) {
    if (recorder_is_forked_child()) return NULL;
    recorded_operation *found = first_in(bucket_of(object));
    while (found && !objects_is_entry_of(found, object)) found = found->next;
    if (found) objects_last_found = found;
    return found;
}

/// Entries are never freed, so they are allocated by the hundred.
enum { BLOCK_ENTRIES = 100 };
typedef struct {
    _Atomic uint32_t used;
    recorded_operation entries[BLOCK_ENTRIES];
} block;
static _Atomic(block *) last_block;

static recorded_operation *allocate(void) {
    for (;;) {
        block *last = atomic_load_explicit(&last_block, memory_order_acquire);
        if (last && atomic_load_explicit(&last->used, memory_order_relaxed) < BLOCK_ENTRIES) {
            uint32_t index = atomic_fetch_add_explicit(&last->used, 1, memory_order_relaxed);
            if (index < BLOCK_ENTRIES) return &last->entries[index];
        }
        block *next = calloc(1, sizeof *next);
        if (!next) return NULL;
        // Another thread may have allocated the next block meanwhile.
        if (!atomic_compare_exchange_strong(&last_block, &last, next)) free(next);
    }
}

recorded_operation *objects_find_or_add(void *object, recorder_log *log, bool *is_new) {
    *is_new = true;
    // In a forked child, a lock may be held for ever.
    if (object == dying || recorder_is_forked_child()) return NULL;
    _Atomic uintptr_t *bucket = bucket_of(object);
    recorded_operation *head = lock(bucket);
    // An object has one entry for each log that it is in. An entry of a closed log can be reused, and so can
    // a free one.
    recorded_operation *entry = NULL;
    for (recorded_operation *candidate = head; candidate; candidate = candidate->next) {
        hidden_address other = object_of(candidate);
        if (other == hidden(object) && candidate->log_id == log->id) {
            *is_new = false;
            unlock(bucket, head);
            return candidate;
        }
        if (!other || (other == hidden(object) && !log_is_open(candidate->log, candidate->log_id))) entry = candidate;
    }
    if (!entry) {
        entry = allocate();
        if (entry) {
            entry->next = head;
            head = entry;
        }
    }
    if (entry) {
        // Another thread may be asking about the same object, whose entry in a closed log this was. It sees the
        // new log last, and then also that the object was not enqueued there.
        renew_flags(entry, FLAG_SIGHTED);
        SET(entry->log, log);
        SET(entry->identifier, recorder_next_operation(log));
        SET(entry->enqueued, 0);
        SET(entry->finished_barriers, NULL);
        SET(entry->behind, 0);
        SET(entry->barrier, 0);
        SET(entry->outcome, 0);
        atomic_store_explicit(&entry->edges, 0, memory_order_relaxed);
        atomic_store_explicit(&entry->log_id, log->id, memory_order_release);
        atomic_store_explicit(&entry->object, hidden(object), memory_order_release);
    }
    unlock(bucket, head);
    return entry;
}

void *objects_begin_destroying(void *object) {
    void *outer = dying;
    dying = object;
    if (recorder_is_forked_child()) return outer;
    for (recorded_operation *entry = first_in(bucket_of(object)); entry; entry = entry->next) {
        if (object_of(entry) == hidden(object)) atomic_store_explicit(&entry->object, 0, memory_order_release);
    }
    return outer;
}

void objects_end_destroying(void *outer) { dying = outer; }
