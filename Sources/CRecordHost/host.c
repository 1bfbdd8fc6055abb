#define _GNU_SOURCE
#include "CRecordHost.h"

#include <errno.h>

#ifdef __linux__

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

int record_host_listen(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 128) == 0) return listener;
    int failure = errno;
    close(listener);
    errno = failure;
    return -1;
}

/// What a process says of itself, as the preloaded library sends it.
typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t state;
    char program[256];
} hello;

/// Memory that nobody can cut off, so that a store into it cannot fail.
static int make_memory(uint64_t size) {
    int memory = memfd_create("opviz", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)size) == 0
        && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return memory;
    int failure = errno;
    close(memory);
    errno = failure;
    return -1;
}

static int send_descriptor(int connection, int descriptor) {
    char byte = 0;
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {{0}};
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    return sendmsg(connection, &message, MSG_NOSIGNAL) == 1 ? 0 : errno;
}

static int answer(int connection, uint64_t size, record_guest *guest) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return errno;
    if (peer.uid != geteuid()) return EPERM;
    struct timeval patience = {.tv_sec = 2};
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    hello said;
    ssize_t count = recv(connection, &said, sizeof said, MSG_WAITALL);
    if (count != sizeof said || memcmp(said.magic, "OPVIZREC", 8) != 0 || said.version != 1) return EPROTO;
    *guest = (record_guest){.process = peer.pid, .state = said.state, .memory = -1};
    memcpy(guest->program, said.program, sizeof guest->program - 1);
    if (said.state != 0) return 0;
    guest->memory = make_memory(size);
    return guest->memory < 0 ? errno : send_descriptor(connection, guest->memory);
}

int record_host_accept(int listener, uint64_t size, record_guest *guest) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0) return errno;
    int failure = answer(connection, size, guest);
    close(connection);
    return failure == EAGAIN ? ETIMEDOUT : failure;
}

/// A log's header, and what comes after it in pieces; see Documentation/TraceFormat.md.
enum { HEADER_SIZE = 4096, SEGMENT_SIZE = 65536 };

static uint64_t to_whole_segments(uint64_t end) {
    if (end <= HEADER_SIZE) return end;
    return HEADER_SIZE + (end - HEADER_SIZE + SEGMENT_SIZE - 1) / SEGMENT_SIZE * SEGMENT_SIZE;
}

uint64_t record_host_used(int memory) {
    struct stat status;
    if (fstat(memory, &status) != 0) return 0;
    off_t end = 0;
    for (;;) {
        off_t data = lseek(memory, end, SEEK_DATA);
        off_t hole = data < 0 ? -1 : lseek(memory, data, SEEK_HOLE);
        if (hole <= end) break;
        end = hole;
    }
    // The pages of a segment that was only begun are not all there.
    uint64_t used = to_whole_segments((uint64_t)end);
    return used < (uint64_t)status.st_size ? used : (uint64_t)status.st_size;
}

#else

int record_host_listen(const char *path) { return (void)path, errno = ENOTSUP, -1; }
int record_host_accept(int listener, uint64_t size, record_guest *guest) {
    return (void)listener, (void)size, (void)guest, ENOTSUP;
}
uint64_t record_host_used(int memory) { return (void)memory, 0; }

#endif
