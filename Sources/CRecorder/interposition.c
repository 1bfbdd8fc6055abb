// Replaces methods in the tables of classes. Every method has a pool of replacements that are compiled in; the number of
// a replacement gives the original that it calls. It is never looked up by the object's class: classes whose metadata is
// made while the program runs copy their superclass's table, replacements included.
//
// One replacement serves every slot with the same original, whatever the class.
#define _GNU_SOURCE
#include "CObservation.h"
#include "objects.h"

#include <string.h>

static __thread recorder_body body;
static __thread bool is_enqueuing;

uint64_t recorder_current(const recorder_log *log) { return body.log_id == log->id ? body.operation : 0; }

recorder_body recorder_enter(const recorder_log *log, uint64_t operation) {
    recorder_body before = body;
    body = (recorder_body){log->id, operation};
    return before;
}

void recorder_restore(recorder_body before) { body = before; }

void recorder_begin_enqueue(void) { is_enqueuing = true; }

void recorder_end_enqueue(void) { is_enqueuing = false; }

#if defined(__linux__) && defined(__LP64__) && __has_attribute(swiftcall)

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

typedef SWIFT void (*void_method)(SELF);
typedef SWIFT bool (*bool_method)(SELF);
typedef SWIFT void (*operation_method)(void *other, SELF);

enum {
    /// Words of class metadata before the methods; two 32-bit numbers among them are the size of the metadata and how
    /// much of it lies before the address.
    FIRST_SLOT = 7,
    POOL = 512,
};

