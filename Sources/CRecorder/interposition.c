// Replaces methods in the tables of classes. Every method has a pool of replacements that are compiled in; the number of
// a replacement gives the original that it calls. It is never looked up by the object's class: classes whose metadata is
// made while the program runs copy their superclass's table, replacements included.
//
// One replacement serves every slot with the same original, whatever the class.
#define _GNU_SOURCE
#include "interposition.h"

#include <string.h>

THREAD_LOCAL recorder_body body;
THREAD_LOCAL bool is_enqueuing;

uint64_t recorder_current(const recorder_log *log) { return body.log_id == log->id ? body.operation : 0; }

recorder_body recorder_enter(const recorder_log *log, uint64_t operation) {
    recorder_body before = body;
    body = (recorder_body){log->id, operation};
    return before;
}

void recorder_restore(recorder_body before) { body = before; }

THREAD_LOCAL bool is_queue_waiting;

bool recorder_begin_queue_wait(void) {
    bool before = is_queue_waiting;
    is_queue_waiting = true;
    return before;
}

void recorder_end_queue_wait(bool before) { is_queue_waiting = before; }

bool recorder_is_queue_waiting(void) { return is_queue_waiting; }

bool recorder_begin_enqueue(void) {
    bool before = is_enqueuing;
    is_enqueuing = true;
    return before;
}

void recorder_end_enqueue(bool before) { is_enqueuing = before; }

#ifdef RECORDER_INTERPOSES

typedef SWIFT void (*void_method)(SELF);
typedef SWIFT bool (*bool_method)(SELF);
typedef SWIFT void (*operation_method)(void *other, SELF);

enum { POOL = 512 };

