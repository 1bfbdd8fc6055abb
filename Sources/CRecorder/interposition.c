// What is seen of operations by methods that were replaced, and logged.
#define _GNU_SOURCE
#include "interposition.h"
#include "watching.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <string.h>

#ifdef RECORDER_INTERPOSES

typedef SWIFT bool (*bool_method)(SELF);
typedef SWIFT void (*operation_method)(void *other, SELF);

static foundation_layout layout;
static observation_hooks hooks;

/// Foundation's own methods. Those of an operation's class may be the program's, which recording calls none of.
static bool_method base_is_finished, base_is_executing;

// MARK: What is noted

/// Sets a flag of a followed operation; true for the first who does.
static bool note(followed *entry, unsigned flag) {
    return !(atomic_fetch_or_explicit(&entry->noted, flag, memory_order_acq_rel) & flag);
}

/// Whether this thread looks at an operation that was in its queue before it was followed.
THREAD_LOCAL bool is_catching_up;

/// Appends what this thread does itself: its time need not be ordered after what it has read, which takes less.
static void append(followed *entry, uint8_t type, uint64_t argument) {
    log_append(entry->log, entry->log_id, recorder_time(entry->log), type, entry->identifier, argument);
}

/// Appends what happened at some time since the enqueue.
static void append_interval(followed *entry, uint8_t type, uint64_t argument) {
    record records[] = {
        {.subject = entry->enqueued, .type = RECORD_NOT_BEFORE},
        {entry->identifier, argument, type},
    };
    cursors_append(entry->log, entry->log_id, recorder_now(entry->log), records, 2);
}

/// The operation that this thread is cancelling, and since when. Whether the class lets itself be cancelled is known when
/// the flag is set.
THREAD_LOCAL struct {
    void *object;
    uint64_t time;
} cancelling;

/// Foundation's own flag, whatever the class says of itself. It is read as it is: taking Foundation's lock for it would cost
/// more than the event.
NOT_SANITIZED bool recorder_is_cancelled(const void *self) {
    return __atomic_load_n((const uint8_t *)self + layout.cancelled_field, __ATOMIC_ACQUIRE) & 1;
}

/// A class that is `final` is cancelled by a direct call, which nobody sees; but then it is asked whether it is ready, or
/// it finishes.
static void note_unseen_cancel(followed *entry, void *self) {
    if (is_noted(entry, NOTED_CANCELLED) || !recorder_is_cancelled(self) || !note(entry, NOTED_CANCELLED)) return;
    if (cancelling.object == self) {
        log_append(entry->log, entry->log_id, cancelling.time, RECORD_CANCELLED, entry->identifier, 0);
    } else {
        append_interval(entry, RECORD_CANCELLED, 0);
    }
}

/// It waits for the barriers, also where Foundation says that it is ready: it gives no edges of a barrier that is running.
static bool waits_for_barrier(followed *entry) {
    return entry->behind && !is_noted(entry, NOTED_CANCELLED)
        && atomic_load_explicit(entry->finished_barriers, memory_order_acquire) < entry->behind;
}

static void note_ready(followed *entry, void *self) {
    if (is_noted(entry, NOTED_PENDING | NOTED_FINISHED)) return;
    note_unseen_cancel(entry, self);
    if (is_noted(entry, NOTED_READY) || waits_for_barrier(entry)) return;
    // The time first, then the note: whoever starts it meanwhile has a later time.
    uint64_t time = recorder_now(entry->log);
    if (note(entry, NOTED_READY)) log_append(entry->log, entry->log_id, time, RECORD_READY, entry->identifier, 0);
}

/// The cancelled operation that this thread is starting, and since when: whether it works all the same is not known yet.
THREAD_LOCAL struct {
    void *object;
    uint64_t time;
} starting;

NOT_SANITIZED bool recorder_may_have_edges(const void *operation) {
    const void *list = __atomic_load_n((void **)((char *)operation + layout.dependencies_field), __ATOMIC_ACQUIRE);
    return list != layout.symbols.swift_empty_array;
}

NOT_SANITIZED bool recorder_has_waiting_barrier(const void *queue, bool *is_known) {
    *is_known = layout.barrier_field != 0;
    return *is_known && __atomic_load_n((void **)((char *)queue + layout.barrier_field), __ATOMIC_ACQUIRE);
}

