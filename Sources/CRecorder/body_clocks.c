#define _GNU_SOURCE
#include "body_clocks.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

__thread const void *clocks_last_short THREAD_LOCAL_MODEL;

// MARK: Reading

/// The thread's scheduler statistics. `/proc` says them only in a file, and opening one takes longer than
/// reading it, so each thread keeps its own open.
THREAD_LOCAL struct {
    enum { NOT_OPENED, OPENED, UNUSABLE } state;
    int descriptor;
    dev_t device;
    ino_t inode;
} statistics;

static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void close_statistics(void *unused) {
    (void)unused;
    // The program may have closed the descriptor, and opened another file in its place.
    struct stat status;
    if (statistics.state == OPENED && fstat(statistics.descriptor, &status) == 0
        && status.st_dev == statistics.device && status.st_ino == statistics.inode)
        close(statistics.descriptor);
    statistics.state = NOT_OPENED;
}

static void prepare(void) { pthread_key_create(&thread_end, close_statistics); }

void clocks_prepare(void) { pthread_once(&once, prepare); }

#ifdef __linux__

/// Whether the program can spare a descriptor with that number: the lowest that is free.
static bool is_spare(int descriptor) {
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (rlim_t)descriptor < limit.rlim_cur / 2;
}

static void open_statistics(void) {
    int descriptor = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    struct stat status;
    statistics.state = UNUSABLE;
    if (descriptor < 0) return;
    if (!is_spare(descriptor) || fstat(descriptor, &status) != 0) {
        close(descriptor);
        return;
    }
    statistics.state = OPENED;
    statistics.descriptor = descriptor;
    statistics.device = status.st_dev;
    statistics.inode = status.st_ino;
    // Any value but NULL makes the destructor run when the thread ends.
    pthread_setspecific(thread_end, &once);
}

/// What `read_wait` returned last on this thread, if it was known.
THREAD_LOCAL int64_t last_wait;

/// How long this thread has waited for processors, in nanoseconds; -1 if that is not known. It is the second
/// number of three.
static int64_t read_wait(void) {
    if (statistics.state == NOT_OPENED) open_statistics();
    if (statistics.state == UNUSABLE) return -1;
    char text[64];
    ssize_t count = pread(statistics.descriptor, text, sizeof text - 1, 0);
    text[count < 0 ? 0 : count] = 0;
    const char *digit = text;
    while (*digit >= '0' && *digit <= '9') digit++;
    int64_t wait = 0;
    if (*digit == ' ' && digit > text) {
        for (digit++; *digit >= '0' && *digit <= '9' && wait < INT64_MAX / 16; digit++)
            wait = 10 * wait + (*digit - '0');
        if (*digit == ' ') return last_wait = wait;
    }
    // The program closed the descriptor, and this may be another file's.
    statistics.state = UNUSABLE;
    return -1;
}

#else

static int64_t read_wait(void) { return -1; }

#endif

