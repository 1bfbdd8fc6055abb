#define _GNU_SOURCE
#include "RecordKernel.h"

#include <errno.h>

#ifdef __linux__

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernel_records.h"
#include "rings.h"

typedef struct {
    record_kernel public;
    rings rings;
    /// NULL if samples are not wanted.
    sample_keeper *samples;
    switch_keeper *switches;
    /// So much room for switches is made before the next call; 0 if the first are kept.
    size_t kept_free;
    budget gap_budget;
    size_t gap_room;
    /// A record that lies across the end of a ring.
    _Alignas(8) char copy[LONGEST_RECORD];
} recording;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

record_kernel *record_kernel_open(record_wish wish) {
    recording *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->gap_budget.left = wish.limit;
    self->switches = switches_begin(&self->public.switches, wish.limit);
    if (wish.rate > 0) self->samples = samples_begin(&self->public.samples, wish.limit);
    bool has_memory = self->switches && (self->samples || wish.rate == 0);
    if (!has_memory || !rings_open(&self->rings, wish)) {
        int failure = has_memory ? errno : ENOMEM;
        record_kernel_free(&self->public);
        errno = failure;
        return NULL;
    }
    self->public.sees_kernel = self->rings.sees_kernel;
    if (wish.keeps_latest) {
        // As much as the next call can take, where that is possible.
        size_t most = self->rings.size * (size_t)self->rings.count;
        self->kept_free = most < wish.limit / 4 ? most : wish.limit / 4;
    }
    self->public.end = now();
    for (int index = 0; index < self->rings.count; index++) self->rings.all[index].last = self->public.end;
    return &self->public;
}

static void add_gap(recording *self, uint64_t start, uint64_t end) {
    record_kernel *public = &self->public;
    if (budget_make_room(&self->gap_budget, &public->gaps, &self->gap_room, public->gap_count, sizeof *public->gaps))
        public->gaps[public->gap_count++] = (record_gap){start, end};
    else
        public->is_over_limit = true;
}

/// Returns the time of a record; 0 if its size is wrong.
static uint64_t take_record(recording *self, ring *from, const struct perf_event_header *record) {
    sample_id id;
    if (record->type == PERF_RECORD_SAMPLE)
        return self->samples ? samples_take(self->samples, record, from->has_departures) : 0;
    if (record->size < sizeof *record + sizeof id) return 0;
    memcpy(&id, (const char *)record + record->size - sizeof id, sizeof id);
    if (self->samples) samples_take(self->samples, record, from->has_departures);
    if (from->has_departures) return id.time;
    // It is written with the first record that has room again.
    if (record->type == PERF_RECORD_LOST) add_gap(self, from->last, id.time);
    switches_take(self->switches, record, id);
    return id.time;
}

/// Takes everything from a ring. Returns how much that was.
static uint64_t take_ring(recording *self, ring *from) {
    const char *data = (const char *)from->page + self->rings.page_size;
    uint64_t head = __atomic_load_n(&from->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t size = head - from->taken;
    while (from->taken < head) {
        uint64_t offset = from->taken & (self->rings.size - 1);
        const struct perf_event_header *record = (const void *)(data + offset);
        uint64_t length = record->size;
        if (length >= sizeof *record && offset + length > self->rings.size && length <= sizeof self->copy) {
            uint64_t first = self->rings.size - offset;
            memcpy(self->copy, data + offset, first);
            memcpy(self->copy + first, data, length - first);
            record = (const void *)self->copy;
        }
        uint64_t time = length <= sizeof self->copy ? take_record(self, from, record) : 0;
        // Only the kernel writes there, so this is never true; if it were, nothing could be made of the rest.
        if (time == 0) {
            add_gap(self, from->last, now());
            break;
        }
        if (time > from->last) from->last = time;
        from->taken += length;
    }
    from->taken = head;
    __atomic_store_n(&from->page->data_tail, head, __ATOMIC_RELEASE);
    // The kernel says that it lost something only with the next record.
    if (!from->has_departures && size + self->rings.longest > self->rings.size)
        add_gap(self, from->last, now());
    return size;
}

bool record_kernel_take(record_kernel *taken) {
    recording *self = (recording *)taken;
    uint64_t time = now(), most = 0;
    for (int index = 0; index < self->rings.count; index++) {
        uint64_t size = take_ring(self, &self->rings.all[index]);
        if (size > most) most = size;
    }
    switches_look_up(self->switches);
    uint64_t forgotten = self->kept_free > 0 ? switches_forget(self->switches, self->kept_free) : 0;
    if (forgotten > 0) add_gap(self, 0, forgotten);
    if (switches_are_over(self->switches)) taken->is_over_limit = true;
    if (taken->is_over_limit && !self->samples) rings_close(&self->rings);
    if (self->rings.count > 0 && !taken->is_over_limit) taken->end = time;
    return most > self->rings.size / 4;
}

void record_kernel_end(record_kernel *taken) {
    recording *self = (recording *)taken;
    rings_close(&self->rings);
    if (self->switches) switches_end(self->switches);
}

void record_kernel_free(record_kernel *taken) {
    recording *self = (recording *)taken;
    record_kernel_end(taken);
    if (self->switches) switches_free(self->switches);
    if (self->samples) samples_free(self->samples);
    free(taken->gaps);
    free(self);
}

#else

record_kernel *record_kernel_open(record_wish wish) { return (void)wish, errno = ENOTSUP, (record_kernel *)0; }
bool record_kernel_take(record_kernel *taken) { return (void)taken, false; }
void record_kernel_end(record_kernel *taken) { (void)taken; }
void record_kernel_free(record_kernel *taken) { (void)taken; }

#endif
