// When the threads of a program were on processors: the kernel's records of context switches, which cost the
// program nothing but the kernel's writing of them.
#ifndef RECORD_SWITCHES_H
#define RECORD_SWITCHES_H

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

/// What the scheduler had counted for a thread, at some time between `earliest` and `latest`.
typedef struct {
    uint64_t earliest, latest;
    /// Nanoseconds on a processor since the thread began, up to the last switch away from it, or later.
    uint64_t on_cpu;
    /// Nanoseconds of waiting for a processor since the thread began.
    uint64_t delay;
    /// How many switches to the thread `delay` contains.
    uint64_t count;
    int32_t process, thread;
} record_delay;

/// In no order.
typedef struct {
    record_switch *switches;
    size_t switch_count;
    record_delay *delays;
    size_t delay_count;
} record_switches;

#endif