static uint64_t read_use(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return 0;
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/// What a thread's clocks say.
typedef struct {
    uint64_t on_cpu;
    int64_t waited;
} reading;

enum {
    /// A reading tells of a moment of the log's clock if both lie within this part of a long body: 15 µs. If
    /// more time passes between them, the thread may have waited for a processor meanwhile.
    CLOSE_PART = 20,
    /// How often the clocks are read before a body, and at its end, which is moved each time.
    ATTEMPTS = 3,
};

/// Whether no more time passes from one to the other than a reading takes.
static bool are_close(const recorder_log *log, uint64_t from, uint64_t to) {
    uint64_t bound = atomic_load_explicit(&log->long_time, memory_order_relaxed) / CLOSE_PART;
    return to < from || to - from <= bound;
}

/// Reads the clocks. Returns whether they are what they were at that time, a moment ago.
static bool read_clocks_of(const recorder_log *log, uint64_t time, reading *clocks) {
    clocks->waited = read_wait();
    clocks->on_cpu = read_use();
    return are_close(log, time, log_time(log));
}

// MARK: Kinds

enum {
    /// A reading at the begin and one at the end take 2 to 6 µs: 2 % of this at most.
    LONG_NANOSECONDS = 300000,
    /// More than generic programs have kinds.
    PLACE_BITS = 16,
    PLACES = 1 << PLACE_BITS,
    /// How far from its place a kind may lie. If no place is free within that distance, it is not measured.
    FARTHEST = 64,
    /// What reading the clocks around one body costs, in the unit of balances: about 4 µs.
    COST = 64,
    /// What a body earns that just counts as long: 2 % of its time.
    LONG_EARNINGS = 96,
    /// Reading continues for at most 4,096 short bodies in a row after long ones that earned as much.
    MOST_BALANCE = 4096 * COST,
    /// How many bodies of a kind are measured before one was long.
    TRIALS = 16,
    MOST_DEBT = TRIALS * COST,
};

/// Of each kind, what its long bodies allow to spend on readings, less what these have cost. So readings take
/// about 2 % of the time in long bodies, and kinds are measured whose long bodies make most of their time,
/// also if most of their bodies are short. Kinds are never removed: one that is loaded later at the same
/// address inherits a balance, and soon has its own.
static struct {
    _Atomic(const void *) kind;
    _Atomic int32_t balance;
} kinds[PLACES];

static bool can_spend(int32_t balance) { return balance > -MOST_DEBT; }

/// The balance of a kind; NULL if there is no room for it. With `adds`, adds a kind that is missing. Otherwise
/// `unknown` is the balance of that.
static _Atomic int32_t *balance_of(const void *kind, bool adds, _Atomic int32_t *unknown) {
    size_t place = ((uintptr_t)kind >> 3) * 0x9e3779b97f4a7c15u >> (64 - PLACE_BITS);
    for (size_t probe = 0; probe < FARTHEST; probe++) {
        size_t index = (place + probe) % PLACES;
        const void *found = atomic_load_explicit(&kinds[index].kind, memory_order_relaxed);
        if (!found) {
            if (!adds) return unknown;
            atomic_compare_exchange_strong_explicit(
                &kinds[index].kind, &found, kind, memory_order_relaxed, memory_order_relaxed);
        }
        if (!found || found == kind) return &kinds[index].balance;
    }
    return NULL;
}

/// Adds what a body earned that took so long, waits for processors left out. Takes what its reading cost. Of
/// two threads at once, one counts.
static void add_length(const void *kind, uint64_t time, uint64_t long_time, bool was_read) {
    _Atomic int32_t *balance = balance_of(kind, true, NULL);
    if (!balance) return;
    int32_t after = atomic_load_explicit(balance, memory_order_relaxed);
    // The first body of a kind also takes the time to load its code. It earns nothing.
    uint64_t earned = time < long_time || after == 0 ? 0 : time / (long_time / LONG_EARNINGS + 1);
    if (was_read) after -= COST;
    after = earned > (uint64_t)(MOST_BALANCE - after) ? MOST_BALANCE : after + (int32_t)earned;
    atomic_store_explicit(balance, after, memory_order_relaxed);
    if (can_spend(after) && clocks_last_short == kind) clocks_last_short = NULL;
}

uint64_t clocks_long(const recorder_log *log) {
    if (log->clock != RECORDER_CLOCK_TICKS) return LONG_NANOSECONDS;
    double ticks = (double)(log_now(log) - log->header->start_time);
    double nanoseconds = (double)(recorder_monotonic() - log->header->start_monotonic);
    return nanoseconds > 0 ? (uint64_t)(LONG_NANOSECONDS * (ticks / nanoseconds)) : LONG_NANOSECONDS;
}

// MARK: Bodies

/// The body for which this thread read its clocks last, and a moment before that.
THREAD_LOCAL struct {
    uint64_t operation;
    uint64_t time;
} begin_reading;

__attribute__((noinline)) void clocks_begin_kind(const recorder_log *log) {
    if (!clocks_are_read(log) || recorder_is_forked_child()) return;
    recorder_body *body = &clocks_body;
    _Atomic int32_t unknown = 0;
    _Atomic int32_t *balance = balance_of(body->kind, false, &unknown);
    if (!balance || !can_spend(atomic_load_explicit(balance, memory_order_relaxed))) {
        clocks_last_short = body->kind;
        return;
    }
    int before = errno;
    begin_reading.operation = body->operation;
    reading clocks;
    // The first reading of a thread opens a file, and any may be interrupted.
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        begin_reading.time = log_time(log);
        if (read_clocks_of(log, begin_reading.time, &clocks)) break;
    }
    body->waited = clocks.waited;
    body->on_cpu = clocks.on_cpu;
    errno = before;
}

