// The messages between `opviz record` and the library that it loads into programs. Both are built together
// and do not talk to other versions. Messages go over a socket that keeps them apart (SOCK_SEQPACKET), so
// each one arrives whole or not at all.
#ifndef RECORD_PROTOCOL_H
#define RECORD_PROTOCOL_H

#include <stdint.h>

enum { RECORD_PROTOCOL_VERSION = 5 };

/// In the library, so that another version of it is recognized before it is loaded.
typedef struct {
    char magic[16];
    uint32_t version;
} record_mark;

#define RECORD_MARK_MAGIC "OPVIZ RECORDING"

/// With OPVIZ_RECORD_PROBE in its environment, a process ends before its `main()`, with one of these exit codes: some
/// of the flags, and `RECORD_PROBE_EXIT`.
enum {
    RECORD_PROBE_EXIT = 0x50,
    RECORD_PROBE_MASK = 0xfc,
    RECORD_PROBE_FOUNDATION = 1,
    RECORD_PROBE_STATIC = 2,
};

/// The state that a process reports; from `RECORDING` on, what became of its log.
typedef enum {
    /// It has Foundation and is observed. Its queues have not been used.
    RECORD_STATE_LOADED = 0,
    /// It asks for the memory of its log, because a queue is being used.
    RECORD_STATE_ASKING = 1,
    RECORD_STATE_UNKNOWN_LAYOUT = 2,
    RECORD_STATE_STRIPPED = 3,

    RECORD_STATE_RECORDING = 4,
    RECORD_STATE_NO_SOCKET = 5,
    RECORD_STATE_NOT_REACHED = 6,
    /// Another user's process answers at the path of `opviz record`.
    RECORD_STATE_STRANGER = 7,
    RECORD_STATE_NO_ANSWER = 8,
    RECORD_STATE_REFUSED = 9,
    /// The memory arrived, but a log could not be begun in it.
    RECORD_STATE_NO_LOG = 10,
} record_state;

/// A process's tasks are observed: the number of `recorder_tasks_state` for that.
enum { RECORD_TASKS_OBSERVED = 1 };

typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t state;
    /// Its place in the register; 0 without a place.
    uint32_t place;
    uint32_t unused;
    /// Valid UTF-8.
    char program[256];
} record_hello;

#define RECORD_HELLO_MAGIC "OPVIZREC"

/// An answer to a process. When it was loaded: its place, together with the register's descriptor. When it
/// asks: 0 and the descriptor of its memory, or the `errno` that prevented it.
typedef struct {
    uint32_t number;
    /// Where the times come from that threads spend on processors: a `LOG_CPU` number of CLogFormat.
    uint32_t processor_times;
} record_answer;

/// Where a process reports what becomes of it, in memory shared with `opviz record` from its start. Such a report
/// gets through where a connection would not: after `chroot` and `setuid`, and under seccomp. Written by
/// atomic stores. `opviz record` uses it only for what it tells its user.
typedef struct {
    uint32_t state;
    uint32_t error;
    uint32_t user;
    /// A forked child, which is not recorded, used a queue.
    uint32_t has_forked_user;
    /// Set by `opviz record` when it ends. Processes must not call it after that.
    uint32_t is_over;
    /// What became of observing its tasks: a `recorder_tasks_state`; 0 if that was not wanted.
    uint32_t tasks;
    /// It uses a Foundation that it loaded after its start, whose queues are not recorded.
    uint32_t has_later_foundation;
    uint32_t unused[9];
} record_place;

_Static_assert(sizeof(record_place) == 64, "so that none lies across two pages");

#endif