static void note_executing(followed *entry, void *self) {
    if (is_noted(entry, NOTED_FINISHED)) return;
    unsigned before =
        atomic_fetch_or_explicit(&entry->noted, NOTED_EXECUTING | NOTED_READY, memory_order_acq_rel);
    if (before & NOTED_EXECUTING) return;
    // To a class that is `final`, edges are added by direct calls as well: when it became ready is then not known, nor is
    // it where nobody asked.
    int known = atomic_load_explicit(&entry->edges, memory_order_relaxed);
    bool has_more = recorder_may_have_edges(self)
        && hooks.check_edges(entry->log, entry->identifier, self, known, entry->enqueued);
    if (has_more || !(before & NOTED_READY)) append_interval(entry, RECORD_READY, 0);
    if (is_catching_up) {
        append_interval(entry, RECORD_EXECUTING, 0);
        return;
    }
    uint64_t time = starting.object == self ? starting.time : recorder_now(entry->log);
    log_append(entry->log, entry->log_id, time, RECORD_EXECUTING, entry->identifier, 0);
}

// MARK: The replacements, behind their numbers

/// While this thread is adding a barrier to a queue: who is told of the object.
THREAD_LOCAL void (*barrier_seen)(void *operation);

void interposition_watch_barrier(void (*seen)(void *operation)) { barrier_seen = seen; }

static void call_void(void *self, void *original) { ((void_method)original)(self); }

void observed_start(void *self, void *original) {
    followed *entry = find(self);
    recorder_body before = {0, 0};
    if (entry) {
        if (!is_noted(entry, NOTED_CANCELLED) && recorder_is_cancelled(self)) note_unseen_cancel(entry, self);
        // Cancelled before, it only finishes; should its body run all the same, that is seen there, or below.
        if (!is_noted(entry, NOTED_CANCELLED)) note_executing(entry, self);
        before = recorder_enter(entry->log, entry->identifier);
    }
    __typeof__(starting) outer = starting;
    bool is_unclear = entry && !is_noted(entry, NOTED_EXECUTING);
    if (is_unclear) {
        starting.object = self;
        starting.time = recorder_now(entry->log);
    }
    run_watched(true, self, call_void, original);
    if (entry) recorder_restore(before);
    // It was cancelled, and works all the same, without having said so.
    if (is_unclear && !is_noted(entry, NOTED_FINISHED | NOTED_EXECUTING) && base_is_executing(self))
        note_executing(entry, self);
    starting = outer;
}

void observed_run_body(void *self, void *original) {
    followed *entry = find(self);
    // `super.main()` comes here again.
    bool is_outermost = entry && note(entry, NOTED_BODY);
    recorder_body before = {0, 0};
    if (is_outermost) {
        note_executing(entry, self);
        append(entry, RECORD_BODY_BEGAN, 0);
        before = recorder_enter(entry->log, entry->identifier);
    }
    run_watched(false, self, call_void, original);
    if (is_outermost) recorder_restore(before);
    if (is_outermost && log_is_open(entry->log, entry->log_id)) append(entry, RECORD_BODY_ENDED, 0);
}

static void note_finished(followed *entry, void *self) {
    if (!is_noted(entry, NOTED_FINISHED)) note_unseen_cancel(entry, self);
    if (!note(entry, NOTED_FINISHED)) {
        // Whoever learns that it has finished may end the log: not before the other thread has written it, in a moment.
        while (!is_noted(entry, NOTED_FINISH_LOGGED)) sched_yield();
        return;
    }
    uint64_t outcome = entry->outcome;
    if (outcome == 0 && is_noted(entry, NOTED_CANCELLED)) outcome = 1;
    if (is_catching_up) {
        append_interval(entry, RECORD_FINISHED, outcome);
    } else {
        append(entry, RECORD_FINISHED, outcome);
    }
    note(entry, NOTED_FINISH_LOGGED);
    if (entry->barrier) {
        uint64_t last = atomic_load(entry->finished_barriers);
        while (last < entry->barrier && !atomic_compare_exchange_weak(entry->finished_barriers, &last, entry->barrier)) {}
    }
}

bool observed_is_finished(void *self, void *original) {
    bool answer = ((bool_method)original)(self);
    if (!answer) return false;
    followed *entry = find(self);
    if (entry && !is_noted(entry, NOTED_FINISH_LOGGED)) note_finished(entry, self);
    tell(WATCHED_FINISHED, self, NULL);
    return true;
}

