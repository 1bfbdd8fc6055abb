#include "objects.h"

#include <sched.h>
#include <stdlib.h>

/// Lists by address. The lowest bit of a list's head is its lock, which is held for a few instructions.
enum { BUCKETS = 1 << 16 };
static _Atomic uintptr_t buckets[BUCKETS];

static _Atomic uintptr_t *bucket_of(const void *object) {
    // Objects lie at multiples of 16. The multiplication spreads them (Knuth, volume 3, section 6.4).
    uint64_t hash = ((uint64_t)(uintptr_t)object >> 4) * 0x9e3779b97f4a7c15u;
    return &buckets[hash >> 48];
}

static followed *lock(_Atomic uintptr_t *bucket) {
    for (int attempt = 0;; attempt++) {
        uintptr_t head = atomic_load_explicit(bucket, memory_order_relaxed);
        if (!(head & 1)
            && atomic_compare_exchange_weak_explicit(
                bucket, &head, head | 1, memory_order_acquire, memory_order_relaxed))
            return (followed *)head;
        // Its holder may have been interrupted.
        if (attempt % 64 == 63) sched_yield();
    }
}

static void unlock(_Atomic uintptr_t *bucket, followed *head) {
    atomic_store_explicit(bucket, (uintptr_t)head, memory_order_release);
}

/// The operation whose deinitializer this thread runs. Another object may get its memory next.
THREAD_LOCAL void *dying;

/// The last entry that this thread found: most questions about an operation come in a row.
THREAD_LOCAL followed *last_found;

static void *object_of(followed *entry) { return atomic_load_explicit(&entry->object, memory_order_acquire); }

/// Whether the entry stands for an operation that was enqueued, in a log that is being written.
static bool is_followed(followed *entry) {
    return log_is_open(entry->log, entry->log_id)
        && !(atomic_load_explicit(&entry->noted, memory_order_relaxed) & NOTED_SIGHTED);
}

followed *objects_find(void *object) {
    // An object that is being asked is alive, so its entry is valid.
    followed *found = last_found;
    if (found && object_of(found) == object && is_followed(found)) return found;
    _Atomic uintptr_t *bucket = bucket_of(object);
    if (atomic_load_explicit(bucket, memory_order_relaxed) == 0 || recorder_is_forked_child()) return NULL;
    followed *head = lock(bucket);
    found = head;
    while (found && !(object_of(found) == object && is_followed(found))) found = found->next;
    unlock(bucket, head);
    if (found) last_found = found;
    return found;
}

followed *objects_find_or_add(void *object, recorder_log *log, bool *is_new) {
    *is_new = true;
    // In a forked child, a lock may be held for ever.
    if (object == dying || recorder_is_forked_child()) return NULL;
    _Atomic uintptr_t *bucket = bucket_of(object);
    followed *head = lock(bucket);
    // An object has one entry for each log that it is in. An entry of a closed log can be reused, and so can
    // a free one.
    followed *entry = NULL;
    for (followed *candidate = head; candidate; candidate = candidate->next) {
        void *other = object_of(candidate);
        if (other == object && candidate->log_id == log->id) {
            *is_new = false;
            unlock(bucket, head);
            return candidate;
        }
        if (!other || (other == object && !log_is_open(candidate->log, candidate->log_id))) entry = candidate;
    }
    if (!entry) {
        entry = calloc(1, sizeof *entry);
        if (entry) {
            entry->next = head;
            head = entry;
        }
    }
    if (entry) {
        SET(entry->log, log);
        SET(entry->log_id, log->id);
        SET(entry->identifier, recorder_next_operation(log));
        SET(entry->enqueued, 0);
        SET(entry->finished_barriers, NULL);
        SET(entry->behind, 0);
        SET(entry->barrier, 0);
        SET(entry->outcome, 0);
        atomic_store_explicit(&entry->edges, 0, memory_order_relaxed);
        renew_notes(entry, NOTED_SIGHTED);
        atomic_store_explicit(&entry->object, object, memory_order_release);
    }
    unlock(bucket, head);
    return entry;
}

void *objects_begin_destroying(void *object) {
    void *outer = dying;
    dying = object;
    _Atomic uintptr_t *bucket = bucket_of(object);
    if (atomic_load_explicit(bucket, memory_order_relaxed) == 0 || recorder_is_forked_child()) return outer;
    followed *head = lock(bucket);
    for (followed *entry = head; entry; entry = entry->next) {
        if (object_of(entry) == object) atomic_store_explicit(&entry->object, NULL, memory_order_release);
    }
    unlock(bucket, head);
    return outer;
}

void objects_end_destroying(void *outer) { dying = outer; }
