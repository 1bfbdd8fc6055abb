// What threads use while they run bodies, as their own clocks say. A reading takes two system calls, so the
// clocks are read only for kinds of bodies that run long.
#ifndef RECORDER_CLOCKS_H
#define RECORDER_CLOCKS_H

#include "log.h"

#pragma GCC visibility push(hidden)

/// What this thread measures: the innermost body that it runs. No operation if it measures nothing.
extern __thread recorder_clocks clocks_of_thread THREAD_LOCAL_MODEL;

/// Call this once before any log is opened.
void clocks_prepare(void);
/// From how long on bodies count as long, in the time of a log's clock. Call this when its rate is known.
uint64_t clocks_long(const recorder_log *log);

/// The body of an operation is about to begin on this thread. If this thread measures that operation already,
/// it begins anew. Pass `outer` to `clocks_restore` at the end of the body.
///
/// - Parameter kind: what bodies of about the same length have in common: a class, or the code of a closure.
void clocks_begin(recorder_log *log, uint64_t id, uint64_t operation, const void *kind, recorder_clocks *outer);
/// The rest of `clocks_end`.
void clocks_end_own(recorder_log *log, uint64_t time);

/// Whether this thread measures that operation.
static inline bool clocks_measure(uint64_t id, uint64_t operation) {
    return clocks_of_thread.operation == operation && clocks_of_thread.log_id == id;
}

/// The body that this thread measures began at that time of the log's clock.
static inline void clocks_note_begin(uint64_t id, uint64_t operation, uint64_t time) {
    if (clocks_measure(id, operation)) clocks_of_thread.began = time;
}

/// The body ended at `time`, by the log's clock. Logs what it used, if this thread measured it.
static inline void clocks_end(recorder_log *log, uint64_t id, uint64_t operation, uint64_t time) {
    if (clocks_measure(id, operation)) clocks_end_own(log, time);
}

/// Nobody knows what part of that body belongs to the execution: it ended meanwhile.
static inline void clocks_discard(uint64_t id, uint64_t operation) {
    if (clocks_measure(id, operation)) clocks_of_thread.operation = 0;
}

/// This thread goes on in the body outside of the one that ended.
static inline void clocks_restore(const recorder_clocks *outer) {
    if (!outer->operation) {
        clocks_of_thread.operation = 0;
    } else if (!outer->is_begun_anew) {
        clocks_of_thread = *outer;
    }
}

#pragma GCC visibility pop

#endif
