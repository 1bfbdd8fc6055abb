// Records the tasks of Swift concurrency on Linux: every run, every suspension and what ends it.
#ifndef CTASKS_H
#define CTASKS_H

#include "CRecorder.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(hidden)

/// What became of observing the tasks of this process.
typedef enum {
    TASKS_ARE_NOT_WANTED = 0,
    TASKS_ARE_OBSERVED = 1,
    /// The process has no runtime of tasks.
    TASKS_HAVE_NO_RUNTIME = 2,
    /// The runtime is linked into the program, whose calls of its own functions cannot be replaced.
    TASKS_ARE_STATIC = 3,
    /// The runtime is not one that is known: our own tasks in it are not as expected.
    TASKS_ARE_UNKNOWN = 4,
} recorder_tasks_state;

/// Observes all tasks from now on. Creates tasks of its own to check the runtime, of which two stay. Any thread.
///
/// - Parameter log: returns the log that they are recorded in, or NULL. Called on any thread, at every event while
///   there is none. NULL if only `recorder_record_tasks` says where they are recorded.
recorder_tasks_state recorder_observe_tasks(recorder_log *(*log)(void));

/// From now on, records tasks in that log; NULL for none. Tasks that exist already have no creation there. Any thread.
void recorder_record_tasks(recorder_log *log);

/// The number in logs of the task that this thread runs; 0 for none. Call this only after tasks were observed.
uint64_t recorder_current_task(void);

/// Of more threads that have run tasks and not ended, `recorder_task_threads` knows this many.
enum { RECORDER_MOST_TASK_THREADS = 512 };

/// Stores the numbers of threads that run tasks now, `most` at most. Returns how many. Any thread; takes no lock.
size_t recorder_task_threads(uint64_t *numbers, size_t most);

/// Whether the runtime has its tasks' parts at those places: the members of `task_layout`, in their order. For tests.
/// Call this only after tasks were observed.
bool recorder_tasks_fit(const uint16_t *offsets, uint64_t is_cancelled, uint64_t is_complete);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
