#define _GNU_SOURCE
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// How many segments are allocated at a time.
enum { CHUNK_SEGMENTS = 8 };

/// A log is not worth beginning if less than this can be mapped at once.
enum { SMALLEST_WHOLE = 1 << 20 };

/// How often a thread that finds no segment looks again: first it pauses, for this many nanoseconds, and the
/// system adds about as much; then it allocates some itself.
enum { PAUSES = 7, PAUSE = 50000, LONGEST_WAIT = 12 };

typedef struct mapping {
    struct mapping *next;
    void *start;
    size_t size;
} mapping;

static int populate(uint8_t *bytes, size_t size) {
#ifdef MADV_POPULATE_WRITE
    if (madvise(bytes, size, MADV_POPULATE_WRITE) == 0) return 0;
    if (errno != EINVAL) return errno;
#endif
    for (size_t page = 0; page < size; page += 4096) *((volatile uint8_t *)bytes + page) = 0;
    return 0;
}

static int map(recorder_log *log, uint64_t offset, size_t size, uint8_t **start) {
    if (memory_room(log) < size) return ENOMEM;
    pthread_mutex_lock(&log->lock);
    mapping *mapped = memory_take(log, sizeof *mapped);
    pthread_mutex_unlock(&log->lock);
    if (!mapped) return ENOMEM;
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, log->descriptor, (off_t)offset);
    if (bytes == MAP_FAILED) return errno;
    pthread_mutex_lock(&log->lock);
    *mapped = (mapping){log->mappings, bytes, size};
    log->mappings = mapped;
    log->mapped += size;
    pthread_mutex_unlock(&log->lock);
    *start = bytes;
    return 0;
}

/// Allocates disk space for these bytes of the file, so that a store into them cannot fail. Maps them with
/// every page present, so that a store does not wait either.
static int allocate(recorder_log *log, uint64_t offset, size_t size, uint8_t **start) {
    if (log->whole) {
        *start = log->whole + offset;
        return populate(*start, size);
    }
    if (!log_owns_descriptor(log)) return EBADF;
#ifdef __APPLE__
    int failure = ftruncate(log->descriptor, (off_t)(offset + size)) == 0 ? 0 : errno;
#else
    // Exceeding a limit on the size of files must be an error here, and must not end the program.
    bool was_held = recorder_hold_size_signal();
    int failure;
    do {
        failure = posix_fallocate(log->descriptor, (off_t)offset, (off_t)size);
    } while (failure == EINTR);
    recorder_release_size_signal(was_held);
#endif
    if (!failure) failure = map(log, offset, size, start);
    return failure ? failure : populate(*start, size);
}

int segments_map_whole(recorder_log *log) {
    uint64_t room = memory_room(log);
    if (room < log->maximum_size) {
        if (room < SMALLEST_WHOLE) return ENOMEM;
        log->maximum_size = LOG_HEADER_SIZE + (room - LOG_HEADER_SIZE) / LOG_SEGMENT_SIZE * LOG_SEGMENT_SIZE;
    }
    return map(log, 0, log->maximum_size, &log->whole);
}

int segments_map_header(recorder_log *log) {
    uint8_t *start;
    int failure = allocate(log, 0, LOG_HEADER_SIZE, &start);
    if (failure) return failure;
    log->header = (log_header *)start;
    log->size = log->claimed = LOG_HEADER_SIZE;
    log->used_end = LOG_HEADER_SIZE;
    return 0;
}

static segment *pop_reserve(recorder_log *log) {
    segment *taken = log->reserve;
    if (taken) {
        log->reserve = taken->next;
        if (!log->reserve) log->reserve_last = NULL;
        log->reserve_count--;
    }
    return taken;
}

static void push_reserve(recorder_log *log, segment *free_segment) {
    // Append at the end, so that segments are handed out in the order of the file and the unused rest can be
    // cut off.
    free_segment->next = NULL;
    if (log->reserve_last) {
        log->reserve_last->next = free_segment;
    } else {
        log->reserve = free_segment;
    }
    log->reserve_last = free_segment;
    log->reserve_count++;
    atomic_store_explicit(&log->is_full, false, memory_order_relaxed);
}

