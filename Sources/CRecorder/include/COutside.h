// What a program that `opviz record` records may tell the log that is written of it from outside: things that
// only the program knows. Both sides are built at different times, so this changes only by what is added at
// the end.
#ifndef COUTSIDE_H
#define COUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

/// What tells runs apart, as the log says it. The texts stay where they are.
typedef struct {
    const char *process;
    const char *host;
    int32_t process_id;
    /// Nanoseconds since 1970.
    int64_t start;
    /// The `TRACEPARENT` that the process was started with, as it was then; NULL without one.
    const char *cause;
} recorder_outside_run;

/// Functions of the library that is loaded into the program. Any thread, but none that holds a queue's lock.
/// They do nothing where there is no log: in a forked child, and when the program is ending.
typedef struct {
    /// Of this table, in bytes.
    size_t size;
    bool (*is_recording)(void);
    /// Notes that the context of an operation is sent now. Returns the operation's number in the log, or 0.
    uint64_t (*send_context)(void *operation, recorder_outside_run *run);
    /// Notes what caused an operation that is about to be added to a queue: a `traceparent`.
    void (*receive_context)(void *operation, const char *traceparent, size_t length);
    /// Puts a mark into the log, as said by an operation; NULL for the one in whose body this thread is.
    void (*mark)(void *operation, const char *text, size_t length);
    /// Says how an operation will have ended when it is seen to be finished: failed, with that message, or
    /// else cancelled.
    void (*will_finish)(void *operation, bool is_failed, const char *message, size_t length);
    /// Makes an operation the parent of all that is added to a queue from now on, whatever thread it is added
    /// on.
    void (*own_queue)(void *queue, void *operation);
} recorder_outside;

/// NULL in a program into which `opviz record` loaded nothing, or a library that is older than this.
const recorder_outside *recorder_outside_log(void);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