static _Atomic(void *) originals[METHOD_COUNT][POOL];
static int used[METHOD_COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static foundation_layout layout;
static observation_hooks hooks;
static bool_method base_is_ready;
static bool_method base_is_executing;
static atomic_bool is_possible;

static void *original(observed_method method, int number) {
    return atomic_load_explicit(&originals[method][number], memory_order_acquire);
}

// MARK: What is noted

/// Sets a flag of a followed operation; true for the first who does.
static bool note(followed *entry, unsigned flag) {
    return !(atomic_fetch_or_explicit(&entry->noted, flag, memory_order_acq_rel) & flag);
}

static bool is_noted(followed *entry, unsigned flags) {
    return atomic_load_explicit(&entry->noted, memory_order_acquire) & flags;
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

/// The operation, where it is followed and its log is still being written.
static followed *find(void *self) {
    // A child that came out of a fork may find a lock held for ever.
    return recorder_is_forked_child() ? NULL : objects_find(self);
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

static void start(void *self, int number) {
    followed *entry = find(self);
    recorder_body before = body;
    if (entry) {
        if (!is_noted(entry, NOTED_CANCELLED) && recorder_is_cancelled(self)) note_unseen_cancel(entry, self);
        // Cancelled before, it only finishes; should its body run all the same, that is seen there, or below.
        if (!is_noted(entry, NOTED_CANCELLED)) note_executing(entry, self);
        body = (recorder_body){entry->log_id, entry->identifier};
    }
    __typeof__(starting) outer = starting;
    bool is_unclear = entry && !is_noted(entry, NOTED_EXECUTING);
    if (is_unclear) {
        starting.object = self;
        starting.time = recorder_now(entry->log);
    }
    ((void_method)original(METHOD_START, number))(self);
    body = before;
    // It was cancelled, and works all the same, without having said so.
    if (is_unclear && !is_noted(entry, NOTED_FINISHED | NOTED_EXECUTING) && hooks.is_executing(self))
        note_executing(entry, self);
    starting = outer;
}

static void run_body(void *self, int number) {
    followed *entry = find(self);
    // `super.main()` comes here again.
    bool is_outermost = entry && note(entry, NOTED_BODY);
    recorder_body before = body;
    if (is_outermost) {
        note_executing(entry, self);
        append(entry, RECORD_BODY_BEGAN, 0);
        body = (recorder_body){entry->log_id, entry->identifier};
    }
    ((void_method)original(METHOD_MAIN, number))(self);
    body = before;
    if (is_outermost && log_is_open(entry->log, entry->log_id)) append(entry, RECORD_BODY_ENDED, 0);
}

static bool is_finished(void *self, int number) {
    bool answer = ((bool_method)original(METHOD_IS_FINISHED, number))(self);
    if (!answer) return false;
    followed *entry = find(self);
    if (!entry || is_noted(entry, NOTED_FINISHED)) return true;
    note_unseen_cancel(entry, self);
    if (!note(entry, NOTED_FINISHED)) return true;
    uint64_t outcome = is_noted(entry, NOTED_CANCELLED) ? 1 : 0;
    if (is_catching_up) {
        append_interval(entry, RECORD_FINISHED, outcome);
    } else {
        append(entry, RECORD_FINISHED, outcome);
    }
    if (entry->barrier) {
        uint64_t last = atomic_load(entry->finished_barriers);
        while (last < entry->barrier && !atomic_compare_exchange_weak(entry->finished_barriers, &last, entry->barrier)) {}
    }
    return true;
}

static bool is_ready_now(void *self, int number) {
    bool answer = ((bool_method)original(METHOD_IS_READY, number))(self);
    if (barrier_seen) barrier_seen(self);
    followed *entry = answer ? find(self) : NULL;
    if (entry) note_ready(entry, self);
    return answer;
}

static bool is_executing_now(void *self, int number) {
    bool answer = ((bool_method)original(METHOD_IS_EXECUTING, number))(self);
    followed *entry = answer ? find(self) : NULL;
    if (entry && !is_noted(entry, NOTED_EXECUTING)) note_executing(entry, self);
    return answer;
}

static void cancel(void *self, int number) {
    followed *entry = find(self);
    __typeof__(cancelling) before = cancelling;
    if (entry && !is_noted(entry, NOTED_FINISHED)) {
        cancelling.object = self;
        cancelling.time = recorder_now(entry->log);
    }
    ((void_method)original(METHOD_CANCEL, number))(self);
    if (cancelling.object == self && before.object != self && log_is_open(entry->log, entry->log_id))
        note_unseen_cancel(entry, self);
    cancelling = before;
}

static void note_edge(void *self, void *other, bool is_removed) {
    followed *entry = is_enqueuing ? NULL : find(self);
    if (!entry) return;
    atomic_fetch_add_explicit(&entry->edges, is_removed ? -1 : 1, memory_order_relaxed);
    // It waits again; when it is ready the next time, that counts.
    if (!is_removed && !is_noted(entry, NOTED_EXECUTING))
        atomic_fetch_and_explicit(&entry->noted, ~(unsigned)NOTED_READY, memory_order_acq_rel);
    hooks.edge(entry->log, entry->identifier, other, is_removed);
}

static void add_dependency(void *other, void *self, int number) {
    note_edge(self, other, false);
    ((operation_method)original(METHOD_ADD_DEPENDENCY, number))(other, self);
}

static void remove_dependency(void *other, void *self, int number) {
    ((operation_method)original(METHOD_REMOVE_DEPENDENCY, number))(other, self);
    note_edge(self, other, true);
}

static void wait_for(void *self, int number) {
    followed *entry = is_queue_waiting ? NULL : find(self);
    bool is_logged = entry && !is_noted(entry, NOTED_FINISHED);
    uint64_t log_id = is_logged ? entry->log_id : 0;
    recorder_log *log = is_logged ? entry->log : NULL;
    if (is_logged) {
        record records[] = {
            {.subject = body.operation, .type = RECORD_PARENT},
            {.subject = entry->identifier, .type = RECORD_WAIT_FOR_OPERATION},
        };
        bool has_parent = body.log_id == log_id && body.operation;
        cursors_append(log, log_id, recorder_now(log), records + !has_parent, 1 + has_parent);
    }
    ((void_method)original(METHOD_WAIT, number))(self);
    if (is_logged && log_is_open(log, log_id)) log_append(log, log_id, recorder_now(log), RECORD_WAIT_ENDED, 0, 0);
}

static void destroy(void *self, int number) {
    // Or an operation that gets the same address would inherit the identifier. What its deinitializer does gives it none.
    void *outer = objects_begin_destroying(self);
    ((void_method)original(METHOD_DESTROY, number))(self);
    objects_end_destroying(outer);
}

// MARK: The pools

// All in one section, so that a replacement is known by its address.
#define IN_POOL __attribute__((section("opviz_pool"), used, noinline)) static SWIFT

#define DEFINE(number)                                                                                   \
    IN_POOL void start_##number(SELF) { start(self, 0x##number); }                                       \
    IN_POOL void main_##number(SELF) { run_body(self, 0x##number); }                                     \
    IN_POOL bool finished_##number(SELF) { return is_finished(self, 0x##number); }                       \
    IN_POOL bool ready_##number(SELF) { return is_ready_now(self, 0x##number); }                         \
    IN_POOL void cancel_##number(SELF) { cancel(self, 0x##number); }                                     \
    IN_POOL void add_##number(void *other, SELF) { add_dependency(other, self, 0x##number); }            \
    IN_POOL void remove_##number(void *other, SELF) { remove_dependency(other, self, 0x##number); }      \
    IN_POOL bool executing_##number(SELF) { return is_executing_now(self, 0x##number); }                 \
    IN_POOL void wait_##number(SELF) { wait_for(self, 0x##number); }                                     \
    IN_POOL void destroy_##number(SELF) { destroy(self, 0x##number); }

#define FILL(number)                                                                                     \
    pool[0x##number][METHOD_START] = start_##number, pool[0x##number][METHOD_MAIN] = main_##number;      \
    pool[0x##number][METHOD_IS_FINISHED] = finished_##number;                                            \
    pool[0x##number][METHOD_IS_READY] = ready_##number, pool[0x##number][METHOD_CANCEL] = cancel_##number; \
    pool[0x##number][METHOD_ADD_DEPENDENCY] = add_##number;                                              \
    pool[0x##number][METHOD_REMOVE_DEPENDENCY] = remove_##number;                                        \
    pool[0x##number][METHOD_IS_EXECUTING] = executing_##number;                                          \
    pool[0x##number][METHOD_WAIT] = wait_##number, pool[0x##number][METHOD_DESTROY] = destroy_##number;

// 512 of each, numbered from 000 to 1ff.
HUNDRED(DEFINE, 0)
HUNDRED(DEFINE, 1)

/// Filled when it is needed: a table that the linker fills would cost every program some tenths of a millisecond.
static void *pool[POOL][METHOD_COUNT];

static void fill_pool(void) { HUNDRED(FILL, 0) HUNDRED(FILL, 1) }

#pragma GCC visibility push(hidden)
extern const char __start_opviz_pool[], __stop_opviz_pool[];
#pragma GCC visibility pop

static bool is_replacement(const void *method) {
    return (const char *)method >= __start_opviz_pool && (const char *)method < __stop_opviz_pool;
}

// MARK: Classes

bool recorder_interpose(const observation_hooks *asked) {
    foundation_symbols symbols = foundation_linked_symbols();
    foundation_layout found;
    return foundation_find(&symbols, &found) && (interposition_begin(&found, asked), true);
}

void interposition_begin(const foundation_layout *found, const observation_hooks *asked) {
    pthread_mutex_lock(&lock);
    fill_pool();
    layout = *found;
    hooks = *asked;
    base_is_ready = ((bool_method const *)layout.symbols.operation)[layout.operation.slots[METHOD_IS_READY]];
    base_is_executing =
        ((bool_method const *)layout.symbols.operation)[layout.operation.slots[METHOD_IS_EXECUTING]];
    atomic_store_explicit(&is_possible, true, memory_order_release);
    pthread_mutex_unlock(&lock);
}

/// The replacement that calls `method`, or NULL where the pool is used up. With the lock held.
static void *replacement(observed_method kind, void *method) {
    for (int number = 0; number < used[kind]; number++) {
        if (originals[kind][number] == method) return pool[number][kind];
    }
    if (used[kind] == POOL) return NULL;
    // The original is there before anybody can call the replacement.
    atomic_store_explicit(&originals[kind][used[kind]], method, memory_order_release);
    return pool[used[kind]++][kind];
}

NOT_SANITIZED void *read_slot(void **slot) {
    return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

NOT_SANITIZED void write_slot(void **slot, void *method) {
    __atomic_store_n(slot, method, __ATOMIC_RELEASE);
}

bool recorder_observe_class(const void *class_metadata) {
    if (!atomic_load_explicit(&is_possible, memory_order_acquire)) return false;
    void **words = (void **)class_metadata;
    bool is_complete = true;
    for (int kind = 0; kind < METHOD_COUNT; kind++) {
        void **slot = &words[layout.operation.slots[kind]];
        if (is_replacement(read_slot(slot))) continue;
        if (kind == METHOD_IS_EXECUTING && read_slot(slot) == (void *)base_is_executing) continue;
        pthread_mutex_lock(&lock);
        void *method = read_slot(slot);
        if (!is_replacement(method)) {
            void *found = replacement(kind, method);
            if (found) {
                write_slot(slot, found);
            } else {
                is_complete = false;
            }
        }
        pthread_mutex_unlock(&lock);
        // Half a class would give half a truth.
        if (!is_complete) return false;
    }
    return true;
}

bool recorder_has_base_readiness(const void *class_metadata) {
    int16_t slot = layout.operation.slots[METHOD_IS_READY];
    void *method = read_slot((void **)class_metadata + slot);
    if (!is_replacement(method)) return method == (void *)base_is_ready;
    for (int number = 0; number < POOL; number++) {
        if (pool[number][METHOD_IS_READY] == method) return original(METHOD_IS_READY, number) == (void *)base_is_ready;
    }
    return false;
}

// MARK: Operations

void recorder_follow(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    bool is_new;
    followed *entry = objects_find_or_add(operation, log, &is_new);
    if (!entry) return;
    entry->identifier = identifier;
    entry->enqueued = enqueued;
    atomic_store_explicit(&entry->edges, edges, memory_order_relaxed);
    bool is_cancelled = recorder_is_cancelled(operation);
    uint32_t noted = readiness & (NOTED_PENDING | NOTED_READY | NOTED_EXECUTING);
    atomic_store_explicit(&entry->noted, noted | (is_cancelled ? NOTED_CANCELLED : 0), memory_order_release);
    if (is_cancelled) interposition_note_early_cancel(log, identifier);
}

void interposition_note_early_cancel(recorder_log *log, uint64_t identifier) {
    record records[] = {
        {.subject = log->header->start_time, .type = RECORD_NOT_BEFORE},
        {.subject = identifier, .type = RECORD_CANCELLED},
    };
    recorder_append(log, recorder_now(log), records, 2);
}

void recorder_catch_up(void *operation) {
    followed *entry = find(operation);
    if (!entry) return;
    is_catching_up = true;
    // Asking notes it.
    bool has_finished = ((bool_method)(*(void ***)operation)[layout.operation.slots[METHOD_IS_FINISHED]])(operation);
    if (!has_finished && hooks.is_executing(operation)) note_executing(entry, operation);
    is_catching_up = false;
}

void recorder_arm(void *operation) {
    followed *entry = objects_find(operation);
    if (entry) atomic_fetch_and(&entry->noted, ~(unsigned)NOTED_PENDING);
}

bool recorder_is_followed(const recorder_log *log, void *operation) {
    followed *entry = objects_find(operation);
    return entry && entry->log_id == log->id;
}

uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    followed *entry = objects_find_or_add(operation, log, is_new);
    return entry ? entry->identifier : recorder_next_operation(log);
}

#else

bool recorder_interpose(const observation_hooks *hooks) { return (void)hooks, false; }
bool recorder_observe_class(const void *class_metadata) { return (void)class_metadata, false; }
bool recorder_has_base_readiness(const void *class_metadata) { return (void)class_metadata, false; }
bool recorder_may_have_edges(const void *operation) { return (void)operation, true; }
bool recorder_is_cancelled(const void *operation) { return (void)operation, false; }
void recorder_catch_up(void *operation) { (void)operation; }
void recorder_follow(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    (void)log, (void)operation, (void)identifier, (void)enqueued, (void)edges, (void)readiness;
}
void interposition_note_early_cancel(recorder_log *log, uint64_t identifier) {
    record records[] = {
        {.subject = log->header->start_time, .type = RECORD_NOT_BEFORE},
        {.subject = identifier, .type = RECORD_CANCELLED},
    };
    recorder_append(log, recorder_now(log), records, 2);
}

void recorder_catch_up(void *operation) {
    followed *entry = find(operation);
    if (!entry) return;
    is_catching_up = true;
    // Asking notes it.
    bool has_finished = ((bool_method)(*(void ***)operation)[layout.operation.slots[METHOD_IS_FINISHED]])(operation);
    if (!has_finished && hooks.is_executing(operation)) note_executing(entry, operation);
    is_catching_up = false;
}

void recorder_arm(void *operation) { (void)operation; }
bool recorder_is_followed(const recorder_log *log, void *operation) { return (void)log, (void)operation, false; }
uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    (void)operation;
    *is_new = true;
    return recorder_next_operation(log);
}

#endif
