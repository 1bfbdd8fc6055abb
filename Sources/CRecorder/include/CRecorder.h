// The recording core. It takes events from any thread and keeps them in a mapped file, so that they outlive
// the program. It has no policy and no Swift, because it also runs in programs where our Swift code cannot.
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

// A second copy in the same process, loaded by `opviz record`, must not share symbols with this one.
#pragma GCC visibility push(hidden)

// MARK: The operating system

/// The operating system's number of the calling thread, as debuggers and `ps` show it. Looked up once a
/// thread.
uint64_t recorder_thread_number(void);

/// Whether the calling thread is the first one of the process, which runs `OperationQueue.main`.
bool recorder_is_main_thread(void);

/// The value of an environment variable. NULL if it is not set, or if the program runs with other rights than
/// the user who started it.
const char *recorder_environment(const char *name);

/// Between these two calls, exceeding the limit on a file's size is an error on this thread and raises no
/// signal. Pass the result of the first call to the second.
bool recorder_hold_size_signal(void);
void recorder_release_size_signal(bool was_held);

/// Whether descriptor 2 is the program's standard error. After a program closes it, another file can get its
/// number.
bool recorder_has_standard_error(void);

/// Whether `opviz record` is recording this process. The library that it loads says so.
bool recorder_is_recorded_from_outside(void);

extern bool recorder_forked_child_flag;

/// Whether this process came out of `fork` without `exec`. It shares its logs with its parent, which goes on
/// writing, so it records nothing. One atomic read.
static inline bool recorder_is_forked_child(void) {
    return __atomic_load_n(&recorder_forked_child_flag, __ATOMIC_RELAXED);
}

/// The quota of CPU time that control groups give a process, in thousandths of a processor: the smallest one
/// of its group and the groups around it. 0 if there is none, or if it cannot be read.
///
/// - Parameters:
///   - groups: the file with the process's groups, `/proc/self/cgroup`.
///   - mount: the folder of the hierarchies, `/sys/fs/cgroup`.
uint32_t recorder_processor_quota(const char *groups, const char *mount);

// MARK: The clock

/// Where the times of a log come from.
typedef enum {
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    RECORDER_CLOCK_MONOTONIC = 0,
    /// The processor's tick counter, which runs at one rate whatever the processor does.
    RECORDER_CLOCK_TICKS = 1,
    /// Nanoseconds from a function that the caller supplies.
    RECORDER_CLOCK_GIVEN = 2,
} recorder_clock_kind;

/// Nanoseconds of `CLOCK_MONOTONIC`.
uint64_t recorder_monotonic(void);

/// Nanoseconds since 1970-01-01T00:00:00Z.
int64_t recorder_wall(void);

/// The tick counter where it is invariant, else the monotonic clock.
recorder_clock_kind recorder_best_clock(void);

// MARK: Records

/// One record without its time. The type decides what `subject` and `argument` mean.
typedef struct {
    uint64_t subject;
    /// 56 bits.
    uint64_t argument;
    uint8_t type;
} record;

// MARK: Logs

typedef struct recorder_log recorder_log;

typedef struct {
    /// The names of the program and of the machine, cut to 255 bytes each.
    const char *process;
    const char *host;
    /// Nanoseconds since 1970 at this moment.
    int64_t wall_time;
    recorder_clock_kind clock;
    /// For `RECORDER_CLOCK_GIVEN`. Called on any thread.
    uint64_t (*now)(void *context);
    void *now_context;
    /// Where the times come from that threads spend on processors: a `LOG_CPU` number. With
    /// `LOG_CPU_CLOCKS`, threads read their own clocks at the begin and end of long bodies.
    uint32_t processor_times;
    /// The largest size of the file, in bytes; 0 for no limit.
    uint64_t maximum_size;
    /// Bytes to allocate at the start, and to keep ahead of what is used. At least the usual reserve.
    uint64_t reserve_size;
    /// At the maximum size, overwrite the oldest records. Otherwise, drop the newest.
    bool keeps_latest;
    /// The file already has its maximum size, and keeps it. It is mapped at once, as far as the program can
    /// spare the address space, and its descriptor is closed. Then nothing that the program does with
    /// descriptors can harm the log.
    bool has_whole_size;
} recorder_options;

