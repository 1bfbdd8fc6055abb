// What a program can tell the log that `opviz record` writes about it: things that only the program knows.
// The two sides are built at different times, so this table changes only by additions at its end.
#ifndef COUTSIDE_H
#define COUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

/// What tells runs apart, as in the log. The texts stay valid.
typedef struct {
    const char *process;
    const char *host;
    int32_t process_id;
    /// Nanoseconds since 1970.
    int64_t start;
    /// The `TRACEPARENT` in the environment when the process started; NULL if there was none.
    const char *cause;
} recorder_outside_run;

/// What a program's own recorder knows about the kind of an operation.
typedef enum {
    /// Its kind is the name of its class.
    OUTSIDE_KIND_IS_CLASS = 0,
    /// It states its own kind, as every operation of its class does.
    OUTSIDE_KIND_IS_STATED = 1,
    /// Its class stands in for `BlockOperation`.
    OUTSIDE_KIND_IS_CLOSURE = 2,
} recorder_outside_kind;

/// Calls `take` once with the kind that an operation states. `take` is NULL if only the result is wanted;
/// the operation is not asked then. Called on any thread, also while a queue's lock is held.
typedef recorder_outside_kind (*recorder_outside_kinds)(
    void *operation, void *context, void (*take)(void *context, const char *text, size_t length));

/// Functions of the library that is loaded into the program. Call them on any thread that does not hold a
/// queue's lock. They do nothing without a log: in a forked child, and when the program is ending.
typedef struct {
    /// The size of this table, in bytes.
    size_t size;
    bool (*is_recording)(void);
    /// Logs that the context of an operation is being sent. Returns the operation's number in the log, or 0.
    uint64_t (*send_context)(void *operation, recorder_outside_run *run);
    /// Logs what caused an operation that is about to be added to a queue: a `traceparent`.
    void (*receive_context)(void *operation, const char *traceparent, size_t length);
    /// Logs a mark for an operation; NULL stands for the operation in whose body this thread is.
    void (*mark)(void *operation, const char *text, size_t length);
    /// Says how an operation ends, before it is seen to be finished: failed with that message, or cancelled.
    void (*will_finish)(void *operation, bool is_failed, const char *message, size_t length);
    /// Makes an operation the parent of everything that is added to a queue from now on, on any thread.
    void (*own_queue)(void *queue, void *operation);
    /// From now on, asks `kinds` for the kinds of operations. A program has several recorders if its
    /// libraries contain some. Call `forget_kinds` before the function is unloaded.
    void (*ask_kinds)(recorder_outside_kinds kinds);
    void (*forget_kinds)(recorder_outside_kinds kinds);
    /// Records Swift tasks from now on, too. Returns false if that is not possible; `opviz record` then says why.
    bool (*observe_tasks)(void);
} recorder_outside;

/// NULL if `opviz record` loaded nothing into the program. An older library's table ends before `ask_kinds`.
const recorder_outside *recorder_host_log(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
