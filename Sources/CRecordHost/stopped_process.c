// Stops the threads of a process by ptrace, without a signal that the process could see, and reads what they hold.
#define _GNU_SOURCE
#include "StoppedProcess.h"

#include <errno.h>

#ifdef __linux__

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// What the kernel takes at once.
enum { MOST_VECTORS = 1024 };

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// The state of a thread as the kernel abbreviates it; 0 if it is gone.
static char state_of(pid_t process, pid_t thread) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/task/%d/stat", process, thread);
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    size_t count = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[count] = 0;
    // The name before it may contain anything.
    char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : 0;
}

static bool is_over(char state) { return state == 0 || state == 'Z' || state == 'X'; }

/// Whether something traces a thread already.
static bool is_traced(pid_t process, pid_t thread) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%d/task/%d/status", process, thread);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    int tracer = 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "TracerPid: %d", &tracer) == 1) break;
    fclose(file);
    return tracer != 0;
}

/// Waits until a thread has stopped. Leaves the news that it ended to the process that started it.
static int wait_for_stop(pid_t process, stopped_thread *thread, int64_t deadline) {
    for (;;) {
        siginfo_t news = {0};
        if (waitid(P_PID, (id_t)thread->number, &news, WSTOPPED | WNOHANG | __WALL) == 0 && news.si_pid) {
            // The upper bits tell stops of other kinds from signals.
            thread->signal = news.si_status >> 8 ? 0 : news.si_status & 0x7f;
            return 0;
        }
        if (is_over(state_of(process, thread->number))) return ESRCH;
        if (now() >= deadline) return ETIMEDOUT;
        usleep(100);
    }
}

/// Writes down the two registers that say where a thread's stack and its own variables are. On x86-64, a wait for
/// events that has no end and was interrupted goes on afterwards: no signal was there that it would have to tell.
static void read_pointers(stopped_thread *thread) {
#ifdef __x86_64__
    struct user_regs_struct registers = {0};
    struct iovec all = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, thread->number, (void *)NT_PRSTATUS, &all) != 0) return;
    thread->stack_pointer = registers.rsp;
    thread->thread_pointer = registers.fs_base;
    thread->is_in_call = (int64_t)registers.orig_rax >= 0;
    // The kernel's own number for a call that is to be made again.
    enum { CALL_AGAIN = 514 };
    bool waits = registers.orig_rax == SYS_epoll_wait || registers.orig_rax == SYS_epoll_pwait;
    if (waits && (int)registers.r10 == -1 && (int64_t)registers.rax == -EINTR && !thread->signal) {
        registers.rax = (unsigned long long)-CALL_AGAIN;
        ptrace(PTRACE_SETREGSET, thread->number, (void *)NT_PRSTATUS, &all);
    }
#elif defined(__aarch64__)
    struct user_regs_struct registers = {0};
    struct iovec all = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, thread->number, (void *)NT_PRSTATUS, &all) == 0)
        thread->stack_pointer = registers.sp;
    uint64_t own[2] = {0};
    struct iovec local = {own, sizeof own};
    if (ptrace(PTRACE_GETREGSET, thread->number, (void *)NT_ARM_TLS, &local) == 0) thread->thread_pointer = own[0];
#endif
}

/// Stops a thread. 0 also if it ended before, which leaves `number` 0.
static int stop(pid_t process, stopped_thread *thread, int64_t deadline) {
    if (ptrace(PTRACE_SEIZE, thread->number, NULL, NULL) != 0) {
        int error = errno;
        bool is_gone = error == ESRCH || is_over(state_of(process, thread->number));
        if (!is_gone && is_traced(process, thread->number)) return EBUSY;
        thread->number = 0;
        return is_gone ? 0 : error;
    }
    if (ptrace(PTRACE_INTERRUPT, thread->number, NULL, NULL) != 0 && errno != ESRCH) return errno;
    int error = wait_for_stop(process, thread, deadline);
    if (error == ESRCH) {
        thread->number = 0;
        return 0;
    }
    if (error == 0) read_pointers(thread);
    return error;
}

static bool is_known(const stopped_thread *threads, int count, pid_t number) {
    for (int index = 0; index < count; index++)
        if (threads[index].number == number) return true;
    return false;
}

int stopped_process_begin(pid_t process, stopped_thread *threads, int capacity, int milliseconds) {
    int64_t deadline = now() + milliseconds;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    int count = 0, error = 0;
    // A thread that still runs may create others: until a look finds no more.
    for (bool has_new = true; has_new && !error;) {
        has_new = false;
        DIR *folder = opendir(path);
        if (!folder) {
            error = errno == ENOENT ? ESRCH : errno;
            break;
        }
        for (struct dirent *entry; !error && (entry = readdir(folder));) {
            pid_t number = atoi(entry->d_name);
            if (number <= 0 || is_known(threads, count, number) || is_over(state_of(process, number))) continue;
            if (count == capacity) {
                error = E2BIG;
                break;
            }
            stopped_thread thread = {.number = number};
            error = stop(process, &thread, deadline);
            if (!error && thread.number) {
                threads[count++] = thread;
                has_new = true;
            }
        }
        closedir(folder);
    }
    if (!error && count == 0) error = ESRCH;
    if (!error) return count;
    stopped_process_end(threads, count);
    return -error;
}