/// Begins a log in an empty file that is open for reading and writing. The log owns the descriptor from then
/// on.
///
/// Allocates the first segments on disk, and starts a thread that keeps some in reserve. On failure, returns
/// NULL and sets `errno`; the caller still owns the descriptor.
recorder_log *recorder_open(int descriptor, const recorder_options *options);

/// Seals the log: marks it complete in its header, and cuts off the unused end of the file. Events that other
/// threads append meanwhile may still get into the file. Call this once.
///
/// Returns 0, or the `errno` of a failed write.
///
/// Closes the file's descriptor. If `descriptor` is not NULL and nothing failed, the caller gets the
/// descriptor instead, and the file is still locked. Otherwise the caller gets -1.
int recorder_seal(recorder_log *log, int *descriptor);

/// Records what started this process: the `traceparent` in its environment variable `TRACEPARENT`. Does nothing
/// if that is missing or cannot be valid. Call this once, when the log was begun.
void recorder_record_cause_of_process(recorder_log *log);

/// Gives the log up. Do not use `log` after this.
void recorder_release(recorder_log *log);

/// The present time of the log's clock, ordered after everything that this thread has read before.
uint64_t recorder_now(const recorder_log *log);

/// Converts a time of the log's clock into nanoseconds since the start of the log. As exact as is known so
/// far; a reader of the file knows more.
int64_t recorder_nanoseconds(const recorder_log *log, uint64_t time);

/// Appends records that belong together, all with the same time. Any thread. Takes a lock only once per
/// segment, of 2,729 records. If the log's thread cannot keep up, it waits up to 1 ms for it, then allocates
/// space itself. Records that find no room are counted as dropped.
void recorder_append(recorder_log *log, uint64_t time, const record *records, size_t count);

/// Tells logs apart, even at the same address. Never repeats in a process.
uint64_t recorder_id(const recorder_log *log);

/// Whether that log still takes events. Its memory is never freed, so this can be asked at any time. The
/// functions below that take an `id` can be called at any time too: they do nothing if the log is closed.
bool recorder_is_open(recorder_log *log, uint64_t id);

/// Appends one record that happened at `time`.
void recorder_append_at(recorder_log *log, uint64_t id, uint64_t time, uint8_t type, uint64_t subject, uint64_t argument);

/// Appends one record that happens now, and returns its time.
uint64_t recorder_append_now(recorder_log *log, uint64_t id, uint8_t type, uint64_t subject, uint64_t argument);

/// Like `recorder_append_now`, but not ordered after what this thread has read. A few nanoseconds faster.
uint64_t recorder_append_soon(recorder_log *log, uint64_t id, uint8_t type, uint64_t subject, uint64_t argument);

/// Appends the most common enqueue: an operation without a name, edges or priority. `argument` is that of the
/// record. `parent` may be 0. `code` is its closure's code, or NULL. With `is_ready` it is logged as ready at
/// the same time. Returns the time.
uint64_t recorder_append_enqueue(
    recorder_log *log, uint64_t id, uint64_t identifier, uint64_t argument, uint64_t parent, const void *code,
    bool is_ready);

/// The number of a text in the log, which stores a new text. Any thread; takes a lock. Returns 0, the empty
/// text, if the log is full or was released. Cuts texts longer than 60,000 bytes.
uint32_t recorder_text(recorder_log *log, const char *bytes, size_t count);

/// Whether a text of that number may still be named. A log that keeps the latest events is about to overwrite
/// texts that were stored long ago. Call `recorder_text` again for such a text.
bool recorder_text_lasts(const recorder_log *log, uint32_t number);

/// The next identifier of an operation or a queue. Never repeats.
uint64_t recorder_next_operation(recorder_log *log);
uint64_t recorder_next_queue(recorder_log *log);

/// How many records found no room so far.
uint64_t recorder_dropped(const recorder_log *log);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#include "CObservation.h"
#include "COutside.h"
#include "CTasks.h"
#include "CNotification.h"

#endif
