// Records the tasks of Swift concurrency: every run, every suspension and what ends it.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <stdio.h>
#include <string.h>

// MARK: What a thread is doing

enum { MOST_NESTED = 64 };

/// The tasks that run on this thread, the innermost last: one that is started at once runs within another. And the actor
/// that each has: that it began on, or that it took without being suspended.
typedef struct {
    hidden_address task, actor;
} running_task;
THREAD_LOCAL running_task running[MOST_NESTED];
THREAD_LOCAL int running_count;
/// The task that completed last on this thread. Its error is stored a moment later.
THREAD_LOCAL struct {
    hidden_address task;
    uint64_t identifier;
    uint64_t time;
    /// The log that its end belongs to.
    uint64_t log;
    bool is_cancelled;
    bool is_logged;
} completed;
/// The task that a completing task is about to enqueue.
THREAD_LOCAL hidden_address woken;
/// The task whose continuation was resumed last on this thread, which may or may not enqueue it; and where it goes on.
THREAD_LOCAL struct {
    hidden_address task;
    uint64_t place;
} resumed;

static void push(void *task, void *actor) {
    if (running_count < MOST_NESTED) running[running_count] = (running_task){hidden(task), hidden(actor)};
    running_count++;
    task_threads_set(running_count);
}

static void pop(const void *task) {
    int count = running_count;
    while (count > 0 && (count > MOST_NESTED || running[count - 1].task != hidden(task))) count--;
    if (count == 0) return;
    running_count = count - 1;
    task_threads_set(running_count);
}

/// NULL outside of tasks.
static running_task *innermost_running(void) {
    return running_count > 0 && running_count <= MOST_NESTED ? &running[running_count - 1] : NULL;
}

static void *innermost(void) {
    running_task *running_here = innermost_running();
    return running_here ? shown(running_here->task) : NULL;
}

static inline bool is_hidden(const task_log *log, uint64_t number) { return task_has_state(log, number, TASK_IS_HIDDEN); }

/// The task or the operation that this thread is in; 0 for none.
static uint64_t identifier_of_current(const task_log *log, const void *current) {
    if (!current) return recorder_current(log->id);
    uint64_t number = task_number(current);
    return is_hidden(log, number) ? 0 : LOG_FIRST_TASK + number;
}

/// Logs that something happened to a task, and because of which task or operation.
static void log_event(const task_log *log, uint64_t time, uint8_t type, uint64_t task, uint64_t argument, uint64_t by) {
    if (!by) return recorder_append_at(log->log, log->id, time, type, task, argument);
    record records[] = {{by, 0, RECORD_PARENT}, {task, argument, type}};
    log_append_all(log->log, log->id, time, records, 2);
}

// MARK: The begin of a task

/// Logs the creation of a task that is seen for the first time, unless it may be older than the log. Returns false for
/// one of the runtime's own, which is hidden.
///
/// - Parameters:
///   - time: the time now.
///   - creator: the task that created it; NULL for none.
///   - is_queued: it was just enqueued on the global executor.
///   - is_immediate: it begins to run within its creator.
static bool create(
    const task_log *log, uint64_t time, const char *task, uint64_t number, void *creator, bool is_queued,
    bool is_immediate) {
    bool is_new = number >= atomic_load_explicit(&log->first_new, memory_order_relaxed);
    const void *context = (const void *)word_at(task, task_parts.context);
    // Only the first context of a task has no other one around it.
    if (!is_new && (!context || word_at(context, 0))) return true;
    uint32_t flags = half_at(task, task_parts.flags);
    const void *captured;
    const void *function = task_function(task, &captured);
    if (is_within(task_places.code, function)) {
        task_gets_state(log, number, TASK_IS_HIDDEN);
        return false;
    }
    if (!is_new) return true;
    uint64_t kind = flags & TASK_IS_GROUP_CHILD ? LOG_TASK_GROUP_CHILD
        : flags & TASK_IS_ASYNC_LET            ? LOG_TASK_ASYNC_LET
        : is_immediate                         ? LOG_TASK_IMMEDIATE
                                               : LOG_TASK_UNSTRUCTURED;
    uint64_t parent = flags & TASK_IS_CHILD ? task_identifier((const void *)word_at(task, task_parts.fragments))
                                            : identifier_of_current(log, creator);
    uint64_t priority = word_at(task, task_parts.status) & TASK_PRIORITY_MASK;
    uint64_t argument = task_function_text(log, function, captured) | priority << LOG_TASK_PRIORITY_BIT | kind << LOG_TASK_KIND_BIT
        | (uint64_t)is_queued << LOG_TASK_QUEUED_BIT;
    log_event(log, time, RECORD_TASK_CREATED, LOG_FIRST_TASK + number, argument, parent);
    return true;
}

// MARK: The end of a task

enum { ENDING_SUCCEEDED = 0, ENDING_CANCELLED = 1, ENDING_FAILED = 2 };

static void log_completed(const task_log *log, uint64_t ending, uint32_t message) {
    completed.is_logged = true;
    log_event(log, completed.time, RECORD_FINISHED, completed.identifier, ending | (uint64_t)message << 2, 0);
}

