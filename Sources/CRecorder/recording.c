// Which operations are recorded in which log, and the threads that wait for them.
#include "interposition.h"

#ifdef RECORDER_INTERPOSES

/// Logs that an operation was cancelled before it was enqueued.
static void record_early_cancel(recorded_operation *entry) {
    recorder_log *log = entry->log;
    record records[] = {
        {.subject = log->start_time, .type = RECORD_NOT_BEFORE},
        {.subject = entry->identifier, .type = RECORD_CANCELLED},
    };
    log_append_all(log, entry->log_id, log_now(log), records, 2);
}

void recording_begin(recorded_operation *entry, void *operation, uint64_t enqueued, int edges, unsigned readiness) {
    SET(entry->enqueued, enqueued);
    atomic_store_explicit(&entry->edges, edges, memory_order_relaxed);
    bool is_cancelled = recorder_is_cancelled(operation);
    renew_flags(entry, readiness | (is_cancelled ? FLAG_CANCELLED : 0));
    if (is_cancelled) record_early_cancel(entry);
}

void recorder_record_operation(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    bool is_new;
    recorded_operation *entry = objects_find_or_add(operation, log, &is_new);
    if (!entry) return;
    SET(entry->identifier, identifier);
    recording_begin(entry, operation, enqueued, edges, readiness & (FLAG_PENDING | FLAG_READY));
}

static bool has_name_or_priority(void *operation) {
    if (foundation_priority(operation)) return true;
    swift_text name = foundation_copy_name(operation);
    foundation_release_text(name);
    return name.words[1] != 0;
}

uint32_t recorder_plain_kind(const recorder_queue *queue, void *operation, uint32_t required) {
    uint32_t class;
    if (!method_pool_has_begun() || !log_is_open(queue->log, queue->log_id)
        || !recorder_class_find(queue->log, *(const void **)operation, &class)
        || (class & ~RECORDER_KIND_MASK) != (RECORDER_CLASS_IS_READY | required)
        || recorder_may_have_edges(operation) || has_name_or_priority(operation))
        return 0;
    return class & RECORDER_KIND_MASK;
}

bool recorder_enqueue_plain(const recorder_queue *queue, void *operation, uint64_t parent) {
    recorder_log *log = queue->log;
    uint32_t kind = recorder_plain_kind(queue, operation, RECORDER_CLASS_IS_OBSERVED);
    if (!kind) return false;
    bool is_new;
    recorded_operation *entry = objects_find_or_add(operation, log, &is_new);
    // The log may have given its place to another one meanwhile.
    if (!entry || entry->log_id != queue->log_id || !has_flag(entry, FLAG_SIGHTED)) return false;
    uint64_t argument = queue->identifier | (uint64_t)kind << LOG_QUEUE_BITS;
    const void *code = recorder_closure_code(operation, false);
    uint64_t time = recorder_append_enqueue(log, queue->log_id, entry->identifier, argument, parent, code, true);
    recording_begin(entry, operation, time, 0, FLAG_READY);
    return true;
}

void recorder_arm(void *operation) {
    recorded_operation *entry = objects_find(operation);
    if (entry) atomic_fetch_and(&entry->flags, ~(uint64_t)FLAG_PENDING);
}

bool recorder_is_recorded(const recorder_log *log, void *operation) {
    recorded_operation *entry = objects_find(operation);
    return entry && entry->log_id == log->id;
}

uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    recorded_operation *entry = objects_find_or_add(operation, log, is_new);
    return entry ? entry->identifier : recorder_next_operation(log);
}

void observed_wait_for(void *self, void *original) {
    recorded_operation *entry = recorder_is_queue_waiting() ? NULL : find(self);
    bool is_logged = entry && !has_flag(entry, FLAG_FINISHED);
    uint64_t log_id = is_logged ? entry->log_id : 0;
    recorder_log *log = is_logged ? entry->log : NULL;
    if (is_logged) {
        record records[] = {
            {.subject = recorder_current(log_id), .type = RECORD_PARENT},
            {.subject = entry->identifier, .type = RECORD_WAIT_FOR_OPERATION},
        };
        bool has_parent = records[0].subject != 0;
        log_append_all(log, log_id, log_now(log), records + !has_parent, 1 + has_parent);
    }
    recorder_wait wait;
    bool is_override = original != foundation.base[METHOD_WAIT];
    if (is_logged) recorder_begin_wait(&wait, log, recorder_current(log_id), self, false, is_override);
    ((void_method)original)(self);
    if (is_logged) recorder_end_wait(&wait);
    if (is_logged && log_is_open(log, log_id)) recorder_append_at(log, log_id, log_now(log), RECORD_WAIT_ENDED, 0, 0);
}

#else

void recorder_record_operation(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    (void)log, (void)operation, (void)identifier, (void)enqueued, (void)edges, (void)readiness;
}
uint32_t recorder_plain_kind(const recorder_queue *queue, void *operation, uint32_t required) {
    return (void)queue, (void)operation, (void)required, 0;
}
bool recorder_enqueue_plain(const recorder_queue *queue, void *operation, uint64_t parent) {
    return (void)queue, (void)operation, (void)parent, false;
}
void recorder_arm(void *operation) { (void)operation; }
bool recorder_is_recorded(const recorder_log *log, void *operation) { return (void)log, (void)operation, false; }
uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    (void)operation;
    *is_new = true;
    return recorder_next_operation(log);
}

#endif
