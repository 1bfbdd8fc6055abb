#define _GNU_SOURCE
#include "RecordSwitches.h"
#include "rings.h"

#include <errno.h>

#ifdef __linux__

#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum {
    /// How many threads are looked up in /proc at once. Others are looked up when they run again.
    MOST_LOOKUPS = 1024,
    /// How many files of threads stay open, and how many this process must be allowed to open for that.
    MOST_FILES = 128,
    NEEDED_FILES = 4096,
    /// No record is longer.
    LONGEST_RECORD = 64,
};

typedef struct {
    int32_t process, thread;
    int descriptor;
} thread_file;

typedef struct {
    record_switches public;
    size_t switch_room, delay_room, gap_room;
    size_t left;
    rings rings;
    /// The threads that were switched to since they were looked up, and where they are in that list plus 1,
    /// by a hash of their numbers.
    struct {
        int32_t process, thread;
    } seen[MOST_LOOKUPS];
    int seen_count;
    uint16_t places[2 * MOST_LOOKUPS];
    /// The files in /proc of threads, by their numbers; without a thread if there is none.
    thread_file files[MOST_FILES];
} recording;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// MARK: Beginning

record_switches *record_switches_open(size_t limit) {
    recording *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    if (!rings_open(&self->rings)) {
        int failure = errno;
        free(self);
        errno = failure;
        return NULL;
    }
    self->left = limit;
    self->public.end = now();
    for (int index = 0; index < self->rings.count; index++) self->rings.all[index].last = self->public.end;
    return &self->public;
}

// MARK: Taking

/// Room for one more item of a list. False if there is none within the limit; nothing is taken after that.
static bool make_room(recording *self, void *list, size_t *room, size_t count, size_t size) {
    if (self->public.is_over_limit) return false;
    void **items = list;
    if (count == *room) {
        size_t more = count ? count * 2 : 1024;
        void *moved = realloc(*items, more * size);
        if (!moved) self->left = 0;
        if (moved) {
            *items = moved;
            *room = more;
        }
    }
    self->public.is_over_limit = self->left < size;
    if (!self->public.is_over_limit) self->left -= size;
    return !self->public.is_over_limit;
}

static void add_switch(recording *self, record_switch_kind kind, uint64_t time, uint32_t process, uint32_t thread) {
    record_switches *public = &self->public;
    if (!make_room(self, &public->switches, &self->switch_room, public->switch_count, sizeof *public->switches)) return;
    public->switches[public->switch_count++] = (record_switch){time << 3 | kind, (int32_t)process, (int32_t)thread};
}

static void add_gap(recording *self, uint64_t start, uint64_t end) {
    record_switches *public = &self->public;
    if (!make_room(self, &public->gaps, &self->gap_room, public->gap_count, sizeof *public->gaps)) return;
    public->gaps[public->gap_count++] = (record_gap){start, end};
}

/// Remembers a thread to look up.
static void see(recording *self, uint32_t process, uint32_t thread) {
    // It has no number here.
    if (thread == 0) return;
    uint32_t place = thread * 2654435761u % (2 * MOST_LOOKUPS);
    for (; self->places[place]; place = (place + 1) % (2 * MOST_LOOKUPS))
        if (self->seen[self->places[place] - 1].thread == (int32_t)thread) return;
    if (self->seen_count == MOST_LOOKUPS) return;
    self->seen[self->seen_count].process = (int32_t)process;
    self->seen[self->seen_count].thread = (int32_t)thread;
    self->places[place] = (uint16_t)++self->seen_count;
}

/// The end of every record.
typedef struct {
    uint32_t process, thread;
    uint64_t time;
} sample_id;

/// The beginning of records of new and ended threads.
typedef struct {
    struct perf_event_header header;
    uint32_t process, parent;
    uint32_t thread, parent_thread;
    uint64_t time;
} task_record;

static void take_record(recording *self, ring *from, const struct perf_event_header *record) {
    sample_id id;
    memcpy(&id, (const char *)record + record->size - sizeof id, sizeof id);
    const task_record *task = (const task_record *)record;
    switch (record->type) {
    case PERF_RECORD_SWITCH:
        if (!(record->misc & PERF_RECORD_MISC_SWITCH_OUT)) {
            add_switch(self, RECORD_SWITCH_IN, id.time, id.process, id.thread);
            see(self, id.process, id.thread);
        } else {
            bool is_preempted = record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
            add_switch(
                self, is_preempted ? RECORD_SWITCH_PREEMPTED : RECORD_SWITCH_BLOCKED, id.time, id.process, id.thread);
        }
        break;
    case PERF_RECORD_EXIT: add_switch(self, RECORD_SWITCH_ENDED, task->time, task->process, task->thread); break;
    case PERF_RECORD_FORK:
        if (task->process != task->parent)
            add_switch(self, RECORD_SWITCH_FORKED, task->time, task->process, task->thread);
        break;
    case PERF_RECORD_COMM:
        if (record->misc & PERF_RECORD_MISC_COMM_EXEC)
            add_switch(self, RECORD_SWITCH_PROGRAM, id.time, id.process, id.thread);
        break;
    // It is written with the first record that has room again.
    case PERF_RECORD_LOST: add_gap(self, from->last, id.time); break;
    default: break;
    }
    if (id.time > from->last) from->last = id.time;
}

