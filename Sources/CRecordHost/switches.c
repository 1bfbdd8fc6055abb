#define _GNU_SOURCE
#include "kernel_records.h"

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
};

typedef struct {
    int32_t process, thread;
    int descriptor;
} thread_file;

struct switch_keeper {
    record_switches *public;
    size_t switch_room, delay_room;
    budget budget;
    /// The threads that were switched to since they were looked up, and where they are in that list plus 1,
    /// by a hash of their numbers.
    struct {
        int32_t process, thread;
    } seen[MOST_LOOKUPS];
    int seen_count;
    uint16_t places[2 * MOST_LOOKUPS];
    /// The files in /proc of threads, by their numbers; without a thread if there is none.
    thread_file files[MOST_FILES];
};

switch_keeper *switches_begin(record_switches *public, size_t limit) {
    switch_keeper *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->public = public;
    self->budget.left = limit;
    return self;
}

bool switches_are_over(const switch_keeper *self) { return self->budget.is_over; }

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool is_of_program(const record_switch *one) {
    record_switch_kind kind = one->time_and_kind & 7;
    return kind == RECORD_SWITCH_PROGRAM || kind == RECORD_SWITCH_FORKED;
}

uint64_t switches_forget(switch_keeper *self, size_t coming) {
    record_switches *public = self->public;
    if (!self->budget.is_over && self->budget.left >= coming) return 0;
    // What no longer had room is missing, too, and it was the latest.
    uint64_t until = self->budget.is_over ? now() : 0;
    size_t half = self->budget.is_over ? public->switch_count : public->switch_count / 2, kept = 0;
    for (size_t index = 0; index < public->switch_count; index++) {
        record_switch one = public->switches[index];
        uint64_t time = one.time_and_kind >> 3;
        if (index < half && time > until) until = time;
        if (index >= half || is_of_program(&one)) public->switches[kept++] = one;
    }
    self->budget.left += (public->switch_count - kept) * sizeof *public->switches;
    public->switch_count = kept;
    kept = 0;
    for (size_t index = 0; index < public->delay_count; index++)
        if (public->delays[index].earliest >= until) public->delays[kept++] = public->delays[index];
    self->budget.left += (public->delay_count - kept) * sizeof *public->delays;
    public->delay_count = kept;
    self->budget.is_over = false;
    return until;
}

static void add_switch(switch_keeper *self, record_switch_kind kind, uint64_t time, uint32_t process, uint32_t thread) {
    record_switches *public = self->public;
    if (!budget_make_room(
            &self->budget, &public->switches, &self->switch_room, public->switch_count, sizeof *public->switches))
        return;
    public->switches[public->switch_count++] = (record_switch){time << 3 | kind, (int32_t)process, (int32_t)thread};
}

/// Remembers a thread to look up.
static void see(switch_keeper *self, uint32_t process, uint32_t thread) {
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

/// The beginning of records of new and ended threads.
typedef struct {
    struct perf_event_header header;
    uint32_t process, parent;
    uint32_t thread, parent_thread;
    uint64_t time;
} task_record;

void switches_take(switch_keeper *self, const struct perf_event_header *record, sample_id id) {
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
    default: break;
    }
}

static void close_file(thread_file *file) {
    if (file->thread) close(file->descriptor);
    file->thread = 0;
}

/// The file with the statistics of a thread; NULL if the thread has ended.
static thread_file *open_file(switch_keeper *self, int32_t process, int32_t thread) {
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
static void look_up(switch_keeper *self, int32_t process, int32_t thread, bool keeps_file) {
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
    uint64_t on_cpu = strtoull(rest, &rest, 10);
    uint64_t delay = strtoull(rest, &rest, 10), count = strtoull(rest, &rest, 10);
    record_switches *public = self->public;
    if (!budget_make_room(
            &self->budget, &public->delays, &self->delay_room, public->delay_count, sizeof *public->delays))
        return;
    public->delays[public->delay_count++] = (record_delay){earliest, latest, on_cpu, delay, count, process, thread};
}

void switches_look_up(switch_keeper *self) {
    struct rlimit files;
    bool keeps_files = getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur >= NEEDED_FILES;
    for (int index = 0; index < self->seen_count; index++)
        look_up(self, self->seen[index].process, self->seen[index].thread, keeps_files);
    if (self->seen_count > 0) memset(self->places, 0, sizeof self->places);
    self->seen_count = 0;
}

void switches_end(switch_keeper *self) {
    for (int index = 0; index < MOST_FILES; index++) close_file(&self->files[index]);
}

void switches_free(switch_keeper *self) {
    free(self->public->switches);
    free(self->public->delays);
    free(self);
}

#endif
