// The life of a log: how it begins, gets new segments in the background, and is sealed.
#define _GNU_SOURCE
#include "body_clocks.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t last_log_id;

/// The memory of released logs, to be used again.
static recorder_log *free_logs;
static pthread_mutex_t free_logs_lock = PTHREAD_MUTEX_INITIALIZER;

/// Nanoseconds between two unprompted looks at the reserve.
static const uint64_t look_interval = 250000000;
/// Between two anchors, in nanoseconds. The specification asks for one each second.
static const uint64_t anchor_interval = 500000000;

/// The stack size of the thread that supplies a log.
enum { STACK_SIZE = 256 << 10 };

/// Below this limit on processes and threads, our thread could be the one that the program lacks.
enum { FEW_THREADS = 512 };

#ifdef __APPLE__
#define WAKE_CLOCK CLOCK_REALTIME
#else
#define WAKE_CLOCK CLOCK_MONOTONIC
#endif

static void store_alive(recorder_log *log) {
    if (log->clock == RECORDER_CLOCK_GIVEN && !log->is_closing) return;
    atomic_store_explicit(&log->header->last_alive, log_now(log), memory_order_relaxed);
}

static int refill(recorder_log *log, bool to_target) {
    // Only who seals the log holds it for writing.
    if (pthread_rwlock_tryrdlock(&log->allocating) != 0) return EAGAIN;
    int failure = segments_refill(log, to_target);
    pthread_rwlock_unlock(&log->allocating);
    pthread_mutex_lock(&log->lock);
    // A failure, such as a full disk, is retried at the next look. Until then records are dropped and
    // counted.
    bool has_used = log->keeps_latest && (log->full_first || log->idle);
    bool is_full = failure != 0 && failure != EAGAIN && !log->reserve && !has_used;
    atomic_store_explicit(&log->is_full, is_full, memory_order_relaxed);
    pthread_mutex_unlock(&log->lock);
    return failure;
}

static bool may_start_thread(void) {
    struct rlimit limit;
    // The limit does not apply to root.
    return getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= FEW_THREADS
        || geteuid() == 0;
}

bool log_supply(recorder_log *log) {
    if (!log->has_thread) store_alive(log);
    return refill(log, !log->has_thread) == 0;
}

static void *supply(void *context) {
    recorder_log *log = context;
#ifdef __linux__
    pthread_setname_np(pthread_self(), "opviz recorder");
#endif
    uint64_t next_anchor = 0;
    pthread_mutex_lock(&log->lock);
    while (!log->is_closing) {
        pthread_mutex_unlock(&log->lock);
        refill(log, true);
        store_alive(log);
        uint64_t now = recorder_monotonic();
        if (now >= next_anchor) {
            recorder_anchor(log);
            processors_look_again(log->header);
            next_anchor = now + anchor_interval;
        }
        pthread_mutex_lock(&log->lock);
        if (log->is_closing) break;
        struct timespec until;
        clock_gettime(WAKE_CLOCK, &until);
        uint64_t nanoseconds = (uint64_t)until.tv_nsec + look_interval;
        until.tv_sec += (time_t)(nanoseconds / 1000000000);
        until.tv_nsec = (long)(nanoseconds % 1000000000);
        pthread_cond_timedwait(&log->wake, &log->lock, &until);
    }
    pthread_mutex_unlock(&log->lock);
    return NULL;
}

/// Signals belong to the program, so none may be delivered to our thread. SIGPROF is the exception: Swift's
/// crash handler uses it to stop each thread before it prints the backtraces, and complains about a thread
/// that does not answer. It installs its own handler for that, so this also works if the program uses
/// SIGPROF. A profiler's handler may then run on this thread, as on any other.
static int start_thread(recorder_log *log) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    // The default of 8 MiB of address space may be more than the program has left.
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    sigdelset(&all, SIGPROF);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = pthread_create(&log->thread, &attributes, supply, log);
    // The program's own thread-local variables may need more than that.
    if (failure == EINVAL) failure = pthread_create(&log->thread, NULL, supply, log);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return failure;
}

static void fill_header(recorder_log *log, const recorder_options *options) {
    log_header *header = log->header;
    header->version = LOG_VERSION;
    header->header_size = LOG_HEADER_SIZE;
    header->segment_size = LOG_SEGMENT_SIZE;
    header->flags = options->keeps_latest ? LOG_KEEPS_LATEST : 0;
    header->clock = log->clock == RECORDER_CLOCK_TICKS ? RECORDER_CLOCK_TICKS : RECORDER_CLOCK_MONOTONIC;
    header->process_id = (uint64_t)getpid();
    header->start_wall = options->wall_time;
    log->start_time = header->start_time = log_anchor_time(log, &header->start_monotonic);
    if (log->clock != RECORDER_CLOCK_GIVEN) {
        header->processor_times = options->processor_times;
        recorder_boot(&header->boot_high, &header->boot_low);
        processors_count(header);
    }
    atomic_store(&header->last_alive, header->start_time);
    names_copy(header->process, sizeof header->process, options->process);
    names_copy(header->recorder, sizeof header->recorder, OPVIZ_VERSION);
    names_copy(header->host, sizeof header->host, options->host);
    // The magic comes last: without it, the file does not count as a log.
    atomic_thread_fence(memory_order_release);
    memcpy(header->magic, LOG_MAGIC, sizeof header->magic);
}

