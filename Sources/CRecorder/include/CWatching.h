// What happens to operations of any class, told to others than a log.
#ifndef CWATCHING_H
#define CWATCHING_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

typedef enum {
    WATCHED_EXECUTING,
    WATCHED_CANCELLED,
    WATCHED_FINISHED,
    /// The operation is about to get an edge.
    WATCHED_EDGE_ADDED,
    /// It has it, and has not been asked since whether it is ready.
    WATCHED_EDGE_IN_PLACE,
    WATCHED_EDGE_REMOVED,
    /// The operation is being deallocated: its address is about to be another's.
    WATCHED_DESTROYED,
} watched_event;

/// Who is told. Called on any thread, for every operation of an observed class, more than once for the same
/// event, and also with a queue's lock held.
typedef struct {
    /// `other` is the predecessor of an edge.
    void (*note)(watched_event event, void *operation, void *other);
    /// Called before an operation is asked whether it is ready; what it returns is given to `note_ready`,
    /// where the answer is that it is.
    uint64_t (*ask)(void *operation);
    void (*note_ready)(void *operation, uint64_t asked);
    /// Is to call `call(operation, original)` once: it runs the operation's `start`, or its `main`.
    void (*run)(bool is_start, void *operation, void (*call)(void *operation, void *original), void *original);
} watching_hooks;

/// Tells `hooks` from now on, and for ever: operations may be running at any time whose end somebody waits
/// for.
void recorder_watch(const watching_hooks *hooks);

/// Says whether anybody wants to hear of operations that are enqueued from now on.
void recorder_set_watched(bool is_watched);

extern bool recorder_watched_flag;

/// Whether anybody wants to hear of operations that are enqueued. One atomic read.
static inline bool recorder_is_watched(void) { return __atomic_load_n(&recorder_watched_flag, __ATOMIC_RELAXED); }

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
