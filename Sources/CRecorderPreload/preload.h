// What the files of the preloaded library share. No Swift is in it, since Swift on Linux has no stable
// interface between toolchains; and only on Linux is there anything in it at all.
#ifndef PRELOAD_H
#define PRELOAD_H

#include "../CRecorder/interposition.h"

#ifdef RECORDER_INTERPOSES

#pragma GCC visibility push(hidden)

// MARK: preload.c

/// Where everything is in this process's Foundation. Set before any method is replaced.
extern foundation_layout foundation;
/// Whether it was linked into the program statically: calls within it then reach no function of this library.
extern bool foundation_is_static;

/// The log of this process, begun at the first call. NULL where there is none to be had, or this is a forked
/// child.
recorder_log *the_log(void);

/// Whether the program's queues are followed.
bool is_recording(void);

/// Foundation's own function, behind the one of that name that this library defines. `found` keeps it.
void *foundation_function(_Atomic(void *) *found, const char *symbol);

// MARK: connection.c

/// Whether the process is to be recorded at all.
bool connection_is_wanted(void);
/// Tells `opviz record` that this process is followed, before it can change its user, its root or what it may
/// do.
void connection_tell_loaded(void);
/// Tells it that nothing of this process can be followed: its symbols were stripped, or its Foundation is not
/// known.
void connection_tell_unrecordable(bool is_stripped);
/// Asks for the memory of the log. Returns its descriptor and its size; or -1, and the reason is noted.
int connection_ask(uint64_t *size);
/// Notes whether a log could be begun in that memory.
void connection_note_log(bool is_begun, int error);
/// Notes that a forked child, which is not recorded, uses queues.
void connection_note_forked_user(void);

// MARK: program.c

/// What is known of Swift in the program itself, where it was linked statically.
typedef enum { PROGRAM_HAS_NO_FOUNDATION, PROGRAM_HAS_FOUNDATION, PROGRAM_IS_STRIPPED } program_state;
/// Finds Foundation in the program's symbol table. `class_found` is told of every class there is in it.
program_state program_find(foundation_symbols *symbols, void (*class_found)(const void *class_metadata));

// MARK: classes.c

/// What is known of a class of operations.
typedef struct {
    /// The number of its name in the log.
    uint32_t kind;
    /// Its methods are replaced.
    bool is_observed;
    /// One that waits for nothing is ready.
    bool has_base_readiness;
    /// `BlockOperation`: its subclasses have a kind of their own.
    bool is_closure;
} operation_class;

operation_class class_of(recorder_log *log, void *operation);

// MARK: queues.c

/// Of the barriers that have not finished, so many are named as what an operation waits for: the last ones,
/// each of which waits for those before it. The others are kept so that a thread that reads the names has
/// time to.
enum { BARRIERS_NAMED = 8, BARRIERS_KEPT = 16 };

/// A queue, from the first time it is seen until it is deallocated.
typedef struct followed_queue {
    struct followed_queue *next;
    void *object;
    uint64_t identifier;
    /// As the log says.
    _Atomic int64_t limit;
    atomic_bool is_suspended;
    /// The main queue's settings cannot be changed.
    bool is_main;
    /// The parent of all that is added to it; 0 where that is the operation in whose body it is added.
    _Atomic uint64_t owner;
    _Atomic uint64_t barriers;
    _Atomic uint64_t finished_barriers;
    /// Of the last barriers, by their numbers: the operations they are.
    _Atomic uint64_t barrier_operations[BARRIERS_KEPT];
} followed_queue;

/// The account of a queue, opened where there is none; NULL where nothing is recorded. To be called without a
/// queue's lock.
followed_queue *queues_find(void *queue);
void queues_forget(void *queue);
/// The queue's settings, read as Foundation keeps them.
int64_t queue_limit(void *queue);
bool queue_is_suspended(void *queue);
/// `is_main` may be NULL.
uint32_t queue_given_name(recorder_log *log, void *queue, bool *is_main);

// MARK: enqueue.c

/// The operation that the parent of what is added to the queue now is, on this thread; 0 where there is none.
uint64_t parent_in(recorder_log *log, followed_queue *queue);
/// Logs that `operation` is being added, and follows it.
void enqueue(recorder_log *log, followed_queue *queue, void *operation);
/// The identifier of an operation in the log. `reads_name`: not with a queue's lock held.
uint64_t identify(recorder_log *log, void *operation, bool reads_name);
extern const observation_hooks operation_hooks;

// MARK: barriers.c

typedef SWIFT void (*add_barrier_method)(const void *code, void *context, SELF);

/// Adds a barrier by `original`, and follows it.
void barriers_add(
    recorder_log *log, followed_queue *queue, void *self, const void *code, void *context, add_barrier_method original);

/// The last barriers that have not finished, at most `BARRIERS_NAMED`; and the number of the last one that
/// was added, and whether all have finished.
size_t barriers_unfinished(followed_queue *queue, uint64_t *last, bool *are_finished, uint64_t *operations);

/// Whether this thread is adding a barrier to that queue, by an override that goes on by the superclass's
/// method.
bool barriers_is_adding(void *queue);

// MARK: queue_settings.c

// What sets a queue's settings; `original` is the method that was replaced.
void settings_set_limit(int64_t limit, void *self, void *original);
void settings_set_suspended(bool is_suspended, void *self, void *original);
void settings_set_name(swift_text name, void *self, void *original);

/// What a coroutine returns that changes a value in place: a function to be called then, and the value's
/// address.
typedef struct {
    void *finish;
    void *value;
} settings_change;

/// `isSuspended.toggle()` and such.
settings_change settings_change_in_place(void **buffer, void *self, void *original);

// MARK: queue_methods.c

/// Replaces the methods of a class of queues.
void queue_methods_observe(const void *class_metadata);

#pragma GCC visibility pop

#endif
#endif