/// Memory for a log, with its locks. Everything else in it is zero.
static recorder_log *take_place(void) {
    pthread_mutex_lock(&free_logs_lock);
    recorder_log *log = free_logs;
    if (log) free_logs = log->next_free;
    pthread_mutex_unlock(&free_logs_lock);
    if (log) return log;
    log = calloc(1, sizeof *log);
    if (!log) return NULL;
    pthread_mutex_init(&log->lock, NULL);
    pthread_mutex_init(&log->text_lock, NULL);
    pthread_rwlock_init(&log->allocating, NULL);
    pthread_condattr_t wake;
    pthread_condattr_init(&wake);
#ifndef __APPLE__
    pthread_condattr_setclock(&wake, WAKE_CLOCK);
#endif
    pthread_cond_init(&log->wake, &wake);
    pthread_condattr_destroy(&wake);
    return log;
}

static void give_back_place(recorder_log *log) {
    pthread_mutex_lock(&log->lock);
    log->id = 0;
    log->header = NULL;
    log->whole = NULL;
    log->now = NULL;
    atomic_store(&log->long_time, CLOCKS_NEVER);
    log->reserve = log->reserve_last = log->full_first = log->full_last = NULL;
    log->idle = log->idle_without_segment = NULL;
    log->reserve_count = 0;
    log->size = log->claimed = log->used_end = log->last_stream = 0;
    log->mappings = NULL;
    atomic_store(&log->last_sequence, 0);
    atomic_store(&log->first_lasting_text, 0);
    atomic_store(&log->is_full, false);
    atomic_store(&log->last_operation, 0);
    atomic_store(&log->last_queue, 0);
    pthread_mutex_unlock(&log->lock);
    pthread_mutex_lock(&free_logs_lock);
    log->next_free = free_logs;
    free_logs = log;
    pthread_mutex_unlock(&free_logs_lock);
}

recorder_log *recorder_open(int descriptor, const recorder_options *options) {
    if (recorder_is_forked_child()) {
        errno = ENOTSUP;
        return NULL;
    }
    cursors_prepare();
    clocks_prepare();
    recorder_log *log = take_place();
    if (!log) return NULL;
    pthread_mutex_lock(&log->lock);
    log->has_thread = may_start_thread();
    // Without a thread there are anchors only at the start and at the end. If the last one is missing, ticks
    // cannot be converted.
    log->clock = !log->has_thread && options->clock == RECORDER_CLOCK_TICKS ? RECORDER_CLOCK_MONOTONIC : options->clock;
    log->now = options->now;
    // A thread may still be asking the clock of an earlier log at this address.
    if (options->now) log->now_context = options->now_context;
    log->descriptor = descriptor;
    log->maximum_size = options->maximum_size;
    log->keeps_latest = options->keeps_latest;
    int reserve = (int)(MIN(options->reserve_size, (uint64_t)LARGEST_RESERVE * LOG_SEGMENT_SIZE) / LOG_SEGMENT_SIZE);
    log->reserve_target = MAX(FIRST_RESERVE, reserve);
    log->is_closing = false;
    atomic_store(&log->references, 1);
    log->id = atomic_fetch_add(&last_log_id, 1) + 1;
    atomic_store(&log->open_id, log->id);
    pthread_mutex_unlock(&log->lock);
    struct stat status = {0};
    int failure = fstat(descriptor, &status) == 0 ? 0 : errno;
    log->device = status.st_dev;
    log->inode = status.st_ino;
    if (!failure && options->has_whole_size) failure = segments_map_whole(log);
    if (!failure) failure = segments_map_header(log);
    if (!failure) {
        fill_header(log, options);
        failure = refill(log, true);
        // One segment is enough to begin with.
        if (log->reserve) failure = 0;
    }
    if (!failure) {
        // Only now: a thread that refers to an earlier log at this address may be about to store a text.
        pthread_mutex_lock(&log->text_lock);
        log->texts = texts_create();
        if (!log->texts) failure = ENOMEM;
        pthread_mutex_unlock(&log->text_lock);
    }
    if (!failure) {
        // Together with the start in the header, this gives the rate of the ticks, even if the program is
        // killed early.
        while (log->clock == RECORDER_CLOCK_TICKS
               && recorder_monotonic() - log->header->start_monotonic < 50000) {}
        bool reads_clocks = log->header->processor_times == LOG_CPU_CLOCKS;
        atomic_store_explicit(&log->long_time, reads_clocks ? clocks_long(log) : CLOCKS_NEVER, memory_order_relaxed);
        recorder_anchor(log);
        log->reserve_target = MAX(USUAL_RESERVE, reserve);
        if (log->has_thread) failure = start_thread(log);
    }
    if (failure) {
        pthread_mutex_lock(&log->lock);
        log->is_closing = true;
        atomic_store(&log->open_id, 0);
        pthread_mutex_unlock(&log->lock);
        log->descriptor = -1;
        // The first anchor used a cursor of this thread.
        cursors_drop_closed();
        log_release(log);
        errno = failure;
        return NULL;
    }
    if (log->whole) {
        close(descriptor);
        log->descriptor = -1;
    }
    return log;
}

