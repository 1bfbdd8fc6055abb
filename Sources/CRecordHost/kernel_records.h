// The records of the kernel, and who keeps what of them.
#ifndef KERNEL_RECORDS_H
#define KERNEL_RECORDS_H

#include "RecordKernel.h"
#include "budget.h"

struct perf_event_header;

/// The end of every record, except of samples.
typedef struct {
    uint32_t process, thread;
    uint64_t time;
} sample_id;

/// Keeps switches. Private to switches.c.
typedef struct switch_keeper switch_keeper;
switch_keeper *switches_begin(record_switches *public, size_t limit);
void switches_take(switch_keeper *self, const struct perf_event_header *record, sample_id id);
/// Reads the waits of the threads that were switched to since the last call.
void switches_look_up(switch_keeper *self);
bool switches_are_over(const switch_keeper *self);
/// Forgets the older half of the switches, if there may not be room for `coming` more bytes of records. It
/// keeps when processes began and which programs they ran.
///
/// - Returns: the time up to which switches may be missing; 0 if none was forgotten.
uint64_t switches_forget(switch_keeper *self, size_t coming);
void switches_end(switch_keeper *self);
void switches_free(switch_keeper *self);

/// Keeps samples. Private to samples.c.
typedef struct sample_keeper sample_keeper;
sample_keeper *samples_begin(record_samples *public, size_t limit);
/// Returns the time of a sample; 0 for other records, which have a `sample_id`.
///
/// - Parameter is_departure: whether the thread was leaving its processor.
uint64_t samples_take(sample_keeper *self, const struct perf_event_header *record, bool is_departure);
void samples_free(sample_keeper *self);

#endif
