// When the threads of a program are on processors: the kernel's records of context switches, which cost the
// program nothing but the kernel's writing of them. Linux only.
#ifndef RECORD_SWITCHES_H
#define RECORD_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAMED(name) __attribute__((swift_name(#name)))

typedef enum __attribute__((enum_extensibility(closed))) : uint64_t {
    RECORD_SWITCH_IN NAMED(arrived) = 0,
    RECORD_SWITCH_PREEMPTED NAMED(preempted) = 1,
    RECORD_SWITCH_BLOCKED NAMED(blocked) = 2,
    /// The thread ended, on a processor.
    RECORD_SWITCH_ENDED NAMED(ended) = 3,
    /// The process began to run a program; the thread is on a processor.
    RECORD_SWITCH_PROGRAM NAMED(program) = 4,
    /// The process began, as a copy of another one; the thread is not on a processor.
    RECORD_SWITCH_FORKED NAMED(forked) = 5,
} record_switch_kind;

#undef NAMED

/// What happened to a thread. Kept small, because there are up to a million of these in a second.
typedef struct {
    /// Nanoseconds of CLOCK_MONOTONIC, and a `record_switch_kind` in the lowest three bits.
    uint64_t time_and_kind;
    int32_t process, thread;
} record_switch;

/// What the kernel said of a thread's waits for a processor, at some time between `earliest` and `latest`.
typedef struct {
    uint64_t earliest, latest;
    /// Nanoseconds since the thread began.
    uint64_t delay;
    /// How many switches to the thread `delay` contains.
    uint64_t count;
    int32_t process, thread;
} record_delay;

/// Records are missing from `start` to `end`.
typedef struct {
    uint64_t start, end;
} record_gap;

/// The rings that the kernel writes to, and everything that was taken from them, in no order.
typedef struct {
    record_switch *switches;
    size_t switch_count;
    record_delay *delays;
    size_t delay_count;
    record_gap *gaps;
    size_t gap_count;
    /// The time up to which everything was taken.
    uint64_t end;
    /// More than the limit was needed, so nothing was taken after `end`.
    bool is_over_limit;
} record_switches;

/// Opens a ring for each processor, for the next program that this thread starts, its threads and its child
/// processes. Programs that the thread starts later may be recorded or not: the kernel sometimes exchanges
/// the events of a parent and its child, and a program's start uses them up. This process is not recorded.
/// No descriptor stays open if few are allowed.
///
/// - Parameter limit: how many bytes to take at most.
/// - Returns: NULL if the system refuses that, and sets `errno`.
record_switches *record_switches_open(size_t limit);
/// Takes everything that was recorded so far. Reads from /proc what the kernel does not record: how long
/// threads waited for a processor. Returns whether a ring was nearly full, so that the next call should come
/// soon.
bool record_switches_take(record_switches *switches);
/// Ends the recording.
void record_switches_end(record_switches *switches);
void record_switches_free(record_switches *switches);

#endif
