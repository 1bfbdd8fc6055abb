// A queue's settings and its name, changed by setters or in place.
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <stdlib.h>

/// Logs the present settings if the log does not have them yet. `not_before`: the earliest time at which they
/// may have changed, or 0.
static void record_settings(observed_queue *queue, int64_t limit, bool is_suspended, uint64_t not_before) {
    recorder_log *log = queue ? the_log() : NULL;
    if (!log) return;
    record records[] = {
        {.subject = not_before, .type = RECORD_NOT_BEFORE},
        {.subject = (uint64_t)limit, .type = RECORD_NUMBER},
        {.subject = queue->identifier, .type = RECORD_LIMIT_CHANGED},
    };
    bool is_exact = !not_before;
    if (atomic_exchange(&queue->limit, limit) != limit)
        recorder_append(log, log_now(log), records + is_exact, 3 - is_exact);
    records[1] = (record){.subject = queue->identifier, .type = is_suspended ? RECORD_SUSPENDED : RECORD_RESUMED};
    if (atomic_exchange(&queue->is_suspended, is_suspended) != is_suspended)
        recorder_append(log, log_now(log), records + is_exact, 2 - is_exact);
}

// A change that lets operations start is logged before it is made. A change that holds them back is logged
// after it. So operations never run outside what the log allows.
void settings_set_limit(int64_t limit, void *self, void *original) {
    observed_queue *queue = queues_find(self);
    int64_t before = queue ? queue_limit(self) : 0;
    bool lets_go = before >= 0 && (limit < 0 || limit > before);
    // The limit of the main queue cannot change.
    if (queue && lets_go && !queue->is_main) record_settings(queue, limit, queue_is_suspended(self), 0);
    ((SWIFT void (*)(int64_t, SELF))original)(limit, self);
    if (queue) record_settings(queue, queue_limit(self), queue_is_suspended(self), 0);
}

void settings_set_suspended(bool is_suspended, void *self, void *original) {
    observed_queue *queue = queues_find(self);
    if (queue && !is_suspended) record_settings(queue, queue_limit(self), false, 0);
    ((SWIFT void (*)(bool, SELF))original)(is_suspended, self);
    if (queue) record_settings(queue, queue_limit(self), queue_is_suspended(self), 0);
}

// A change of a property in place, such as `isSuspended.toggle()`, is a coroutine. It returns the address of
// the value, and a function to call after the change. Both keep what they need in a buffer of the caller.

typedef struct {
    void *original_buffer[4];
    SWIFT void (*finish)(void *buffer, bool is_unwinding);
    observed_queue *queue;
    void *object;
    uint64_t begun;
} change_frame;

static SWIFT void finish_change(void **buffer, bool is_unwinding) {
    change_frame *frame = *buffer;
    frame->finish(frame->original_buffer, is_unwinding);
    if (frame->queue)
        record_settings(frame->queue, queue_limit(frame->object), queue_is_suspended(frame->object), frame->begun);
    free(frame);
}

settings_change settings_change_in_place(void **buffer, void *self, void *original) {
    typedef SWIFT settings_change (*method)(void *buffer, SELF);
    change_frame *frame = malloc(sizeof *frame);
    if (!frame) return ((method)original)(buffer, self);
    recorder_log *log = the_log();
    frame->queue = queues_find(self);
    frame->object = self;
    frame->begun = log ? log_now(log) : 0;
    settings_change begun = ((method)original)(frame->original_buffer, self);
    frame->finish = begun.finish;
    *buffer = frame;
    return (settings_change){finish_change, begun.value};
}

void settings_set_name(swift_text name, void *self, void *original) {
    observed_queue *queue = queues_find(self);
    ((SWIFT void (*)(swift_text, SELF))original)(name, self);
    recorder_log *log = queue ? the_log() : NULL;
    if (log) recorder_append_now(log, log->id, RECORD_QUEUE_RENAMED, queue->identifier, queue_given_name(log, self, NULL));
}

#endif
