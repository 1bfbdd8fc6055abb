// The connection to `opviz record`, which holds the memory of the log. It is opened when the program is
// loaded and when its first queue is used. No descriptor stays open in between.
#define _GNU_SOURCE
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include "../CRecordHost/include/RecordProtocol.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

__attribute__((used)) static const record_mark mark = {RECORD_MARK_MAGIC, RECORD_PROTOCOL_VERSION};

_Static_assert(RECORD_TASKS_OBSERVED == (int)TASKS_ARE_OBSERVED, "equal");

/// Seconds that the program may wait for the recorder.
enum { TIMEOUT_SECONDS = 2 };

/// Where this process reports what becomes of it; NULL if it has no place in the register.
static record_place *own_place;
static uint32_t own_number;
/// The process that owns the place: a forked child inherits the memory of its parent's place.
static pid_t own_process;

void connection_end_probe(bool has_foundation, bool is_static) {
    if (!recorder_environment("OPVIZ_RECORD_PROBE")) return;
    _exit(RECORD_PROBE_EXIT | (has_foundation ? RECORD_PROBE_FOUNDATION : 0) | (is_static ? RECORD_PROBE_STATIC : 0));
}

bool connection_is_wanted(void) { return recorder_environment("OPVIZ_RECORD") != NULL; }

static record_place *place(void) { return own_place && getpid() == own_process ? own_place : NULL; }

static void report(record_state state, int error) {
    record_place *found = place();
    if (!found) return;
    __atomic_store_n(&found->error, (uint32_t)error, __ATOMIC_RELAXED);
    __atomic_store_n(&found->user, (uint32_t)geteuid(), __ATOMIC_RELAXED);
    __atomic_store_n(&found->state, state, __ATOMIC_RELEASE);
}

void connection_report_log(bool is_begun, int error) {
    report(is_begun ? RECORD_STATE_RECORDING : RECORD_STATE_NO_LOG, error);
}

void connection_report_forked_user(void) {
    if (own_place) __atomic_store_n(&own_place->has_forked_user, 1, __ATOMIC_RELAXED);
}

/// Whether this user's process is at the other end. After the recorder's end, another user could reuse its
/// path.
static bool is_own_user(int connection) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

static int connect_to_recorder(void) {
    const char *path = recorder_environment("OPVIZ_RECORD");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || strlen(path) >= sizeof address.sun_path) return -1;
    if (own_place && __atomic_load_n(&own_place->is_over, __ATOMIC_ACQUIRE)) return -1;
    strcpy(address.sun_path, path);
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (connection < 0) {
        report(RECORD_STATE_NO_SOCKET, errno);
        return -1;
    }
    // The recorder answers within milliseconds, or is gone. The program must not wait for it.
    struct timeval timeout = {.tv_sec = TIMEOUT_SECONDS};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
    // A signal restarts the wait, and a program may have a periodic timer.
    uint64_t end = recorder_monotonic() + TIMEOUT_SECONDS * 1000000000u;
    int failure;
    do {
        failure = connect(connection, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    } while (failure == EINTR && recorder_monotonic() < end);
    if (failure)
        report(RECORD_STATE_NOT_REACHED, failure);
    else if (!is_own_user(connection))
        report(RECORD_STATE_STRANGER, 0);
    else
        return connection;
    close(connection);
    return -1;
}

static bool tell(int connection, record_state state) {
    record_hello said = {.version = RECORD_PROTOCOL_VERSION, .state = state, .place = place() ? own_number : 0};
    memcpy(said.magic, RECORD_HELLO_MAGIC, sizeof said.magic);
    names_copy(said.program, sizeof said.program, program_invocation_short_name);
    return send(connection, &said, sizeof said, MSG_NOSIGNAL) == sizeof said;
}

/// Receives an answer and a descriptor with it. Returns -1 if no descriptor came; `answer` then has the
/// error.
static int receive_descriptor(int connection, record_answer *answer) {
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec part = {answer, sizeof *answer};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    uint64_t end = recorder_monotonic() + TIMEOUT_SECONDS * 1000000000u;
    ssize_t count;
    do {
        count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR && recorder_monotonic() < end);
    if (count != sizeof *answer) {
        answer->number = (uint32_t)(count < 0 ? errno : ECONNRESET);
        return -1;
    }
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) {
        // The descriptor was sent, but this process may not open more files.
        if (message.msg_flags & MSG_CTRUNC) answer->number = EMFILE;
        return -1;
    }
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

/// Whether the memory cannot shrink, so that a store into it cannot fail.
static bool is_sealed(int descriptor, struct stat *status) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    return fstat(descriptor, status) == 0 && seals >= 0 && seals & F_SEAL_SHRINK;
}

/// Maps the page of the register that contains this process's place.
static void take_place(int descriptor, uint32_t number) {
    struct stat status;
    uint64_t offset = (uint64_t)number * sizeof(record_place);
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (!is_sealed(descriptor, &status) || offset + sizeof(record_place) > (uint64_t)status.st_size) return;
    uint64_t start = offset / page * page;
    uint8_t *bytes = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, (off_t)start);
    if (bytes == MAP_FAILED) return;
    own_place = (record_place *)(bytes + (offset - start));
    own_number = number;
    own_process = getpid();
}

/// Reports that this process is seen, and takes a place in the register.
static void introduce(void) {
    int connection = connect_to_recorder();
    if (connection < 0) return;
    record_answer answer;
    int descriptor = tell(connection, RECORD_STATE_LOADED) ? receive_descriptor(connection, &answer) : -1;
    close(connection);
    if (descriptor < 0) return;
    take_place(descriptor, answer.number);
    close(descriptor);
}

void connection_tell_loaded(recorder_tasks_state tasks) {
    introduce();
    connection_report_tasks(tasks);
}

void connection_report_tasks(recorder_tasks_state tasks) {
    if (own_place) __atomic_store_n(&own_place->tasks, (uint32_t)tasks, __ATOMIC_RELAXED);
}

void connection_report_later_foundation(void) {
    if (!place()) introduce();
    if (own_place) __atomic_store_n(&own_place->has_later_foundation, 1, __ATOMIC_RELAXED);
}

void connection_tell_unrecordable(bool is_stripped) {
    int connection = connect_to_recorder();
    if (connection < 0) return;
    tell(connection, is_stripped ? RECORD_STATE_STRIPPED : RECORD_STATE_UNKNOWN_LAYOUT);
    close(connection);
}

int connection_ask(uint64_t *size, uint32_t *processor_times) {
    int connection = connect_to_recorder();
    if (connection < 0) return -1;
    record_answer answer = {.number = ECONNRESET};
    int descriptor = tell(connection, RECORD_STATE_ASKING) ? receive_descriptor(connection, &answer) : -1;
    close(connection);
    struct stat status;
    if (descriptor >= 0 && is_sealed(descriptor, &status)) {
        *size = (uint64_t)status.st_size;
        *processor_times = answer.processor_times;
        return descriptor;
    }
    if (descriptor >= 0) close(descriptor);
    bool has_answer = answer.number != ECONNRESET && answer.number != EAGAIN;
    report(has_answer ? RECORD_STATE_REFUSED : RECORD_STATE_NO_ANSWER, (int)answer.number);
    return -1;
}

#endif
