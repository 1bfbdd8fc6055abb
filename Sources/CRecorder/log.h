// The internals of a log, shared by the files of this module.
#ifndef RECORDER_LOG_H
#define RECORDER_LOG_H

#include "CRecorder.h"

#include <pthread.h>
#include <stdatomic.h>

#pragma GCC visibility push(hidden)

// Thread-local variables, accessed without a call even in a library that is loaded with the program.
#ifdef __APPLE__
#define THREAD_LOCAL_MODEL
#else
#define THREAD_LOCAL_MODEL __attribute__((tls_model("initial-exec")))
#endif
#define THREAD_LOCAL static __thread THREAD_LOCAL_MODEL

/// For functions that read words of other threads without a lock, each word at once. The thread sanitizer
/// would report these reads.
#define NOT_SANITIZED __attribute__((disable_sanitizer_instrumentation, noinline))

/// An object's address as the recorder keeps it. A search of memory for what could resume a task, or finish an
/// operation, must not find the recorder, which does neither. NULL is 0.
typedef uintptr_t hidden_address;
static inline hidden_address hidden(const void *object) { return -(uintptr_t)object; }
static inline void *shown(hidden_address address) { return (void *)-address; }

enum {
    /// Segments kept in reserve: at the start, soon after, and at most, when they are used up fast.
    FIRST_RESERVE = 8,
    USUAL_RESERVE = 32,
    LARGEST_RESERVE = 256,
};

/// The start of the file. All numbers are little-endian.
typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t header_size;
    uint32_t segment_size;
    uint32_t flags;
    uint64_t clock;
    uint64_t process_id;
    int64_t start_wall;
    uint64_t start_monotonic;
    uint64_t start_time;
    _Atomic uint64_t last_alive;
    _Atomic uint64_t dropped;
    _Atomic uint64_t overwritten;
    /// The operating system's identifier of the current boot; zero if it is not known.
    uint64_t boot_high;
    uint64_t boot_low;
    /// The size of the file when it was sealed, so that a reader notices a truncated file; zero before.
    uint64_t sealed_size;
    /// The version of the recorder, ended by a zero.
    char recorder[16];
    char process[256];
    char host[256];
    /// Written by opviz record.
    uint32_t ending_signal;
    uint32_t processor_times;
    /// Of the machine, and those that the program may use; zero if unknown.
    uint32_t online_processors;
    uint32_t usable_processors;
    /// In thousandths of a processor; zero if no smaller than the usable ones, or unknown.
    uint32_t processor_quota;
    /// Another number of usable processors, seen later; zero if there was none.
    uint32_t later_processors;
} log_header;

#define IS_AT(member, place) _Static_assert(offsetof(log_header, member) == place, "as the format says")
IS_AT(version, LOG_VERSION_OFFSET);
IS_AT(header_size, LOG_HEADER_SIZE_OFFSET);
IS_AT(segment_size, LOG_SEGMENT_SIZE_OFFSET);
IS_AT(flags, LOG_FLAGS_OFFSET);
IS_AT(clock, LOG_CLOCK_OFFSET);
IS_AT(process_id, LOG_PROCESS_ID_OFFSET);
IS_AT(start_wall, LOG_START_WALL_OFFSET);
IS_AT(start_monotonic, LOG_START_MONOTONIC_OFFSET);
IS_AT(start_time, LOG_START_TIME_OFFSET);
IS_AT(last_alive, LOG_LAST_ALIVE_OFFSET);
IS_AT(dropped, LOG_DROPPED_OFFSET);
IS_AT(overwritten, LOG_OVERWRITTEN_OFFSET);
IS_AT(boot_high, LOG_BOOT_HIGH_OFFSET);
IS_AT(boot_low, LOG_BOOT_LOW_OFFSET);
IS_AT(sealed_size, LOG_SEALED_SIZE_OFFSET);
IS_AT(recorder, LOG_RECORDER_OFFSET);
IS_AT(process, LOG_PROCESS_OFFSET);
IS_AT(host, LOG_HOST_OFFSET);
IS_AT(ending_signal, LOG_HEADER_END);
IS_AT(ending_signal, LOG_ENDING_SIGNAL_OFFSET);
IS_AT(processor_times, LOG_PROCESSOR_TIMES_OFFSET);
IS_AT(online_processors, LOG_ONLINE_PROCESSORS_OFFSET);
IS_AT(usable_processors, LOG_USABLE_PROCESSORS_OFFSET);
IS_AT(processor_quota, LOG_PROCESSOR_QUOTA_OFFSET);
IS_AT(later_processors, LOG_LATER_PROCESSORS_OFFSET);
#undef IS_AT

