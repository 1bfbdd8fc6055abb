// The way to `opviz record`, which holds the memory of the log. It is asked once, and nothing of the connection stays.
#define _GNU_SOURCE
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <errno.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

bool connection_is_wanted(void) { return recorder_environment("OPVIZ_RECORD") != NULL; }

/// What is sent, once. The other end knows the process by the socket.
typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t state;
    char program[256];
} hello;

static int connect_to_recorder(void) {
    const char *path = recorder_environment("OPVIZ_RECORD");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!path || strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0) return -1;
    // The recorder answers within milliseconds, or is gone; the program is not to wait for it.
    struct timeval patience = {.tv_sec = 2};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) == 0) return connection;
    close(connection);
    return -1;
}

/// Receives one descriptor, or -1.
static int receive_descriptor(int connection) {
    char byte;
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t count;
    do {
        count = recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    struct cmsghdr *header = count == 1 ? CMSG_FIRSTHDR(&message) : NULL;
    if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return -1;
    int descriptor;
    memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
}

int connection_open(uint32_t state, uint64_t *size) {
    int connection = connect_to_recorder();
    if (connection < 0) return -1;
    hello said = {.version = 1, .state = state};
    memcpy(said.magic, "OPVIZREC", sizeof said.magic);
    strncpy(said.program, program_invocation_short_name, sizeof said.program - 1);
    ssize_t sent = send(connection, &said, sizeof said, MSG_NOSIGNAL);
    int descriptor = sent == sizeof said && state == STATE_RECORDING ? receive_descriptor(connection) : -1;
    close(connection);
    if (descriptor < 0) return -1;
    struct stat status;
    // What cannot be cut off cannot make a store fail.
    int seals = fcntl(descriptor, F_GET_SEALS);
    if (fstat(descriptor, &status) != 0 || seals < 0 || !(seals & F_SEAL_SHRINK)) {
        close(descriptor);
        return -1;
    }
    *size = (uint64_t)status.st_size;
    return descriptor;
}

#endif
