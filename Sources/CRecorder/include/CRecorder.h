// What the recorder needs of the operating system and cannot have from Swift.
#ifndef CRECORDER_H
#define CRECORDER_H

#include <stdint.h>

/// The operating system's number of the calling thread, as debuggers and `ps` show it. Asked once a thread.
uint64_t recorder_thread_number(void);

/// The value of an environment variable, or NULL where it is not set or the program runs with other rights than
/// those of whoever started it.
const char *recorder_environment(const char *name);

#endif
