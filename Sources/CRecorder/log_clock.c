#define _GNU_SOURCE
#include "log.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#if defined(__x86_64__)
#include <cpuid.h>
#endif

static uint64_t nanoseconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t recorder_monotonic(void) { return nanoseconds(CLOCK_MONOTONIC); }

int64_t recorder_wall(void) { return (int64_t)nanoseconds(CLOCK_REALTIME); }

#ifdef __linux__
/// Whether the kernel itself takes the time from that counter. The kernel watches the counter. It gives the
/// counter up when processors disagree or the machine was moved, which the processor's own flags do not show.
static bool is_kernels_clock(const char *name) {
    int descriptor = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    char text[32];
    ssize_t count = read(descriptor, text, sizeof text);
    close(descriptor);
    size_t length = strlen(name);
    return count > (ssize_t)length && memcmp(text, name, length) == 0 && text[length] == '\n';
}
#else
static bool is_kernels_clock(const char *name) { return (void)name, true; }
#endif

recorder_clock_kind recorder_best_clock(void) {
#if defined(__x86_64__)
    // Intel's manual, volume 3, section 18.17.1: the counter is invariant when this bit is set.
    unsigned a, b, c, d;
    bool is_invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
    return is_invariant && is_kernels_clock("tsc") ? RECORDER_CLOCK_TICKS : RECORDER_CLOCK_MONOTONIC;
#elif defined(__aarch64__)
    return is_kernels_clock("arch_sys_counter") ? RECORDER_CLOCK_TICKS : RECORDER_CLOCK_MONOTONIC;
#else
    return RECORDER_CLOCK_MONOTONIC;
#endif
}

/// A UUID as text.
static size_t boot_text(char *text, size_t size) {
#ifdef __APPLE__
    return sysctlbyname("kern.bootsessionuuid", text, &size, NULL, 0) == 0 ? size : 0;
#else
    int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    ssize_t count = read(descriptor, text, size);
    close(descriptor);
    return count > 0 ? (size_t)count : 0;
#endif
}

void recorder_boot(uint64_t *high, uint64_t *low) {
    char text[64];
    size_t count = boot_text(text, sizeof text);
    uint64_t parts[2] = {0, 0};
    int digits = 0;
    for (size_t index = 0; index < count && digits < 32; index++) {
        int value = text[index] >= '0' && text[index] <= '9' ? text[index] - '0'
            : text[index] >= 'a' && text[index] <= 'f'       ? text[index] - 'a' + 10
            : text[index] >= 'A' && text[index] <= 'F'       ? text[index] - 'A' + 10
                                                             : -1;
        if (value < 0) continue;
        parts[digits / 16] = parts[digits / 16] << 4 | (uint64_t)value;
        digits++;
    }
    *high = digits == 32 ? parts[0] : 0;
    *low = digits == 32 ? parts[1] : 0;
}

uint64_t recorder_now(const recorder_log *log) { return log_now(log); }

uint64_t log_slow_time(const recorder_log *log) {
    // A log that was released has no clock any more.
    uint64_t (*now)(void *) = log->now;
    return log->clock == RECORDER_CLOCK_GIVEN && now ? now(log->now_context) : recorder_monotonic();
}

static uint64_t read_log(const recorder_log *log) { return log_now(log); }

static uint64_t read_wall(const recorder_log *log) {
    (void)log;
    return nanoseconds(CLOCK_REALTIME);
}

/// Reads a clock together with the monotonic one: exact to half of the time that the readings take, about 30 ns.
///
/// If the thread is interrupted in between, the two times do not belong together: the quickest of several
/// attempts is the exact one.
static uint64_t read_together(const recorder_log *log, uint64_t (*read)(const recorder_log *), uint64_t *monotonic) {
    uint64_t time = 0, shortest = UINT64_MAX;
    for (int attempt = 0; attempt < 5; attempt++) {
        uint64_t before = recorder_monotonic();
        uint64_t found = read(log);
        uint64_t gap = recorder_monotonic() - before;
        if (gap >= shortest) continue;
        shortest = gap;
        time = found;
        *monotonic = before + gap / 2;
    }
    return time;
}

uint64_t log_anchor_time(const recorder_log *log, uint64_t *monotonic) {
    if (log->clock == RECORDER_CLOCK_TICKS) return read_together(log, read_log, monotonic);
    return *monotonic = log_now(log);
}

void recorder_anchor(recorder_log *log) {
    if (log->clock == RECORDER_CLOCK_GIVEN) return;
    uint64_t monotonic, wall_monotonic;
    uint64_t time = log_anchor_time(log, &monotonic), wall = read_together(log, read_wall, &wall_monotonic);
    // How far wall time has moved away from the monotonic clock since the start.
    int64_t drift = (int64_t)(wall - (uint64_t)log->header->start_wall)
        - (int64_t)(wall_monotonic - log->header->start_monotonic);
    record anchor = {.subject = monotonic, .argument = (uint64_t)drift & 0xffffffffffffffu, .type = RECORD_ANCHOR};
    cursors_append(log, log->id, time, &anchor, 1);
}
