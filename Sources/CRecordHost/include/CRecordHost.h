// The end of `opviz record` that the preloaded library talks to: it holds the memory of the logs. Only on Linux.
#ifndef CRECORD_HOST_H
#define CRECORD_HOST_H

#include <stdint.h>
#include <sys/types.h>

/// A process that asked to be recorded, or said why it cannot be.
typedef struct {
    pid_t process;
    /// 0, it is being recorded; 1, its Foundation is not known; 2, its symbols were stripped; 3, there was no room for its log.
    uint32_t state;
    /// The memory of its log, a descriptor; -1 where it has none.
    int memory;
    char program[256];
} record_guest;

/// Listens under a name in the file system. Returns a descriptor, or -1 with `errno` set.
int record_host_listen(const char *path);

/// Takes the next process that asks, and gives it memory for a log of `size` bytes. Returns 0, or the `errno` of what failed;
/// `EAGAIN` where nobody asks. Only processes of the same user are answered.
int record_host_accept(int listener, uint64_t size, record_guest *guest);

/// How much of the memory has ever been used, in bytes: up to the end of a segment, where it is large enough.
uint64_t record_host_used(int memory);

#endif
