// The memory into which the kernel writes its records: a ring for each processor.
#ifndef RINGS_H
#define RINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "RecordKernel.h"

/// No record of the kernel is longer.
enum { LONGEST_RECORD = 1 << 16 };

typedef struct {
    /// Its samples are the stacks of threads that leave their processor, and it has no other records.
    bool has_departures;
    /// The ring begins a page later.
    struct perf_event_mmap_page *page;
    /// How many bytes were taken.
    uint64_t taken;
    /// The time of the last record that was taken.
    uint64_t last;
} ring;

typedef struct {
    ring *all;
    int count;
    size_t page_size;
    /// The bytes of each ring, a power of two.
    size_t size;
    /// How long the records are that come often.
    size_t longest;
    /// Samples are taken in the kernel, too.
    bool sees_kernel;
} rings;

/// Opens a ring for each processor, and another one for the stacks of what blocks, if samples and switches are
/// wanted and the system allows it. Returns false if the system refuses that, and sets `errno`.
bool rings_open(rings *self, record_wish wish);
/// Ends the recording. Keeps `errno`.
void rings_close(rings *self);

#endif