/// The error of the task that completed last was not stored, and will not be: another event of this thread follows.
static inline void settle(const task_log *log) {
    if (!completed.task || completed.is_logged || completed.log != log->id) return;
    log_completed(log, completed.is_cancelled ? ENDING_CANCELLED : ENDING_SUCCEEDED, 0);
}

/// A completed task publishes its end twice: when it completed, and when its result is stored.
static void complete(const task_log *log, const char *task, uint64_t number, uint64_t status) {
    if (completed.task != hidden(task)) {
        uint64_t time = log_time(log->log);
        settle(log);
        completed.task = hidden(task);
        completed.identifier = LOG_FIRST_TASK + number;
        completed.time = time;
        completed.log = log->id;
        completed.is_cancelled = status & task_parts.is_cancelled;
        completed.is_logged = is_hidden(log, number);
        if (!(half_at(task, task_parts.flags) & TASK_HAS_RESULT)) settle(log);
        return;
    }
    const void *type = completed.is_logged || completed.log != log->id ? NULL : task_error_type(task);
    if (!type) return settle(log);
    if (completed.is_cancelled && type == task_runtime.cancellation_error) return settle(log);
    log_completed(log, ENDING_FAILED, type_text(log, type));
}

/// The program ends in the task that runs on this thread. The main task of a program with an asynchronous `main` always
/// ends so, and the runtime says no more about it.
void tasks_exit(int status) {
    const task_log *log = log_of_tasks();
    const void *task = log ? innermost() : NULL;
    uint64_t number = task ? task_number(task) : 0;
    if (!task || is_hidden(log, number)) return;
    settle(log);
    char message[32];
    int length = snprintf(message, sizeof message, "exit(%d)", status);
    uint64_t ending = status == 0 ? ENDING_SUCCEEDED
                                  : ENDING_FAILED | (uint64_t)recorder_text(log->log, message, (size_t)length) << 2;
    log_event(log, log_time(log->log), RECORD_FINISHED, LOG_FIRST_TASK + number, ending, 0);
}

// MARK: Runs

/// The text of the running task's name; 0 without a name.
static __attribute__((noinline)) uint32_t name_of_current(const task_log *log) {
    const char *name = ((SWIFT const char *(*)(void))task_runtime.name)();
    return name ? recorder_text(log->log, name, strlen(name)) : 0;
}

static void observed_enter(char *local) {
    if (task_runtime_is_checking) {
        task_runtime_check_enter(local);
        return task_next.enter(local);
    }
    const task_log *log = log_of_tasks();
    char *task = local - task_parts.local;
    // What a thread is doing is known even while nothing is recorded.
    if (!log) {
        push(task, NULL);
        return task_next.enter(local);
    }
    settle(log);
    completed.task = woken = resumed.task = 0;
    uint64_t number = task_number(task);
    void *actor;
    uint32_t executor = executor_of_thread(log, &actor);
    // A task that is seen here for the first time begins at once.
    uint64_t time = log_now(log->log);
    if (task_gets_state(log, number, TASK_IS_SEEN)) create(log, time, task, number, innermost(), false, running_count > 0);
    if (!is_hidden(log, number)) {
        push(task, actor);
        // A name can be asked for only while the task runs.
        bool is_named = half_at(task, task_parts.flags) & TASK_HAS_NAME && task_gets_state(log, number, TASK_IS_NAMED);
        uint32_t name = is_named ? name_of_current(log) : 0;
        if (name) {
            record records[] = {{0, name, RECORD_NAME}, {LOG_FIRST_TASK + number, executor, RECORD_RUN_BEGAN}};
            log_append_all(log->log, log->id, time, records, 2);
        } else {
            recorder_append_at(log->log, log->id, time, RECORD_RUN_BEGAN, LOG_FIRST_TASK + number, executor);
        }
    }
    task_next.enter(local);
}

static void observed_exit(char *local) {
    if (task_runtime_is_checking) {
        task_runtime_check_exit(local);
        return task_next.exit(local);
    }
    const task_log *log = log_of_tasks();
    char *task = local - task_parts.local;
    uint64_t number = log ? task_number(task) : 0;
    if (log && !is_hidden(log, number)) {
        // Before the task can go on elsewhere.
        uint64_t time = log_time(log->log);
        settle(log);
        suspension found = suspension_of(log, task);
        uint64_t argument =
            found.reason | found.place << LOG_RUN_PLACE_BIT | found.executor << LOG_RUN_EXECUTOR_BIT;
        if (found.task) {
            record records[] = {
                {found.task, 0, RECORD_DEPENDENCY}, {LOG_FIRST_TASK + number, argument, RECORD_RUN_ENDED}};
            log_append_all(log->log, log->id, time, records, 2);
        } else {
            recorder_append_at(log->log, log->id, time, RECORD_RUN_ENDED, LOG_FIRST_TASK + number, argument);
        }
    }
    pop(task);
    task_next.exit(local);
}

// MARK: What happens between runs

