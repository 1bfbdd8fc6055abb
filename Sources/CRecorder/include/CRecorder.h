// The recording core: it takes events from any thread and keeps them in a mapped file, so that they outlive
// the program. No policy is in it, and no Swift: it also runs where no Swift of ours may.
//
// The layout of the file is specified in Documentation/TraceFormat.md.
#ifndef CRECORDER_H
#define CRECORDER_H

#include "CLogFormat.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A second copy in the same process, loaded by `opviz record`, is to have nothing to do with this one.
#pragma GCC visibility push(hidden)

// MARK: The operating system

/// The operating system's number of the calling thread, as debuggers and `ps` show it. Asked once a thread.
uint64_t recorder_thread_number(void);

/// The value of an environment variable, or NULL where it is not set or the program runs with other rights
/// than those of whoever started it.
const char *recorder_environment(const char *name);

/// Between these two, a file that becomes too large is an error and no signal, on this thread. What the first
/// returns is to be given to the second.
bool recorder_hold_size_signal(void);
void recorder_release_size_signal(bool was_held);

/// Whether descriptor 2 is the program's standard error, and not a file that got its number after it was
/// closed.
bool recorder_has_standard_error(void);

/// Whether `opviz record` is recording this process: the library that it loads says so.
bool recorder_is_recorded_from_outside(void);

/// Whether this process came out of `fork` without `exec`. It shares its logs with its parent, which goes on
/// writing; so it records nothing.
bool recorder_is_forked_child(void);

// MARK: The clock

/// Where the times of a log come from.
typedef enum {
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    RECORDER_CLOCK_MONOTONIC = 0,
    /// The processor's tick counter, which runs at one rate whatever the processor does.
    RECORDER_CLOCK_TICKS = 1,
    /// Nanoseconds that a function of the caller's gives.
    RECORDER_CLOCK_GIVEN = 2,
} recorder_clock_kind;

/// Nanoseconds of `CLOCK_MONOTONIC`.
uint64_t recorder_monotonic(void);

/// Nanoseconds since 1970-01-01T00:00:00Z.
int64_t recorder_wall(void);

/// The tick counter where it is invariant, else the monotonic clock.
recorder_clock_kind recorder_best_clock(void);

// MARK: Records

/// One record without its time. What `subject` and `argument` are depends on the type.
typedef struct {
    uint64_t subject;
    /// 56 bits.
    uint64_t argument;
    uint8_t type;
} record;

// MARK: Logs

typedef struct recorder_log recorder_log;

typedef struct {
    /// Name of the program and of the machine; cut to 255 bytes each.
    const char *process;
    const char *host;
    /// Nanoseconds since 1970 at this moment.
    int64_t wall_time;
    recorder_clock_kind clock;
    /// For `RECORDER_CLOCK_GIVEN`. Called on any thread.
    uint64_t (*now)(void *context);
    void *now_context;
    /// The file grows no larger, in bytes; 0 for no limit.
    uint64_t maximum_size;
    /// So many bytes have room from the start, and are kept ahead of what is used; less than the usual
    /// reserve counts as that.
    uint64_t reserve_size;
    /// At that size the oldest records are overwritten; else the newest are dropped.
    bool keeps_latest;
    /// The file has its maximum size already, and keeps it: it is mapped once, or so much of it as the
    /// program can spare of its address space, and its descriptor closed. Nothing of the log can then be hurt
    /// by what the program does with descriptors.
    bool has_whole_size;
} recorder_options;

/// Begins a log in an empty file that is open for reading and writing. The log owns the descriptor from then
/// on.
///
/// Allocates the first segments on disk, and starts a thread that keeps some in reserve. NULL with `errno`
/// set where that fails; the descriptor is then still the caller's.
recorder_log *recorder_open(int descriptor, const recorder_options *options);

/// Seals the log: says in its header that it is complete, and cuts off what was allocated and not used.
/// Events that other threads are appending meanwhile may still get into the file. Once.
///
/// Returns 0, or the `errno` of what could not be written.
///
/// The file's descriptor is closed, or given to the caller: where `descriptor` is not NULL and nothing
/// failed. Then the file is still locked. -1 where there is none.
int recorder_seal(recorder_log *log, int *descriptor);

/// Notes what started this process: the `traceparent` that is in its environment as `TRACEPARENT`. Nothing
/// where there is none, or what is there cannot be one. Once, when the log was begun.
void recorder_note_cause_of_process(recorder_log *log);

/// Gives the log up; `log` is not to be used any more.
void recorder_release(recorder_log *log);

/// The present time of the log's clock, ordered after all that this thread has read before.
uint64_t recorder_now(const recorder_log *log);

/// Nanoseconds since the start of the log, for a time of its clock. As exact as is known by now; the file has
/// better.
int64_t recorder_nanoseconds(const recorder_log *log, uint64_t time);

/// Appends records that belong together, each with the same time. Any thread; takes no lock but once a
/// segment, of 2,729 records, and never waits for the disk. What finds no room is counted as dropped.
void recorder_append(recorder_log *log, uint64_t time, const record *records, size_t count);

/// Appends one record that happens now, and returns its time.
uint64_t recorder_append_now(recorder_log *log, uint8_t type, uint64_t subject, uint64_t argument);

/// Appends what most enqueues are: an operation without a name, edges or priority. `argument` is that of the
/// record, `parent` may be 0, `code` that of its closure or NULL, and with `is_ready` it is logged as ready
/// at the same time. Returns the time.
uint64_t recorder_append_enqueue(
    recorder_log *log, uint64_t identifier, uint64_t argument, uint64_t parent, const void *code, bool is_ready);

/// As `recorder_append_now`, for what need not be ordered after what this thread has read: a few nanoseconds
/// less.
uint64_t recorder_append_soon(recorder_log *log, uint8_t type, uint64_t subject, uint64_t argument);

/// The number of a text in the log, which stores it when it is new. Any thread; takes a lock. 0, the empty
/// text, where there is no room for it. Texts of more than 60,000 bytes are cut.
uint32_t recorder_text(recorder_log *log, const char *bytes, size_t count);

/// Whether a text of that number may still be named. In a log that keeps the latest events, one that was
/// stored long ago is about to be overwritten, and has to be asked for again.
bool recorder_text_lasts(const recorder_log *log, uint32_t number);

/// The next identifier of an operation, of a queue. Never given twice.
uint64_t recorder_next_operation(recorder_log *log);
uint64_t recorder_next_queue(recorder_log *log);

/// Records that found no room, up to now.
uint64_t recorder_dropped(const recorder_log *log);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#include "CObservation.h"
#include "COutside.h"
#include "CWatching.h"

#endif
