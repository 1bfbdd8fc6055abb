// The listeners, besides the log, for what happens to operations of observed classes.
#include "watching.h"

static watching_hooks asked;
_Atomic(const watching_hooks *) watching_asked;
bool recorder_watched_flag;

void recorder_watch(const watching_hooks *hooks) {
    // A forked child calls no listener: it may find a lock held for ever.
    cursors_prepare();
    asked = *hooks;
    atomic_store_explicit(&watching_asked, &asked, memory_order_release);
}

void recorder_set_watched(bool is_watched) {
    __atomic_store_n(&recorder_watched_flag, is_watched, __ATOMIC_RELAXED);
}
