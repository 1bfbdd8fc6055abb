#define _GNU_SOURCE
#include "log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

THREAD_LOCAL uint64_t thread_number;

uint64_t recorder_thread_number(void) {
    if (thread_number == 0) {
#ifdef __APPLE__
        pthread_threadid_np(NULL, &thread_number);
#else
        thread_number = (uint64_t)gettid();
#endif
    }
    return thread_number;
}

bool recorder_is_recorded_from_outside(void) {
    bool (*is_recording)(void) = (bool (*)(void))dlsym(RTLD_DEFAULT, "opviz_is_recording");
    return is_recording && is_recording();
}

const char *recorder_environment(const char *name) {
#ifdef __APPLE__
    return issetugid() ? NULL : getenv(name);
#else
    return secure_getenv(name);
#endif
}
