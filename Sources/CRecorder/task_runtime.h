// What the recorder knows about the runtime of Swift's tasks in this process: its functions, where a task has
// its parts, and the places to observe it at. Only on Linux.
#ifndef RECORDER_TASK_RUNTIME_H
#define RECORDER_TASK_RUNTIME_H

#include "foundation.h"
#include "log.h"

#ifdef RECORDER_INTERPOSES

#pragma GCC visibility push(hidden)

// Every symbol that is used: its name here and its own name.
#define TASK_SYMBOLS(SYMBOL)                                                                                 \
    SYMBOL(layout_version, "_swift_concurrency_debug_internal_layout_version")                               \
    SYMBOL(metadata, "_swift_concurrency_debug_asyncTaskMetadata")                                           \
    SYMBOL(acquire, "_swift_tsan_acquire")                                                                   \
    SYMBOL(release, "_swift_tsan_release")                                                                   \
    SYMBOL(enter, "swift_task_enterThreadLocalContext")                                                      \
    SYMBOL(exit, "swift_task_exitThreadLocalContext")                                                        \
    SYMBOL(current, "swift_task_getCurrent")                                                                 \
    SYMBOL(current_executor, "swift_task_getCurrentExecutor")                                                \
    SYMBOL(preferred_executor, "swift_task_getPreferredTaskExecutor")                                        \
    SYMBOL(main_executor, "swift_task_getMainExecutor")                                                      \
    SYMBOL(number, "swift_task_getJobTaskId")                                                                \
    SYMBOL(name, "swift_task_getCurrentTaskName")                                                            \
    SYMBOL(type_name, "swift_getTypeName")                                                                   \
    SYMBOL(enqueue, "swift_task_enqueue")                                                                    \
    SYMBOL(resume, "swift_continuation_resume")                                                              \
    SYMBOL(resume_throwing, "swift_continuation_throwingResume")                                             \
    SYMBOL(resume_with_error, "swift_continuation_throwingResumeWithError")                                  \
    SYMBOL(cancel, "swift_task_cancel")                                                                      \
    SYMBOL(move, "swift_task_switch")                                                                        \
    SYMBOL(create, "swift_task_create")                                                                      \
    SYMBOL(run, "swift_job_run")                                                                             \
    SYMBOL(await, "swift_task_future_wait")                                                                  \
    SYMBOL(cancellation_error, "$sScEN")                                                                     \
    SYMBOL(resume_of_waiting, "_swift_concurrency_debug_task_future_wait_resume_adapter")                     \
    SYMBOL(empty_type, "$sytN")

/// Their addresses in this process; NULL for a missing symbol.
typedef struct {
#define SYMBOL(name, symbol) void *name;
    TASK_SYMBOLS(SYMBOL)
#undef SYMBOL
} task_symbols;

/// Where a task has its parts, in bytes from its start, and what their bits mean.
typedef struct {
    uint16_t flags;
    /// The lower half of its number.
    uint16_t number;
    /// Where it goes on, and its context then.
    uint16_t resume;
    uint16_t context;
    /// What the functions that begin and end a run get.
    uint16_t local;
    uint16_t status;
    /// What it waits for; in that record, the object and what kind it is of.
    uint16_t dependency;
    uint16_t dependency_object;
    uint16_t dependency_kind;
    /// The parts that only some tasks have.
    uint16_t fragments;
    uint64_t is_cancelled;
    uint64_t is_complete;
} task_layout;

/// Of version 1, the only one so far.
extern const task_layout task_layout_known;

extern task_symbols task_runtime;
extern task_layout task_parts;

/// What is called at those places. `enter` and `exit` get what the runtime's own functions get.
typedef struct {
    void (*enter)(char *local);
    void (*exit)(char *local);
    void (*acquire)(void *object);
    void (*release)(void *object);
} task_hooks;

/// What stood at the same places before; NULL for none. A hook calls it last.
extern task_hooks task_next;

/// Finds the runtime, checks with tasks of its own that everything is as expected, and observes it from then on.
/// Until this returns, `hooks` must not rely on the layout of tasks.
recorder_tasks_state task_runtime_observe(const task_hooks *hooks);

// task_check.c

/// Whether the runtime's tasks have that layout. Creates three tasks, of which two stay; runs two.
bool task_runtime_check(const task_layout *layout);
/// The number of a task that was created now, run and destroyed: later ones have greater numbers.
uint64_t task_runtime_newest(void);

