// What threads use while they run bodies, as their own clocks say. A reading takes two system calls, so the
// clocks are read only for kinds of bodies that run long.
#ifndef RECORDER_CLOCKS_H
#define RECORDER_CLOCKS_H

#include "log.h"

#pragma GCC visibility push(hidden)

/// A body that a thread runs.
typedef struct {
    uint64_t log_id;
    /// 0 if nothing is measured.
    uint64_t operation;
    /// What bodies of about the same length have in common: a class, or the code of a closure.
    const void *kind;
    /// When it began, in the time of the log's clock; 0 if that is not known.
    uint64_t began;
    /// Whether the clocks were read then, and what they said, in nanoseconds. A wait of -1 is not known.
    bool is_read;
    uint64_t on_cpu;
    int64_t waited;
} measured_body;

/// Bodies that run inside of each other on one thread. Those inside of so many are not measured.
enum { CLOCKS_DEPTH = 4 };

/// The bodies that this thread runs, the innermost last.
typedef struct {
    uint32_t depth;
    measured_body bodies[CLOCKS_DEPTH];
} measured_bodies;

extern __thread measured_bodies clocks_of_thread THREAD_LOCAL_MODEL;

/// Call this once before any log is opened.
void clocks_prepare(void);
/// From how long on bodies count as long, in the time of a log's clock. Call this when its rate is known.
uint64_t clocks_long(const recorder_log *log);
/// Reads the clocks, if bodies of this kind are long, or if nobody knows how long they are.
void clocks_begin_kind(measured_body *body);
/// The last kind of short bodies on this thread: most begin here, without a search.
extern __thread const void *clocks_last_short THREAD_LOCAL_MODEL;

/// The innermost body of this thread, if it is that operation's and measured; or NULL.
static inline measured_body *clocks_body(uint64_t id, uint64_t operation) {
    measured_body *body = &clocks_of_thread.bodies[(clocks_of_thread.depth - 1) % CLOCKS_DEPTH];
    return body->operation == operation && body->log_id == id ? body : NULL;
}

/// The body of an operation is about to begin on this thread. At its end, call `clocks_leave` with the result.
static inline uint32_t clocks_begin(recorder_log *log, uint64_t id, uint64_t operation, const void *kind) {
    uint32_t depth = clocks_of_thread.depth++;
    if (depth >= CLOCKS_DEPTH) return depth;
    measured_body *body = &clocks_of_thread.bodies[depth];
    body->operation = 0;
    if (!atomic_load_explicit(&log->long_time, memory_order_relaxed)) return depth;
    body->operation = operation;
    body->log_id = id;
    body->kind = kind;
    body->began = 0;
    body->is_read = false;
    if (kind != clocks_last_short) clocks_begin_kind(body);
    return depth;
}

static inline void clocks_leave(uint32_t depth) { clocks_of_thread.depth = depth; }

/// The body began at that time of the log's clock, if this thread measures it.
static inline void clocks_note_begin(uint64_t id, uint64_t operation, uint64_t time) {
    measured_body *body = clocks_body(id, operation);
    if (body) body->began = time;
}

/// The rest of `clocks_end`.
void clocks_end_kind(recorder_log *log, uint64_t time, uint64_t operation, const measured_body *body);

/// The body ended at `time`, by the log's clock. Logs what it used, if this thread measured it.
static inline void clocks_end(recorder_log *log, uint64_t id, uint64_t operation, uint64_t time) {
    measured_body *body = clocks_body(id, operation);
    if (!body) return;
    body->operation = 0;
    uint64_t long_time = atomic_load_explicit(&log->long_time, memory_order_relaxed);
    // Without a beginning, it never executed, or nobody knows since when.
    if (body->began && (body->is_read || time - body->began >= long_time))
        clocks_end_kind(log, time, operation, body);
}

/// Nobody knows what part of that body belongs to the execution: it ended meanwhile.
static inline void clocks_discard(uint64_t id, uint64_t operation) {
    measured_body *body = clocks_body(id, operation);
    if (body) body->operation = 0;
}

#pragma GCC visibility pop

#endif
