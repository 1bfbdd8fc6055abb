// A process that stands still while it is looked at, as a debugger does it. Only on Linux.
#ifndef STOPPED_PROCESS_H
#define STOPPED_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A thread that stands still.
typedef struct {
    pid_t number;
    /// The signal that it gets when it goes on; 0 for none.
    int signal;
    uint64_t stack_pointer;
    /// What the thread's own variables are found by.
    uint64_t thread_pointer;
    /// Whether it was in a system call: then no function uses what lies below its stack pointer, nor registers for
    /// vectors.
    bool is_in_call;
} stopped_thread;

/// The most bytes that the registers of a thread take.
enum { STOPPED_REGISTER_BYTES = 16384 };

/// Stops every thread of a process. It goes on at the latest when the calling thread ends; and if it could not be
/// stopped, only then: call these functions on a thread of their own. A system call that is interrupted goes on
/// afterwards, or says `EINTR`, as under a debugger.
///
/// Returns how many threads stand still, at most `capacity`; or a negative error, and then nothing has stopped:
/// `EBUSY` if something traces the process already, `EPERM` if it must not be traced, `ESRCH` if it is gone,
/// `ETIMEDOUT` if a thread did not stop within `milliseconds`, `E2BIG` for more threads than `capacity`.
int stopped_process_begin(pid_t process, stopped_thread *threads, int capacity, int milliseconds);

/// Lets every thread go on.
void stopped_process_end(const stopped_thread *threads, int count);

/// Copies the registers of a thread, also those for vectors unless it is in a system call. Returns the number of bytes.
size_t stopped_process_registers(const stopped_thread *thread, void *registers);

/// Copies `count` stretches of memory of a process, also of one that runs. Returns how many bytes it has copied: fewer
/// if some could not be read.
size_t stopped_process_copy(
    pid_t process, const uint64_t *addresses, const uint64_t *sizes, size_t count, void *const *copies);

/// Copies what is in a pipe or a socket of a process and was not read so far; it stays there. Returns the number of
/// bytes; -1 if that cannot be seen.
ptrdiff_t stopped_process_unread(pid_t process, int descriptor, void *copy, size_t size);

#endif
