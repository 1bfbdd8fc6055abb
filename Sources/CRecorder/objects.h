// The operations that are followed, by their addresses.
#ifndef RECORDER_OBJECTS_H
#define RECORDER_OBJECTS_H

#include "log.h"

#pragma GCC visibility push(hidden)

enum {
    /// An answer to `isReady` means nothing yet.
    NOTED_PENDING = 1,
    NOTED_READY = 2,
    NOTED_EXECUTING = 4,
    NOTED_CANCELLED = 8,
    NOTED_FINISHED = 16,
    NOTED_BODY = 32,
    /// Only named by others: not enqueued, so nothing is logged of it.
    NOTED_SIGHTED = 64,
    /// Its enqueue was logged, and nothing can be seen of the rest.
    NOTED_UNSEEN = 128,
    /// What is noted as finished stands in the log.
    NOTED_FINISH_LOGGED = 256,
    /// It was asked and said that it has finished, and its queue had not been told.
    NOTED_UNNOTIFIED_FINISH = 512,
    /// Foundation asked whether it has finished, and it said no: Foundation's own state tells nothing from
    /// then on.
    NOTED_ASKED_EARLY = 2048,
};

/// One of the threads that are giving it an edge, counted in 16 bits. It may not have the edge yet: while
/// there are any, an answer to `isReady` means nothing.
#define NOTED_GETS_EDGE (UINT64_C(1) << 16)
/// From this bit on, the number of times that what an answer to `isReady` meant has changed. An answer is
/// worth nothing where this number is another than before the question. 32 bits: for a wrong one to pass, its
/// thread would have to stand still while the operation gets exactly four billion edges, each of which takes
/// Foundation four locks.
#define NOTED_GENERATION (UINT64_C(1) << 32)
#define NOTED_GETS_EDGES (NOTED_GENERATION - NOTED_GETS_EDGE)

typedef struct followed {
    struct followed *next;
    /// NULL where the entry is free. It is then used for another object, and never given back: it can be
    /// looked at any time.
    _Atomic(void *) object;
    // Atomic, because an entry may be looked at while it is given to another object; what is found then does
    // not fit.
    _Atomic(recorder_log *) log;
    _Atomic uint64_t log_id;
    _Atomic uint64_t identifier;
    _Atomic uint64_t enqueued;
    /// Edges that were logged.
    atomic_int edges;
    _Atomic uint64_t noted;
    /// The number of the queue's last barrier that has finished; NULL where nothing is known of barriers.
    _Atomic(_Atomic uint64_t *) finished_barriers;
    /// The number of the barrier that it waits for, and its own where it is one; or 0.
    _Atomic uint64_t behind;
    _Atomic uint64_t barrier;
    /// With what it will have finished, where the program says so; as in the record of that. 0 where nothing
    /// is known.
    _Atomic uint64_t outcome;
} followed;

/// Notes of an entry nothing but `flags`. Whoever asked `isReady` before this has no answer.
static inline void renew_notes(followed *entry, unsigned flags) {
    uint64_t noted = atomic_load_explicit(&entry->noted, memory_order_relaxed), next;
    do {
        // Whoever is giving it an edge will say when it has that.
        next = ((noted & ~(NOTED_GETS_EDGE - 1)) | flags) + NOTED_GENERATION;
    } while (!atomic_compare_exchange_weak_explicit(
        &entry->noted, &noted, next, memory_order_release, memory_order_relaxed));
}

/// An operation is about to get an edge. It waits again; when it is ready the next time, that counts.
static inline void begin_edge(followed *entry) {
    uint64_t noted = atomic_load_explicit(&entry->noted, memory_order_relaxed), next;
    do {
        next = noted + NOTED_GETS_EDGE + NOTED_GENERATION;
        if (!(noted & NOTED_EXECUTING)) next &= ~(uint64_t)NOTED_READY;
    } while (!atomic_compare_exchange_weak_explicit(
        &entry->noted, &noted, next, memory_order_acq_rel, memory_order_relaxed));
}

/// It has the edge, and has not been asked since whether it is ready.
static inline void end_edge(followed *entry) {
    atomic_fetch_sub_explicit(&entry->noted, NOTED_GETS_EDGE, memory_order_acq_rel);
}

/// Sets a field of an entry. What orders it is the entry's object, or what is noted.
#define SET(field, value) atomic_store_explicit(&(field), value, memory_order_relaxed)

/// The entry of an object in the open log that it was enqueued in; NULL for one that is not followed. What is
/// found stays until the object is deallocated.
followed *objects_find(void *object);
/// The entry of an object in that log, made where there is none; NULL where there is no memory, or it is
/// being deallocated.
followed *objects_find_or_add(void *object, recorder_log *log, bool *is_new);
/// Forgets an object that is being deallocated. What the first returns is to be given to the second, after
/// that.
void *objects_begin_destroying(void *object);
void objects_end_destroying(void *outer);

#pragma GCC visibility pop

#endif
