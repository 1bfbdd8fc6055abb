// What a thread is doing: which operation's body it runs, whether it adds operations, and whether it waits
// for a queue.
#include "body_clocks.h"

__thread recorder_body clocks_body THREAD_LOCAL_MODEL;
THREAD_LOCAL bool is_enqueuing;
THREAD_LOCAL bool is_queue_waiting;

uint64_t recorder_current(uint64_t log_id) { return clocks_body.log_id == log_id ? clocks_body.operation : 0; }

recorder_body recorder_enter(uint64_t log_id, uint64_t operation) {
    recorder_body before = clocks_body;
    clocks_body = (recorder_body){.log_id = log_id, .operation = operation};
    return before;
}

void recorder_restore(recorder_body before) { clocks_body = before; }

bool recorder_begin_queue_wait(void) {
    bool before = is_queue_waiting;
    is_queue_waiting = true;
    return before;
}

void recorder_end_queue_wait(bool before) { is_queue_waiting = before; }

bool recorder_is_queue_waiting(void) { return is_queue_waiting; }

bool recorder_begin_enqueue(void) {
    bool before = is_enqueuing;
    is_enqueuing = true;
    return before;
}

void recorder_end_enqueue(bool before) { is_enqueuing = before; }

bool recorder_is_enqueuing(void) { return is_enqueuing; }
