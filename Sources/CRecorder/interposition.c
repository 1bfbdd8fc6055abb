// The replacements for methods of operations: they log what they see.
#define _GNU_SOURCE
#include "body_clocks.h"
#include "interposition.h"
#include "notification.h"

#include <dlfcn.h>
#include <link.h>
#include <sched.h>
#include <string.h>

#ifdef RECORDER_INTERPOSES

typedef SWIFT bool (*bool_method)(SELF);
typedef SWIFT void (*operation_method)(void *other, SELF);

foundation_layout foundation;
static observation_hooks hooks;

/// What `Operation` itself answers.
static bool base_answer(observed_method method, void *operation) {
    return ((bool_method)foundation.base[method])(operation);
}

// MARK: Flags

/// Sets a flag of a recorded operation. Returns true to the first caller only.
static bool set_flag(recorded_operation *entry, unsigned flag) {
    return !(atomic_fetch_or_explicit(&entry->flags, flag, memory_order_acq_rel) & flag);
}

/// Whether this thread looks at an operation that was in its queue before it was recorded.
THREAD_LOCAL bool is_catching_up;

/// Appends an event that happened at some time since the enqueue.
static void append_interval(recorded_operation *entry, uint8_t type, uint64_t argument) {
    record records[] = {
        {.subject = entry->enqueued, .type = RECORD_NOT_BEFORE},
        {entry->identifier, argument, type},
    };
    log_append_all(entry->log, entry->log_id, log_now(entry->log), records, 2);
}

/// The operation that this thread is cancelling, and since when. The flag shows later whether the class
/// accepts the cancellation.
THREAD_LOCAL struct {
    void *object;
    uint64_t time;
} cancelling;

/// Foundation's own flag, whatever the class says. It is read without Foundation's lock, which would cost
/// more than the event.
NOT_SANITIZED bool recorder_is_cancelled(const void *self) {
    return __atomic_load_n((const uint8_t *)self + foundation.cancelled_field, __ATOMIC_ACQUIRE) & 1;
}

/// A `final` class is cancelled by a direct call, which cannot be seen. Such a cancellation is noticed when
/// the operation is asked whether it is ready, or when it finishes.
static void record_unseen_cancel(recorded_operation *entry, void *self) {
    if (has_flag(entry, FLAG_CANCELLED) || !recorder_is_cancelled(self) || !set_flag(entry, FLAG_CANCELLED)) return;
    if (cancelling.object == self) {
        recorder_append_at(entry->log, entry->log_id, cancelling.time, RECORD_CANCELLED, entry->identifier, 0);
    } else {
        append_interval(entry, RECORD_CANCELLED, 0);
    }
}

/// Whether it waits for barriers. Foundation may say that it is ready, because it gives it no edges to a
/// barrier that is running.
static bool waits_for_barrier(recorded_operation *entry) {
    return entry->behind && !has_flag(entry, FLAG_CANCELLED)
        && atomic_load_explicit(entry->finished_barriers, memory_order_acquire) < entry->behind;
}

/// Records that it answered that it is ready.
///
/// - Parameter asked: the flags before the question. The thread may have stood still after the answer,
///   while other threads gave the operation new edges.
static void record_ready(recorded_operation *entry, void *self, uint64_t asked) {
    if (has_flag(entry, FLAG_PENDING | FLAG_FINISHED)) return;
    record_unseen_cancel(entry, self);
    if (has_flag(entry, FLAG_READY) || waits_for_barrier(entry)) return;
    // Take the time before the flag is set: a thread that starts the operation meanwhile then has a later time.
    uint64_t time = log_now(entry->log);
    uint64_t flags = atomic_load_explicit(&entry->flags, memory_order_acquire);
    do {
        if (flags & (FLAG_READY | FLAG_EXECUTING | FLAG_FINISHED)) return;
        // The thread that finishes the last new predecessor asks again, and so does the thread that adds the
        // edges.
        if ((flags | asked) & (FLAG_PENDING | FLAG_GETS_EDGES) || (flags ^ asked) >= FLAG_GENERATION) return;
    } while (!atomic_compare_exchange_weak_explicit(
        &entry->flags, &flags, flags | FLAG_READY, memory_order_acq_rel, memory_order_acquire));
    recorder_append_at(entry->log, entry->log_id, time, RECORD_READY, entry->identifier, 0);
}

