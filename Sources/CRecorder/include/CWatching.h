// Reports what happens to operations of any class to listeners other than a log.
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
    /// The operation has the edge, and has not been asked since then whether it is ready.
    WATCHED_EDGE_IN_PLACE,
    WATCHED_EDGE_REMOVED,
    /// The operation is being deallocated. Another object may get its address next.
    WATCHED_DESTROYED,
} watched_event;

/// The listeners. Called on any thread, for every operation of an observed class, more than once for the same
/// event, and also while a queue's lock is held.
typedef struct {
    /// `other` is the predecessor of an edge.
    void (*note)(watched_event event, void *operation, void *other);
    /// Called before an operation is asked whether it is ready. If it is, the result is passed to
    /// `note_ready`.
    uint64_t (*ask)(void *operation);
    void (*note_ready)(void *operation, uint64_t asked);
    /// Must call `call(operation, original)` once, which runs the operation's `start` or `main`.
    void (*run)(bool is_start, void *operation, void (*call)(void *operation, void *original), void *original);
} watching_hooks;

/// Sets `hooks` for the rest of the process. They are never removed: at any time, somebody may wait for the
/// end of a running operation.
void recorder_watch(const watching_hooks *hooks);

/// Says whether anybody wants to hear of operations that are enqueued from now on.
void recorder_set_watched(bool is_watched);

extern bool recorder_watched_flag;

/// Whether anybody wants to hear of operations that are enqueued. One atomic read.
static inline bool recorder_is_watched(void) { return __atomic_load_n(&recorder_watched_flag, __ATOMIC_RELAXED); }

// MARK: What listeners keep

/// What the listeners keep for an operation of an observed class, or NULL. Takes no lock.
void *recorder_kept(const void *operation);

/// Keeps `made` for the operation, if `outdated` is kept for it now (NULL: nothing).
///
/// - Returns: what is kept now: `made`, or what another thread kept first. NULL if there is not enough
///   memory, and in a forked child.
void *recorder_keep(const void *operation, void *outdated, void *made);

/// Removes and returns the newest object stored for an operation that is being deallocated. NULL if nothing
/// is left.
void *recorder_take_kept(const void *operation);

/// What the listeners keep for a class, or for another one that has the same place. NULL if the place is
/// free. `mark` is the class's (`recorder_class_mark`).
void *recorder_class_kept(const void *metadata, uint16_t mark);

/// Keeps `made` for a class for ever. False if its place is taken.
bool recorder_class_keep(const void *metadata, uint16_t mark, void *made);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
