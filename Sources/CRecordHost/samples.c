#define _GNU_SOURCE
#include "kernel_records.h"

#ifdef __linux__

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

struct sample_keeper {
    record_samples *public;
    size_t sample_room, stack_room, mapping_room, path_room;
    budget budget;
    /// The stacks, by a hash of their callers and addresses: their indices plus 1. A power of two.
    uint32_t *places;
    size_t place_count;
};

enum { FIRST_PLACES = 4096 };

sample_keeper *samples_begin(record_samples *public, size_t limit) {
    sample_keeper *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->public = public;
    self->budget.left = limit;
    self->place_count = FIRST_PLACES;
    self->places = calloc(self->place_count, sizeof *self->places);
    if (self->places) return self;
    free(self);
    return NULL;
}

void samples_free(sample_keeper *self) {
    free(self->public->samples);
    free(self->public->stacks);
    free(self->public->mappings);
    free(self->public->paths);
    free(self->places);
    free(self);
}

// MARK: Stacks

static const uint32_t NO_STACK = UINT32_MAX;

static size_t hash(uint32_t caller, uint64_t address) {
    uint64_t mixed = (address ^ (uint64_t)caller << 40 ^ caller) * 0x9e3779b97f4a7c15u;
    return (size_t)(mixed ^ mixed >> 32);
}

/// The place of a stack, or the free place where it belongs. `caller` is `NO_STACK` for the outermost function.
static uint32_t *find(sample_keeper *self, uint32_t caller, uint64_t address) {
    size_t mask = self->place_count - 1;
    for (size_t place = hash(caller, address) & mask;; place = (place + 1) & mask) {
        if (!self->places[place]) return &self->places[place];
        uint32_t index = self->places[place] - 1;
        const record_stack *stack = &self->public->stacks[index];
        bool is_same_caller = caller == NO_STACK ? stack->caller == index : stack->caller == caller && caller != index;
        if (stack->address == address && is_same_caller) return &self->places[place];
    }
}

/// Keeps half of the places free.
static bool grow_places(sample_keeper *self) {
    if (self->public->stack_count * 2 < self->place_count) return true;
    size_t before = self->place_count, count = before * 2;
    uint32_t *places = calloc(count, sizeof *places);
    if (!places || self->budget.left < before * sizeof *places) {
        free(places);
        self->budget.is_over = true;
        return false;
    }
    self->budget.left -= before * sizeof *places;
    free(self->places);
    self->places = places;
    self->place_count = count;
    for (uint32_t index = 0; index < self->public->stack_count; index++) {
        const record_stack *stack = &self->public->stacks[index];
        *find(self, stack->caller == index ? NO_STACK : stack->caller, stack->address) = index + 1;
    }
    return true;
}

/// The stack of an address on top of a caller's; `NO_STACK` if there is no memory.
static uint32_t push(sample_keeper *self, uint32_t caller, uint64_t address) {
    uint32_t *place = find(self, caller, address);
    if (*place) return *place - 1;
    record_samples *public = self->public;
    if (public->stack_count >= NO_STACK / 2 || !grow_places(self)
        || !budget_make_room(
            &self->budget, &public->stacks, &self->stack_room, public->stack_count, sizeof *public->stacks))
        return NO_STACK;
    uint32_t index = (uint32_t)public->stack_count++;
    public->stacks[index] = (record_stack){address, caller == NO_STACK ? index : caller};
    *find(self, caller, address) = index + 1;
    return index;
}

// MARK: Records

typedef struct {
    struct perf_event_header header;
    uint32_t process, thread;
    uint64_t time;
    uint64_t count;
    /// The innermost first.
    uint64_t addresses[];
} sample_record;

static uint64_t take_sample(sample_keeper *self, const sample_record *record, bool is_departure) {
    size_t size = record->header.size;
    if (size < sizeof *record || record->count > (size - sizeof *record) / sizeof *record->addresses) return 0;
    uint32_t stack = NO_STACK;
    for (uint64_t index = record->count; index-- > 0;) {
        uint64_t address = record->addresses[index];
        // What follows are the kernel's addresses, or the user's.
        if (address >= PERF_CONTEXT_MAX) continue;
        stack = push(self, stack, address);
        if (stack == NO_STACK) break;
    }
    record_samples *public = self->public;
    if (stack == NO_STACK
        || !budget_make_room(
            &self->budget, &public->samples, &self->sample_room, public->sample_count, sizeof *public->samples)) {
        public->lost++;
        return record->time;
    }
    bool is_user = (record->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
    record_sample_state state = is_user ? RECORD_SAMPLE_EXECUTING : RECORD_SAMPLE_IN_KERNEL;
    public->samples[public->sample_count++] = (record_sample){
        .time = record->time,
        .process = (int32_t)record->process,
        .thread = (int32_t)record->thread,
        .stack = stack,
        .state = is_departure ? RECORD_SAMPLE_BLOCKED : state,
    };
    return record->time;
}

typedef struct {
    struct perf_event_header header;
    uint32_t process, thread;
    uint64_t start, length, offset;
    uint8_t build_id_size;
    uint8_t unused[3];
    uint8_t build_id[RECORD_LONGEST_BUILD_ID];
    uint32_t protection, flags;
    char path[];
} mapping_record;

static void take_mapping(sample_keeper *self, const mapping_record *record) {
    size_t size = record->header.size;
    if (size < sizeof *record + sizeof(sample_id)) return;
    size_t length = strnlen(record->path, size - sizeof *record - sizeof(sample_id));
    sample_id id;
    memcpy(&id, (const char *)record + size - sizeof id, sizeof id);
    record_samples *public = self->public;
    if (!budget_make_room(
            &self->budget, &public->mappings, &self->mapping_room, public->mapping_count, sizeof *public->mappings))
        return;
    size_t path = public->paths_size;
    for (size_t index = 0; index <= length; index++) {
        if (!budget_make_room(&self->budget, &public->paths, &self->path_room, public->paths_size, 1)) return;
        public->paths[public->paths_size++] = index < length ? record->path[index] : 0;
    }
    bool has_build_id =
        record->header.misc & PERF_RECORD_MISC_MMAP_BUILD_ID && record->build_id_size <= RECORD_LONGEST_BUILD_ID;
    record_mapping *mapping = &public->mappings[public->mapping_count++];
    *mapping = (record_mapping){
        .time = id.time,
        .start = record->start,
        .end = record->start + record->length,
        .offset = record->offset,
        .path = path,
        .process = (int32_t)record->process,
        .build_id_size = has_build_id ? record->build_id_size : 0,
    };
    memcpy(mapping->build_id, record->build_id, sizeof mapping->build_id);
}

typedef struct {
    struct perf_event_header header;
    uint64_t id, count;
} lost_record;

uint64_t samples_take(sample_keeper *self, const struct perf_event_header *record, bool is_departure) {
    switch (record->type) {
    case PERF_RECORD_SAMPLE: return take_sample(self, (const sample_record *)record, is_departure);
    case PERF_RECORD_MMAP2: take_mapping(self, (const mapping_record *)record); break;
    case PERF_RECORD_LOST:
        if (record->size >= sizeof(lost_record)) self->public->lost += ((const lost_record *)record)->count;
        break;
    default: break;
    }
    return 0;
}

#endif
