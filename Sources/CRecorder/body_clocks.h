// What threads use while they run bodies, as their own clocks say. A reading takes two system calls, so the
// clocks are read only for kinds of bodies whose long ones make that cheap.
#ifndef RECORDER_BODY_CLOCKS_H
#define RECORDER_BODY_CLOCKS_H

#include "log.h"

#pragma GCC visibility push(hidden)

/// The body that this thread is in.
extern __thread recorder_body clocks_body THREAD_LOCAL_MODEL;
/// The last kind on this thread that is not measured: most short bodies begin here, without a search.
extern __thread const void *clocks_last_short THREAD_LOCAL_MODEL;

/// What a log has as its long time if the clocks are never read.
static const uint64_t CLOCKS_NEVER = UINT64_MAX;

static inline bool clocks_are_read(const recorder_log *log) {
    return atomic_load_explicit(&log->long_time, memory_order_relaxed) != CLOCKS_NEVER;
}

/// Call this once before any log is opened.
void clocks_prepare(void);
/// From how long on bodies count as long, in the time of a log's clock. Call this when its rate is known.
uint64_t clocks_long(const recorder_log *log);
/// Reads the clocks, if long bodies of this kind allow that, or if nobody knows how long they are.
void clocks_begin_kind(const recorder_log *log);

/// The body of an operation is about to begin on this thread. Returns where the thread was before.
static inline recorder_body clocks_begin(
    const recorder_log *log, uint64_t id, uint64_t operation, const void *kind) {
    recorder_body before = clocks_body;
    clocks_body = (recorder_body){.log_id = id, .operation = operation, .kind = kind};
    if (kind != clocks_last_short) clocks_begin_kind(log);
    return before;
}

static inline bool clocks_is_in(uint64_t id, uint64_t operation) {
    return clocks_body.operation == operation && clocks_body.log_id == id;
}

/// Compares the time at which the body began with that of its reading. Reads the clocks again if needed.
void clocks_check_begin(const recorder_log *log, uint64_t time);

/// The body began at that time of the log's clock, if this thread is in it.
static inline void clocks_set_begin(const recorder_log *log, uint64_t id, uint64_t operation, uint64_t time) {
    if (!clocks_is_in(id, operation)) return;
    clocks_body.began = time;
    if (clocks_body.on_cpu) clocks_check_begin(log, time);
}

/// Nobody knows what part of that body belongs to the execution.
static inline void clocks_discard(uint64_t id, uint64_t operation) {
    if (clocks_is_in(id, operation)) clocks_body.began = 0;
}

/// Whether this thread is in that body, since a known time, and did not end the execution.
static inline bool clocks_is_open(uint64_t id, uint64_t operation) {
    return clocks_is_in(id, operation) && clocks_body.began;
}

/// The rest of `clocks_end`.
uint64_t clocks_end_kind(recorder_log *log, uint64_t time, uint64_t length);

/// The body ends at `time`, by the log's clock. Logs what it used, if this thread measured it. Returns when
/// it ended: later, if the thread was interrupted before it could read its clocks.
static inline uint64_t clocks_end(recorder_log *log, uint64_t id, uint64_t operation, uint64_t time) {
    if (!clocks_is_open(id, operation)) return time;
    uint64_t length = time > clocks_body.began ? time - clocks_body.began : 0;
    clocks_body.began = 0;
    if (clocks_body.on_cpu || length >= atomic_load_explicit(&log->long_time, memory_order_relaxed))
        return clocks_end_kind(log, time, length);
    return time;
}

#pragma GCC visibility pop

#endif
