#define _GNU_SOURCE
#include "log.h"

#include <pthread.h>
#include <signal.h>
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

bool recorder_is_main_thread(void) {
#ifdef __APPLE__
    return pthread_main_np() != 0;
#else
    return recorder_thread_number() == (uint64_t)getpid();
#endif
}

bool recorder_hold_size_signal(void) {
    sigset_t only, before;
    sigemptyset(&only);
    sigaddset(&only, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &only, &before);
    return sigismember(&before, SIGXFSZ) == 1;
}

void recorder_release_size_signal(bool was_held) {
    if (was_held) return;
    sigset_t only, pending;
    sigemptyset(&only);
    sigaddset(&only, SIGXFSZ);
    int taken;
    if (sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1) sigwait(&only, &taken);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
}

const char *recorder_environment(const char *name) {
#ifdef __APPLE__
    return issetugid() ? NULL : getenv(name);
#else
    return secure_getenv(name);
#endif
}
