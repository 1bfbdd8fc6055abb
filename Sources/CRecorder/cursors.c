// The hot path: a thread writes into a segment of its own, without a lock.
#define _GNU_SOURCE
#include "log.h"

#include <unistd.h>

/// A copy of the cursor in use. An append touches nothing else.
THREAD_LOCAL struct {
    uint64_t log_id;
    uint8_t *position;
    uint8_t *end;
    cursor *cursor;
} hot;

/// All cursors of this thread, including the one in use.
THREAD_LOCAL cursor *own_cursors;

static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
bool recorder_forked_child_flag;

/// Stores this thread's position back into the cursor in use.
static void put_back(void) {
    if (hot.cursor) hot.cursor->position = hot.position;
    hot.log_id = 0;
    hot.cursor = NULL;
    hot.position = hot.end = NULL;
}

/// Gives a cursor to whichever thread writes into that log next.
static void hand_on(cursor *handed) {
    recorder_log *log = handed->log;
    pthread_mutex_lock(&log->lock);
    if (!log->is_closing) {
        cursor **list = handed->segment ? &log->idle : &log->idle_without_segment;
        handed->next = *list;
        *list = handed;
        // From now on the segment may be overwritten.
        if (handed->segment && log->keeps_latest) atomic_store_explicit(&log->is_full, false, memory_order_relaxed);
    }
    pthread_mutex_unlock(&log->lock);
    log_release(log);
}

static void end_thread(void *unused) {
    (void)unused;
    if (recorder_is_forked_child()) return;
    put_back();
    while (own_cursors) {
        cursor *handed = own_cursors;
        own_cursors = handed->next;
        hand_on(handed);
    }
}

static void enter_child(void) {
    // The parent goes on writing where these cursors point.
    __atomic_store_n(&recorder_forked_child_flag, true, __ATOMIC_SEQ_CST);
    hot.log_id = 0;
    hot.cursor = NULL;
    own_cursors = NULL;
}

static void prepare(void) {
    pthread_key_create(&thread_end, end_thread);
    pthread_atfork(NULL, NULL, enter_child);
}

void cursors_prepare(void) { pthread_once(&once, prepare); }

void cursors_drop_closed(void) {
    if (hot.cursor) hot.cursor->position = hot.position;
    cursor **link = &own_cursors;
    while (*link) {
        cursor *candidate = *link;
        pthread_mutex_lock(&candidate->log->lock);
        bool is_closing = candidate->log->is_closing;
        pthread_mutex_unlock(&candidate->log->lock);
        if (is_closing) {
            if (candidate == hot.cursor) put_back();
            *link = candidate->next;
            hand_on(candidate);
        } else {
            link = &candidate->next;
        }
    }
}

/// This thread's cursor for `log`: the one it has, one that another thread left, or a new one without a
/// segment.
static cursor *find_cursor(recorder_log *log, uint64_t id) {
    for (cursor *candidate = own_cursors; candidate; candidate = candidate->next) {
        if (candidate->log_id == id) return candidate;
    }
    cursors_drop_closed();
    pthread_mutex_lock(&log->lock);
    bool is_open = log->id == id && !log->is_closing;
    cursor **list = log->idle ? &log->idle : &log->idle_without_segment;
    cursor *found = is_open ? *list : NULL;
    if (found) {
        *list = found->next;
    } else if (is_open) {
        found = memory_take(log, sizeof *found);
        if (found) *found = (cursor){.log = log, .log_id = id, .stream = ++log->last_stream};
    }
    if (found) log_retain(log);
    pthread_mutex_unlock(&log->lock);
    if (!found) return NULL;
    found->next = own_cursors;
    own_cursors = found;
    // Any value but NULL makes the destructor run when the thread ends.
    pthread_setspecific(thread_end, found);
    return found;
}

static inline void write_record(uint64_t time, uint8_t type, uint64_t subject, uint64_t argument) {
    uint64_t *words = (uint64_t *)hot.position;
    words[0] = time;
    words[1] = subject;
    // The last word makes the record valid. If the process is killed before this store, the record does not
    // exist.
    atomic_store_explicit((_Atomic uint64_t *)&words[2], type | argument << 8, memory_order_release);
    hot.position += LOG_RECORD_SIZE;
}

/// Makes room for `size` bytes in this thread's segment of `log`. Returns false on failure.
static __attribute__((noinline)) bool make_room(recorder_log *log, uint64_t id, uint64_t time, size_t size) {
    if (recorder_is_forked_child()) return false;
    if (hot.log_id != id) {
        put_back();
        cursor *found = find_cursor(log, id);
        if (!found) return false;
        hot.cursor = found;
        hot.position = found->position;
        hot.end = found->end;
        hot.log_id = id;
    }
    cursor *current = hot.cursor;
    bool is_new_owner = current->thread != recorder_thread_number();
    if (is_new_owner) size += LOG_RECORD_SIZE;
    if ((size_t)(hot.end - hot.position) < size) {
        if (size > LOG_SEGMENT_SIZE - LOG_SEGMENT_HEADER_SIZE) return false;
        // A full segment that this thread keeps could be the next to be overwritten.
        if (current->segment && log->keeps_latest) {
            segments_retire(log, current->segment);
            current->segment = NULL;
            // Also clear the cursor: another thread may get it before it has a segment.
            current->position = current->end = hot.position = hot.end = NULL;
        }
        segment *taken = segments_take(log, LOG_SEGMENT_RECORDS, current->stream);
        if (!taken) return false;
        if (current->segment) segments_retire(log, current->segment);
        current->segment = taken;
        hot.position = taken->bytes + LOG_SEGMENT_HEADER_SIZE;
        hot.end = taken->bytes + LOG_SEGMENT_SIZE;
        current->end = hot.end;
        // Each segment names its thread, because the segments before it may be overwritten.
        is_new_owner = true;
        if ((size_t)(hot.end - hot.position) < size + LOG_RECORD_SIZE) return false;
    }
    if (is_new_owner) {
        current->thread = recorder_thread_number();
        write_record(time, RECORD_THREAD, current->thread, 0);
    }
    return true;
}