__attribute__((noinline)) void clocks_check_begin(const recorder_log *log, uint64_t time) {
    recorder_body *body = &clocks_body;
    // Another body may have begun since, if it was not known at once that this one executes.
    bool is_last = begin_reading.operation == body->operation;
    if (is_last && are_close(log, begin_reading.time, time)) return;
    int error = errno;
    reading later;
    if (read_clocks_of(log, time, &later)) {
        body->on_cpu = later.on_cpu;
        body->waited = later.waited;
        begin_reading.operation = body->operation;
        begin_reading.time = time;
    } else {
        body->waited = -1;
    }
    errno = error;
}

/// Reads the clocks at the end of a body. If the thread waited before that, the wait is a part of the body,
/// which then ends later. Returns false if nobody knows how long it waited.
static bool read_end(const recorder_log *log, uint64_t *time, reading *clocks) {
    for (int attempt = 1; !read_clocks_of(log, *time, clocks); attempt++) {
        if (attempt == ATTEMPTS) return false;
        *time = log_time(log);
    }
    return true;
}

__attribute__((noinline)) uint64_t clocks_end_kind(recorder_log *log, uint64_t time, uint64_t length) {
    const recorder_body body = clocks_body;
    if (recorder_is_forked_child() || !log_is_open(log, body.log_id)) return time;
    int error = errno;
    // If it was not read at the begin, all waits count that this thread had since its last reading: a short
    // body that waited for a processor is not a long one.
    bool was_read = body.on_cpu != 0;
    int64_t before = was_read ? body.waited : last_wait;
    uint64_t end = time;
    reading clocks = {.waited = -1};
    bool is_known = was_read ? read_end(log, &end, &clocks) : before >= 0;
    if (!was_read && is_known) clocks.waited = read_wait();
    bool has_wait = is_known && before >= 0 && clocks.waited >= before;
    errno = error;
    int64_t wait = has_wait ? clocks.waited - before : 0;
    length += end - time;
    if (was_read) {
        uint64_t on_cpu = (clocks.on_cpu - body.on_cpu) & 0xffffffffffffffu;
        record records[] = {
            {.subject = (uint64_t)wait, .type = RECORD_NUMBER},
            {.subject = body.operation, .argument = on_cpu, .type = RECORD_BODY_USED},
        };
        log_append_all(log, body.log_id, end, records + !has_wait, 1 + has_wait);
    }
    uint64_t long_time = atomic_load_explicit(&log->long_time, memory_order_relaxed);
    double waited = (double)wait * ((double)long_time / LONG_NANOSECONDS);
    add_length(body.kind, waited < (double)length ? length - (uint64_t)waited : 0, long_time, was_read);
    return end;
}

// MARK: For callers that report their own transitions

/// For a body whose length does not matter: it began, and it takes no time.
static const uint64_t AT_ANY_TIME = UINT64_MAX;

recorder_body recorder_begin_body(recorder_log *log, uint64_t id, uint64_t operation, const void *object) {
    recorder_body before = clocks_begin(log, id, operation, *(const void *const *)object);
    clocks_set_begin(log, id, operation, clocks_are_read(log) ? log_time(log) : AT_ANY_TIME);
    return before;
}

recorder_body recorder_begin_closure(recorder_log *log, uint64_t id, uint64_t operation, const void *object) {
    const void *code = recorder_closure_code(object, true);
    recorder_body before = clocks_begin(log, id, operation, code ? code : *(const void *const *)object);
    uint64_t time = recorder_append_now(log, id, RECORD_EXECUTING, operation, 0);
    clocks_set_begin(log, id, operation, time);
    return before;
}

uint64_t recorder_end_clocks(recorder_log *log, uint64_t id, uint64_t operation) {
    if (!clocks_is_open(id, operation)) return 0;
    // A clock that was passed in may take long.
    return clocks_end(log, id, operation, clocks_are_read(log) ? log_time(log) : 0);
}

void recorder_append_success(recorder_log *log, uint64_t id, uint64_t operation) {
    uint64_t time = clocks_end(log, id, operation, log_time(log));
    recorder_append_at(log, id, time, RECORD_FINISHED, operation, 0);
}

void recorder_end_body(recorder_log *log, uint64_t id, uint64_t operation, recorder_body before) {
    recorder_end_clocks(log, id, operation);
    clocks_body = before;
}

void recorder_leave_body(recorder_log *log, uint64_t id, uint64_t operation, recorder_body before) {
    if (clocks_is_open(id, operation)) {
        uint64_t time = clocks_end(log, id, operation, log_time(log));
        recorder_append_at(log, id, time, RECORD_BODY_ENDED, operation, 0);
    }
    clocks_body = before;
}
