// Observation of operations of any class on Linux: methods in the tables of their classes are replaced by
// functions that note the time and call the original.
//
// What is relied on is checked before it is used: see `recorder_interpose`.
#ifndef COBSERVATION_H
#define COBSERVATION_H

#include "CRecorder.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

/// The methods of `Operation` that are observed.
typedef enum {
    METHOD_START,
    METHOD_MAIN,
    METHOD_IS_FINISHED,
    METHOD_IS_READY,
    METHOD_CANCEL,
    METHOD_ADD_DEPENDENCY,
    METHOD_REMOVE_DEPENDENCY,
    METHOD_WAIT,
    /// Only of classes that override it: they are executing when they say so.
    METHOD_IS_EXECUTING,
    /// What deallocates an object. It has one place in every class.
    METHOD_DESTROY,
    METHOD_COUNT,
} observed_method;

/// Where the methods are in the table of a class, in words from the start of its metadata.
typedef struct {
    int16_t slots[METHOD_COUNT];
} operation_layout;

/// What the observation asks of those who understand the objects. Called on any thread, also with a queue's
/// lock held.
typedef struct {
    /// An edge came or went after the enqueue.
    void (*edge)(recorder_log *log, uint64_t identifier, void *predecessor, bool is_removed);
    /// The operation is being started, and has more edges than the known ones, perhaps those of barriers.
    /// Those that nobody has seen come are to be logged; returns whether there were any.
    bool (*check_edges)(recorder_log *log, uint64_t identifier, void *operation, int known, uint64_t enqueued);
} observation_hooks;

/// Finds the methods in the class of operations, and says who is asked. Once, before anything else here.
///
/// Returns false where this build cannot replace methods, or the classes are not laid out as expected; then
/// nothing else here is to be called.
bool recorder_interpose(const observation_hooks *hooks);

/// Replaces the methods of a class, where that has not happened. Takes a few nanoseconds where it has.
///
/// Returns false where not all can be replaced: the pool of replacements is used up.
bool recorder_observe_class(const void *class_metadata);

/// Whether an operation may have edges, those of barriers among them; without a call to its class. Only the
/// address of the list is looked at: the list itself is Foundation's, and behind a lock.
bool recorder_may_have_edges(const void *operation);

/// Whether a barrier is waiting in a queue: what is added now then waits for it. Takes no lock. `is_known` is
/// false where it cannot be told.
bool recorder_has_waiting_barrier(const void *queue, bool *is_known);

/// Whether an operation's own flag says that it was cancelled.
bool recorder_is_cancelled(const void *operation);

/// Whether Foundation counts an operation as finished, whatever its class says: its queue was told, or is
/// about to be. Takes the operation's own lock.
bool recorder_was_told_finish(void *operation);

/// Foundation's number of an operation's state, which rises with its states; -1 where it is not known. Takes
/// no lock.
int recorder_state(const void *operation);

/// To be called when an operation is followed that was in its queue before: what it has become meanwhile is
/// logged as an interval.
///
/// - Parameter is_told: whether its queue was told that it has finished.
void recorder_catch_up(void *operation, bool is_told);

/// The bits of what is noted of a class that are the number of a text, or 0.
#define RECORDER_KIND_MASK ((1u << 28) - 1)

/// What the caller once noted of a class in this log. False where nothing was, or the text is not to be named
/// any more. Takes a few nanoseconds, and no lock.
bool recorder_class_find(const recorder_log *log, const void *class_metadata, uint32_t *value);
/// Notes something of a class in this log, where there is room for that.
void recorder_class_note(const recorder_log *log, const void *class_metadata, uint32_t value);

/// A number of a class that no other class has that is loaded at the same address after it. Given when it is
/// first asked for.
uint16_t recorder_class_mark(const void *class_metadata);

/// The name of a class by its own account; NULL where that is not all of it, of a generic one. The Swift
/// runtime goes on giving the name of a class that was unloaded to one that is loaded at its address.
const char *recorder_class_name(const void *class_metadata);

/// The code of the closure that a `BlockOperation` runs first. NULL where it cannot be told, and for other
/// operations, those of subclasses among them, unless `is_ours`: then it is of a subclass that stands for it.
const void *recorder_closure_code(const void *operation, bool is_ours);