/// Whether the thread is checking the runtime: what it then observes is tasks of our own.
extern __thread bool task_runtime_is_checking THREAD_LOCAL_MODEL;
/// What the check observes.
void task_runtime_check_enter(char *local);
void task_runtime_check_exit(char *local);
void task_runtime_check_release(void *object);

/// Whether an address lies within one of the runtime's functions, as far as symbols say.
typedef struct {
    uintptr_t from, to;
} function_range;

typedef struct {
    function_range enqueue, resume[3], cancel, move;
    /// The code of the runtime's library.
    function_range code;
} task_functions;
extern task_functions task_places;

static inline bool is_within(function_range range, const void *address) {
    return (uintptr_t)address - range.from < range.to - range.from;
}

static inline uint64_t word_at(const void *base, size_t offset) {
    return *(const uint64_t *)((const char *)base + offset);
}
static inline uint32_t half_at(const void *base, size_t offset) {
    return *(const uint32_t *)((const char *)base + offset);
}

static inline bool is_task(const void *object) {
    return word_at(object, 0) == *(const uint64_t *)task_runtime.metadata;
}

/// The runtime's number for a task.
static inline uint64_t task_number(const void *task) {
    return ((SWIFT uint64_t(*)(const void *))task_runtime.number)(task);
}

/// The number of a task in a log.
static inline uint64_t task_identifier(const void *task) { return LOG_FIRST_TASK + task_number(task); }

static inline void *current_task(void) { return ((SWIFT void *(*)(void))task_runtime.current)(); }

typedef struct {
    void *object, *implementation;
} executor_reference;

// Bits of a task's flags, from `JobFlags` of the runtime.
enum {
    TASK_IS_CHILD = 1 << 24,
    TASK_HAS_RESULT = 1 << 25,
    TASK_IS_GROUP_CHILD = 1 << 26,
    TASK_IS_ASYNC_LET = 1 << 28,
    TASK_HAS_NAME = 1 << 30,
};

/// The priority of a task, in its status.
enum { TASK_PRIORITY_MASK = 0xff };

/// The kind of the metadata of types such as `any Error`.
enum { METADATA_IS_EXISTENTIAL = 0x303 };

// What a task waits for, from `TaskDependencyStatusRecord` of the runtime.
enum { WAITS_FOR_TASK = 1, WAITS_FOR_CONTINUATION = 2, WAITS_FOR_GROUP = 3, WAITS_FOR_EXECUTOR = 4 };

/// The type of the error that a task with a result has when it is complete; NULL if it succeeded.
static inline const void *task_error_type(const void *task) {
    uint32_t flags = half_at(task, task_parts.flags);
    size_t result = task_parts.fragments + (flags & TASK_IS_CHILD ? 16 : 0) + (flags & TASK_IS_GROUP_CHILD ? 8 : 0);
    const void *error = (const void *)word_at(task, result + 16), *type = NULL;
    // An error whose type is `any Error` has another one in it.
    for (int depth = 0; error && depth < 4; depth++) {
        type = (const void *)word_at(error, 16);
        if (word_at(type, 0) != METADATA_IS_EXISTENTIAL) break;
        error = (const void *)word_at(error, 32);
    }
    return type;
}

/// A log that tasks are recorded in. Never freed: a thread may still use one that another log replaced, which then
/// takes nothing more.
typedef struct task_log {
    recorder_log *log;
    uint64_t id;
    /// The number of the first task that cannot have been created before this log recorded tasks.
    _Atomic uint64_t first_new;
    struct task_log *previous;
} task_log;

// task_log.c

/// NULL for none.
extern _Atomic(task_log *) task_log_current;
/// The log, if it begins at its first event. NULL otherwise.
const task_log *task_log_ask(void);
/// Observes the runtime, with the log that `log` returns at the first event; or without one, if that is NULL.
recorder_tasks_state task_log_begin(const task_hooks *hooks, recorder_log *(*log)(void));

/// NULL if nothing is recorded, and in a forked child.
static inline const task_log *log_of_tasks(void) {
    const task_log *log = atomic_load_explicit(&task_log_current, memory_order_acquire);
    return log && !recorder_is_forked_child() ? log : task_log_ask();
}

// tasks.c

/// The program ends, by a call of `exit` on this thread.
void tasks_exit(int status);

// task_threads.c

/// A thread that has run a task. It keeps its place until it ends.
typedef struct {
    /// 0 for a free place.
    _Atomic uint64_t number;
    /// How many tasks run on it, each within the one before.
    _Atomic int count;
} task_thread;

