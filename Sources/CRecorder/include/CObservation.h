// Observes operations of any class on Linux. Methods in the tables of their classes are replaced by functions
// that record the event and call the original.
//
// `recorder_interpose` checks every assumption before it is used.
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
    /// Only for classes that override it. They are executing when they say so.
    METHOD_IS_EXECUTING,
    /// The function that deallocates an object. It has the same place in every class.
    METHOD_DESTROY,
    METHOD_COUNT,
} observed_method;

/// Where the methods are in the table of a class, in words from the start of its metadata.
typedef struct {
    int16_t slots[METHOD_COUNT];
} operation_layout;

/// What the observation asks the code that understands the objects. Called on any thread, also while a
/// queue's lock is held.
typedef struct {
    /// An edge was added or removed after the enqueue.
    void (*edge)(recorder_log *log, uint64_t identifier, void *predecessor, bool is_removed);
    /// The operation is being started and has more edges than the known ones, perhaps those of barriers. Logs
    /// the edges that nobody has seen added. Returns whether there were any.
    bool (*check_edges)(recorder_log *log, uint64_t identifier, void *operation, int known, uint64_t enqueued);
} observation_hooks;

/// Finds the methods in the class of operations, and sets the hooks. Call this once, before anything else
/// here.
///
/// Returns false if this build cannot replace methods, or if the classes have an unexpected layout. Then call
/// nothing else here.
bool recorder_interpose(const observation_hooks *hooks);

/// Replaces the methods of a class unless that was done before. Takes a few nanoseconds if it was.
///
/// Returns false if not all methods can be replaced, because the pool of replacements is used up.
bool recorder_observe_class(const void *class_metadata);

/// Whether an operation may have edges, including those of barriers. Does not call the operation's class. It
/// reads only the address of the list, because Foundation owns the list and guards it with a lock.
bool recorder_may_have_edges(const void *operation);

/// Whether a barrier is waiting in a queue. If so, operations added now wait for it. Takes no lock.
/// `is_known` is false if the answer is unknown.
bool recorder_has_waiting_barrier(const void *queue, bool *is_known);

/// Whether an operation's own flag says that it was cancelled.
bool recorder_is_cancelled(const void *operation);

/// Whether Foundation counts an operation as finished, whatever its class says: its queue was notified, or is
/// about to be. Takes the operation's own lock.
bool recorder_was_notified_of_finish(void *operation);

/// Foundation's number for an operation's state, which only rises; -1 if it is not known. Takes no lock.
int recorder_state(const void *operation);

/// Call this when an operation begins to be recorded that was in its queue already. Logs what happened to it
/// meanwhile, as intervals.
///
/// - Parameter is_notified: whether its queue was notified that it finished.
void recorder_catch_up(void *operation, bool is_notified);

// What is stored about a class.
/// The number of the text of its kind, or 0.
static const uint32_t RECORDER_KIND_MASK = (1u << 28) - 1;
/// Its operations are ready as soon as they wait for nothing.
static const uint32_t RECORDER_CLASS_IS_READY = 1u << 28;
/// Each operation states its own kind.
static const uint32_t RECORDER_CLASS_HAS_OWN_KINDS = 1u << 29;
/// Its methods are replaced.
static const uint32_t RECORDER_CLASS_IS_OBSERVED = 1u << 30;
/// Its operations report their own transitions.
static const uint32_t RECORDER_CLASS_IS_OURS = 1u << 31;

/// What the caller stored about a class in this log. Returns false if nothing was stored, or if the text may
/// not be named any more. Takes a few nanoseconds, and no lock.
bool recorder_class_find(const recorder_log *log, const void *class_metadata, uint32_t *value);
/// Stores a value for a class in this log, if there is room.
void recorder_class_store(const recorder_log *log, const void *class_metadata, uint32_t value);

/// A number for a class. A class that is loaded later at the same address has another number. Assigned at the
/// first call.
uint16_t recorder_class_mark(const void *class_metadata);

/// The name of a class as the class itself states it. NULL for a generic class, whose own name is incomplete.
/// The Swift runtime is not asked: after a class was unloaded, it returns that name for the next class at the
/// same address.
const char *recorder_class_name(const void *class_metadata);

