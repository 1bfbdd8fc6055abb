// Where closures come from. While the program runs, only an address is taken. A reader of the log looks its
// name up in the file that the address lies in, if that file still has the same build ID.
#define _GNU_SOURCE
#include "foundation.h"
#include "log.h"

#ifdef RECORDER_INTERPOSES

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CAPACITY_BITS = 12, CAPACITY = 1 << CAPACITY_BITS, LONGEST_BUILD_ID = 32 };

/// A function's number in a log. An entry is never removed, but its contents may be replaced.
typedef struct {
    _Atomic(const void *) function;
    /// The number of the text; the upper half holds the log. A number stored for an earlier log does not count.
    _Atomic uint64_t stored;
    /// How often libraries had been unloaded when that was stored, plus 1: after the next unloading, another
    /// library may lie there. 0 for the program itself, which is never unloaded.
    _Atomic uint64_t unloads;
} origin;

static origin known[CAPACITY];
static _Atomic int count;

typedef struct {
    uintptr_t address;
    uint64_t unloads;
    bool is_program;
    char text[4096 + 96];
    size_t length;
} search;

/// Appends the build ID of an object, if it has one: `@` and hexadecimal digits.
static void append_build_id(search *found, const struct dl_phdr_info *object) {
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_NOTE) continue;
        // A note is three numbers, a name and its contents. Name and contents are each padded to four bytes.
        const uint8_t *note = (const uint8_t *)(object->dlpi_addr + part->p_vaddr);
        for (size_t left = part->p_memsz; left >= 12;) {
            uint32_t sizes[3];
            memcpy(sizes, note, sizeof sizes);
            size_t name = ((size_t)sizes[0] + 3) & ~(size_t)3, content = ((size_t)sizes[1] + 3) & ~(size_t)3;
            if (name > left - 12 || content > left - 12 - name) break;
            bool is_build_id = sizes[2] == NT_GNU_BUILD_ID && sizes[0] == 4 && memcmp(note + 12, "GNU", 4) == 0;
            if (is_build_id && sizes[1] > 0 && sizes[1] <= LONGEST_BUILD_ID) {
                char *end = found->text + found->length;
                *end++ = '@';
                for (uint32_t byte = 0; byte < sizes[1]; byte++) end += sprintf(end, "%02x", note[12 + name + byte]);
                found->length = (size_t)(end - found->text);
                return;
            }
            note += 12 + name + content;
            left -= 12 + name + content;
        }
    }
}

static int look(struct dl_phdr_info *object, size_t size, void *context) {
    search *wanted = context;
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof object->dlpi_subs) wanted->unloads = object->dlpi_subs;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || wanted->address < start || wanted->address >= start + part->p_memsz) continue;
        char program[4097] = "";
        const char *path = object->dlpi_name;
        wanted->is_program = !path || !*path;
        if (wanted->is_program) {
            ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
            program[length < 0 ? 0 : length] = 0;
            path = program;
        }
        // Leaves room for the build ID.
        size_t room = sizeof wanted->text - 2 * LONGEST_BUILD_ID - 2;
        int length =
            snprintf(wanted->text, room, "%s+0x%lx", path, (unsigned long)(wanted->address - object->dlpi_addr));
        if (length < 0 || (size_t)length >= room) return 1;
        wanted->length = (size_t)length;
        append_build_id(wanted, object);
        return 1;
    }
    return 0;
}

static int read_unloads(struct dl_phdr_info *object, size_t size, void *unloads) {
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs) + sizeof object->dlpi_subs)
        *(uint64_t *)unloads = object->dlpi_subs;
    return 1;
}

/// Whether no library has been unloaded since then.
static bool is_loaded(uint64_t stored) {
    uint64_t unloads = 0;
    if (stored) dl_iterate_phdr(read_unloads, &unloads);
    return !stored || unloads + 1 == stored;
}

static void store(origin *entry, uint64_t log_id, uint32_t number, const search *found) {
    // A thread that reads meanwhile finds 0, or a changed value, and looks the function up again.
    atomic_store_explicit(&entry->stored, 0, memory_order_relaxed);
    atomic_store_explicit(&entry->unloads, found->is_program ? 0 : found->unloads + 1, memory_order_release);
    atomic_store_explicit(&entry->stored, log_id << 32 | number, memory_order_release);
}

static size_t place_of(const void *function) {
    return ((uintptr_t)function >> 4) * 0x9e3779b97f4a7c15u >> (64 - CAPACITY_BITS);
}

/// The entry of a function, or NULL. With `adds`, adds one, and returns NULL only if the table is full.
static origin *entry_of(const void *function, bool adds) {
    size_t place = place_of(function);
    for (size_t probe = 0; probe < CAPACITY; probe++) {
        origin *entry = &known[(place + probe) % CAPACITY];
        const void *found = atomic_load_explicit(&entry->function, memory_order_acquire);
        if (found == function) return entry;
        if (found) continue;
        if (!adds || atomic_load(&count) >= CAPACITY / 2) return NULL;
        if (atomic_compare_exchange_strong(&entry->function, &found, function)) {
            atomic_fetch_add(&count, 1);
            return entry;
        }
        if (found == function) return entry;
    }
    return NULL;
}

/// The number that an entry holds for this log, or 0. `unloads` receives the count that the number depends
/// on.
static inline uint32_t number_of(const origin *entry, const recorder_log *log, uint64_t *unloads) {
    uint64_t stored = atomic_load_explicit(&entry->stored, memory_order_acquire);
    *unloads = atomic_load_explicit(&entry->unloads, memory_order_acquire);
    bool is_whole = atomic_load_explicit(&entry->stored, memory_order_relaxed) == stored;
    uint32_t number = (uint32_t)stored;
    return is_whole && stored >> 32 == (uint32_t)log->id && log_text_lasts(log, number) ? number : 0;
}

static __attribute__((noinline)) uint32_t find(recorder_log *log, const void *function) {
    if (recorder_is_forked_child()) return 0;
    uint64_t log_id = log->id, unloads;
    origin *entry = entry_of(function, false);
    uint32_t number = entry ? number_of(entry, log, &unloads) : 0;
    if (number && is_loaded(unloads)) return number;
    search found = {.address = (uintptr_t)function};
    dl_iterate_phdr(look, &found);
    number = recorder_text(log, found.text, found.length);
    // The next log at this address may have taken the text.
    entry = number && log_is_open(log, log_id) ? entry_of(function, true) : NULL;
    if (entry) store(entry, log_id, number, &found);
    return number;
}

uint32_t recorder_origin(recorder_log *log, const void *function) {
    // Nearly all closures belong to the program itself, and their entries are at the expected place.
    const origin *entry = &known[place_of(function)];
    if (atomic_load_explicit(&entry->function, memory_order_acquire) == function) {
        uint64_t unloads;
        uint32_t number = number_of(entry, log, &unloads);
        if (number && !unloads) return number;
    }
    return find(log, function);
}

size_t recorder_origin_text(const void *function, char *text, size_t size) {
    search found = {.address = (uintptr_t)function};
    dl_iterate_phdr(look, &found);
    if (found.length > size) return 0;
    memcpy(text, found.text, found.length);
    return found.length;
}

#else

size_t recorder_origin_text(const void *function, char *text, size_t size) { return (void)function, (void)text, (void)size, 0; }
uint32_t recorder_origin(recorder_log *log, const void *function) { return (void)log, (void)function, 0; }

#endif