static void enqueued(const task_log *log, char *task, uint64_t number) {
    uint64_t time = log_time(log->log);
    void *current = current_task();
    uint32_t executor = executor_waited_for(log, task);
    settle(log);
    if (task_gets_state(log, number, TASK_IS_SEEN)) {
        bool is_new = number >= atomic_load_explicit(&log->first_new, memory_order_relaxed);
        if (!create(log, log_now(log->log), task, number, current, !executor, false)) return;
        if (is_new && !executor) return;
        // Its parent is in the log.
        if (is_new) current = task;
    }
    if (is_hidden(log, number)) return;
    uint64_t by = 0, way = LOG_AWAITS_UNKNOWN;
    if (resumed.task == hidden(task) && resumed.place == word_at(task, task_parts.resume)) {
        // Its waker is in the log.
    } else if (current) {
        if (current != task) by = identifier_of_current(log, current);
    } else if (woken == hidden(task)) {
        by = completed.identifier;
    } else {
        by = recorder_current(log->id);
        if (!by) way = suspension_ended(log, task, NULL, false);
    }
    if (!executor) executor = executor_number(log, NULL, NULL);
    log_event(log, time, RECORD_TASK_ENQUEUED, LOG_FIRST_TASK + number, executor | way << LOG_QUEUE_BITS, by);
}

static void observed_task_release(char *task, const void *caller) {
    const task_log *log = log_of_tasks();
    uint64_t status = word_at(task, task_parts.status);
    bool is_complete = status & task_parts.is_complete;
    if (is_complete) pop(task);
    if (!log) return;
    if (is_complete) {
        complete(log, task, task_number(task), status);
    } else if (is_within(task_places.enqueue, caller)) {
        enqueued(log, task, task_number(task));
        woken = resumed.task = 0;
    } else if (
        is_within(task_places.resume[0], caller) || is_within(task_places.resume[1], caller)
        || is_within(task_places.resume[2], caller)) {
        settle(log);
        void *current = current_task();
        uint64_t way = suspension_ended(log, task, current, true), by = identifier_of_current(log, current);
        log_event(log, log_time(log->log), RECORD_TASK_RESUMED, task_identifier(task), way, by);
        resumed.task = hidden(task);
        resumed.place = word_at(task, task_parts.resume);
    }
}

/// The running task goes on on that executor, without being suspended.
static void moved(void *actor) {
    const task_log *log = log_of_tasks();
    void *current = log ? current_task() : NULL;
    uint64_t number = current ? task_number(current) : 0;
    if (!current || is_hidden(log, number)) return;
    settle(log);
    log_event(log, log_now(log->log), RECORD_TASK_MOVED, LOG_FIRST_TASK + number, executor_number(log, actor, NULL), 0);
}

static void cancelled(void *task) {
    const task_log *log = log_of_tasks();
    uint64_t number = log ? task_number(task) : 0;
    if (!log || is_hidden(log, number)) return;
    settle(log);
    log_event(
        log, log_time(log->log), RECORD_TASK_CANCELLED, LOG_FIRST_TASK + number, 0, identifier_of_current(log, current_task()));
}

static void observed_release(void *object) {
    const void *caller = __builtin_return_address(0);
    if (task_runtime_is_checking) {
        task_runtime_check_release(object);
    } else if (is_task(object)) {
        observed_task_release(object, caller);
    } else {
        // A task that takes another actor gives up its own only then.
        running_task *giver = innermost_running();
        if (giver && giver->actor == hidden(object)) {
            giver->actor = 0;
            moved(NULL);
        }
    }
    // A jump, so that the hook of another library below finds the runtime's return address.
    if (task_next.release) __attribute__((musttail)) return task_next.release(object);
}

static void observed_acquire(void *object) {
    const void *caller = __builtin_return_address(0);
    if (task_runtime_is_checking) {
        // Nothing that is observed here is checked.
    } else if (is_within(task_places.move, caller)) {
        // A free actor, which the task takes without being suspended.
        running_task *taker = innermost_running();
        if (taker) taker->actor = hidden(object);
        moved(object);
    } else if (is_task(object)) {
        if (is_within(task_places.cancel, caller)) {
            cancelled(object);
        } else if (completed.task) {
            // Otherwise it is a task that begins to run.
            woken = hidden(object);
        }
    }
    if (task_next.acquire) __attribute__((musttail)) return task_next.acquire(object);
}

recorder_tasks_state recorder_observe_tasks(recorder_log *(*log)(void)) {
    static const task_hooks hooks = {observed_enter, observed_exit, observed_acquire, observed_release};
    const char *stacks = recorder_environment("OPVIZ_AWAIT_STACKS");
    atomic_store_explicit(&records_await_stacks, stacks && *stacks, memory_order_relaxed);
    executors_begin();
    task_functions_begin();
    return task_states_begin() ? task_log_begin(&hooks, log) : TASKS_ARE_UNKNOWN;
}

uint64_t recorder_current_task(void) {
    const void *task = current_task();
    return task ? task_identifier(task) : 0;
}

#else

uint64_t recorder_current_task(void) { return 0; }

recorder_tasks_state recorder_observe_tasks(recorder_log *(*log)(void)) {
    (void)log;
    return TASKS_HAVE_NO_RUNTIME;
}

#endif
