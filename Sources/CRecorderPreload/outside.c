// What the program's own recorder tells the log here, which has everything else about the program.
#include "preload.h"

#ifdef RECORDER_INTERPOSES

static uint64_t send_context(void *operation, recorder_outside_run *run) {
    recorder_log *log = the_log();
    if (!log) return 0;
    const log_header *header = log->header;
    *run = (recorder_outside_run){
        header->process, header->host, (int32_t)header->process_id, header->start_wall, log->cause[0] ? log->cause : NULL,
    };
    uint64_t identifier = identify(log, operation, true);
    recorder_append_now(log, log->id, RECORD_CONTEXT_SENT, identifier, 0);
    return identifier;
}

static void receive_context(void *operation, const char *traceparent, size_t length) {
    recorder_log *log = the_log();
    if (!log) return;
    uint64_t identifier = identify(log, operation, true);
    recorder_append_now(log, log->id, RECORD_CONTEXT_RECEIVED, identifier, recorder_text(log, traceparent, length));
}

static void mark(void *operation, const char *text, size_t length) {
    recorder_log *log = the_log();
    if (!log) return;
    uint64_t speaker = operation ? identify(log, operation, true) : recorder_current(log->id);
    record records[] = {
        {.subject = speaker, .type = RECORD_PARENT},
        {.argument = recorder_text(log, text, length), .type = RECORD_MARK},
    };
    recorder_append(log, log_now(log), records + !speaker, 1 + (speaker != 0));
}

static void will_finish(void *operation, bool is_failed, const char *message, size_t length) {
    recorder_log *log = the_log();
    recorded_operation *entry = log ? objects_find(operation) : NULL;
    // Encoded as in the record of its finish.
    if (entry) SET(entry->outcome, is_failed ? 2 | (uint64_t)recorder_text(log, message, length) << 2 : 1);
}

static void own_queue(void *queue, void *operation) {
    recorder_log *log = the_log();
    observed_queue *found = log ? queues_find(queue) : NULL;
    if (found) atomic_store_explicit(&found->owner, identify(log, operation, true), memory_order_relaxed);
}

static bool observe_tasks(void) {
    recorder_tasks_state tasks = recorder_observe_tasks(the_log);
    connection_report_tasks(tasks);
    return tasks == TASKS_ARE_OBSERVED;
}

/// A recorder in the program looks this up by name, because the program may have been built long before.
__attribute__((visibility("default"))) extern const recorder_outside opviz_outside;
const recorder_outside opviz_outside = {
    sizeof opviz_outside, is_recording, send_context, receive_context, mark, will_finish, own_queue,
    kinds_ask, kinds_forget, observe_tasks,
};

#endif
