#define _GNU_SOURCE
#include "CRecordHost.h"

#ifdef __linux__

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// The bytes of a file; its size says nothing in /proc.
typedef struct {
    char *bytes;
    size_t room, count;
} contents;

static void read_whole(const char *path, contents *read_into) {
    read_into->count = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    for (;;) {
        if (read_into->count == read_into->room) {
            size_t room = read_into->room ? 2 * read_into->room : 16 << 10;
            char *bytes = realloc(read_into->bytes, room);
            if (!bytes) break;
            read_into->bytes = bytes;
            read_into->room = room;
        }
        ssize_t count = read(file, read_into->bytes + read_into->count, read_into->room - read_into->count);
        if (count <= 0) break;
        read_into->count += (size_t)count;
    }
    close(file);
}

static bool has_variable(const contents *environment, const char *variable) {
    size_t length = strlen(variable) + 1;
    for (size_t start = 0; start + length <= environment->count;) {
        if (memcmp(environment->bytes + start, variable, length) == 0) return true;
        start += strnlen(environment->bytes + start, environment->count - start) + 1;
    }
    return false;
}

bool record_host_is_in_environments(const char *variable) {
    DIR *processes = opendir("/proc");
    if (!processes) return false;
    contents environment = {0};
    bool is_found = false;
    for (struct dirent *entry; !is_found && (entry = readdir(processes));) {
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
        struct stat process;
        // Other users' processes cannot reach the recording.
        if (fstatat(dirfd(processes), entry->d_name, &process, 0) || process.st_uid != geteuid()) continue;
        char path[sizeof entry->d_name + 16];
        snprintf(path, sizeof path, "/proc/%s/environ", entry->d_name);
        read_whole(path, &environment);
        is_found = has_variable(&environment, variable);
    }
    free(environment.bytes);
    closedir(processes);
    return is_found;
}

#else

bool record_host_is_in_environments(const char *variable) { return (void)variable, false; }

#endif