/// The oldest full segment. Call it with the lock held.
static segment *pop_full(recorder_log *log) {
    segment *oldest = log->full_first;
    if (!oldest) return NULL;
    log->full_first = oldest->next;
    if (!log->full_first) log->full_last = NULL;
    return oldest;
}

/// The segment of a thread that ended. Call it with the lock held.
static segment *take_from_idle(recorder_log *log) {
    cursor *idle = log->idle;
    if (!idle) return NULL;
    log->idle = idle->next;
    idle->next = log->idle_without_segment;
    log->idle_without_segment = idle;
    segment *taken = idle->segment;
    idle->segment = NULL;
    idle->position = idle->end = NULL;
    return taken;
}

static void empty(segment *used) {
    segment_header *header = (segment_header *)used->bytes;
    // Mark it free before emptying it. If the process is killed in between, readers skip the segment. A
    // concurrent reader sees that it has changed. A release store would order only earlier stores, and the
    // compiler or the processor (aarch64 does) might move the zeros before it. The fence orders the store
    // before every later one.
    atomic_store_explicit(&header->kind, LOG_SEGMENT_FREE, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    memset(used->bytes + LOG_SEGMENT_HEADER_SIZE, 0, LOG_SEGMENT_SIZE - LOG_SEGMENT_HEADER_SIZE);
}

/// Empties a segment of records. The records are lost, and counted.
static void recycle(recorder_log *log, segment *oldest) {
    empty(oldest);
    atomic_fetch_add(&log->header->overwritten, (LOG_SEGMENT_SIZE - LOG_SEGMENT_HEADER_SIZE) / LOG_RECORD_SIZE);
}

/// Writes to the file what a segment holds from now on.
static void begin(segment *taken, uint32_t kind, uint64_t stream, uint64_t sequence) {
    segment_header *header = (segment_header *)taken->bytes;
    taken->sequence = sequence;
    header->stream = stream;
    header->sequence = sequence;
    atomic_store_explicit(&header->kind, kind, memory_order_release);
}

static bool is_at_limit(const recorder_log *log) {
    return log->maximum_size && log->size + LOG_SEGMENT_SIZE > log->maximum_size;
}

/// How many segments are emptied ahead of their use: an eighth of the log, because their contents are lost.
static int recycled_reserve(const recorder_log *log) {
    uint64_t eighth = log->maximum_size / LOG_SEGMENT_SIZE / 8;
    return eighth < 2 ? 2 : eighth > LARGEST_RESERVE ? LARGEST_RESERVE : (int)eighth;
}

int segments_refill(recorder_log *log, bool to_target) {
    for (;;) {
        pthread_mutex_lock(&log->lock);
        bool is_closing = log->is_closing, is_enough = log->reserve_count >= (to_target ? log->reserve_target : 1);
        uint64_t offset = log->claimed;
        int reserve = log->reserve_count;
        size_t size = CHUNK_SEGMENTS * LOG_SEGMENT_SIZE;
        if (log->maximum_size && offset + size > log->maximum_size) {
            size = log->maximum_size > offset ? (log->maximum_size - offset) / LOG_SEGMENT_SIZE * LOG_SEGMENT_SIZE : 0;
        }
        bool others_allocate = log->claimed > log->size;
        if (!is_closing && !is_enough) log->claimed += size;
        pthread_mutex_unlock(&log->lock);
        if (is_closing) return EAGAIN;
        if (is_enough) return 0;
        if (size == 0) {
            if (log->keeps_latest && reserve >= recycled_reserve(log)) return 0;
            pthread_mutex_lock(&log->lock);
            segment *oldest = log->keeps_latest ? pop_full(log) : NULL;
            pthread_mutex_unlock(&log->lock);
            if (!oldest) return others_allocate ? EAGAIN : EFBIG;
            recycle(log, oldest);
            pthread_mutex_lock(&log->lock);
            push_reserve(log, oldest);
            pthread_mutex_unlock(&log->lock);
            continue;
        }
        uint8_t *start;
        int failure = allocate(log, offset, size, &start);
        pthread_mutex_lock(&log->lock);
        segment *segments =
            failure ? NULL : memory_take(log, size / LOG_SEGMENT_SIZE * sizeof *segments);
        if (!segments) {
            if (log->claimed == offset + size) {
                log->claimed = offset;
            } else {
                // Another thread allocates what comes after it: it stays a hole in the file.
                log->size += size;
            }
            // A log that keeps the latest events continues with the size that it has.
            bool has_enough = log->keeps_latest && log->size > LOG_HEADER_SIZE;
            if (has_enough) log->maximum_size = log->size;
            pthread_mutex_unlock(&log->lock);
            if (has_enough) continue;
            return failure ? failure : ENOMEM;
        }
        log->size += size;
        for (uint64_t done = 0; done < size; done += LOG_SEGMENT_SIZE) {
            segment *new_segment = segments++;
            new_segment->bytes = start + done;
            new_segment->offset = offset + done;
            push_reserve(log, new_segment);
        }
        pthread_mutex_unlock(&log->lock);
    }
}

segment *segments_take(recorder_log *log, uint32_t kind, uint64_t stream) {
    for (int attempt = 0;; attempt++) {
        if (atomic_load_explicit(&log->is_full, memory_order_relaxed)) return NULL;
        pthread_mutex_lock(&log->lock);
        if (log->is_closing) {
            pthread_mutex_unlock(&log->lock);
            return NULL;
        }
        segment *taken = pop_reserve(log);
        bool is_used = false, is_full = false;
        if (!taken && is_at_limit(log)) {
            if (log->keeps_latest) taken = pop_full(log);
            if (log->keeps_latest && !taken) taken = take_from_idle(log);
            is_used = taken;
            is_full = !taken;
            // With the latest events kept, the log is full only until a segment is full or its thread ends.
            if (is_full) atomic_store_explicit(&log->is_full, true, memory_order_relaxed);
        }
        bool is_low = log->reserve_count * 2 < log->reserve_target;
        // Segments are used up faster than the reserve is filled: keep more.
        if (log->reserve_count * 4 < log->reserve_target && log->reserve_target < LARGEST_RESERVE)
            log->reserve_target *= 2;
        uint64_t sequence = taken ? atomic_fetch_add_explicit(&log->last_sequence, 1, memory_order_relaxed) + 1 : 0;
        if (taken && taken->offset + LOG_SEGMENT_SIZE > log->used_end) log->used_end = taken->offset + LOG_SEGMENT_SIZE;
        pthread_mutex_unlock(&log->lock);
        if ((is_low || !taken) && log->has_thread) pthread_cond_signal(&log->wake);
        // The program may keep the log's thread from the processors for long.
        bool supplies_itself = log->has_thread ? !taken && attempt >= PAUSES : is_low || !taken;
        bool has_supplied = supplies_itself && log_supply(log);
        if (taken) {
            if (is_used) recycle(log, taken);
            begin(taken, kind, stream, sequence);
            return taken;
        }
        if (is_full || attempt == LONGEST_WAIT) return NULL;
        if (has_supplied) continue;
        struct timespec pause = {0, PAUSE};
        nanosleep(&pause, NULL);
    }
}

void segments_retire(recorder_log *log, segment *full) {
    pthread_mutex_lock(&log->lock);
    full->next = NULL;
    if (log->full_last) {
        log->full_last->next = full;
    } else {
        log->full_first = full;
    }
    log->full_last = full;
    if (log->keeps_latest) atomic_store_explicit(&log->is_full, false, memory_order_relaxed);
    pthread_mutex_unlock(&log->lock);
}

void segments_renew(recorder_log *log, segment *used) {
    empty(used);
    uint64_t sequence = atomic_fetch_add_explicit(&log->last_sequence, 1, memory_order_relaxed) + 1;
    begin(used, LOG_SEGMENT_TEXTS, 0, sequence);
}

uint64_t segments_oldest(recorder_log *log) {
    pthread_mutex_lock(&log->lock);
    uint64_t sequence = log->full_first ? log->full_first->sequence : 0;
    pthread_mutex_unlock(&log->lock);
    return sequence;
}

void segments_unmap(recorder_log *log) {
    for (; log->mappings; log->mappings = log->mappings->next)
        munmap(log->mappings->start, log->mappings->size);
    log->mapped = 0;
}