/// Takes everything from a ring. Returns how much that was.
static uint64_t take_ring(recording *self, ring *from) {
    const char *data = (const char *)from->page + self->rings.page_size;
    uint64_t head = __atomic_load_n(&from->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t size = head - from->taken;
    while (from->taken < head) {
        uint64_t offset = from->taken & (self->rings.size - 1);
        _Alignas(8) char copy[LONGEST_RECORD];
        const struct perf_event_header *record = (const void *)(data + offset);
        uint64_t length = record->size;
        // Only the kernel writes there, so this is never true; if it were, nothing could be made of the rest.
        if (length < sizeof *record + sizeof(sample_id) || length > LONGEST_RECORD) {
            add_gap(self, from->last, now());
            from->taken = head;
            break;
        }
        if (offset + length > self->rings.size) {
            uint64_t first = self->rings.size - offset;
            memcpy(copy, data + offset, first);
            memcpy(copy + first, data, length - first);
            record = (const void *)copy;
        }
        take_record(self, from, record);
        from->taken += length;
    }
    __atomic_store_n(&from->page->data_tail, head, __ATOMIC_RELEASE);
    // The kernel says that it lost something only with the next record.
    if (size + LONGEST_RECORD > self->rings.size) add_gap(self, from->last, now());
    return size;
}

static void close_file(thread_file *file) {
    if (file->thread) close(file->descriptor);
    file->thread = 0;
}

/// The file with the statistics of a thread; NULL if the thread has ended.
static thread_file *open_file(recording *self, int32_t process, int32_t thread) {
    thread_file *file = &self->files[(uint32_t)thread % MOST_FILES];
    if (file->thread == thread && file->process == process) return file;
    close_file(file);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/schedstat", process, thread);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    *file = (thread_file){process, thread, descriptor};
    return file;
}

/// Reads how long a thread has waited for processors.
///
/// - Parameter keeps_file: for the next time. To open it takes ten times as long as to read it.
static void look_up(recording *self, int32_t process, int32_t thread, bool keeps_file) {
    thread_file *file = open_file(self, process, thread);
    if (!file) return;
    char text[96];
    uint64_t earliest = now();
    ssize_t size = pread(file->descriptor, text, sizeof text - 1, 0);
    uint64_t latest = now();
    // The thread has ended, and another one may have its number.
    if (size <= 0 || !keeps_file) close_file(file);
    if (size <= 0) return;
    text[size] = 0;
    char *rest = text;
    strtoull(rest, &rest, 10);
    uint64_t delay = strtoull(rest, &rest, 10), count = strtoull(rest, &rest, 10);
    record_switches *public = &self->public;
    if (!make_room(self, &public->delays, &self->delay_room, public->delay_count, sizeof *public->delays)) return;
    public->delays[public->delay_count++] = (record_delay){earliest, latest, delay, count, process, thread};
}

bool record_switches_take(record_switches *switches) {
    recording *self = (recording *)switches;
    uint64_t time = now(), most = 0;
    for (int index = 0; index < self->rings.count; index++) {
        uint64_t size = take_ring(self, &self->rings.all[index]);
        if (size > most) most = size;
    }
    struct rlimit files;
    bool keeps_files = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= NEEDED_FILES;
    for (int index = 0; index < self->seen_count; index++)
        look_up(self, self->seen[index].process, self->seen[index].thread, keeps_files);
    if (self->seen_count > 0) memset(self->places, 0, sizeof self->places);
    self->seen_count = 0;
    if (switches->is_over_limit) rings_close(&self->rings);
    if (self->rings.count > 0) switches->end = time;
    return most > self->rings.size / 4;
}

void record_switches_end(record_switches *switches) {
    recording *self = (recording *)switches;
    rings_close(&self->rings);
    for (int index = 0; index < MOST_FILES; index++) close_file(&self->files[index]);
}

void record_switches_free(record_switches *switches) {
    record_switches_end(switches);
    free(switches->switches);
    free(switches->delays);
    free(switches->gaps);
    free(switches);
}

#else

record_switches *record_switches_open(size_t limit) { return (void)limit, errno = ENOTSUP, (record_switches *)0; }
bool record_switches_take(record_switches *switches) { return (void)switches, false; }
void record_switches_end(record_switches *switches) { (void)switches; }
void record_switches_free(record_switches *switches) { (void)switches; }

#endif