/// The cancelled operation that this thread is starting, and since when. It may still do its work; that is
/// not known yet.
THREAD_LOCAL struct {
    void *object;
    uint64_t time;
} starting;

NOT_SANITIZED bool recorder_may_have_edges(const void *operation) {
    const void *list = __atomic_load_n((void **)((char *)operation + foundation.dependencies_field), __ATOMIC_ACQUIRE);
    return list != foundation.symbols.swift_empty_array;
}

NOT_SANITIZED bool recorder_has_waiting_barrier(const void *queue, bool *is_known) {
    *is_known = foundation.barrier_field != 0;
    return *is_known && __atomic_load_n((void **)((char *)queue + foundation.barrier_field), __ATOMIC_ACQUIRE);
}

/// Returns whether its start is logged here and now.
///
/// - Parameter is_plain: whether Foundation's own `start` is about to call its `main`.
static bool record_executing(recorded_operation *entry, void *self, bool is_plain) {
    if (has_flag(entry, FLAG_FINISHED)) return false;
    unsigned flags = FLAG_EXECUTING | FLAG_READY | (is_plain ? FLAG_PLAIN : 0);
    uint64_t before = atomic_fetch_or_explicit(&entry->flags, flags, memory_order_acq_rel);
    if (before & FLAG_EXECUTING) return false;
    // A `final` class gets edges by direct calls too. Then the time when it became ready is unknown, as it is
    // when nobody asked.
    int known = atomic_load_explicit(&entry->edges, memory_order_relaxed);
    bool has_more = recorder_may_have_edges(self)
        && hooks.check_edges(entry->log, entry->identifier, self, known, entry->enqueued);
    if (has_more || !(before & FLAG_READY)) append_interval(entry, RECORD_READY, 0);
    if (is_catching_up) {
        append_interval(entry, RECORD_EXECUTING, 0);
        return false;
    }
    uint64_t time = starting.object == self ? starting.time : log_now(entry->log);
    clocks_set_begin(entry->log, entry->log_id, entry->identifier, time);
    recorder_append_at(entry->log, entry->log_id, time, RECORD_EXECUTING, entry->identifier, 0);
    return true;
}

/// Logs that this thread left the body.
static void record_body_ended(recorded_operation *entry) {
    uint64_t time = clocks_end(entry->log, entry->log_id, entry->identifier, log_time(entry->log));
    recorder_append_at(entry->log, entry->log_id, time, RECORD_BODY_ENDED, entry->identifier, 0);
}

/// Logs that the thread on which it was started left it, unless its body has begun on another thread.
static void record_left(recorded_operation *entry) {
    uint64_t flags = atomic_load_explicit(&entry->flags, memory_order_acquire);
    do {
        if (flags & (FLAG_BODY | FLAG_LEFT)) return;
    } while (!atomic_compare_exchange_weak_explicit(
        &entry->flags, &flags, flags | FLAG_LEFT, memory_order_acq_rel, memory_order_acquire));
    record_body_ended(entry);
    set_flag(entry, FLAG_LEFT_LOGGED);
}

/// Whether what this thread is about to call is the body, which began nowhere else.
static bool begins_body(recorded_operation *entry) {
    // What another thread does beside the one that Foundation started is not the body.
    if (has_flag(entry, FLAG_PLAIN)) return false;
    uint64_t before = atomic_fetch_or_explicit(&entry->flags, FLAG_BODY, memory_order_acq_rel);
    if (before & FLAG_BODY) return false;
    // The end on the thread that it was started on comes before this begin.
    while (before & FLAG_LEFT && !has_flag(entry, FLAG_LEFT_LOGGED)) sched_yield();
    return true;
}

