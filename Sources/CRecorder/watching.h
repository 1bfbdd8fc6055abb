// How the replacements of methods notify listeners other than the log.
#ifndef RECORDER_WATCHING_H
#define RECORDER_WATCHING_H

#include "log.h"

#pragma GCC visibility push(hidden)

/// NULL until somebody watches for the first time.
extern _Atomic(const watching_hooks *) watching_asked;

static inline const watching_hooks *watching(void) {
    const watching_hooks *hooks = atomic_load_explicit(&watching_asked, memory_order_acquire);
    return hooks && !recorder_is_forked_child() ? hooks : NULL;
}

static inline void tell(watched_event event, void *operation, void *other) {
    const watching_hooks *hooks = watching();
    if (hooks) hooks->note(event, operation, other);
}

/// Runs a `start` or a `main` inside the listeners' wrapper.
static inline void run_watched(
    bool is_start, void *operation, void (*call)(void *operation, void *original), void *original) {
    const watching_hooks *hooks = watching();
    if (hooks) {
        hooks->run(is_start, operation, call, original);
    } else {
        call(operation, original);
    }
}

#pragma GCC visibility pop

#endif
