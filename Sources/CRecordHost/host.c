#define _GNU_SOURCE
#include "CLogFormat.h"
#include "CRecordHost.h"

#include <errno.h>
#include <string.h>

const record_mark *record_host_find_mark(const void *bytes, size_t count) {
    static const char magic[sizeof(((record_mark *)0)->magic)] = RECORD_MARK_MAGIC;
    const char *found = memmem(bytes, count, magic, sizeof magic);
    return found && found + sizeof(record_mark) <= (const char *)bytes + count ? (const record_mark *)found : NULL;
}

#ifdef __APPLE__
#include <crt_externs.h>
char *const *record_host_environment(void) { return *_NSGetEnviron(); }
#else
#include <unistd.h>
char *const *record_host_environment(void) { return environ; }
#endif

#ifdef __linux__

#include <fcntl.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

/// Closes a descriptor and keeps `errno`.
static int failed(int descriptor) {
    int failure = errno;
    close(descriptor);
    errno = failure;
    return -1;
}

int record_host_listen(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener < 0) return -1;
    if (bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 4096) == 0) return listener;
    return failed(listener);
}

bool record_host_has_capabilities(const char *program) {
    return getxattr(program, "security.capability", NULL, 0) > 0;
}

int record_host_accept(int listener, pid_t *process) {
    int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection < 0) return -1;
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) return failed(connection);
    if (peer.uid != geteuid()) {
        errno = EPERM;
        return failed(connection);
    }
    *process = peer.pid;
    return connection;
}

int record_host_receive(int connection, record_hello *said) {
    ssize_t count = recv(connection, said, sizeof *said, MSG_TRUNC);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count != sizeof *said || memcmp(said->magic, RECORD_HELLO_MAGIC, sizeof said->magic) != 0
        || said->version != RECORD_PROTOCOL_VERSION)
        return -1;
    said->program[sizeof said->program - 1] = 0;
    return 1;
}

void record_host_answer(int connection, record_answer answer, int descriptor) {
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr alignment;
    } control = {{0}};
    struct iovec part = {&answer, sizeof answer};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    // A process that does not listen gets no answer.
    sendmsg(connection, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// The size of the pieces in which a log is copied. Pieces that are all zeros are skipped.
enum { PAGE = 4096 };

static uint64_t to_whole_segments(uint64_t end) {
    if (end <= LOG_HEADER_SIZE) return end;
    return LOG_HEADER_SIZE + (end - LOG_HEADER_SIZE + LOG_SEGMENT_SIZE - 1) / LOG_SEGMENT_SIZE * LOG_SEGMENT_SIZE;
}

/// Memory that nobody can shrink, so that a store into it cannot fail.
static int make_sealed(const char *name, uint64_t size) {
    int memory = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory < 0) return -1;
    if (ftruncate(memory, (off_t)size) == 0
        && fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return memory;
    return failed(memory);
}

int record_host_make_memory(uint64_t size) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size) {
        // A log needs at least a few segments.
        if (limit.rlim_cur < LOG_HEADER_SIZE + 4 * LOG_SEGMENT_SIZE) {
            errno = EFBIG;
            return -1;
        }
        size = LOG_HEADER_SIZE + (limit.rlim_cur - LOG_HEADER_SIZE) / LOG_SEGMENT_SIZE * LOG_SEGMENT_SIZE;
    }
    // `opviz watch` finds a log by this name.
    return make_sealed("opviz", size);
}

int record_host_make_register(uint32_t count, record_place **places) {
    uint64_t size = (uint64_t)count * sizeof **places;
    int descriptor = make_sealed("opviz-register", size);
    if (descriptor < 0) return -1;
    *places = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    return *places == MAP_FAILED ? failed(descriptor) : descriptor;
}

void record_host_end_register(int descriptor, record_place *places, uint32_t used, uint32_t count) {
    for (uint32_t number = 0; number < used && number < count; number++)
        __atomic_store_n(&places[number].is_over, 1, __ATOMIC_RELEASE);
    munmap(places, (size_t)count * sizeof *places);
    close(descriptor);
}

record_place record_host_place(const record_place *places, uint32_t number) {
    const record_place *place = &places[number];
    uint32_t state = __atomic_load_n(&place->state, __ATOMIC_ACQUIRE);
    return (record_place){
        .state = state,
        .error = __atomic_load_n(&place->error, __ATOMIC_RELAXED),
        .user = __atomic_load_n(&place->user, __ATOMIC_RELAXED),
        .has_forked_user = __atomic_load_n(&place->has_forked_user, __ATOMIC_RELAXED),
        .tasks = __atomic_load_n(&place->tasks, __ATOMIC_RELAXED),
        .has_later_foundation = __atomic_load_n(&place->has_later_foundation, __ATOMIC_RELAXED),
    };
}

int record_host_process_descriptor(pid_t process) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, process, 0);
#else
    return (void)process, errno = ENOSYS, -1;
#endif
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
    // A segment that was only begun may lack its last pages.
    uint64_t used = to_whole_segments((uint64_t)end);
    return used < (uint64_t)status.st_size ? used : (uint64_t)status.st_size;
}

int record_host_make_archive(void) { return memfd_create("opviz-archive", MFD_CLOEXEC); }

static bool is_empty(const char *page) { return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0; }

int64_t record_host_archive(int memory, uint64_t used, int archive, uint64_t start) {
    char bytes[16 * PAGE];
    uint64_t end = 0;
    // An earlier copy may have failed halfway.
    if (ftruncate(archive, (off_t)start) != 0) return -1;
    for (uint64_t offset = 0; offset < used; offset += sizeof bytes) {
        size_t size = MIN(sizeof bytes, used - offset);
        memset(bytes, 0, sizeof bytes);
        if (pread(memory, bytes, size, (off_t)offset) != (ssize_t)size) return -1;
        for (size_t page = 0; page < size; page += PAGE) {
            if (is_empty(bytes + page)) continue;
            if (pwrite(archive, bytes + page, PAGE, (off_t)(start + offset + page)) != PAGE) return -1;
            end = offset + page + PAGE;
        }
    }
    end = MIN(to_whole_segments(end), used);
    return ftruncate(archive, (off_t)(start + end)) == 0 ? (int64_t)end : -1;
}

#else

bool record_host_has_capabilities(const char *program) { return (void)program, false; }

int record_host_listen(const char *path) { return (void)path, errno = ENOTSUP, -1; }
int record_host_accept(int listener, pid_t *process) { return (void)listener, (void)process, errno = ENOTSUP, -1; }
int record_host_receive(int connection, record_hello *said) { return (void)connection, (void)said, -1; }
void record_host_answer(int connection, record_answer answer, int descriptor) {
    (void)connection, (void)answer, (void)descriptor;
}
int record_host_make_memory(uint64_t size) { return (void)size, errno = ENOTSUP, -1; }
int record_host_make_register(uint32_t count, record_place **places) { return (void)count, (void)places, -1; }
void record_host_end_register(int descriptor, record_place *places, uint32_t used, uint32_t count) {
    (void)descriptor, (void)places, (void)used, (void)count;
}
record_place record_host_place(const record_place *places, uint32_t number) { return places[number]; }
int record_host_process_descriptor(pid_t process) { return (void)process, -1; }
uint64_t record_host_used(int memory) { return (void)memory, 0; }
int record_host_make_archive(void) { return -1; }
int64_t record_host_archive(int memory, uint64_t used, int archive, uint64_t start) {
    return (void)memory, (void)used, (void)archive, (void)start, -1;
}

#endif
