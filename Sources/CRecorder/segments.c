#define _GNU_SOURCE
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/// Segments are allocated so many at a time.
enum { CHUNK_SEGMENTS = 8 };

/// A thread that finds no segment looks again so many times, after so many nanoseconds each; the system adds about as
/// much to each.
enum { LONGEST_WAIT = 7, PAUSE = 50000 };

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
    mapping *mapped = malloc(sizeof *mapped);
    if (!mapped) return ENOMEM;
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, log->descriptor, (off_t)offset);
    if (bytes == MAP_FAILED) {
        int failure = errno;
        free(mapped);
        return failure;
    }
    *mapped = (mapping){log->mappings, bytes, size};
    log->mappings = mapped;
    *start = bytes;
    return 0;
}

/// Gives the bytes of the file room on disk, so that a store into them cannot fail, and maps them, with every page in
/// place, so that a store does not wait either.
static int allocate(recorder_log *log, uint64_t offset, size_t size, uint8_t **start) {
    if (log->whole) {
        *start = log->whole + offset;
        return populate(*start, size);
    }
    if (!log_owns_descriptor(log)) return EBADF;
#ifdef __APPLE__
    int failure = ftruncate(log->descriptor, (off_t)(offset + size)) == 0 ? 0 : errno;
#else
    // A limit on the size of files is an error here, and not the end of the program.
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

int segments_map_whole(recorder_log *log) { return map(log, 0, log->maximum_size, &log->whole); }

int segments_map_header(recorder_log *log) {
    uint8_t *start;
    int failure = allocate(log, 0, HEADER_SIZE, &start);
    if (failure) return failure;
    log->header = (log_header *)start;
    log->size = HEADER_SIZE;
    log->used_end = HEADER_SIZE;
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
    // At the end, so that segments are handed out in the order of the file, and what is left over can be cut off.
    free_segment->next = NULL;
    if (log->reserve_last) {
        log->reserve_last->next = free_segment;
    } else {
        log->reserve = free_segment;
    }
    log->reserve_last = free_segment;
    log->reserve_count++;
}

/// The oldest full segment, emptied. Its records are lost, and counted.
static segment *recycle(recorder_log *log) {
    pthread_mutex_lock(&log->lock);
    segment *oldest = log->full_first;
    if (oldest) {
        log->full_first = oldest->next;
        if (!log->full_first) log->full_last = NULL;
    }
    pthread_mutex_unlock(&log->lock);
    if (!oldest) return NULL;
    segment_header *header = (segment_header *)oldest->bytes;
    // Free first, and only then emptied: killed in between, it is skipped.
    atomic_store_explicit(&header->kind, SEGMENT_FREE, memory_order_release);
    memset(oldest->bytes + SEGMENT_HEADER_SIZE, 0, SEGMENT_SIZE - SEGMENT_HEADER_SIZE);
    atomic_fetch_add(&log->header->overwritten, (SEGMENT_SIZE - SEGMENT_HEADER_SIZE) / RECORD_SIZE);
    return oldest;
}

/// How many segments are emptied ahead of their use: an eighth of the log, since what was in them is lost.
static int recycled_reserve(const recorder_log *log) {
    uint64_t eighth = log->maximum_size / SEGMENT_SIZE / 8;
    return eighth < 2 ? 2 : eighth > LARGEST_RESERVE ? LARGEST_RESERVE : (int)eighth;
}

int segments_refill(recorder_log *log) {
    for (;;) {
        pthread_mutex_lock(&log->lock);
        bool is_enough = log->reserve_count >= log->reserve_target;
        uint64_t offset = log->size;
        int reserve = log->reserve_count;
        pthread_mutex_unlock(&log->lock);
        if (is_enough) return 0;
        size_t size = CHUNK_SEGMENTS * SEGMENT_SIZE;
        if (log->maximum_size && offset + size > log->maximum_size) {
            size = log->maximum_size > offset ? (log->maximum_size - offset) / SEGMENT_SIZE * SEGMENT_SIZE : 0;
        }
        if (size == 0) {
            if (log->keeps_latest && reserve >= recycled_reserve(log)) return 0;
            segment *recycled = log->keeps_latest ? recycle(log) : NULL;
            if (!recycled) return EFBIG;
            pthread_mutex_lock(&log->lock);
            push_reserve(log, recycled);
            pthread_mutex_unlock(&log->lock);
            continue;
        }
        uint8_t *start;
        int failure = allocate(log, offset, size, &start);
        if (failure) return failure;
        pthread_mutex_lock(&log->lock);
        log->size = offset + size;
        for (uint8_t *bytes = start; bytes < start + size; bytes += SEGMENT_SIZE) {
            segment *new_segment = malloc(sizeof *new_segment);
            if (!new_segment) break;
            new_segment->bytes = bytes;
            new_segment->offset = offset + (uint64_t)(bytes - start);
            push_reserve(log, new_segment);
        }
        pthread_mutex_unlock(&log->lock);
    }
}

segment *segments_take(recorder_log *log, uint32_t kind, uint64_t stream) {
    for (int attempt = 0;; attempt++) {
        if (atomic_load_explicit(&log->is_full, memory_order_relaxed) && !log->keeps_latest) return NULL;
        pthread_mutex_lock(&log->lock);
        if (log->is_closing) {
            pthread_mutex_unlock(&log->lock);
            return NULL;
        }
        segment *taken = pop_reserve(log);
        if (!taken && log->keeps_latest && log->size + SEGMENT_SIZE > log->maximum_size) {
            pthread_mutex_unlock(&log->lock);
            taken = recycle(log);
            pthread_mutex_lock(&log->lock);
        }
        bool is_low = log->reserve_count * 2 < log->reserve_target;
        // Used up faster than it is filled up: keep more.
        if (log->reserve_count * 4 < log->reserve_target && log->reserve_target < LARGEST_RESERVE)
            log->reserve_target *= 2;
        uint64_t sequence = taken ? ++log->last_sequence : 0;
        if (taken && taken->offset + SEGMENT_SIZE > log->used_end) log->used_end = taken->offset + SEGMENT_SIZE;
        pthread_mutex_unlock(&log->lock);
        if (is_low || !taken) pthread_cond_signal(&log->wake);
        if (taken) {
            segment_header *header = (segment_header *)taken->bytes;
            header->stream = stream;
            header->sequence = sequence;
            atomic_store_explicit(&header->kind, kind, memory_order_release);
            return taken;
        }
        if (attempt == LONGEST_WAIT) return NULL;
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
    pthread_mutex_unlock(&log->lock);
}

static void free_all(segment *first) {
    while (first) {
        segment *next = first->next;
        free(first);
        first = next;
    }
}

void segments_unmap(recorder_log *log) {
    free_all(log->reserve);
    free_all(log->full_first);
    while (log->mappings) {
        mapping *next = log->mappings->next;
        munmap(log->mappings->start, log->mappings->size);
        free(log->mappings);
        log->mappings = next;
    }
}