/// The number in the log of where a function is: the file that it is in, its offset and the file's build ID,
/// as `path+0x1f@89ab`. 0 where that is not known. Takes a few nanoseconds, and no lock, but the first time.
uint32_t recorder_origin(recorder_log *log, const void *function);

/// That text, without a log. Returns how many bytes it has; 0 where it is not known, or has more than `size`.
size_t recorder_origin_text(const void *function, char *text, size_t size);

/// Between these two, this thread waits for a queue; that it waits for each operation in it is not said as
/// well. What the first returns is to be given to the second.
bool recorder_begin_queue_wait(void);
void recorder_end_queue_wait(bool before);
bool recorder_is_queue_waiting(void);

/// A thread that waits for an operation, or for a queue to be empty. Kept by the thread.
typedef struct recorder_wait {
    /// In whose body it waits, as that log calls it; 0 for none.
    uint64_t operation, log_id;
    const void *target;
    bool is_for_queue, is_listed;
    struct recorder_wait *next, *previous;
} recorder_wait;

/// Between these two, the calling thread waits, and others see that.
void recorder_begin_wait(
    recorder_wait *wait, const recorder_log *log, uint64_t operation, const void *target, bool is_for_queue);
void recorder_end_wait(recorder_wait *wait);

/// Visits the waits of all threads that a log knows of, with a lock held that keeps them from ending: `visit`
/// retains the targets that it needs, and releases and waits for nothing.
void recorder_each_wait(
    const recorder_log *log, void (*visit)(const recorder_wait *wait, void *context), void *context);

/// Whether a class leaves a method to `Operation`.
bool recorder_has_base(observed_method method, const void *class_metadata);

/// Follows an operation that is about to be enqueued, until it is deallocated. It is not retained.
///
/// `enqueued`: when that was logged. `edges`: how many were logged with it. `readiness`: 1, its being ready
/// means nothing until `recorder_arm`; 2, it was logged as ready.
void recorder_follow(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness);

/// Between these two, edges that Foundation adds on this thread are a queue's own, for its barriers. What the
/// first returns is to be given to the second.
bool recorder_begin_enqueue(void);
void recorder_end_enqueue(bool before);
bool recorder_is_enqueuing(void);

/// To be called when a followed operation has all edges of its enqueue.
void recorder_arm(void *operation);

/// Asks Foundation whether a followed operation is ready, and notes the answer. For classes that leave that
/// to Foundation: no method of the operation's class is called.
void recorder_ask_ready(void *operation);

/// Whether an operation is being followed in a log.
bool recorder_is_followed(const recorder_log *log, void *operation);

/// The identifier of an operation of an observed class in a log; given now, where it has none.
uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new);

/// The methods of `OperationQueue` by which operations are added.
typedef enum { QUEUE_ADD, QUEUE_ADD_ALL, QUEUE_METHOD_COUNT } queue_method;

/// What is asked when operations are added to a queue of an observed class.
typedef struct {
    /// `operations` is one operation, or with `are_many` an array of them as Swift passes it. What it returns
    /// is given to `end`, when they have been added; NULL where the queue is not followed.
    void *(*begin)(void *queue, void *operations, bool are_many);
    void (*end)(void *begun);
} queue_hooks;

/// The slots of those methods, and who is asked. Once, before `recorder_observe_queue_class`.
void recorder_interpose_queues(const int16_t slots[QUEUE_METHOD_COUNT], const queue_hooks *hooks);

/// Replaces the methods of a queue's class by which operations are added, where that has not happened. False
/// where it cannot.
bool recorder_observe_queue_class(const void *class_metadata);

/// Replaces one method of a class, if it still is `expected`, by one of the same type.
void recorder_replace_method(const void *class_metadata, int slot, const void *expected, const void *replacement);

/// The operation in whose body this thread is, in that log; or 0.
uint64_t recorder_current(const recorder_log *log);

/// Says in whose body this thread is. Returns what was so before, to be given to `recorder_restore`.
typedef struct {
    uint64_t log_id;
    uint64_t operation;
} recorder_body;
recorder_body recorder_enter(const recorder_log *log, uint64_t operation);
void recorder_restore(recorder_body before);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