/// Whether this thread has room in its segment of the log with that identifier.
static inline bool has_room(uint64_t id, size_t size) {
    return hot.log_id == id && (size_t)(hot.end - hot.position) >= size;
}

/// Whether `log` is open and this thread has room for that many records, which it may have to make.
static inline bool finds_room(recorder_log *log, uint64_t id, uint64_t time, size_t count) {
    size_t size = count * LOG_RECORD_SIZE;
    return log_is_open(log, id) && (has_room(id, size) || make_room(log, id, time, size));
}

bool cursors_append(recorder_log *log, uint64_t id, uint64_t time, const record *records, size_t count) {
    if (!finds_room(log, id, time, count)) return false;
    for (size_t index = 0; index < count; index++)
        write_record(time, records[index].type, records[index].subject, records[index].argument);
    return true;
}

void cursors_count_dropped(recorder_log *log, uint64_t id) {
    if (recorder_is_forked_child() || !log_is_open(log, id)) return;
    // Only a thread that holds the log may touch its header. A thread that does not hold it asks first.
    if (hot.log_id == id) {
        atomic_fetch_add_explicit(&log->header->dropped, 1, memory_order_relaxed);
        return;
    }
    pthread_mutex_lock(&log->lock);
    if (log->id == id && !log->is_closing) atomic_fetch_add(&log->header->dropped, 1);
    pthread_mutex_unlock(&log->lock);
}

void log_append_all(recorder_log *log, uint64_t id, uint64_t time, const record *records, size_t count) {
    if (!cursors_append(log, id, time, records, count)) cursors_count_dropped(log, id);
}

void recorder_append(recorder_log *log, uint64_t time, const record *records, size_t count) {
    log_append_all(log, log->id, time, records, count);
}

/// An append that finds its log closed or without room. A function of its own, so that the usual append needs
/// no stack.
static __attribute__((noinline)) void append_slowly(
    recorder_log *log, uint64_t id, uint64_t time, uint8_t type, uint64_t subject, uint64_t argument) {
    record only = {.subject = subject, .argument = argument, .type = type};
    log_append_all(log, id, time, &only, 1);
}

static inline __attribute__((always_inline)) void append(
    recorder_log *log, uint64_t id, uint64_t time, uint8_t type, uint64_t subject, uint64_t argument) {
    if (log_is_open(log, id) && has_room(id, LOG_RECORD_SIZE)) {
        write_record(time, type, subject, argument);
    } else {
        append_slowly(log, id, time, type, subject, argument);
    }
}

void recorder_append_at(recorder_log *log, uint64_t id, uint64_t time, uint8_t type, uint64_t subject, uint64_t argument) {
    append(log, id, time, type, subject, argument);
}

uint64_t recorder_append_now(recorder_log *log, uint64_t id, uint8_t type, uint64_t subject, uint64_t argument) {
    uint64_t time = log_now(log);
    append(log, id, time, type, subject, argument);
    return time;
}

uint64_t recorder_append_soon(recorder_log *log, uint64_t id, uint8_t type, uint64_t subject, uint64_t argument) {
    uint64_t time = log_time(log);
    append(log, id, time, type, subject, argument);
    return time;
}

uint64_t recorder_append_enqueue(
    recorder_log *log, uint64_t id, uint64_t identifier, uint64_t argument, uint64_t parent, const void *code,
    bool is_ready) {
    uint32_t origin = code ? recorder_origin(log, code) : 0;
    uint64_t time = log_time(log);
    if (!finds_room(log, id, time, (size_t)1 + (origin != 0) + (parent != 0) + is_ready)) {
        cursors_count_dropped(log, id);
        return time;
    }
    if (origin) write_record(time, RECORD_CODE, 0, origin);
    if (parent) write_record(time, RECORD_PARENT, parent, 0);
    write_record(time, RECORD_ENQUEUED, identifier, argument);
    if (is_ready) write_record(time, RECORD_READY, identifier, 0);
    return time;
}

void recorder_set_closure_kind(recorder_queue *queue, uint32_t kind) {
    __atomic_store_n(&queue->closure_kind, kind, __ATOMIC_RELAXED);
}

uint64_t recorder_enqueue_closure(
    const recorder_queue *queue, uint64_t parent, const void *code, uint64_t *time) {
    recorder_log *log = queue->log;
    uint32_t kind = __atomic_load_n(&queue->closure_kind, __ATOMIC_RELAXED);
    if (!kind || !log_text_lasts(log, kind) || !log_is_open(log, queue->log_id)) return 0;
    uint64_t identifier = recorder_next_operation(log);
    uint64_t argument = queue->identifier | (uint64_t)kind << LOG_QUEUE_BITS;
    *time = recorder_append_enqueue(log, queue->log_id, identifier, argument, parent, code, true);
    return identifier;
}
