// Whether descriptor 2 still is the standard error that the program was started with. A daemon closes it, and
// the next file that it opens may get the number.
#include "CRecorder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct stat at_start;
static bool was_open;

__attribute__((constructor)) static void remember(void) { was_open = fstat(STDERR_FILENO, &at_start) == 0; }

bool recorder_has_standard_error(void) {
    struct stat now;
    if (!was_open || fstat(STDERR_FILENO, &now) != 0) return false;
    if (now.st_dev == at_start.st_dev && now.st_ino == at_start.st_ino) return true;
    // Another file is there now. If it is a log file that is appended to and that child processes inherit, it
    // was put there on purpose. A database, a socket or a pipe may be the program's own.
    return S_ISREG(now.st_mode) && fcntl(STDERR_FILENO, F_GETFL) & O_APPEND
        && !(fcntl(STDERR_FILENO, F_GETFD) & FD_CLOEXEC);
}