static _Atomic(void *) originals[METHOD_COUNT][POOL];
static int used[METHOD_COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static operation_layout layout;
static observation_hooks hooks;
static bool_method base_is_cancelled;
static atomic_bool is_ready;

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

static void append(followed *entry, uint8_t type, uint64_t argument) {
    log_append(entry->log, entry->log_id, recorder_now(entry->log), type, entry->identifier, argument);
}

/// Appends what happened at some time since the enqueue.
static void append_interval(followed *entry, uint8_t type) {
    record records[] = {
        {.subject = entry->enqueued, .type = RECORD_NOT_BEFORE},
        {.subject = entry->identifier, .type = type},
    };
    cursors_append(entry->log, entry->log_id, recorder_now(entry->log), records, 2);
}

/// The operation, where it is followed and its log is still being written.
static followed *find(void *self) {
    followed *entry = objects_find(self);
    return entry && !is_noted(entry, NOTED_SIGHTED) && entry->log->id == entry->log_id && !recorder_is_forked_child()
        ? entry : NULL;
}

/// The operation that this thread is cancelling, and since when. Whether the class lets itself be cancelled is known when
/// the flag is set.
static __thread struct {
    void *object;
    uint64_t time;
} cancelling;

/// A class that is `final` is cancelled by a direct call, which nobody sees; but then it is asked whether it is ready, or
/// it finishes.
static void note_unseen_cancel(followed *entry, void *self) {
    if (is_noted(entry, NOTED_CANCELLED) || !base_is_cancelled(self) || !note(entry, NOTED_CANCELLED)) return;
    if (cancelling.object == self) {
        log_append(entry->log, entry->log_id, cancelling.time, RECORD_CANCELLED, entry->identifier, 0);
    } else {
        append_interval(entry, RECORD_CANCELLED);
    }
}

static void note_ready(followed *entry, void *self) {
    if (is_noted(entry, NOTED_PENDING | NOTED_FINISHED)) return;
    note_unseen_cancel(entry, self);
    if (is_noted(entry, NOTED_READY)) return;
    // The time first, then the note: whoever starts it meanwhile has a later time.
    uint64_t time = recorder_now(entry->log);
    if (note(entry, NOTED_READY)) log_append(entry->log, entry->log_id, time, RECORD_READY, entry->identifier, 0);
}

static void note_executing(followed *entry, void *self) {
    if (is_noted(entry, NOTED_FINISHED)) return;
    unsigned before =
        atomic_fetch_or_explicit(&entry->noted, NOTED_EXECUTING | NOTED_READY, memory_order_acq_rel);
    if (before & NOTED_EXECUTING) return;
    // To a class that is `final`, edges are added by direct calls as well: when it became ready is then not known, nor is
    // it where nobody asked.
    int known = atomic_load_explicit(&entry->edges, memory_order_relaxed);
    bool has_more = hooks.check_edges(entry->log, entry->identifier, self, known, entry->enqueued);
    if (has_more || !(before & NOTED_READY)) append_interval(entry, RECORD_READY);
    append(entry, RECORD_EXECUTING, 0);
}

// MARK: The replacements, behind their numbers

static void start(void *self, int number) {
    followed *entry = find(self);
    recorder_body before = body;
    if (entry) {
        if (!is_noted(entry, NOTED_CANCELLED) && base_is_cancelled(self)) note_unseen_cancel(entry, self);
        // Cancelled before, it only finishes; should its body run all the same, that is seen there, or below.
        if (!is_noted(entry, NOTED_CANCELLED)) note_executing(entry, self);
        body = (recorder_body){entry->log_id, entry->identifier};
    }
    bool is_unclear = entry && !is_noted(entry, NOTED_EXECUTING);
    uint64_t time = is_unclear ? recorder_now(entry->log) : 0;
    ((void_method)original(METHOD_START, number))(self);
    body = before;
    // It was cancelled, and works all the same.
    if (is_unclear && !is_noted(entry, NOTED_FINISHED) && hooks.is_executing(self) && note(entry, NOTED_EXECUTING))
        log_append(entry->log, entry->log_id, time, RECORD_EXECUTING, entry->identifier, 0);
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
    if (is_outermost && entry->log->id == entry->log_id) append(entry, RECORD_BODY_ENDED, 0);
}

static bool is_finished(void *self, int number) {
    bool answer = ((bool_method)original(METHOD_IS_FINISHED, number))(self);
    if (!answer) return false;
    followed *entry = find(self);
    if (!entry || is_noted(entry, NOTED_FINISHED)) return true;
    note_unseen_cancel(entry, self);
    if (note(entry, NOTED_FINISHED)) append(entry, RECORD_FINISHED, is_noted(entry, NOTED_CANCELLED) ? 1 : 0);
    return true;
}

static bool is_ready_now(void *self, int number) {
    bool answer = ((bool_method)original(METHOD_IS_READY, number))(self);
    followed *entry = answer ? find(self) : NULL;
    if (entry) note_ready(entry, self);
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
    if (cancelling.object == self && before.object != self && entry->log->id == entry->log_id)
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
    followed *entry = find(self);
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
    if (is_logged && log->id == log_id) log_append(log, log_id, recorder_now(log), RECORD_WAIT_ENDED, 0, 0);
}

static void destroy(void *self, int number) {
    // Or an operation that gets the same address would inherit the identifier.
    objects_remove(self);
    ((void_method)original(METHOD_DESTROY, number))(self);
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
    IN_POOL void wait_##number(SELF) { wait_for(self, 0x##number); }                                     \
    IN_POOL void destroy_##number(SELF) { destroy(self, 0x##number); }

#define NAMES(number)                                                                                    \
    {start_##number, main_##number, finished_##number, ready_##number, cancel_##number, add_##number,    \
     remove_##number, wait_##number, destroy_##number},

// 512 of each, numbered in hexadecimal from 000 to 1ff.
#define SIXTEEN(M, digits)                                                                                    \
    M(digits##0) M(digits##1) M(digits##2) M(digits##3) M(digits##4) M(digits##5) M(digits##6) M(digits##7)                                      \
    M(digits##8) M(digits##9) M(digits##a) M(digits##b) M(digits##c) M(digits##d) M(digits##e) M(digits##f)
#define HUNDRED(M, digits)                                                                                    \
    SIXTEEN(M, digits##0) SIXTEEN(M, digits##1) SIXTEEN(M, digits##2) SIXTEEN(M, digits##3)                                  \
    SIXTEEN(M, digits##4) SIXTEEN(M, digits##5) SIXTEEN(M, digits##6) SIXTEEN(M, digits##7)                                  \
    SIXTEEN(M, digits##8) SIXTEEN(M, digits##9) SIXTEEN(M, digits##a) SIXTEEN(M, digits##b)                                  \
    SIXTEEN(M, digits##c) SIXTEEN(M, digits##d) SIXTEEN(M, digits##e) SIXTEEN(M, digits##f)

HUNDRED(DEFINE, 0)
HUNDRED(DEFINE, 1)

static void *const pool[POOL][METHOD_COUNT] = {HUNDRED(NAMES, 0) HUNDRED(NAMES, 1)};

extern const char __start_opviz_pool[], __stop_opviz_pool[];

static bool is_replacement(const void *method) {
    return (const char *)method >= __start_opviz_pool && (const char *)method < __stop_opviz_pool;
}

// MARK: Classes

bool recorder_can_interpose(void) { return true; }

void recorder_interpose(const void *operation_class, const operation_layout *found, const observation_hooks *asked) {
    pthread_mutex_lock(&lock);
    layout = *found;
    hooks = *asked;
    base_is_cancelled = ((bool_method const *)operation_class)[layout.is_cancelled];
    atomic_store_explicit(&is_ready, true, memory_order_release);
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

/// A word of the user's class. The thread sanitizer would report that others read it, as they always do, without a lock:
/// a word is written whole.
static __attribute__((no_sanitize("thread"), noinline)) void *read_slot(void **slot) {
    return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}

static __attribute__((no_sanitize("thread"), noinline)) void write_slot(void **slot, void *method) {
    __atomic_store_n(slot, method, __ATOMIC_RELEASE);
}

// MARK: Queues

enum { QUEUE_POOL = 32 };

static _Atomic(void *) queue_originals[QUEUE_METHOD_COUNT][QUEUE_POOL];
static int used_for_queues[QUEUE_METHOD_COUNT];
static int16_t queue_slots[QUEUE_METHOD_COUNT];
static queue_hooks queue_asked;

typedef SWIFT void (*add_method)(void *operation, SELF);
typedef SWIFT void (*add_all_method)(void *operations, bool waits, SELF);

static void add(void *operation, void *self, int number) {
    add_method method = (add_method)atomic_load_explicit(&queue_originals[QUEUE_ADD][number], memory_order_acquire);
    // One way of adding may go through another.
    void *begun = is_enqueuing ? NULL : queue_asked.begin(self, operation, false);
    if (begun) recorder_begin_enqueue();
    method(operation, self);
    if (begun) {
        recorder_end_enqueue();
        queue_asked.end(begun);
    }
}

static void add_all(void *operations, bool waits, void *self, int number) {
    add_all_method method =
        (add_all_method)atomic_load_explicit(&queue_originals[QUEUE_ADD_ALL][number], memory_order_acquire);
    void *begun = is_enqueuing ? NULL : queue_asked.begin(self, operations, true);
    if (begun) recorder_begin_enqueue();
    method(operations, waits, self);
    if (begun) {
        recorder_end_enqueue();
        queue_asked.end(begun);
    }
}

#define IN_QUEUE_POOL __attribute__((section("opviz_queue_pool"), used, noinline)) static SWIFT
#define DEFINE_QUEUE(number)                                                                             \
    IN_QUEUE_POOL void queue_add_##number(void *operation, SELF) { add(operation, self, 0x##number); }   \
    IN_QUEUE_POOL void queue_add_all_##number(void *operations, bool waits, SELF) {                      \
        add_all(operations, waits, self, 0x##number);                                                    \
    }
#define NAME_QUEUE(number) {queue_add_##number, queue_add_all_##number},

SIXTEEN(DEFINE_QUEUE, 0)
SIXTEEN(DEFINE_QUEUE, 1)

static void *const queue_pool[QUEUE_POOL][QUEUE_METHOD_COUNT] = {SIXTEEN(NAME_QUEUE, 0) SIXTEEN(NAME_QUEUE, 1)};

extern const char __start_opviz_queue_pool[], __stop_opviz_queue_pool[];

void recorder_interpose_queues(const int16_t slots[QUEUE_METHOD_COUNT], const queue_hooks *asked) {
    pthread_mutex_lock(&lock);
    memcpy(queue_slots, slots, sizeof queue_slots);
    queue_asked = *asked;
    pthread_mutex_unlock(&lock);
}

/// Replaces the method in a slot of a queue's class. With the lock held. False where the pool is used up.
static bool replace_add(void **slot, queue_method kind) {
    void *method = read_slot(slot);
    if ((const char *)method >= __start_opviz_queue_pool && (const char *)method < __stop_opviz_queue_pool) return true;
    int number = 0;
    while (number < used_for_queues[kind] && queue_originals[kind][number] != method) number++;
    if (number == QUEUE_POOL) return false;
    if (number == used_for_queues[kind]) {
        atomic_store_explicit(&queue_originals[kind][number], method, memory_order_release);
        used_for_queues[kind]++;
    }
    write_slot(slot, queue_pool[number][kind]);
    return true;
}

bool recorder_observe_queue_class(const void *class_metadata) {
    void **words = (void **)class_metadata;
    pthread_mutex_lock(&lock);
    bool is_complete =
        replace_add(&words[queue_slots[QUEUE_ADD]], QUEUE_ADD) && replace_add(&words[queue_slots[QUEUE_ADD_ALL]], QUEUE_ADD_ALL);
    pthread_mutex_unlock(&lock);
    return is_complete;
}

void recorder_replace_method(const void *class_metadata, int slot, const void *expected, const void *method) {
    void **words = (void **)class_metadata;
    pthread_mutex_lock(&lock);
    if (read_slot(&words[slot]) == expected) write_slot(&words[slot], (void *)method);
    pthread_mutex_unlock(&lock);
}

bool recorder_observe_class(const void *class_metadata) {
    if (!atomic_load_explicit(&is_ready, memory_order_acquire)) return false;
    void **words = (void **)class_metadata;
    bool is_complete = true;
    for (int kind = 0; kind < METHOD_COUNT; kind++) {
        void **slot = &words[layout.slots[kind]];
        if (is_replacement(read_slot(slot))) continue;
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

// MARK: Operations

void recorder_follow(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    bool is_new;
    followed *entry = objects_find_or_add(operation, log, &is_new);
    if (!entry) return;
    entry->identifier = identifier;
    entry->enqueued = enqueued;
    atomic_store_explicit(&entry->edges, edges, memory_order_relaxed);
    atomic_store_explicit(&entry->noted, readiness & (NOTED_PENDING | NOTED_READY | NOTED_EXECUTING), memory_order_release);
}

void recorder_arm(void *operation) {
    followed *entry = objects_find(operation);
    if (entry) atomic_fetch_and(&entry->noted, ~(unsigned)NOTED_PENDING);
}

bool recorder_is_followed(const recorder_log *log, void *operation) {
    followed *entry = objects_find(operation);
    return entry && entry->log_id == log->id && !is_noted(entry, NOTED_SIGHTED);
}

uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    followed *entry = objects_find_or_add(operation, log, is_new);
    return entry ? entry->identifier : recorder_next_operation(log);
}

#else

bool recorder_can_interpose(void) { return false; }
void recorder_interpose(const void *operation_class, const operation_layout *layout, const observation_hooks *hooks) {
    (void)operation_class, (void)layout, (void)hooks;
}
bool recorder_observe_class(const void *class_metadata) { return (void)class_metadata, false; }
void recorder_follow(
    recorder_log *log, void *operation, uint64_t identifier, uint64_t enqueued, int edges, uint32_t readiness) {
    (void)log, (void)operation, (void)identifier, (void)enqueued, (void)edges, (void)readiness;
}
void recorder_arm(void *operation) { (void)operation; }
bool recorder_is_followed(const recorder_log *log, void *operation) { return (void)log, (void)operation, false; }
void recorder_interpose_queues(const int16_t slots[QUEUE_METHOD_COUNT], const queue_hooks *hooks) {
    (void)slots, (void)hooks;
}
bool recorder_observe_queue_class(const void *class_metadata) { return (void)class_metadata, false; }
void recorder_replace_method(const void *class_metadata, int slot, const void *expected, const void *replacement) {
    (void)class_metadata, (void)slot, (void)expected, (void)replacement;
}
uint64_t recorder_identify(recorder_log *log, void *operation, bool *is_new) {
    (void)operation;
    *is_new = true;
    return recorder_next_operation(log);
}

#endif
