// How observers are notified of what happens to operations of observed classes.
#include "notification.h"
#include "objects.h"

#include <sched.h>
#include <stdlib.h>

static notification_hooks asked;
_Atomic(const notification_hooks *) notification_asked;
bool recorder_has_observers_flag;

void recorder_set_notification_hooks(const notification_hooks *hooks) {
    // A forked child notifies no observer: it may find a lock held for ever.
    cursors_prepare();
    asked = *hooks;
    atomic_store_explicit(&notification_asked, &asked, memory_order_release);
}

void recorder_set_has_observers(bool has_observers) {
    __atomic_store_n(&recorder_has_observers_flag, has_observers, __ATOMIC_RELAXED);
}

// MARK: Operations

/// What observers keep for an operation. Once an entry is in a list, it stays there: any thread may read it at
/// any time, without a lock.
typedef struct kept_entry {
    /// NULL if the entry is free.
    _Atomic(const void *) operation;
    _Atomic(void *) kept;
    struct kept_entry *next;
} kept_entry;

/// Lists by address.
static _Atomic(kept_entry *) buckets[OBJECT_LISTS];

static _Atomic(kept_entry *) *bucket_of(const void *operation) { return &buckets[object_list(operation)]; }

/// The newest entry of an operation from `entry` on. The operation is alive, so the entry stays valid.
static kept_entry *entry_from(kept_entry *entry, const void *operation) {
    while (entry && atomic_load_explicit(&entry->operation, memory_order_acquire) != operation) entry = entry->next;
    return entry;
}

static kept_entry *entry_of(const void *operation) {
    return entry_from(atomic_load_explicit(bucket_of(operation), memory_order_acquire), operation);
}

void *recorder_kept(const void *operation) {
    kept_entry *entry = entry_of(operation);
    return entry ? atomic_load_explicit(&entry->kept, memory_order_relaxed) : NULL;
}

enum { ADDERS = 64, SPARES = 32 };

/// Adds entries to its share of the lists.
static struct {
    /// Held by a thread for a few instructions.
    _Atomic bool is_locked;
    /// Entries that were never in a list. An allocation for each entry would take longer than all else here.
    kept_entry *spares;
    size_t spare_count;
} adders[ADDERS];

static kept_entry *spare_of(size_t adder) {
    if (adders[adder].spare_count == 0) {
        adders[adder].spares = calloc(SPARES, sizeof(kept_entry));
        if (!adders[adder].spares) return NULL;
        adders[adder].spare_count = SPARES;
    }
    return &adders[adder].spares[--adders[adder].spare_count];
}

void *recorder_keep(const void *operation, void *outdated, void *made) {
    // A lock may be held for ever there.
    if (recorder_is_forked_child()) return NULL;
    _Atomic(kept_entry *) *bucket = bucket_of(operation);
    size_t adder = (size_t)(bucket - buckets) % ADDERS;
    while (atomic_exchange_explicit(&adders[adder].is_locked, true, memory_order_acquire)) sched_yield();
    kept_entry *head = atomic_load_explicit(bucket, memory_order_relaxed);
    kept_entry *known = entry_from(head, operation);
    void *kept = known ? atomic_load_explicit(&known->kept, memory_order_relaxed) : NULL;
    if (kept == outdated) {
        // The newest entry counts, so only one that is in front of the outdated one can replace it.
        kept_entry *entry = known ? NULL : entry_from(head, NULL);
        bool is_new = !entry;
        if (is_new) entry = spare_of(adder);
        kept = entry ? made : NULL;
        if (entry) {
            atomic_store_explicit(&entry->kept, made, memory_order_relaxed);
            atomic_store_explicit(&entry->operation, operation, memory_order_release);
        }
        if (entry && is_new) {
            entry->next = head;
            atomic_store_explicit(bucket, entry, memory_order_release);
        }
    }
    atomic_store_explicit(&adders[adder].is_locked, false, memory_order_release);
    return kept;
}

void *recorder_take_kept(const void *operation) {
    kept_entry *entry = entry_of(operation);
    if (!entry) return NULL;
    void *kept = atomic_load_explicit(&entry->kept, memory_order_relaxed);
    // From now on, the entry may be used for another operation.
    atomic_store_explicit(&entry->operation, NULL, memory_order_release);
    return kept;
}

// MARK: Classes

// There are as many places as marks. Where each class has a mark of its own, classes share no place.
#ifdef RECORDER_INTERPOSES
static size_t place_of(const void *metadata, uint16_t mark) { return (void)metadata, mark; }
#else
static size_t place_of(const void *metadata, uint16_t mark) {
    return (void)mark, object_list(metadata);
}
#endif

static _Atomic(void *) classes[1 << 16];

void *recorder_class_kept(const void *metadata, uint16_t mark) {
    return atomic_load_explicit(&classes[place_of(metadata, mark)], memory_order_acquire);
}

bool recorder_class_keep(const void *metadata, uint16_t mark, void *made) {
    void *nothing = NULL;
    return atomic_compare_exchange_strong(&classes[place_of(metadata, mark)], &nothing, made);
}
