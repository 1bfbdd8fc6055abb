// Notifies observers of what happens to operations of any class.
#ifndef CNOTIFICATION_H
#define CNOTIFICATION_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

typedef enum {
    NOTIFIED_EXECUTING,
    NOTIFIED_CANCELLED,
    NOTIFIED_FINISHED,
    /// The operation is about to get an edge.
    NOTIFIED_EDGE_ADDED,
    /// The operation has the edge, and has not been asked since then whether it is ready.
    NOTIFIED_EDGE_IN_PLACE,
    NOTIFIED_EDGE_REMOVED,
    /// The operation is being deallocated. Another object may get its address next.
    NOTIFIED_DESTROYED,
} notified_event;

/// What notifies the observers. Called on any thread, for every operation of an observed class, more than once
/// for the same event, and also while a queue's lock is held.
typedef struct {
    /// `other` is the predecessor of an edge.
    void (*notify)(notified_event event, void *operation, void *other);
    /// Called before an operation is asked whether it is ready. If it is, the result is passed to
    /// `notify_ready`.
    uint64_t (*ask)(void *operation);
    void (*notify_ready)(void *operation, uint64_t asked);
    /// Must call `call(operation, original)` once, which runs the operation's `start` or `main`.
    void (*run)(bool is_start, void *operation, void (*call)(void *operation, void *original), void *original);
} notification_hooks;

/// Sets `hooks` for the rest of the process. They are never removed: at any time, an observer may wait for the
/// end of a running operation.
void recorder_set_notification_hooks(const notification_hooks *hooks);

/// Sets whether there are observers to notify of operations that are enqueued from now on.
void recorder_set_has_observers(bool has_observers);

extern bool recorder_has_observers_flag;

/// Whether there are observers to notify of operations that are enqueued. One atomic read.
static inline bool recorder_has_observers(void) {
    return __atomic_load_n(&recorder_has_observers_flag, __ATOMIC_RELAXED);
}

// MARK: What observers keep

/// What the observers keep for an operation of an observed class, or NULL. Takes no lock.
void *recorder_kept(const void *operation);

/// Keeps `made` for the operation, if `outdated` is kept for it now (NULL: nothing).
///
/// - Returns: what is kept now: `made`, or what another thread kept first. NULL if there is not enough
///   memory, and in a forked child.
void *recorder_keep(const void *operation, void *outdated, void *made);

/// Removes and returns the newest object stored for an operation that is being deallocated. NULL if nothing
/// is left.
void *recorder_take_kept(const void *operation);

/// What the observers keep for a class, or for another one that has the same place. NULL if the place is
/// free. `mark` is the class's (`recorder_class_mark`).
void *recorder_class_kept(const void *metadata, uint16_t mark);

/// Keeps `made` for a class for ever. False if its place is taken.
bool recorder_class_keep(const void *metadata, uint16_t mark, void *made);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