// MARK: The replacements, behind their numbers

/// The function to call with the object of the barrier that this thread is adding to a queue.
THREAD_LOCAL void (*barrier_seen)(void *operation);

void interposition_observe_barrier(void (*seen)(void *operation)) { barrier_seen = seen; }

static void call_void(void *self, void *original) { ((void_method)original)(self); }

/// What bodies of about the same length have in common.
static const void *kind_of(void *self) {
    const void *class = *(const void **)self;
    const void *code = NULL;
    if (class == foundation.symbols.block_operation && foundation.block_field)
        code = *(const void **)((char *)self + foundation.block_field);
    return code ? code : class;
}

/// The operation that this thread is starting by Foundation's own `start`: its body begins with its
/// execution, and ends with its finish, unless the class denies that.
THREAD_LOCAL struct {
    void *object;
    enum { BEFORE_BODY, IN_BODY, AFTER_BODY } place;
} started_plainly;

/// The outermost `start` of an operation on this thread returned. If the operation goes on elsewhere and its
/// `main` is called there, that is the body. If it finished elsewhere before, this thread was in it until then.
static void record_start_returned(recorded_operation *entry, bool is_logged_here) {
    bool is_body = is_logged_here && clocks_is_open(entry->log_id, entry->identifier);
    if (is_body && log_is_open(entry->log, entry->log_id)) record_left(entry);
}

void observed_start(void *self, void *original) {
    recorded_operation *entry = find(self);
    recorder_body before = {0};
    bool is_plain = original == foundation.base[METHOD_START], is_logged_here = false, is_outermost = false;
    if (entry) {
        uint64_t id = entry->log_id, identifier = entry->identifier;
        is_outermost = !clocks_is_in(id, identifier);
        if (is_outermost) before = clocks_begin(entry->log, id, identifier, kind_of(self));
        if (!has_flag(entry, FLAG_CANCELLED) && recorder_is_cancelled(self)) record_unseen_cancel(entry, self);
        // An override of `start` may call this on another thread. Then the body has begun later.
        if (is_outermost && has_flag(entry, FLAG_EXECUTING)) is_plain = false;
        // If it was cancelled before, it only finishes. If its body still runs, that is seen there, or below.
        if (!has_flag(entry, FLAG_CANCELLED)) is_logged_here = record_executing(entry, self, is_plain);
    }
    __typeof__(started_plainly) outer_plain = started_plainly;
    started_plainly.object = is_plain ? self : NULL;
    started_plainly.place = BEFORE_BODY;
    __typeof__(starting) outer = starting;
    bool is_unclear = entry && !has_flag(entry, FLAG_EXECUTING);
    if (is_unclear) {
        starting.object = self;
        starting.time = log_now(entry->log);
    }
    run_notified(true, self, call_void, original);
    started_plainly = outer_plain;
    // It was cancelled and still works, without having said so.
    if (is_unclear && !has_flag(entry, FLAG_FINISHED | FLAG_EXECUTING) && base_answer(METHOD_IS_EXECUTING, self))
        record_executing(entry, self, false);
    starting = outer;
    if (is_outermost) {
        record_start_returned(entry, is_logged_here);
        recorder_restore(before);
    }
}