bool observed_is_ready_now(void *self, void *original) {
    bool answer = ((bool_method)original)(self);
    if (barrier_seen) barrier_seen(self);
    if (!answer) return false;
    followed *entry = find(self);
    if (entry) note_ready(entry, self);
    tell(WATCHED_READY, self, NULL);
    return true;
}

bool observed_is_executing_now(void *self, void *original) {
    bool answer = ((bool_method)original)(self);
    if (!answer) return false;
    followed *entry = find(self);
    if (entry && !is_noted(entry, NOTED_EXECUTING)) note_executing(entry, self);
    tell(WATCHED_EXECUTING, self, NULL);
    return true;
}

void observed_cancel(void *self, void *original) {
    followed *entry = find(self);
    __typeof__(cancelling) before = cancelling;
    if (entry && !is_noted(entry, NOTED_FINISHED)) {
        cancelling.object = self;
        cancelling.time = recorder_now(entry->log);
    }
    ((void_method)original)(self);
    if (cancelling.object == self && before.object != self && log_is_open(entry->log, entry->log_id))
        note_unseen_cancel(entry, self);
    cancelling = before;
    if (recorder_is_cancelled(self)) tell(WATCHED_CANCELLED, self, NULL);
}

static void note_edge(void *self, void *other, bool is_removed) {
    if (recorder_is_enqueuing()) return;
    tell(is_removed ? WATCHED_EDGE_REMOVED : WATCHED_EDGE_ADDED, self, other);
    followed *entry = find(self);
    if (!entry) return;
    atomic_fetch_add_explicit(&entry->edges, is_removed ? -1 : 1, memory_order_relaxed);
    // It waits again; when it is ready the next time, that counts.
    if (!is_removed && !is_noted(entry, NOTED_EXECUTING))
        atomic_fetch_and_explicit(&entry->noted, ~(unsigned)NOTED_READY, memory_order_acq_rel);
    hooks.edge(entry->log, entry->identifier, other, is_removed);
}

void observed_add_dependency(void *other, void *self, void *original) {
    note_edge(self, other, false);
    ((operation_method)original)(other, self);
}

void observed_remove_dependency(void *other, void *self, void *original) {
    ((operation_method)original)(other, self);
    note_edge(self, other, true);
}

void observed_destroy(void *self, void *original) {
    // Or an operation that gets the same address would inherit the identifier. What its deinitializer does gives it none.
    void *outer = objects_begin_destroying(self);
    tell(WATCHED_DESTROYED, self, NULL);
    ((void_method)original)(self);
    objects_end_destroying(outer);
}

// MARK: The beginning

/// Foundation's tables point here from now on: a plugin that holds this copy must stay when it is closed. The main program
/// has no name for the linker, and stays anyway.
static void stay_loaded(void) {
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1((void *)stay_loaded, &info, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name[0])
        dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool recorder_interpose(const observation_hooks *asked) {
    foundation_symbols symbols = foundation_linked_symbols();
    foundation_layout found;
    if (!foundation_find(&symbols, &found)) return false;
    stay_loaded();
    interposition_begin(&found, asked);
    return true;
}

void interposition_begin(const foundation_layout *found, const observation_hooks *asked) {
    layout = *found;
    hooks = *asked;
    void *const *base = layout.symbols.operation;
    base_is_finished = (bool_method)base[layout.operation.slots[METHOD_IS_FINISHED]];
    base_is_executing = (bool_method)base[layout.operation.slots[METHOD_IS_EXECUTING]];
    // Only then can a class be changed, and anything here be called.
    method_pool_begin(found);
}

void recorder_note_ready(void *operation) {
    followed *entry = find(operation);
    if (entry) note_ready(entry, operation);
}

// MARK: Operations that were in their queue before

void recorder_catch_up(void *operation) {
    followed *entry = find(operation);
    if (!entry) return;
    is_catching_up = true;
    if (base_is_finished(operation)) {
        note_finished(entry, operation);
    } else if (base_is_executing(operation)) {
        note_executing(entry, operation);
    }
    is_catching_up = false;
}

#else

bool recorder_interpose(const observation_hooks *hooks) { return (void)hooks, false; }
bool recorder_may_have_edges(const void *operation) { return (void)operation, true; }
bool recorder_has_waiting_barrier(const void *queue, bool *is_known) { return (void)queue, *is_known = false; }
bool recorder_is_cancelled(const void *operation) { return (void)operation, false; }
void recorder_note_ready(void *operation) { (void)operation; }
void recorder_catch_up(void *operation) { (void)operation; }

#endif