/// The code of the closure that a `BlockOperation` runs first. NULL if it is unknown, and for all other
/// operations, including instances of subclasses. With `is_ours`, the operation may be an instance of a
/// subclass that stands in for it.
const void *recorder_closure_code(const void *operation, bool is_ours);

/// The number in the log of a function's location: its file, its offset and the file's build ID, as
/// `path+0x1f@89ab`. 0 if the location is unknown. Takes a few nanoseconds and no lock after the first time.
uint32_t recorder_origin(recorder_log *log, const void *function);

/// The same text, without a log. Returns its length in bytes; 0 if it is unknown or longer than `size`.
size_t recorder_origin_text(const void *function, char *text, size_t size);

/// Between these two calls, this thread waits for a queue. Its waits for the single operations in the queue
/// are not logged. Pass the result of the first call to the second.
bool recorder_begin_queue_wait(void);
void recorder_end_queue_wait(bool before);
bool recorder_is_queue_waiting(void);

/// A thread that waits for an operation, or for a queue to become empty. The thread owns this.
typedef struct recorder_wait {
    /// The operation in whose body the thread waits, by its identifier in that log; 0 for none.
    uint64_t operation, log_id;
    const void *target;
    /// Of each wait its own.
    uint64_t number;
    uint64_t thread;
    bool is_for_queue, is_listed;
    /// Whether the main thread runs nothing meanwhile.
    bool is_on_main_thread;
    struct recorder_wait *next, *previous;
} recorder_wait;

/// Between these two calls, the calling thread waits, and other threads can see that. A method that overrides
/// Foundation's may run the thread's run loop meanwhile.
void recorder_begin_wait(
    recorder_wait *wait, const recorder_log *log, uint64_t operation, const void *target, bool is_for_queue,
    bool is_override);
void recorder_end_wait(recorder_wait *wait);

/// Visits the waits of all threads that a log knows, under a lock that keeps the waits from ending. `visit`
/// may retain the targets that it needs. It must not release anything or wait.
void recorder_each_wait(
    const recorder_log *log, void (*visit)(const recorder_wait *wait, void *context), void *context);

/// Whether a class inherits a method from `Operation`.
bool recorder_has_base(observed_method method, const void *class_metadata);

/// A queue in a log, as far as the enqueue of a plain operation needs it.
typedef struct recorder_queue {
    recorder_log *log;
    uint64_t log_id;
    uint64_t identifier;
    /// The number in the log of the kind of closures, or 0. Set it with `recorder_set_closure_kind`.
    uint32_t closure_kind;
    /// For the owner: the same queue in an earlier log.
    struct recorder_queue *earlier;
} recorder_queue;

void recorder_set_closure_kind(recorder_queue *queue, uint32_t kind);

/// Logs that a closure without a name, edges or a priority is being enqueued and is ready at once, and assigns
/// its identifier, which it returns. `code` is its code, or NULL. `parent` may be 0.
///
/// Returns 0 if the log is closed, or if the kind of closures is not known or may not be named any more; does
/// nothing then.
uint64_t recorder_enqueue_closure(
    const recorder_queue *queue, uint64_t parent, const void *code, uint64_t *time);

/// The number of the kind of a plain operation: one without a name, edges or a priority, whose class decides
/// its kind and leaves it ready at once. `required` is what else must be stored about the class.
///
/// Returns 0 if the operation is not plain, its class is not known yet or the log is closed. Calls no method of
/// the operation's class, and takes none of Foundation's locks.
uint32_t recorder_plain_kind(const recorder_queue *queue, void *operation, uint32_t required);

/// Logs that a plain operation of an observed class is about to be enqueued, and records it from then on.
/// `parent` may be 0. Returns false if it is not plain, and does nothing then.
bool recorder_enqueue_plain(const recorder_queue *queue, void *operation, uint64_t parent);