void observed_run_body(void *self, void *original) {
    recorded_operation *entry = find(self);
    // A call of `super.main()` comes here again.
    if (started_plainly.object == self) {
        // If it was cancelled before, only its body shows that it works.
        if (entry && !has_flag(entry, FLAG_EXECUTING)) record_executing(entry, self, true);
        bool is_outermost = started_plainly.place == BEFORE_BODY;
        if (is_outermost) started_plainly.place = IN_BODY;
        run_notified(false, self, call_void, original);
        if (is_outermost) started_plainly.place = AFTER_BODY;
        return;
    }
    bool is_outermost = entry && begins_body(entry);
    recorder_body before = {0};
    if (is_outermost) {
        // If it is within `start`, that is not the body.
        clocks_discard(entry->log_id, entry->identifier);
        before = clocks_begin(entry->log, entry->log_id, entry->identifier, kind_of(self));
        record_executing(entry, self, false);
        uint64_t time = log_time(entry->log);
        clocks_set_begin(entry->log, entry->log_id, entry->identifier, time);
        recorder_append_at(entry->log, entry->log_id, time, RECORD_BODY_BEGAN, entry->identifier, 0);
    }
    run_notified(false, self, call_void, original);
    if (!is_outermost) return;
    if (log_is_open(entry->log, entry->log_id)) record_body_ended(entry);
    recorder_restore(before);
}

/// Logs that the queue was notified of the finish: now, by this thread, or by another thread at some time
/// since the enqueue.
static void record_finished(recorded_operation *entry, void *self, bool is_now) {
    if (has_flag(entry, FLAG_FINISHED)) return;
    record_unseen_cancel(entry, self);
    if (!set_flag(entry, FLAG_FINISHED)) return;
    uint64_t outcome = entry->outcome;
    if (outcome == 0 && has_flag(entry, FLAG_CANCELLED)) outcome = 1;
    if (is_now) {
        uint64_t time = clocks_end(entry->log, entry->log_id, entry->identifier, log_time(entry->log));
        recorder_append_at(entry->log, entry->log_id, time, RECORD_FINISHED, entry->identifier, outcome);
    } else {
        append_interval(entry, RECORD_FINISHED, outcome);
    }
    set_flag(entry, FLAG_FINISH_LOGGED);
    if (entry->barrier) {
        uint64_t last = atomic_load(entry->finished_barriers);
        while (last < entry->barrier && !atomic_compare_exchange_weak(entry->finished_barriers, &last, entry->barrier)) {}
    }
}

/// Foundation's own `start` counts an operation as finished before it asks the class, which may deny it and
/// go on.
bool recorder_was_notified_of_finish(void *self) {
    recorded_operation *entry = find(self);
    if (entry && has_flag(entry, FLAG_ASKED_EARLY)) return has_flag(entry, FLAG_FINISHED);
    return base_answer(METHOD_IS_FINISHED, self);
}

/// Somebody asked whether it has finished, and it said yes. That alone is not a finish. But if the queue was
/// notified, the caller may end the log now, so the finish must be written before this returns.
static void record_finished_answer(recorded_operation *entry, void *self) {
    uint64_t time = log_now(entry->log);
    if (has_flag(entry, FLAG_FINISHED) || recorder_was_notified_of_finish(self)) {
        // The thread on which it finishes is about to write it. If the operation finished before it was
        // recorded, no thread writes it. And a thread that was interrupted must not keep this one here.
        for (int attempt = 0; attempt < 1000; attempt++) {
            if (has_flag(entry, FLAG_FINISH_LOGGED)) return;
            sched_yield();
        }
        record_finished(entry, self, false);
        while (!has_flag(entry, FLAG_FINISH_LOGGED)) sched_yield();
    } else if (!has_flag(entry, FLAG_UNNOTIFIED_FINISH) && set_flag(entry, FLAG_UNNOTIFIED_FINISH)) {
        recorder_append_at(entry->log, entry->log_id, time, RECORD_UNNOTIFIED_FINISH, entry->identifier, 0);
    }
}

/// The operations whose methods this thread is asking. An override may call the superclass's method, through
/// a table if that is in another module. Only the outermost answer counts.
THREAD_LOCAL void *asking_finished, *asking_ready;