bool log_owns_descriptor(const recorder_log *log) {
    struct stat status;
    return fstat(log->descriptor, &status) == 0 && (uint64_t)status.st_dev == log->device
        && (uint64_t)status.st_ino == log->inode;
}

static void close_descriptor(recorder_log *log) {
    if (log->descriptor >= 0 && log_owns_descriptor(log)) {
        // The mapping keeps the file open, and would keep the lock.
        flock(log->descriptor, LOCK_UN);
        close(log->descriptor);
    }
    log->descriptor = -1;
}

/// Cuts off the allocated but unused end of the file.
static int cut_off(recorder_log *log, uint64_t end) {
    struct stat status;
    if (!log_owns_descriptor(log) || fstat(log->descriptor, &status) != 0) return EBADF;
    if (ftruncate(log->descriptor, (off_t)end) != 0) return errno;
    // If somebody deleted the file, its events are lost.
    return status.st_nlink == 0 ? ENOENT : 0;
}

int recorder_seal(recorder_log *log, int *descriptor) {
    if (descriptor) *descriptor = -1;
    if (recorder_is_forked_child()) return 0;
    recorder_anchor(log);
    atomic_store(&log->open_id, 0);
    pthread_mutex_lock(&log->lock);
    log->is_closing = true;
    uint64_t used_end = log->used_end;
    pthread_mutex_unlock(&log->lock);
    if (log->has_thread) {
        pthread_cond_signal(&log->wake);
        pthread_join(log->thread, NULL);
    }
    // A thread that allocates segments itself stores into the end of the file.
    pthread_rwlock_wrlock(&log->allocating);
    pthread_rwlock_unlock(&log->allocating);
    store_alive(log);
    processors_look_again(log->header);
    int failure = log->whole ? 0 : cut_off(log, used_end);
    log->header->sealed_size = used_end;
    atomic_thread_fence(memory_order_release);
    log->header->flags |= LOG_IS_SEALED;
    // The mapping stays while a thread may still write there. The file and its lock are given up at once.
    if (descriptor && !failure) {
        *descriptor = log->descriptor;
        log->descriptor = -1;
    }
    close_descriptor(log);
    cursors_drop_closed();
    return failure;
}

void recorder_record_cause_of_process(recorder_log *log) {
    memset(log->cause, 0, sizeof log->cause);
    const char *cause = recorder_environment("TRACEPARENT");
    // Version 00 has 55 characters; later ones may have more. Readers check the rest.
    size_t length = cause ? strnlen(cause, sizeof log->cause) : 0;
    if (length < 55 || length == sizeof log->cause) return;
    memcpy(log->cause, cause, length);
    record received = {.argument = recorder_text(log, cause, length), .type = RECORD_CONTEXT_RECEIVED};
    recorder_append(log, log_now(log), &received, 1);
}

uint64_t recorder_id(const recorder_log *log) { return log->id; }

bool recorder_is_open(recorder_log *log, uint64_t id) { return log_is_open(log, id); }

void recorder_release(recorder_log *log) { log_release(log); }

void log_retain(recorder_log *log) { atomic_fetch_add_explicit(&log->references, 1, memory_order_relaxed); }

void log_release(recorder_log *log) {
    // A forked child must leave these alone: the parent's log, its lock on the file, and locks that another
    // thread of the parent held at the time of the fork.
    if (recorder_is_forked_child()) return;
    if (atomic_fetch_sub_explicit(&log->references, 1, memory_order_acq_rel) != 1) return;
    // A thread that refers to the log without owning it may be storing a text.
    pthread_mutex_lock(&log->text_lock);
    text_table *texts = log->texts;
    log->texts = NULL;
    pthread_mutex_unlock(&log->text_lock);
    if (texts) texts_destroy(texts);
    segments_unmap(log);
    memory_give_back(log);
    close_descriptor(log);
    give_back_place(log);
}

int64_t recorder_nanoseconds(const recorder_log *log, uint64_t time) {
    int64_t elapsed = (int64_t)(time - log->header->start_time);
    if (log->clock != RECORDER_CLOCK_TICKS) return elapsed;
    uint64_t ticks = log_now(log) - log->header->start_time;
    uint64_t nanoseconds = recorder_monotonic() - log->header->start_monotonic;
    return ticks == 0 ? 0 : (int64_t)((double)elapsed * ((double)nanoseconds / (double)ticks));
}

uint64_t recorder_next_operation(recorder_log *log) {
    return atomic_fetch_add_explicit(&log->last_operation, 1, memory_order_relaxed) + 1;
}

uint64_t recorder_next_queue(recorder_log *log) {
    return atomic_fetch_add_explicit(&log->last_queue, 1, memory_order_relaxed) + 1;
}

uint64_t recorder_dropped(const recorder_log *log) { return atomic_load(&log->header->dropped); }
