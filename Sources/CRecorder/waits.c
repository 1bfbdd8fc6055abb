// Which threads wait for operations and queues, and in whose bodies, for snapshots of a running program.
// Waits are few and long, so one lock is enough.
#include "CObservation.h"
#include "log.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static recorder_wait *first;
static uint64_t count;

void recorder_begin_wait(
    recorder_wait *wait, const recorder_log *log, uint64_t operation, const void *target, bool is_for_queue,
    bool is_override) {
    *wait = (recorder_wait){
        .operation = operation,
        .log_id = log->id,
        .target = target,
        .thread = recorder_thread_number(),
        .is_for_queue = is_for_queue,
        .is_on_main_thread = !is_override && recorder_is_main_thread(),
    };
    // In a forked child the lock may be held for ever, and the threads in the list do not exist.
    if (recorder_is_forked_child()) return;
    pthread_mutex_lock(&lock);
    wait->is_listed = true;
    wait->number = ++count;
    wait->next = first;
    if (first) first->previous = wait;
    first = wait;
    pthread_mutex_unlock(&lock);
}

void recorder_end_wait(recorder_wait *wait) {
    if (!wait->is_listed || recorder_is_forked_child()) return;
    pthread_mutex_lock(&lock);
    if (wait->previous) wait->previous->next = wait->next;
    else first = wait->next;
    if (wait->next) wait->next->previous = wait->previous;
    pthread_mutex_unlock(&lock);
}

void recorder_each_wait(
    const recorder_log *log, void (*visit)(const recorder_wait *wait, void *context), void *context) {
    if (recorder_is_forked_child()) return;
    pthread_mutex_lock(&lock);
    for (const recorder_wait *wait = first; wait; wait = wait->next) {
        if (wait->log_id == log->id) visit(wait, context);
    }
    pthread_mutex_unlock(&lock);
}