/// The start of a segment. Its kind is written last.
typedef struct {
    _Atomic uint32_t kind;
    uint32_t reserved;
    uint64_t stream;
    uint64_t sequence;
    uint64_t unused;
} segment_header;

/// A segment belongs to the log until the log is closed: in reserve, in use by a thread, or full.
typedef struct segment {
    struct segment *next;
    uint8_t *bytes;
    /// Its offset in the file.
    uint64_t offset;
    /// The sequence number in its header, from when it was handed out.
    uint64_t sequence;
    /// For a segment of texts in a log that keeps the latest: the number of its first text, and the log's
    /// last sequence number when its texts were named for the last time; 0 while they may still be named.
    uint32_t first_text;
    uint64_t aged;
} segment;

/// Where one thread writes in one log. When the thread ends, another thread takes it over.
typedef struct cursor {
    /// The next cursor of the same thread, or the next idle cursor of a log.
    struct cursor *next;
    recorder_log *log;
    uint64_t log_id;
    uint64_t stream;
    segment *segment;
    uint8_t *position;
    uint8_t *end;
    /// The thread whose records follow, as the last record of that kind says.
    uint64_t thread;
} cursor;

typedef struct text_table text_table;

struct recorder_log {
    /// Never repeats in a process, so that a reference to an earlier log at the same address is recognized.
    /// The memory is never freed: any thread may look at it at any time without owning it.
    _Atomic uint64_t id;
    /// Equal to `id` while the log takes events, then 0.
    _Atomic uint64_t open_id;
    struct recorder_log *next_free;
    recorder_clock_kind clock;
    uint64_t (*now)(void *context);
    void *now_context;
    log_header *header;
    /// As in the header, and still there when the log is released.
    uint64_t start_time;
    /// From this length on, bodies are long enough to read their thread's clocks, in the time of the log's
    /// clock; `CLOCKS_NEVER` if the clocks are never read.
    _Atomic uint64_t long_time;
    /// The start of the used file, if it was mapped at once. The descriptor is then closed.
    uint8_t *whole;
    int descriptor;
    /// The file that the descriptor was opened on. The program may close the descriptor and open another file
    /// in its place.
    uint64_t device, inode;
    /// The log uses at most this size. It is less than requested if there is not enough room.
    _Atomic uint64_t maximum_size;
    bool keeps_latest;
    /// What started the process, as the log says; empty if the log does not say.
    char cause[257];

    /// Counts the owner and every cursor. The mapping stays while one of them may write.
    atomic_int references;
    _Atomic uint64_t last_operation;
    _Atomic uint64_t last_queue;

    /// The log is full, and waiting would not help.
    atomic_bool is_full;
    /// Texts with lower numbers may be overwritten at any time, and must not be named any more.
    _Atomic uint32_t first_lasting_text;

    /// Held for reading by threads that allocate segments: the log's own thread, and those that waited for it in
    /// vain. Held for writing to wait until all are done.
    pthread_rwlock_t allocating;
    /// Guards all members below.
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    bool has_thread;
    bool is_closing;
    segment *reserve;
    segment *reserve_last;
    int reserve_count;
    int reserve_target;
    /// Full segments, oldest first. They are overwritten when only the latest events are kept.
    segment *full_first;
    segment *full_last;
    /// Cursors without a thread: those with a segment, and the others.
    cursor *idle;
    cursor *idle_without_segment;
    /// The header and all segments that were allocated or given up. The bytes up to `claimed` are being allocated.
    uint64_t size, claimed;
    _Atomic uint64_t last_sequence;
    uint64_t last_stream;
    /// The end of the last segment that was ever handed out, as an offset in the file.
    uint64_t used_end;
    struct mapping *mappings;
    /// How many bytes of the file are mapped.
    uint64_t mapped;
    struct memory_page *pages;

    /// Guards the texts, which are NULL before the log takes events and when it is released.
    pthread_mutex_t text_lock;
    text_table *texts;
};

// log_clock.c
static inline uint64_t log_ticks(void) {
#if defined(__x86_64__)
    // The builtins, because the header of the intrinsics is 40,000 lines, which every file would read.
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t value;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#else
    return recorder_monotonic();
#endif
}

/// The time of a log that does not count ticks.
uint64_t log_slow_time(const recorder_log *log);

