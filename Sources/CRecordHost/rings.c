#define _GNU_SOURCE
#include "rings.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    /// The bytes of a ring. Users may lock just that much (kernel.perf_event_mlock_kb).
    LARGEST_RING = 512 << 10,
    SMALLEST_RING = 32 << 10,
    /// The longest record of a switch, and of a sample with 127 callers.
    LONGEST_SWITCH = 64,
    USUAL_SAMPLE = 1200,
    /// More processors than Linux has.
    MOST_PROCESSORS = 8192,
};

static int open_event(struct perf_event_attr *attributes, int processor) {
    return (int)syscall(SYS_perf_event_open, attributes, 0, processor, -1, PERF_FLAG_FD_CLOEXEC);
}

/// What all events have in common.
static struct perf_event_attr event(uint64_t config, bool has_stacks) {
    return (struct perf_event_attr){
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(struct perf_event_attr),
        .config = config,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | (has_stacks ? PERF_SAMPLE_CALLCHAIN : 0),
        // Begins when the program does, and never in this process, which becomes no other program.
        .disabled = 1,
        .enable_on_exec = 1,
        .inherit = 1,
        .exclude_hv = 1,
        // Callers in the kernel say nothing about the program.
        .exclude_callchain_kernel = 1,
        .sample_id_all = 1,
        .use_clockid = 1,
        .clockid = CLOCK_MONOTONIC,
        // Nobody is woken, because the rings are read periodically.
        .watermark = 1,
        .wakeup_watermark = UINT32_MAX,
    };
}

/// Opens the event of a processor's samples, if they are wanted, and of everything else but departures.
///
/// - Parameter has_kernel: whether to look at stacks in the kernel, too. Other users than root may not.
static int open_main(int processor, record_wish wish, bool has_kernel) {
    struct perf_event_attr attributes =
        event(wish.rate > 0 ? PERF_COUNT_SW_CPU_CLOCK : PERF_COUNT_SW_DUMMY, wish.rate > 0);
    // Switches are recorded nevertheless.
    attributes.exclude_kernel = !has_kernel;
    attributes.context_switch = wish.switches;
    attributes.task = 1;
    attributes.comm = 1;
    attributes.comm_exec = 1;
    if (wish.rate > 0) {
        attributes.freq = 1;
        attributes.sample_freq = wish.rate;
        attributes.mmap = 1;
        attributes.mmap2 = 1;
        attributes.build_id = 1;
    }
    int opened = open_event(&attributes, processor);
    // Before Linux 5.12.
    if (opened < 0 && errno == EINVAL && wish.rate > 0) {
        attributes.build_id = 0;
        opened = open_event(&attributes, processor);
    }
    return opened;
}

/// Opens the event of the stacks of what blocks. Only who may look into the kernel may have it.
static int open_departures(int processor) {
    struct perf_event_attr attributes = event(PERF_COUNT_SW_CONTEXT_SWITCHES, true);
    attributes.sample_period = 1;
    return open_event(&attributes, processor);
}

/// Whether a list such as `0-3,8` contains a number.
static bool contains(const char *list, long number) {
    while (*list >= '0' && *list <= '9') {
        char *end;
        long first = strtol(list, &end, 10);
        long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (first <= number && number <= last) return true;
        list = *end == ',' ? end + 1 : end;
    }
    return false;
}

/// Which processors the program can come to. Without /sys, those that this process may use.
typedef struct {
    char list[4096];
    cpu_set_t own;
} processors;

static void find(processors *found) {
    *found = (processors){0};
    sched_getaffinity(0, sizeof found->own, &found->own);
    int file = open("/sys/devices/system/cpu/online", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    if (read(file, found->list, sizeof found->list - 1) < 0) found->list[0] = 0;
    close(file);
}

static bool is_online(const processors *found, int processor) {
    return found->list[0] ? contains(found->list, processor) : CPU_ISSET(processor, &found->own);
}

void rings_close(rings *self) {
    int failure = errno;
    for (int index = 0; index < self->count; index++)
        munmap(self->all[index].page, self->page_size + self->size);
    free(self->all);
    self->all = NULL;
    self->count = 0;
    errno = failure;
}

/// Adds the ring of an event, and closes the event's descriptor.
static bool add_ring(rings *self, int event, bool has_departures) {
    if (event < 0) return false;
    ring *all = realloc(self->all, (size_t)(self->count + 1) * sizeof *all);
    if (all) self->all = all;
    void *page = MAP_FAILED;
    if (all) page = mmap(NULL, self->page_size + self->size, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    // It refuses more locked memory than users may have as if it were not permitted at all.
    int failure = errno == EPERM ? ENOMEM : errno;
    // The mapping keeps the event.
    close(event);
    errno = failure;
    if (page == MAP_FAILED) return false;
    all[self->count++] = (ring){.page = page, .has_departures = has_departures};
    return true;
}

/// Opens rings of `size` bytes, or none.
static bool open_all(rings *self, const processors *found, size_t size, record_wish wish) {
    self->size = size;
    bool has_kernel = wish.rate > 0;
    for (int processor = 0; processor < MOST_PROCESSORS; processor++) {
        if (!is_online(found, processor)) continue;
        int event = open_main(processor, wish, has_kernel);
        if (event < 0 && errno == EACCES && has_kernel) {
            has_kernel = false;
            event = open_main(processor, wish, has_kernel);
        }
        if (!add_ring(self, event, false)) {
            rings_close(self);
            return false;
        }
    }
    self->sees_kernel = has_kernel;
    if (!has_kernel || !wish.switches) return self->count > 0;
    for (int processor = 0; processor < MOST_PROCESSORS; processor++)
        if (is_online(found, processor)) add_ring(self, open_departures(processor), true);
    return self->count > 0;
}

bool rings_open(rings *self, record_wish wish) {
    *self = (rings){
        .page_size = (size_t)sysconf(_SC_PAGESIZE), .longest = wish.rate > 0 ? USUAL_SAMPLE : LONGEST_SWITCH};
    processors found;
    find(&found);
    errno = ENODEV;
    // Less is left if others record, too.
    for (size_t size = LARGEST_RING; size >= SMALLEST_RING && size >= self->page_size; size /= 2)
        if (open_all(self, &found, size, wish)) return true;
    return false;
}

#endif
