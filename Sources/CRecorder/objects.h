// The operations that are recorded, by their addresses.
#ifndef RECORDER_OBJECTS_H
#define RECORDER_OBJECTS_H

#include "log.h"

#pragma GCC visibility push(hidden)

/// The number of lists in a table of objects by address.
enum { OBJECT_LISTS = 1 << 16 };

/// The list that an object belongs to.
static inline size_t object_list(const void *object) {
    // Objects lie at multiples of 16. The multiplication spreads them (Knuth, volume 3, section 6.4).
    return ((uint64_t)(uintptr_t)object >> 4) * 0x9e3779b97f4a7c15u >> 48;
}

enum {
    /// An answer to `isReady` means nothing yet.
    FLAG_PENDING = 1,
    FLAG_READY = 2,
    FLAG_EXECUTING = 4,
    FLAG_CANCELLED = 8,
    FLAG_FINISHED = 16,
    FLAG_BODY = 32,
    /// Only named by other operations: it was not enqueued, so nothing is logged about it.
    FLAG_SIGHTED = 64,
    /// Its enqueue was logged, and the rest cannot be seen.
    FLAG_UNSEEN = 128,
    /// The finish is also in the log.
    FLAG_FINISH_LOGGED = 256,
    /// It was asked and said that it has finished, but its queue had not been notified.
    FLAG_UNNOTIFIED_FINISH = 512,
    /// Foundation asked whether it has finished, and it said no. From then on, Foundation's own state means
    /// nothing.
    FLAG_ASKED_EARLY = 2048,
    /// The end of its body is logged, or about to be, for the thread that it was started on.
    FLAG_LEFT = 4096,
    /// Foundation's own `start` calls its `main`, which is the body.
    FLAG_PLAIN = 8192,
    /// The end that `FLAG_LEFT` announces is in the log.
    FLAG_LEFT_LOGGED = 16384,
};

/// Counts the threads that are giving it an edge, in 16 bits. It may not have the edge yet. While the count
/// is not zero, an answer to `isReady` means nothing.
#define FLAG_GETS_EDGE (UINT64_C(1) << 16)
/// From this bit on, a 32-bit counter of changes that invalidate answers to `isReady`. An answer is valid
/// only if the counter is the same as before the question. For a wrong answer to pass, its thread would have
/// to stand still while the operation gets exactly four billion edges, each of which takes four of
/// Foundation's locks.
#define FLAG_GENERATION (UINT64_C(1) << 32)
#define FLAG_GETS_EDGES (FLAG_GENERATION - FLAG_GETS_EDGE)

typedef struct recorded_operation {
    struct recorded_operation *next;
    /// 0 if the entry is free. A free entry is reused for another object and its memory is never freed:
    /// any thread can look at it at any time.
    _Atomic hidden_address object;
    // Atomic, because an entry may be read while it is given to another object. The reader then notices a
    // mismatch.
    _Atomic(recorder_log *) log;
    _Atomic uint64_t log_id;
    _Atomic uint64_t identifier;
    _Atomic uint64_t enqueued;
    /// The number of edges that were logged.
    atomic_int edges;
    _Atomic uint64_t flags;
    /// The number of the queue's last finished barrier; NULL if nothing is known about barriers.
    _Atomic(_Atomic uint64_t *) finished_barriers;
    /// The number of the barrier that it waits for; and its own number if it is a barrier. Or 0.
    _Atomic uint64_t behind;
    _Atomic uint64_t barrier;
    /// How it will have finished, if the program says so; encoded as in the record of the finish. 0 if
    /// nothing is known.
    _Atomic uint64_t outcome;
} recorded_operation;

/// Sets the flags of an entry to `flags`. An answer to an earlier `isReady` does not count.
static inline void renew_flags(recorded_operation *entry, unsigned flags) {
    uint64_t before = atomic_load_explicit(&entry->flags, memory_order_relaxed), next;
    do {
        // A thread that is giving it an edge reports when the edge is in place.
        next = ((before & ~(FLAG_GETS_EDGE - 1)) | flags) + FLAG_GENERATION;
    } while (!atomic_compare_exchange_weak_explicit(
        &entry->flags, &before, next, memory_order_release, memory_order_relaxed));
}

/// An operation is about to get an edge. It waits again; only the next time it is ready counts.
static inline void begin_edge(recorded_operation *entry) {
    uint64_t flags = atomic_load_explicit(&entry->flags, memory_order_relaxed), next;
    do {
        next = flags + FLAG_GETS_EDGE + FLAG_GENERATION;
        if (!(flags & FLAG_EXECUTING)) next &= ~(uint64_t)FLAG_READY;
    } while (!atomic_compare_exchange_weak_explicit(
        &entry->flags, &flags, next, memory_order_acq_rel, memory_order_relaxed));
}

/// It has the edge, and has not been asked since then whether it is ready.
static inline void end_edge(recorded_operation *entry) {
    atomic_fetch_sub_explicit(&entry->flags, FLAG_GETS_EDGE, memory_order_acq_rel);
}

/// Sets a field of an entry. The entry's object, or its flags, provide the ordering.
#define SET(field, value) atomic_store_explicit(&(field), value, memory_order_relaxed)

/// The last entry that this thread found: most questions about an operation come in a row.
extern __thread recorded_operation *objects_last_found THREAD_LOCAL_MODEL;

/// Whether the entry stands for an object that was enqueued, in a log that is being written.
static inline bool objects_is_entry_of(recorded_operation *entry, void *object) {
    return atomic_load_explicit(&entry->object, memory_order_acquire) == hidden(object)
        && log_is_open(entry->log, entry->log_id)
        && !(atomic_load_explicit(&entry->flags, memory_order_acquire) & FLAG_SIGHTED);
}

recorded_operation *objects_look_up(void *object);

/// The entry of an object in the open log that it was enqueued in; NULL if the object is not recorded. The
/// entry stays valid until the object is deallocated. Takes no lock.
static inline recorded_operation *objects_find(void *object) {
    // An object that is being asked is alive, so its entry is valid.
    recorded_operation *found = objects_last_found;
    return found && objects_is_entry_of(found, object) ? found : objects_look_up(object);
}

/// The entry of an object in that log. Adds one if needed. NULL if there is not enough memory, or the object
/// is being deallocated.
recorded_operation *objects_find_or_add(void *object, recorder_log *log, bool *is_new);
/// Forgets an object that is being deallocated. Pass the result of the first call to the second, after the
/// deallocation.
void *objects_begin_destroying(void *object);
void objects_end_destroying(void *outer);

#pragma GCC visibility pop

#endif
