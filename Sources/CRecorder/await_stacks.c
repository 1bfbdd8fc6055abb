// The await stack of a suspended task: the functions in the program that wait for each other, the innermost first.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <stdio.h>
#include <string.h>

enum { MOST_FRAMES = 32, MOST_CONTEXTS = 256, CAPACITY_BITS = 13, CAPACITY = 1 << CAPACITY_BITS, ROOM = 8192 };

/// The number of a stack's text in a log. A stack stands for itself by its hash of 64 bits. Libraries with Swift code
/// are never unloaded, so an address keeps its function.
typedef struct {
    _Atomic uint64_t hash;
    /// The upper half holds the log. A number stored for an earlier log does not count.
    _Atomic uint64_t stored;
} known_stack;

static known_stack known[CAPACITY];

/// A context begins with that of the function that waits for it, and where that goes on.
static size_t frames_of(const char *task, const void *resume, const void **frames) {
    const char *context = (const char *)word_at(task, task_parts.context);
    size_t count = 0;
    for (int depth = 0; depth < MOST_CONTEXTS && count < MOST_FRAMES && context; depth++) {
        if (resume && !is_within(task_places.code, resume)) frames[count++] = resume;
        resume = (const void *)word_at(context, sizeof(void *));
        context = (const char *)word_at(context, 0);
    }
    return count;
}

static uint64_t hash_of(const void *const *frames, size_t count) {
    uint64_t hash = count;
    for (size_t index = 0; index < count; index++) {
        hash = (hash ^ (uintptr_t)frames[index]) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash | 1;
}

/// The place of each frame in a line, `path+0x1f@89ab`; where file and build are those of the line before, `+0x1f`.
static __attribute__((noinline)) uint32_t text_of(recorder_log *log, const void *const *frames, size_t count) {
    char text[ROOM], place[2][4096 + 128] = {"", ""};
    size_t length = 0;
    for (size_t index = 0; index < count; index++) {
        char *now = place[index % 2], *before = place[(index + 1) % 2];
        size_t size = recorder_origin_text(frames[index], now, sizeof place[0] - 1);
        now[size] = 0;
        char *address = strrchr(now, '+'), *address_before = strrchr(before, '+');
        if (!address) break;
        char *build = strchr(address, '@'), *build_before = address_before ? strchr(address_before, '@') : NULL;
        bool is_same = address_before && address - now == address_before - before
            && memcmp(now, before, (size_t)(address - now)) == 0
            && (build && build_before ? strcmp(build, build_before) == 0 : build == build_before);
        const char *shown = is_same ? address : now;
        size_t shown_size = is_same && build ? (size_t)(build - address) : strlen(shown);
        if (length + shown_size + 1 > sizeof text) break;
        if (length) text[length++] = '\n';
        memcpy(text + length, shown, shown_size);
        length += shown_size;
    }
    return recorder_text(log, text, length);
}

uint32_t await_stack_of(const task_log *log, const char *task, const void *resume) {
    const void *frames[MOST_FRAMES];
    size_t count = frames_of(task, resume, frames);
    if (!count) return 0;
    uint64_t hash = hash_of(frames, count), log_id = (uint32_t)log->log->id;
    for (size_t probe = 0; probe < 8; probe++) {
        known_stack *entry = &known[((hash >> (64 - CAPACITY_BITS)) + probe) % CAPACITY];
        uint64_t found = atomic_load_explicit(&entry->hash, memory_order_acquire);
        if (!found) {
            if (!atomic_compare_exchange_strong(&entry->hash, &found, hash) && found != hash) continue;
        } else if (found != hash) {
            continue;
        }
        uint64_t stored = atomic_load_explicit(&entry->stored, memory_order_acquire);
        uint32_t number = (uint32_t)stored;
        if (number && stored >> 32 == log_id && recorder_text_lasts(log->log, number)) return number;
        number = text_of(log->log, frames, count);
        if (number) atomic_store_explicit(&entry->stored, log_id << 32 | number, memory_order_release);
        return number;
    }
    return text_of(log->log, frames, count);
}

#endif