/// Records an operation that is about to be enqueued, until it is deallocated. Does not retain it.
///
/// `enqueued`: the time of the enqueue in the log. `edges`: how many edges were logged with it. `readiness`:
/// with 1, an answer that it is ready means nothing until `recorder_arm`; with 2, it was logged as ready.
void recorder_record_operation(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness);

/// Between these two calls, edges that Foundation adds on this thread are the queue's own, for its barriers.
/// Pass the result of the first call to the second.
bool recorder_begin_enqueue(void);
void recorder_end_enqueue(bool before);
bool recorder_is_enqueuing(void);

/// Call this when a recorded operation has all edges of its enqueue.
void recorder_arm(void *operation);

/// Asks Foundation whether a recorded operation is ready, and records the answer. For classes that inherit
/// `isReady`: no method of the operation's class is called.
void recorder_ask_ready(void *operation);

/// Whether an operation is being recorded in a log.
bool recorder_is_recorded(const recorder_log *log, void *operation);

/// The identifier of an operation of an observed class in a log. Assigns one if needed.
uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new);

/// The methods of `OperationQueue` by which operations are added.
typedef enum { QUEUE_ADD, QUEUE_ADD_ALL, QUEUE_METHOD_COUNT } queue_method;

/// The hooks that are called when operations are added to a queue of an observed class.
typedef struct {
    /// `operations` is one operation, or with `are_many` a Swift array of them. The result is passed to `end`
    /// when the operations have been added; NULL if the queue is not recorded.
    void *(*begin)(void *queue, void *operations, bool are_many);
    void (*end)(void *begun);
} queue_hooks;

/// Sets the slots of those methods and the hooks. Call this once, before `recorder_observe_queue_class`.
void recorder_interpose_queues(const int16_t slots[QUEUE_METHOD_COUNT], const queue_hooks *hooks);

/// Replaces the methods that add operations in a queue's class, unless that was done before. Returns false on
/// failure.
bool recorder_observe_queue_class(const void *class_metadata);

/// Replaces one method of a class by another of the same type, if it still is `expected`.
void recorder_replace_method(const void *class_metadata, int slot, const void *expected, const void *replacement);

/// The operation in whose body this thread is, in that log; or 0.
uint64_t recorder_current(uint64_t log_id);

/// The body that a thread is in.
typedef struct {
    uint64_t log_id;
    /// 0 outside of bodies.
    uint64_t operation;
    /// When it began, in the time of the log's clock; 0 if nobody knows, or once this thread has ended the
    /// execution.
    uint64_t began;
    /// What bodies of about the same length have in common: a class, or the code of a closure.
    const void *kind;
    /// What the thread's clocks said then, in nanoseconds. 0 if they were not read. A wait of -1 is not known.
    uint64_t on_cpu;
    int64_t waited;
} recorder_body;
/// Sets the operation in whose body this thread is. Returns the previous value, for `recorder_restore`.
recorder_body recorder_enter(uint64_t log_id, uint64_t operation);
void recorder_restore(recorder_body before);

/// Between this and `recorder_end_body`, the calling thread is in the body of an operation. Returns where the
/// thread was before.
recorder_body recorder_begin_body(recorder_log *log, uint64_t id, uint64_t operation, const void *object);
/// The same for an operation that stands in for a closure's. Logs that it is executing.
recorder_body recorder_begin_closure(recorder_log *log, uint64_t id, uint64_t operation, const void *object);
/// Logs what the body used, if its clocks were read and this thread has not ended the execution.
void recorder_end_body(recorder_log *log, uint64_t id, uint64_t operation, recorder_body before);
/// The same for an operation that may go on, or that another thread may have finished. Also logs the end of
/// the body, unless this thread has ended the execution.
void recorder_leave_body(recorder_log *log, uint64_t id, uint64_t operation, recorder_body before);
/// The execution is about to end. Logs what the body used, if this thread is in it and its clocks were read.
/// Returns the time of that in the log; 0 if it is not known.
uint64_t recorder_end_clocks(recorder_log *log, uint64_t id, uint64_t operation);
/// The same, and logs that the operation succeeded. It is not ordered after what this thread has read.
void recorder_append_success(recorder_log *log, uint64_t id, uint64_t operation);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif
#endif
