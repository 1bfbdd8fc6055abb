// Which operations are followed in which log, and the threads that wait for them.
#include "interposition.h"

#ifdef RECORDER_INTERPOSES

void recorder_follow(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    bool is_new;
    followed *entry = objects_find_or_add(operation, log, &is_new);
    if (!entry) return;
    SET(entry->identifier, identifier);
    SET(entry->enqueued, enqueued);
    atomic_store_explicit(&entry->edges, edges, memory_order_relaxed);
    bool is_cancelled = recorder_is_cancelled(operation);
    uint32_t noted = readiness & (NOTED_PENDING | NOTED_READY);
    renew_notes(entry, noted | (is_cancelled ? NOTED_CANCELLED : 0));
    if (is_cancelled) interposition_note_early_cancel(log, identifier);
}

void interposition_note_early_cancel(recorder_log *log, uint64_t identifier) {
    record records[] = {
        {.subject = log->header->start_time, .type = RECORD_NOT_BEFORE},
        {.subject = identifier, .type = RECORD_CANCELLED},
    };
    recorder_append(log, recorder_now(log), records, 2);
}

void recorder_arm(void *operation) {
    followed *entry = objects_find(operation);
    if (entry) atomic_fetch_and(&entry->noted, ~(uint64_t)NOTED_PENDING);
}

bool recorder_is_followed(const recorder_log *log, void *operation) {
    followed *entry = objects_find(operation);
    return entry && entry->log_id == log->id;
}

uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    followed *entry = objects_find_or_add(operation, log, is_new);
    return entry ? entry->identifier : recorder_next_operation(log);
}

void observed_wait_for(void *self, void *original) {
    followed *entry = recorder_is_queue_waiting() ? NULL : find(self);
    bool is_logged = entry && !is_noted(entry, NOTED_FINISHED);
    uint64_t log_id = is_logged ? entry->log_id : 0;
    recorder_log *log = is_logged ? entry->log : NULL;
    if (is_logged) {
        record records[] = {
            {.subject = recorder_current(log), .type = RECORD_PARENT},
            {.subject = entry->identifier, .type = RECORD_WAIT_FOR_OPERATION},
        };
        bool has_parent = records[0].subject != 0;
        log_append_all(log, log_id, recorder_now(log), records + !has_parent, 1 + has_parent);
    }
    recorder_wait wait;
    if (is_logged) recorder_begin_wait(&wait, log, recorder_current(log), self, false);
    ((void_method)original)(self);
    if (is_logged) recorder_end_wait(&wait);
    if (is_logged && log_is_open(log, log_id)) log_append(log, log_id, recorder_now(log), RECORD_WAIT_ENDED, 0, 0);
}

#else

void recorder_follow(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    (void)log, (void)operation, (void)identifier, (void)enqueued, (void)edges, (void)readiness;
}
void recorder_arm(void *operation) { (void)operation; }
bool recorder_is_followed(const recorder_log *log, void *operation) { return (void)log, (void)operation, false; }
uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    (void)operation;
    *is_new = true;
    return recorder_next_operation(log);
}

#endif