/// NULL before its first task.
extern __thread task_thread *task_thread_own THREAD_LOCAL_MODEL;
/// This thread gets a place.
void task_threads_enter(void);

/// From now on, that many tasks run on this thread.
static inline void task_threads_set(int count) {
    if (!task_thread_own) task_threads_enter();
    atomic_store_explicit(&task_thread_own->count, count, memory_order_relaxed);
}

// task_states.c

typedef enum {
    TASK_IS_SEEN = 1,
    /// One of the runtime's own, which is not logged.
    TASK_IS_HIDDEN = 2,
    TASK_IS_NAMED = 4,
} task_state;

/// A byte for each of the last tasks: its states, and above them, the log that they are of. The ring is emptied in
/// blocks, half a round ahead of the newest task.
enum { TASK_RING_BITS = 25, TASK_BLOCK_BITS = 16, TASK_STATE_BITS = 3 };
extern _Atomic uint8_t *task_ring;
extern _Atomic uint64_t task_newest_block;

/// Returns false if there is no memory.
bool task_states_begin(void);
/// The first task of a block is seen.
void task_states_advance(uint64_t block);
/// `task_gets_state` for a byte that is of another log.
bool task_gets_first_state(const task_log *log, _Atomic uint8_t *byte, task_state state);

static inline _Atomic uint8_t *task_state_byte(uint64_t number) { return &task_ring[number % (1u << TASK_RING_BITS)]; }

/// Whether the states in a byte are of that log.
static inline bool task_states_are_of(const task_log *log, uint8_t byte) {
    return ((byte ^ log->id << TASK_STATE_BITS) & 0xff) < 1 << TASK_STATE_BITS;
}

static inline bool task_has_state(const task_log *log, uint64_t number, task_state state) {
    uint8_t byte = atomic_load_explicit(task_state_byte(number), memory_order_relaxed);
    return byte & state && task_states_are_of(log, byte);
}

/// Returns false if the task had that state before.
static inline bool task_gets_state(const task_log *log, uint64_t number, task_state state) {
    uint64_t block = number >> TASK_BLOCK_BITS;
    if (block > atomic_load_explicit(&task_newest_block, memory_order_relaxed)) task_states_advance(block);
    _Atomic uint8_t *place = task_state_byte(number);
    uint8_t byte = atomic_load_explicit(place, memory_order_relaxed);
    if (!task_states_are_of(log, byte)) return task_gets_first_state(log, place, state);
    return !(byte & state) && !(atomic_fetch_or_explicit(place, (uint8_t)state, memory_order_relaxed) & state);
}

// task_functions.c

/// Learns which addresses belong to the code and the constants of the program and its libraries.
void task_functions_begin(void);
/// The function that a task was created with; and what that may have captured first. Call this before its first run.
const void *task_function(const char *task, const void **captured);
/// The number of the text for both.
uint32_t task_function_text(const task_log *log, const void *function, const void *captured);

// task_suspensions.c

typedef struct {
    /// A `LOG_AWAITS` number.
    uint64_t reason;
    /// The task that it awaits, and the executor that it waits for; 0 for none.
    uint64_t task, executor;
    /// The text of the place where it is suspended; 0 if it is unknown.
    uint64_t place;
} suspension;

/// Call this before the task can be resumed.
suspension suspension_of(const task_log *log, const char *task);

/// Whether the place of a suspension is the whole await stack.
extern _Atomic bool records_await_stacks;

/// The number of the text with the functions of the program in which the task awaits something, from the one that goes on
/// at `resume`; 0 for none. Only on the thread that suspends the task, before anybody can resume it.
uint32_t await_stack_of(const task_log *log, const char *task, const void *resume);
/// The executor of its own that a task waits for; 0 for none.
uint32_t executor_waited_for(const task_log *log, const char *task);
/// What a task awaited that is enqueued now: a sleep, if the runtime's own task resumes it; a yield, if nobody does; or
/// a continuation. `current`: the task that resumes it.
uint64_t suspension_ended(const task_log *log, const char *task, const void *current, bool is_resumed);

// executors.c

void executors_begin(void);
/// The number of an executor in the log, which lists it at the first time. 0 for one that has no number.
uint32_t executor_number(const task_log *log, void *object, const void *implementation);
/// The executor that this thread's code runs on, and its object.
uint32_t executor_of_thread(const task_log *log, void **object);
/// The number of a type's name in the log.
uint32_t type_text(const task_log *log, const void *type);

#pragma GCC visibility pop

#endif
#endif
