// Shared by the files of the preloaded library. The library has no Swift, because Swift on Linux has no
// stable ABI across toolchains. On other systems than Linux it is empty.
#ifndef PRELOAD_H
#define PRELOAD_H

#include "../CRecorder/interposition.h"

#ifdef RECORDER_INTERPOSES

#pragma GCC visibility push(hidden)

// MARK: preload.c

/// Whether Foundation was linked into the program statically. Calls within it then never reach this library's
/// functions.
extern bool foundation_is_static;

/// The log of this process, begun at the first call. NULL if it could not be begun, and in a forked child.
recorder_log *the_log(void);

/// Whether the program's queues are recorded.
bool is_recording(void);

/// Foundation's own function, which a function of this library with the same name hides. `found` caches it.
void *foundation_function(_Atomic(void *) *found, const char *symbol);

// MARK: connection.c

/// Whether the process should be recorded at all.
bool connection_is_wanted(void);
/// Ends the process if the recorder only wants to know what can be recorded.
void connection_end_probe(bool has_foundation, bool is_static);
/// Tells `opviz record` that this process is observed. Called early, before the process can change its user,
/// its root or its permissions. `tasks`: what became of observing its tasks.
void connection_tell_loaded(recorder_tasks_state tasks);
/// What became of observing the program's tasks, since it asked for that itself.
void connection_report_tasks(recorder_tasks_state tasks);
/// Tells it that this process cannot be recorded: its symbols were stripped, or its Foundation is not known.
void connection_tell_unrecordable(bool is_stripped);
/// Asks for the memory of the log. Returns its descriptor, its size, and where times on processors come from;
/// or -1, and reports the reason.
int connection_ask(uint64_t *size, uint32_t *processor_times);
/// Reports whether a log was begun in that memory.
void connection_report_log(bool is_begun, int error);
/// Reports that the program uses a Foundation that it loaded after its start.
void connection_report_later_foundation(void);
/// Reports that a forked child, which is not recorded, uses queues.
void connection_report_forked_user(void);

// MARK: program.c

/// What is known about Swift in the program itself, if it was linked statically.
typedef enum { PROGRAM_HAS_NO_FOUNDATION, PROGRAM_HAS_FOUNDATION, PROGRAM_IS_STRIPPED } program_state;
/// Finds Foundation in the program's symbol table. Calls `class_found` with every class in it.
program_state program_find(foundation_symbols *symbols, void (*class_found)(const void *class_metadata));
/// Whether that found the runtime of tasks there.
bool program_has_tasks(void);

// MARK: classes.c

/// What is known about a class of operations.
typedef struct {
    /// The number of its name in the log.
    uint32_t kind;
    /// Whether the program's recorder knows the kinds of its operations better.
    bool has_own_kinds;
    /// Whether its methods are replaced.
    bool is_observed;
    /// Whether an operation of this class is ready as soon as it waits for nothing.
    bool has_base_readiness;
    /// Whether it is `BlockOperation`. Its subclasses have kinds of their own.
    bool is_closure;
} operation_class;

operation_class class_of(recorder_log *log, void *operation);
/// Sets what differs between operations of a class to what is so for this one, which is alive. Calls the
/// program.
void class_ask(recorder_log *log, void *operation, operation_class *class);

// Functions of the program's recorders that know the kinds of operations.
void kinds_ask(recorder_outside_kinds kinds);
void kinds_forget(recorder_outside_kinds kinds);

// MARK: queues.c

/// An operation's log entry names at most this many unfinished barriers that it waits for: the latest ones,
/// each of which waits for those before it. More are kept, so that a thread has time to read the names.
enum { BARRIERS_NAMED = 8, BARRIERS_KEPT = 16 };

/// A queue, from the first time it is seen until it is deallocated.
typedef struct observed_queue {
    struct observed_queue *next;
    void *object;
    uint64_t identifier;
    /// The limit, as in the log.
    _Atomic int64_t limit;
    atomic_bool is_suspended;
    /// The main queue's settings cannot be changed.
    bool is_main;
    /// The parent of everything that is added to it; 0 if that is the operation in whose body it is added.
    _Atomic uint64_t owner;
    _Atomic uint64_t barriers;
    _Atomic uint64_t finished_barriers;
    /// The operations of the last barriers, by the barriers' numbers.
    _Atomic uint64_t barrier_operations[BARRIERS_KEPT];
} observed_queue;

/// The queue's entry, added on first use; NULL if nothing is recorded. Call this without holding a queue's
/// lock.
observed_queue *queues_find(void *queue);
void queues_forget(void *queue);
/// The queue's settings, read from Foundation's own storage.
int64_t queue_limit(void *queue);
bool queue_is_suspended(void *queue);
/// `is_main` may be NULL.
uint32_t queue_given_name(recorder_log *log, void *queue, bool *is_main);

// MARK: enqueue.c

/// The operation that is the parent of what this thread now adds to the queue; 0 for none.
uint64_t parent_in(recorder_log *log, observed_queue *queue);
/// Logs that `operation` is being added, and records it from then on.
void enqueue(recorder_log *log, observed_queue *queue, void *operation);
/// The identifier of an operation in the log. With `reads_name`, do not hold a queue's lock.
uint64_t identify(recorder_log *log, void *operation, bool reads_name);
extern const observation_hooks operation_hooks;

// MARK: barriers.c

typedef SWIFT void (*add_barrier_method)(const void *code, void *context, SELF);

/// Adds a barrier by `original`, and records it.
void barriers_add(
    recorder_log *log, observed_queue *queue, void *self, const void *code, void *context, add_barrier_method original);

/// The last barriers that have not finished, at most `BARRIERS_NAMED`. Also the number of the last barrier
/// that was added, and whether all have finished.
size_t barriers_unfinished(observed_queue *queue, uint64_t *last, bool *are_finished, uint64_t *operations);

/// Whether this thread is adding a barrier to that queue, in an override that calls the superclass's method.
bool barriers_is_adding(void *queue);

// MARK: queue_settings.c

// Sets a queue's settings. `original` is the method that was replaced.
void settings_set_limit(int64_t limit, void *self, void *original);
void settings_set_suspended(bool is_suspended, void *self, void *original);
void settings_set_name(swift_text name, void *self, void *original);

/// The result of a coroutine that changes a value in place: a function to call afterwards, and the value's
/// address.
typedef struct {
    void *finish;
    void *value;
} settings_change;

/// For changes in place such as `isSuspended.toggle()`.
settings_change settings_change_in_place(void **buffer, void *self, void *original);

// MARK: queue_methods.c

/// Replaces the methods of a class of queues.
void queue_methods_observe(const void *class_metadata);

#pragma GCC visibility pop

#endif
#endif
