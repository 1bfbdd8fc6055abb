// The side of `opviz record` that the preloaded library talks to. It holds the memory of the logs. Only on
// Linux. Nothing here waits for a process.
#ifndef CRECORD_HOST_H
#define CRECORD_HOST_H

#include <stdint.h>
#include <sys/types.h>

#include "RecordProtocol.h"
#include "RecordKernel.h"
#include "StoppedProcess.h"

/// The environment of this process as it was passed: any bytes, in the original order.
char *const *record_host_environment(void);

/// The mark in the bytes of the recorder's library; null if there is none.
const record_mark *record_host_find_mark(const void *bytes, size_t count);

/// Whether any process of this user was started with a variable, given as `NAME=VALUE`. Linear in the processes
/// of the machine.
bool record_host_is_in_environments(const char *variable);

/// Whether a program has capabilities of its own, so that nothing can be loaded into it.
bool record_host_has_capabilities(const char *program);

/// Listens at a path in the file system. Returns a descriptor; or -1, and sets `errno`.
int record_host_listen(const char *path);

/// The next connection, and the process at its other end. Returns a descriptor; or -1, and sets `errno`:
/// `EAGAIN` if nobody is waiting, `EPERM` if the process was another user's. That connection is closed.
int record_host_accept(int listener, pid_t *process);

/// Receives a message of the process. Returns 1 for a message, 0 without one so far, -1 if the process hung
/// up or speaks another protocol.
int record_host_receive(int connection, record_hello *said);

/// Answers a process. `descriptor` is sent with the answer, or -1.
void record_host_answer(int connection, record_answer answer, int descriptor);

/// Memory for a log of at most `size` bytes, which nobody can shrink. It is smaller if the limit on file
/// sizes requires that, because the kernel counts it as a file. Returns a descriptor; or -1, and sets
/// `errno`.
int record_host_make_memory(uint64_t size);

/// Creates the register with `count` places. Returns its descriptor, or -1.
int record_host_make_register(uint32_t count, record_place **places);
/// Marks the recording as over in the first `used` places, and gives the register up.
void record_host_end_register(int descriptor, record_place *places, uint32_t used, uint32_t count);
/// The current contents of a place.
record_place record_host_place(const record_place *places, uint32_t number);

/// A descriptor that becomes readable when the process ends; -1 if the kernel offers none.
int record_host_process_descriptor(pid_t process);

/// How much of the memory was ever used, in bytes, rounded up to the end of a segment.
uint64_t record_host_used(int memory);

/// Memory that keeps the logs of processes that ended, one after the other. Returns its descriptor, or -1.
int record_host_make_archive(void);
/// Copies the first `used` bytes of a log into the archive, from `start` on. Pages of zeros take no memory
/// there. Returns the number of bytes up to the last page that is not empty, rounded up to whole segments; or
/// -1 on failure.
int64_t record_host_archive(int memory, uint64_t used, int archive, uint64_t start);

#endif
