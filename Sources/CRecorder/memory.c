// The address space that a log takes. The program may have little, and comes first.
#define _GNU_SOURCE
#include "log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/// If the address space is limited, a log takes at most this fraction of what the program leaves free.
enum { SHARE = 8 };

/// The log's own bookkeeping is kept in pages of this size.
enum { PAGE_BYTES = 16384 };

struct memory_page {
    struct memory_page *next;
    size_t used;
};

/// How much more of the address space the process may take. `UINT64_MAX` without a limit; 0 if that is
/// unknown.
static uint64_t address_space_left(void) {
#ifdef __linux__
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return UINT64_MAX;
    int descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    char text[32];
    ssize_t count = read(descriptor, text, sizeof text - 1);
    close(descriptor);
    if (count <= 0) return 0;
    text[count] = 0;
    uint64_t used = strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
    return used < limit.rlim_cur ? limit.rlim_cur - used : 0;
#else
    return UINT64_MAX;
#endif
}

uint64_t memory_room(const recorder_log *log) {
    uint64_t left = address_space_left();
    if (left == UINT64_MAX) return left;
    // A share of what would be left without the log.
    uint64_t share = (left + log->mapped) / SHARE;
    return share > log->mapped ? share - log->mapped : 0;
}

void *memory_take(recorder_log *log, size_t size) {
    size = (size + 15) & ~(size_t)15;
    struct memory_page *page = log->pages;
    if (!page || page->used + size > PAGE_BYTES) {
        page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) return NULL;
        page->next = log->pages;
        page->used = (sizeof *page + 15) & ~(size_t)15;
        log->pages = page;
    }
    void *taken = (uint8_t *)page + page->used;
    page->used += size;
    return taken;
}

void memory_give_back(recorder_log *log) {
    while (log->pages) {
        struct memory_page *next = log->pages->next;
        munmap(log->pages, PAGE_BYTES);
        log->pages = next;
    }
}
