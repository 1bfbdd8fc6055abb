// Where closures come from. Only an address is taken while the program runs; its name is looked up when the trace is read.
#define _GNU_SOURCE
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <link.h>
#include <stdio.h>
#include <unistd.h>

enum { CAPACITY = 4096 };

static struct {
    _Atomic(const void *) function;
    _Atomic uint32_t number;
} known[CAPACITY];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

typedef struct {
    uintptr_t address;
    char text[4200];
    size_t length;
} search;

static int look(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    search *wanted = context;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || wanted->address < start || wanted->address >= start + part->p_memsz) continue;
        char program[4097] = "";
        const char *path = object->dlpi_name;
        if (!path || !*path) {
            ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
            program[length < 0 ? 0 : length] = 0;
            path = program;
        }
        int length = snprintf(
            wanted->text, sizeof wanted->text, "%s+0x%lx", path, (unsigned long)(wanted->address - object->dlpi_addr));
        wanted->length = length > 0 && (size_t)length < sizeof wanted->text ? (size_t)length : 0;
        return 1;
    }
    return 0;
}

uint32_t origin_of(recorder_log *log, const void *function) {
    size_t place = ((uintptr_t)function >> 4) * 0x9e3779b97f4a7c15u >> 52;
    for (size_t probe = 0; probe < CAPACITY; probe++) {
        size_t index = (place + probe) % CAPACITY;
        const void *found = atomic_load_explicit(&known[index].function, memory_order_acquire);
        if (found == function) {
            uint32_t number = atomic_load_explicit(&known[index].number, memory_order_relaxed);
            if (recorder_text_lasts(log, number)) return number;
        } else if (found) {
            continue;
        }
        search wanted = {.address = (uintptr_t)function};
        dl_iterate_phdr(look, &wanted);
        uint32_t number = recorder_text(log, wanted.text, wanted.length);
        pthread_mutex_lock(&lock);
        found = atomic_load_explicit(&known[index].function, memory_order_relaxed);
        if (found == function) {
            atomic_store_explicit(&known[index].number, number, memory_order_relaxed);
        } else if (!found && count < CAPACITY / 2) {
            atomic_store_explicit(&known[index].number, number, memory_order_relaxed);
            count++;
            atomic_store_explicit(&known[index].function, function, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
        return number;
    }
    return 0;
}

#endif