bool observed_is_finished(void *self, void *original, const void *caller) {
    bool is_notified = caller == foundation.asks_when_notified;
    // Foundation's own answer takes two of its locks, and never changes any more.
    if (!is_notified && original == foundation.base[METHOD_IS_FINISHED]) {
        recorded_operation *entry = find(self);
        if (entry && has_flag(entry, FLAG_FINISH_LOGGED)) return true;
    }
    if (asking_finished == self) return ((bool_method)original)(self);
    void *outer = asking_finished;
    asking_finished = self;
    bool answer = ((bool_method)original)(self);
    asking_finished = outer;
    if (!answer && !is_notified) return false;
    recorded_operation *entry = find(self);
    if (!answer) {
        if (!entry) return false;
        set_flag(entry, FLAG_ASKED_EARLY);
        // Foundation's own `start` asks when `main` has returned. The program may have made it ask before.
        if (started_plainly.object == self && started_plainly.place == AFTER_BODY) {
            started_plainly.object = NULL;
            record_left(entry);
        }
        return false;
    }
    if (is_notified) {
        if (entry) record_finished(entry, self, true);
        notify(NOTIFIED_FINISHED, self, NULL);
    } else if (entry && !has_flag(entry, FLAG_FINISH_LOGGED)) {
        record_finished_answer(entry, self);
    }
    return true;
}

/// The edge that this thread is adding, until the operation has it.
THREAD_LOCAL struct {
    void *object;
    void *other;
    /// The operation's entry in a log.
    recorded_operation *entry;
} adding;

static void end_adding(void) {
    if (adding.entry) end_edge(adding.entry);
    notify(NOTIFIED_EDGE_IN_PLACE, adding.object, NULL);
    adding.object = NULL;
}

bool observed_is_ready_now(void *self, void *original) {
    if (asking_ready == self) return ((bool_method)original)(self);
    recorded_operation *entry = find(self);
    uint64_t asked = entry ? atomic_load_explicit(&entry->flags, memory_order_acquire) : 0;
    const notification_hooks *observers = notification();
    uint64_t observers_asked = observers ? observers->ask(self) : 0;
    void *outer = asking_ready;
    asking_ready = self;
    bool answer = ((bool_method)original)(self);
    asking_ready = outer;
    if (barrier_seen) barrier_seen(self);
    if (!answer) return false;
    if (entry) record_ready(entry, self, asked);
    if (observers) observers->notify_ready(self, observers_asked);
    return true;
}

bool observed_is_executing_now(void *self, void *original) {
    bool answer = ((bool_method)original)(self);
    if (!answer) return false;
    recorded_operation *entry = find(self);
    if (entry && !has_flag(entry, FLAG_EXECUTING)) record_executing(entry, self, false);
    notify(NOTIFIED_EXECUTING, self, NULL);
    return true;
}

void observed_cancel(void *self, void *original) {
    recorded_operation *entry = find(self);
    __typeof__(cancelling) before = cancelling;
    if (entry && !has_flag(entry, FLAG_FINISHED)) {
        cancelling.object = self;
        cancelling.time = log_now(entry->log);
    }
    ((void_method)original)(self);
    if (cancelling.object == self && before.object != self && log_is_open(entry->log, entry->log_id))
        record_unseen_cancel(entry, self);
    cancelling = before;
    if (recorder_is_cancelled(self)) notify(NOTIFIED_CANCELLED, self, NULL);
}

static void record_edge(recorded_operation *entry, void *other, bool is_removed) {
    atomic_fetch_add_explicit(&entry->edges, is_removed ? -1 : 1, memory_order_relaxed);
    hooks.edge(entry->log, entry->identifier, other, is_removed);
}