void stopped_process_end(const stopped_thread *threads, int count) {
    for (int index = 0; index < count; index++)
        ptrace(PTRACE_DETACH, threads[index].number, NULL, (void *)(intptr_t)threads[index].signal);
}

size_t stopped_process_registers(const stopped_thread *thread, void *registers) {
    static const long sets[] = {
        NT_PRSTATUS, NT_PRFPREG,
#ifdef __x86_64__
        NT_X86_XSTATE,
#endif
    };
    size_t size = 0;
    size_t count = thread->is_in_call ? 1 : sizeof sets / sizeof *sets;
    for (size_t set = 0; set < count; set++) {
        struct iovec part = {(char *)registers + size, STOPPED_REGISTER_BYTES - size};
        if (ptrace(PTRACE_GETREGSET, thread->number, (void *)sets[set], &part) == 0) size += (part.iov_len + 7) & ~7ul;
    }
    return size;
}

size_t stopped_process_copy(
    pid_t process, const uint64_t *addresses, const uint64_t *sizes, size_t count, void *const *copies) {
    struct iovec here[MOST_VECTORS], there[MOST_VECTORS];
    size_t copied = 0;
    for (size_t first = 0; first < count; first += MOST_VECTORS) {
        size_t some = count - first < MOST_VECTORS ? count - first : MOST_VECTORS, wanted = 0;
        for (size_t index = 0; index < some; index++) {
            there[index] = (struct iovec){(void *)addresses[first + index], sizes[first + index]};
            here[index] = (struct iovec){copies[first + index], sizes[first + index]};
            wanted += sizes[first + index];
        }
        ssize_t got = process_vm_readv(process, here, some, there, some, 0);
        if (got > 0) copied += (size_t)got;
        if (got >= 0 && (size_t)got == wanted) continue;
        // A page in between cannot be read: each by itself.
        if (got > 0) copied -= (size_t)got;
        for (size_t index = 0; index < some; index++) {
            got = process_vm_readv(process, &here[index], 1, &there[index], 1, 0);
            if (got > 0) copied += (size_t)got;
        }
    }
    return copied;
}

ptrdiff_t stopped_process_unread(pid_t process, int descriptor, void *copy, size_t size) {
    int whole = (int)syscall(SYS_pidfd_open, process, 0);
    if (whole < 0) return -1;
    int own = (int)syscall(SYS_pidfd_getfd, whole, descriptor, 0);
    close(whole);
    if (own < 0) return -1;
    struct stat about;
    ptrdiff_t count = -1;
    if (fstat(own, &about) == 0 && S_ISSOCK(about.st_mode)) {
        count = recv(own, copy, size, MSG_PEEK | MSG_DONTWAIT);
        // Nothing is there; or it is a socket that nothing comes in on.
        if (count < 0) count = 0;
    } else if (S_ISFIFO(about.st_mode)) {
        int second[2];
        if (pipe2(second, O_CLOEXEC | O_NONBLOCK) == 0) {
            if (size > INT_MAX) size = INT_MAX;
            fcntl(second[1], F_SETPIPE_SZ, (int)size);
            count = tee(own, second[1], size, SPLICE_F_NONBLOCK);
            if (count > 0) count = read(second[0], copy, (size_t)count);
            else if (count < 0 && (errno == EAGAIN || errno == EBADF)) count = 0;
            close(second[0]);
            close(second[1]);
        }
    }
    close(own);
    return count;
}

#else

int stopped_process_begin(pid_t process, stopped_thread *threads, int capacity, int milliseconds) {
    (void)process, (void)threads, (void)capacity, (void)milliseconds;
    return -ENOSYS;
}
void stopped_process_end(const stopped_thread *threads, int count) { (void)threads, (void)count; }
size_t stopped_process_registers(const stopped_thread *thread, void *registers) {
    (void)thread, (void)registers;
    return 0;
}
size_t stopped_process_copy(
    pid_t process, const uint64_t *addresses, const uint64_t *sizes, size_t count, void *const *copies) {
    (void)process, (void)addresses, (void)sizes, (void)count, (void)copies;
    return 0;
}
ptrdiff_t stopped_process_unread(pid_t process, int descriptor, void *copy, size_t size) {
    (void)process, (void)descriptor, (void)copy, (void)size;
    return -1;
}

#endif
