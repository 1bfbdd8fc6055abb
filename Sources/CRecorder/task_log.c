// The log that tasks are recorded in. Logs may follow each other, and tasks live through several.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <pthread.h>
#include <stdlib.h>

_Atomic(task_log *) task_log_current;
/// Asked for the log at an event without one; NULL if nobody is to be asked.
static _Atomic(recorder_log *(*)(void)) log_at_first_task;
/// Held while these change.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/// Tasks from this number on were created since the runtime is observed; 0 if it is not.
static uint64_t first_observed;

#ifdef __GLIBC__

static void exiting(int status, void *unused) {
    (void)unused;
    tasks_exit(status);
}

/// Handlers run in the opposite order: this one is registered with the first log, and runs before the log is sealed.
static void register_exit(void) { on_exit(exiting, NULL); }

#else

static void register_exit(void) {}

#endif

static task_log *publish(recorder_log *log, uint64_t first_new) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (log) pthread_once(&once, register_exit);
    static task_log *last;
    task_log *next = log ? calloc(1, sizeof *next) : NULL;
    if (next) {
        *next = (task_log){log, log->id, first_new, .previous = last};
        last = next;
    }
    atomic_store_explicit(&task_log_current, next, memory_order_release);
    return next;
}

const task_log *task_log_ask(void) {
    recorder_log *(*ask)(void) = atomic_load_explicit(&log_at_first_task, memory_order_acquire);
    // A forked child asks, too: the process that is asked learns that it has tasks.
    recorder_log *log = ask ? ask() : NULL;
    if (!log) return NULL;
    pthread_mutex_lock(&lock);
    task_log *current = atomic_load(&task_log_current);
    if (!current) current = publish(log, first_observed);
    pthread_mutex_unlock(&lock);
    return current;
}

recorder_tasks_state task_log_begin(const task_hooks *hooks, recorder_log *(*log)(void)) {
    pthread_mutex_lock(&lock);
    recorder_tasks_state state = task_runtime_observe(hooks);
    if (state == TASKS_ARE_OBSERVED && !first_observed) {
        first_observed = task_runtime_newest() + 1;
        atomic_store(&log_at_first_task, log);
    }
    pthread_mutex_unlock(&lock);
    return state;
}

void recorder_record_tasks(recorder_log *log) {
    pthread_mutex_lock(&lock);
    // Until the number is known, no task is taken for a new one.
    task_log *current = publish(log, UINT64_MAX);
    if (current && first_observed) atomic_store(&current->first_new, task_runtime_newest() + 1);
    pthread_mutex_unlock(&lock);
}

#else

void recorder_record_tasks(recorder_log *log) { (void)log; }

#endif