void observed_add_dependency(void *other, void *self, void *original) {
    // An override calls the superclass's method: the edge is the same.
    bool is_known = adding.object == self && adding.other == other;
    if (is_known || recorder_is_enqueuing()) {
        ((operation_method)original)(other, self);
        return;
    }
    __typeof__(adding) outer = adding;
    adding.object = self;
    adding.other = other;
    adding.entry = find(self);
    if (adding.entry) begin_edge(adding.entry);
    notify(NOTIFIED_EDGE_ADDED, self, other);
    if (adding.entry) record_edge(adding.entry, other, false);
    ((operation_method)original)(other, self);
    bool is_recorded = adding.entry || notification();
    end_adding();
    adding = outer;
    // Foundation asked before the edge was marked as in place.
    if (is_recorded && recorder_has_base(METHOD_IS_READY, *(const void **)self))
        observed_is_ready_now(self, foundation.base[METHOD_IS_READY]);
}

void observed_remove_dependency(void *other, void *self, void *original) {
    ((operation_method)original)(other, self);
    if (recorder_is_enqueuing()) return;
    notify(NOTIFIED_EDGE_REMOVED, self, other);
    recorded_operation *entry = find(self);
    if (entry) record_edge(entry, other, true);
}

void observed_destroy(void *self, void *original) {
    // Otherwise an operation that gets the same address would inherit the identifier. Nothing in the
    // deinitializer may assign a new identifier.
    void *outer = objects_begin_destroying(self);
    notify(NOTIFIED_DESTROYED, self, NULL);
    ((void_method)original)(self);
    objects_end_destroying(outer);
}

// MARK: Setup

/// Foundation's tables now point into this library, so a plugin that contains this copy must stay loaded. The
/// main program has no name for the linker, and stays loaded in any case.
static void stay_loaded(void) {
    Dl_info info;
    struct link_map *map = NULL;
    if (dladdr1((void *)stay_loaded, &info, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name[0])
        dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool recorder_interpose(const observation_hooks *asked) {
    foundation_symbols symbols = foundation_linked_symbols();
    if (!foundation_find(&symbols, &foundation)) return false;
    stay_loaded();
    interposition_begin(asked);
    return true;
}

void interposition_begin(const observation_hooks *asked) {
    hooks = *asked;
    // Before this, no class can be changed and nothing here can be called.
    method_pool_begin();
}

void recorder_ask_ready(void *operation) {
    recorded_operation *entry = find(operation);
    if (!entry) return;
    uint64_t asked = atomic_load_explicit(&entry->flags, memory_order_acquire);
    if (base_answer(METHOD_IS_READY, operation)) record_ready(entry, operation, asked);
}

// MARK: Operations that were in their queue before

NOT_SANITIZED int recorder_state(const void *operation) {
    return foundation.state_field ? __atomic_load_n((const uint8_t *)operation + foundation.state_field, __ATOMIC_ACQUIRE) : -1;
}

void recorder_catch_up(void *operation, bool is_notified) {
    recorded_operation *entry = find(operation);
    if (!entry) return;
    bool is_started_and_left = !is_notified && base_answer(METHOD_IS_FINISHED, operation);
    is_catching_up = true;
    if (is_notified) {
        record_finished(entry, operation, false);
    } else if (is_started_and_left || base_answer(METHOD_IS_EXECUTING, operation)) {
        record_executing(entry, operation, false);
    }
    is_catching_up = false;
    // Foundation asked the class before the operation was recorded, and it said no.
    if (is_started_and_left) set_flag(entry, FLAG_ASKED_EARLY);
}

#else

bool recorder_interpose(const observation_hooks *hooks) { return (void)hooks, false; }
bool recorder_may_have_edges(const void *operation) { return (void)operation, true; }
bool recorder_has_waiting_barrier(const void *queue, bool *is_known) { return (void)queue, *is_known = false; }
bool recorder_is_cancelled(const void *operation) { return (void)operation, false; }
void recorder_ask_ready(void *operation) { (void)operation; }
int recorder_state(const void *operation) { return (void)operation, -1; }
void recorder_catch_up(void *operation, bool is_notified) { (void)operation, (void)is_notified; }
bool recorder_was_notified_of_finish(void *operation) { return (void)operation, true; }

#endif
