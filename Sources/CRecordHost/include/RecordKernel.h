// What the kernel records of a program, its threads and its child processes. Linux only.
#ifndef RECORD_KERNEL_H
#define RECORD_KERNEL_H

#include <stdbool.h>

#include "RecordSamples.h"
#include "RecordSwitches.h"

/// Records are missing from `start` to `end`.
typedef struct {
    uint64_t start, end;
} record_gap;

/// What to record.
typedef struct {
    bool switches;
    /// How often to look at stacks, in a second on each processor; 0 for never.
    uint32_t rate;
    /// How many bytes of switches, and of samples, to take at most.
    size_t limit;
    /// Keep the latest switches instead of the first, if there are more.
    bool keeps_latest;
} record_wish;

/// The rings that the kernel writes to, and everything that was taken from them.
typedef struct {
    record_switches switches;
    record_samples samples;
    record_gap *gaps;
    size_t gap_count;
    /// The time up to which everything was taken.
    uint64_t end;
    /// More than the limit was needed, so no switches were taken after `end`. Never if the latest are kept;
    /// then `gaps` has the forgotten time.
    bool is_over_limit;
    /// Samples are taken in the kernel, too, which the system allows to some.
    bool sees_kernel;
} record_kernel;

/// Opens a ring for each processor, for the next program that this thread starts, its threads and its child
/// processes. Programs that the thread starts later may be recorded or not: the kernel sometimes exchanges
/// the events of a parent and its child, and a program's start uses them up. This process is not recorded.
/// No descriptor stays open if few are allowed.
///
/// - Returns: NULL if the system refuses that, and sets `errno`.
record_kernel *record_kernel_open(record_wish wish);
/// Takes everything that was recorded so far. Reads from /proc what the kernel does not record: how long
/// threads waited for a processor. Returns whether a ring was nearly full, so that the next call should come
/// soon.
bool record_kernel_take(record_kernel *taken);
/// Ends the recording.
void record_kernel_end(record_kernel *taken);
void record_kernel_free(record_kernel *taken);

#endif
