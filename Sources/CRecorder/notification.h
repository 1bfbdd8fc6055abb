// How the replacements of methods notify observers.
#ifndef RECORDER_NOTIFICATION_H
#define RECORDER_NOTIFICATION_H

#include "log.h"

#pragma GCC visibility push(hidden)

/// NULL until the first observer is installed.
extern _Atomic(const notification_hooks *) notification_asked;

static inline const notification_hooks *notification(void) {
    const notification_hooks *hooks = atomic_load_explicit(&notification_asked, memory_order_acquire);
    return hooks && !recorder_is_forked_child() ? hooks : NULL;
}

static inline void notify(notified_event event, void *operation, void *other) {
    const notification_hooks *hooks = notification();
    if (hooks) hooks->notify(event, operation, other);
}

/// Runs a `start` or a `main` inside the observers' wrapper.
static inline void run_notified(
    bool is_start, void *operation, void (*call)(void *operation, void *original), void *original) {
    const notification_hooks *hooks = notification();
    if (hooks) {
        hooks->run(is_start, operation, call, original);
    } else {
        call(operation, original);
    }
}

#pragma GCC visibility pop

#endif
