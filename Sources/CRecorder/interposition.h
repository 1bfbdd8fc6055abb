// Shared by the files that replace methods.
#ifndef RECORDER_INTERPOSITION_H
#define RECORDER_INTERPOSITION_H

#include "foundation.h"
#include "objects.h"

#ifdef RECORDER_INTERPOSES

#pragma GCC visibility push(hidden)

/// Where everything is in this process's Foundation. Set before any method is replaced.
extern foundation_layout foundation;

// Foundation's own getters, called as Swift calls them, whatever the object's class overrides: recording never
// calls the program's methods. None of the getters is ever replaced.
static inline void *foundation_getter(int16_t slot) { return ((void **)foundation.symbols.operation)[slot]; }

/// -8 to 8: the raw values of `Operation.QueuePriority`.
static inline int64_t foundation_priority(void *operation) {
    static const int8_t values[] = {-8, -4, 0, 4, 8};
    uint8_t found = ((SWIFT uint8_t(*)(SELF))foundation_getter(foundation.priority))(operation);
    return found < 5 ? values[found] : 0;
}

/// The operation's name, which the caller must release.
static inline swift_text foundation_copy_name(void *operation) {
    return ((SWIFT swift_text(*)(SELF))foundation_getter(foundation.name))(operation);
}

static inline void foundation_release_text(swift_text text) {
    if (text.words[1]) ((void (*)(void *))foundation.symbols.swift_release_text)((void *)text.words[1]);
}

/// Like `recorder_interpose`, but `foundation` is already set.
void interposition_begin(const observation_hooks *hooks);

typedef SWIFT void (*void_method)(SELF);

/// The operation's entry, if it is recorded and its log is still being written.
static inline recorded_operation *find(void *self) {
    // In a forked child, a lock may be held for ever.
    return recorder_is_forked_child() ? NULL : objects_find(self);
}

/// Whether one of those flags of a recorded operation is set.
static inline bool has_flag(recorded_operation *entry, unsigned flags) {
    return atomic_load_explicit(&entry->flags, memory_order_acquire) & flags;
}

/// Records an operation whose enqueue was logged at that time, with that many edges. `readiness` is its
/// first flag: `FLAG_READY`, `FLAG_PENDING` or none.
void recording_begin(recorded_operation *entry, void *operation, uint64_t enqueued, int edges, unsigned readiness);

/// Calls `seen` with every operation that is asked on this thread whether it is ready, until this is called
/// with NULL. Foundation keeps the operation of a barrier to itself; this is how it is found while the
/// barrier is being added. A queue's lock is held then.
void interposition_observe_barrier(void (*seen)(void *operation));

// The replacement of each method. `original` is the method that it replaced.
void observed_start(void *self, void *original);
void observed_run_body(void *self, void *original);
/// `caller`: the return address.
bool observed_is_finished(void *self, void *original, const void *caller);
bool observed_is_ready_now(void *self, void *original);
bool observed_is_executing_now(void *self, void *original);
void observed_cancel(void *self, void *original);
void observed_add_dependency(void *other, void *self, void *original);
void observed_remove_dependency(void *other, void *self, void *original);
void observed_wait_for(void *self, void *original);
void observed_destroy(void *self, void *original);

/// Call this once, after `foundation` is set and before any class is observed.
void method_pool_begin(void);

/// Whether `method_pool_begin` was called, and so `foundation` is set.
bool method_pool_has_begun(void);

/// A word in the table of a user's class. Other threads always read it without a lock, which the thread
/// sanitizer would report. That is safe, because a word is written in one piece.
void *read_slot(void **slot);
void write_slot(void **slot, void *method);

// Repeats a macro 16 and 256 times, numbered in hexadecimal.
#define REPEAT_16(M, digits)                                                                                    \
    M(digits##0) M(digits##1) M(digits##2) M(digits##3) M(digits##4) M(digits##5) M(digits##6) M(digits##7)                                      \
    M(digits##8) M(digits##9) M(digits##a) M(digits##b) M(digits##c) M(digits##d) M(digits##e) M(digits##f)
#define REPEAT_256(M, digits)                                                                                    \
    REPEAT_16(M, digits##0) REPEAT_16(M, digits##1) REPEAT_16(M, digits##2) REPEAT_16(M, digits##3)                                  \
    REPEAT_16(M, digits##4) REPEAT_16(M, digits##5) REPEAT_16(M, digits##6) REPEAT_16(M, digits##7)                                  \
    REPEAT_16(M, digits##8) REPEAT_16(M, digits##9) REPEAT_16(M, digits##a) REPEAT_16(M, digits##b)                                  \
    REPEAT_16(M, digits##c) REPEAT_16(M, digits##d) REPEAT_16(M, digits##e) REPEAT_16(M, digits##f)

#pragma GCC visibility pop

#endif
#endif
