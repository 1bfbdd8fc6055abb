// The processors that a program has.
#define _GNU_SOURCE
#include "log.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

/// The longest path of a control group that is read.
enum { PATH_SIZE = 4096 };

/// Of the mask of the process's first thread: threads inherit it, and a thread may narrow its own.
static uint32_t usable(void) {
#ifdef __linux__
    // The kernel fails if the set has fewer bits than it knows processors. This is more than it can know.
    cpu_set_t set[(1 << 18) / CPU_SETSIZE];
    // The kernel stores only as many bytes as it needs.
    memset(set, 0, sizeof set);
    return sched_getaffinity(getpid(), sizeof set, set) == 0 ? (uint32_t)CPU_COUNT_S(sizeof set, set) : 0;
#else
    return 0;
#endif
}

/// Reads a file as a string. Returns false if it cannot be read, or is empty.
static bool read_text(const char *path, char *text, size_t size) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    ssize_t count = read(descriptor, text, size - 1);
    close(descriptor);
    text[count > 0 ? count : 0] = 0;
    return count > 0;
}

/// A quota and its period, both in microseconds, in thousandths of a processor. 0 for no limit.
static uint32_t thousandths(long long quota, long long period) {
    // The kernel takes no larger ones.
    if (quota <= 0 || period <= 0 || quota > 1LL << 44) return 0;
    long long value = quota * 1000 / period;
    return value > UINT32_MAX ? 0 : value > 0 ? (uint32_t)value : 1;
}

/// The quota of one group, in version 2 or 1 of its files.
static uint32_t quota_of_group(const char *folder) {
    char path[PATH_SIZE + 32], text[64];
    char *end;
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (read_text(path, text, sizeof text)) {
        // "max 100000" begins with no number.
        long long quota = strtoll(text, &end, 10);
        return thousandths(quota, end == text ? 0 : strtoll(end, NULL, 10));
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!read_text(path, text, sizeof text)) return 0;
    long long quota = strtoll(text, NULL, 10);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    return read_text(path, text, sizeof text) ? thousandths(quota, strtoll(text, NULL, 10)) : 0;
}

static uint32_t smaller(uint32_t one, uint32_t other) { return one && (!other || one < other) ? one : other; }

/// The smallest quota of a group and those around it, up to the root of its hierarchy. In a container, the
/// path can be that of the machine, of which only the root exists: groups that do not exist have no quota.
static uint32_t quota_of_path(const char *mount, const char *hierarchy, const char *path) {
    char folder[PATH_SIZE];
    int length = snprintf(folder, sizeof folder, "%s%s%s", mount, *hierarchy ? "/" : "", hierarchy);
    if (length < 0 || (size_t)length >= sizeof folder) return 0;
    uint32_t least = quota_of_group(folder);
    // A group outside of the root that this process sees.
    if (strstr(path, "/..")) return least;
    size_t root = (size_t)length, rest = strlen(path);
    if (root + rest >= sizeof folder) return least;
    memcpy(folder + root, path, rest + 1);
    for (size_t end = root + rest; end > root; end--) {
        if (folder[end] && folder[end] != '/') continue;
        folder[end] = 0;
        if (end > root + 1) least = smaller(quota_of_group(folder), least);
    }
    return least;
}

/// Whether a list, `cpu,cpuacct`, has the controller of CPU time.
static bool has_cpu(const char *controllers) {
    for (const char *name = controllers;; name++) {
        if (strncmp(name, "cpu", 3) == 0 && (!name[3] || name[3] == ',')) return true;
        name = strchr(name, ',');
        if (!name) return false;
    }
}

uint32_t recorder_processor_quota(const char *groups, const char *mount) {
    char text[PATH_SIZE];
    if (!read_text(groups, text, sizeof text)) return 0;
    uint32_t least = 0;
    char *rest = text;
    // NUMBER:CONTROLLERS:PATH, without controllers in version 2.
    for (char *line; (line = strsep(&rest, "\n"));) {
        strsep(&line, ":");
        const char *controllers = line ? strsep(&line, ":") : NULL;
        if (!controllers || !line) continue;
        if (*controllers && !has_cpu(controllers)) continue;
        least = smaller(quota_of_path(mount, controllers, line), least);
    }
    return least;
}

void processors_count(log_header *header) {
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    header->online_processors = online > 0 ? (uint32_t)online : 0;
#ifdef __linux__
    header->usable_processors = usable();
    uint32_t quota = recorder_processor_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    header->processor_quota = quota < (uint64_t)header->usable_processors * 1000 ? quota : 0;
#else
    header->usable_processors = header->online_processors;
#endif
}

void processors_look_again(log_header *header) {
    // A log that does not say how many there were at its start has a clock of its own.
    uint32_t now = header->usable_processors ? usable() : 0;
    if (now && now != header->usable_processors) header->later_processors = now;
}
