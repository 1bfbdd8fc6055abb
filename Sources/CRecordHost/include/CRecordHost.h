// The end of `opviz record` that the preloaded library talks to: it holds the memory of the logs. Only on
// Linux. Nothing here waits for a process.
#ifndef CRECORD_HOST_H
#define CRECORD_HOST_H

#include <stdint.h>
#include <sys/types.h>

#include "RecordProtocol.h"

/// This process's environment, as it was given: any bytes, in their order.
char *const *record_host_environment(void);

/// Listens under a name in the file system. Returns a descriptor, or -1 with `errno` set.
int record_host_listen(const char *path);

/// The next connection, and the process at its other end. Returns a descriptor, or -1 with `errno` set:
/// `EAGAIN` where there is none, `EPERM` where it was another user's and is closed.
int record_host_accept(int listener, pid_t *process);

/// What the process said. 1 where it said something, 0 where it has not spoken, -1 where it hung up or speaks
/// another language.
int record_host_hear(int connection, record_hello *said);

/// Answers a process. `descriptor`: what it gets with the answer, or -1.
void record_host_answer(int connection, uint32_t number, int descriptor);

/// Memory for a log of at most `size` bytes, which nobody can cut off; it is less where files may not be so
/// large, because the kernel counts this as one. Returns a descriptor, or -1 with `errno` set.
int record_host_make_memory(uint64_t size);

/// The register of `count` places. Returns its descriptor, or -1.
int record_host_make_register(uint32_t count, record_place **places);
/// Says in the first `used` places that the recording is over, and gives the register up.
void record_host_end_register(int descriptor, record_place *places, uint32_t used, uint32_t count);
/// What stands in a place now.
record_place record_host_place(const record_place *places, uint32_t number);

/// A descriptor that can be read from when the process has ended; -1 where there is none to be had.
int record_host_watch(pid_t process);

/// How much of the memory has ever been used, in bytes: up to the end of a segment, where it is large enough.
uint64_t record_host_used(int memory);

/// Memory in which the logs of processes that ended are kept, one after the other. Returns its descriptor, or
/// -1.
int record_host_make_archive(void);
/// Copies the first `used` bytes of a log into the archive, from `start` on; pages of zeros take no room
/// there. Returns the bytes to the end of the last page that is not empty, to whole segments, or -1 where
/// they could not be copied.
int64_t record_host_archive(int memory, uint64_t used, int archive, uint64_t start);

#endif