/// The present time, not ordered against anything.
static inline uint64_t log_time(const recorder_log *log) {
    return log->clock == RECORDER_CLOCK_TICKS ? log_ticks() : log_slow_time(log);
}

/// `recorder_now`, without a call.
static inline uint64_t log_now(const recorder_log *log) {
    if (log->clock != RECORDER_CLOCK_TICKS) return log_slow_time(log);
    // Without the fence the counter may be read before what this thread read earlier: an operation would seem
    // to start before the one it waited for had finished.
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
    return log_ticks();
}
/// Identifies the current boot of the machine. Zeros if it is not known.
void recorder_boot(uint64_t *high, uint64_t *low);
/// The time of the log's clock, and the monotonic clock at that time.
uint64_t log_anchor_time(const recorder_log *log, uint64_t *monotonic);
/// Appends a record that ties the log's clock to the monotonic and the wall clock.
void recorder_anchor(recorder_log *log);

// processors.c
/// Stores the processors of the machine, and those that the program may use. Zeros if that is not known.
void processors_count(log_header *header);
/// Stores how many processors the program may use now, if that changed. One system call, and no memory from
/// `malloc`.
void processors_look_again(log_header *header);

// memory.c
/// How much more of the address space the log may map, in bytes.
uint64_t memory_room(const recorder_log *log);
/// Zeroed memory that the log keeps until it is released. Returns NULL if there is not enough. Call it with
/// the log's lock held.
///
/// Not `malloc`: on the thread that supplies the log, that would reserve 64 MiB of address space.
void *memory_take(recorder_log *log, size_t size);
void memory_give_back(recorder_log *log);

// segments.c
/// Maps a file that already has its full size: all of the file, or as much as there is room for.
int segments_map_whole(recorder_log *log);
int segments_map_header(recorder_log *log);
/// Brings the reserve up to its target, or to one segment. Called without the lock. Returns an `errno` on
/// failure, `EAGAIN` if the log is being sealed or another thread allocates its last segments.
int segments_refill(recorder_log *log, bool to_target);
/// Fills the reserve on this thread: as far as the log's own thread would, if there is none. Returns whether
/// it did.
bool log_supply(recorder_log *log);
/// A segment of that kind, or NULL. If the reserve may be filled meanwhile, waits for it for less than a
/// millisecond.
segment *segments_take(recorder_log *log, uint32_t kind, uint64_t stream);
void segments_retire(recorder_log *log, segment *full);
/// Empties a segment of texts that was used before.
void segments_renew(recorder_log *log, segment *used);
/// The sequence number of the oldest segment that is full of records; 0 without one.
uint64_t segments_oldest(recorder_log *log);
void segments_unmap(recorder_log *log);

// cursors.c
/// Call this once before any log is opened.
void cursors_prepare(void);
/// Lets go of this thread's cursors of logs that were closed.
void cursors_drop_closed(void);
/// Appends to the log with that identifier, if it still is the one at this address. Returns false if it is
/// closed or has no room.
bool cursors_append(recorder_log *log, uint64_t id, uint64_t time, const record *records, size_t count);
/// Counts records that found no room. Does nothing if the log is closed: events after its end are not losses.
void cursors_count_dropped(recorder_log *log, uint64_t id);
/// Appends records that belong together. Without room, they count as one dropped record.
void log_append_all(recorder_log *log, uint64_t id, uint64_t time, const record *records, size_t count);

// log.c
/// Whether the log at this address has that identifier and takes events.
static inline bool log_is_open(recorder_log *log, uint64_t id) {
    return atomic_load_explicit(&log->open_id, memory_order_relaxed) == id;
}
/// Whether a text of that number may still be named.
static inline bool log_text_lasts(const recorder_log *log, uint32_t number) {
    return number >= atomic_load_explicit(&log->first_lasting_text, memory_order_relaxed);
}
/// Whether the descriptor still belongs to the log. A program that closes every descriptor may have opened
/// another file with its number.
bool log_owns_descriptor(const recorder_log *log);
void log_retain(recorder_log *log);
void log_release(recorder_log *log);

// names.c
/// Copies a name of up to `size` - 1 bytes. Replaces each byte that is not valid UTF-8 with U+FFFD. Fills the
/// rest with zeros.
void names_copy(char *to, size_t size, const char *from);

// texts.c
text_table *texts_create(void);
void texts_destroy(text_table *texts);

#pragma GCC visibility pop

#endif
