// The queues of the process, each from the first time something is added to it.
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };
static observed_queue *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static observed_queue **bucket_of(const void *queue) {
    return &buckets[((uint64_t)(uintptr_t)queue >> 4) * 0x9e3779b97f4a7c15u >> 54];
}

// Foundation's own values, whatever a subclass returns: its getters are called directly.
static void *getter(int16_t slot) { return ((void **)foundation.symbols.queue)[slot]; }

int64_t queue_limit(void *queue) { return ((SWIFT int64_t(*)(SELF))getter(foundation.queue_limit))(queue); }

bool queue_is_suspended(void *queue) { return ((SWIFT bool (*)(SELF))getter(foundation.queue_is_suspended))(queue); }

uint32_t queue_given_name(recorder_log *log, void *queue, bool *is_main) {
    swift_text name = ((SWIFT swift_text(*)(SELF))getter(foundation.queue_name))(queue);
    // Foundation names queues by their addresses, which means nothing to a reader.
    bool is_own = foundation_text_has_prefix(name, "NSOperationQueue 0x");
    uint32_t number = is_own ? 0 : foundation_text(log, name, NULL);
    if (is_main) *is_main = foundation_text_has_prefix(name, "NSOperationQueue Main Queue");
    foundation_release_text(name);
    return number;
}

static observed_queue *look_up(void *queue) {
    observed_queue *found = *bucket_of(queue);
    while (found && found->object != queue) found = found->next;
    return found;
}

observed_queue *queues_find(void *queue) {
    recorder_log *log = the_log();
    if (!log) return NULL;
    pthread_mutex_lock(&lock);
    observed_queue *found = look_up(queue);
    pthread_mutex_unlock(&lock);
    if (found) return found;
    // Calls the queue, so this must be done without the lock.
    int64_t limit = queue_limit(queue);
    bool is_suspended = queue_is_suspended(queue);
    bool is_main;
    uint32_t name = queue_given_name(log, queue, &is_main);
    observed_queue *opened = calloc(1, sizeof *opened);
    if (!opened) return NULL;
    opened->object = queue;
    opened->limit = limit;
    opened->is_suspended = is_suspended;
    opened->is_main = is_main;
    pthread_mutex_lock(&lock);
    // Two threads may come here at once. Only one entry stays.
    found = look_up(queue);
    if (!found) {
        opened->identifier = recorder_next_queue(log);
        opened->next = *bucket_of(queue);
        *bucket_of(queue) = opened;
        record records[] = {
            {.subject = (uint64_t)limit, .type = RECORD_NUMBER},
            {opened->identifier, (uint64_t)name << 1 | is_suspended, RECORD_QUEUE_OPENED},
        };
        recorder_append(log, log_now(log), records, 2);
    }
    pthread_mutex_unlock(&lock);
    if (!found) return opened;
    free(opened);
    return found;
}

void queues_forget(void *queue) {
    pthread_mutex_lock(&lock);
    observed_queue **link = bucket_of(queue);
    while (*link && (*link)->object != queue) link = &(*link)->next;
    observed_queue *forgotten = *link;
    if (forgotten) *link = forgotten->next;
    pthread_mutex_unlock(&lock);
    free(forgotten);
}

#endif
