// Replaces the methods of queues in the tables of their classes, as interposition.c does for operations.
#include "preload.h"

#ifdef RECORDER_INTERPOSES

typedef enum {
    ADD,
    ADD_ALL,
    ADD_BARRIER,
    CANCEL_ALL,
    WAIT,
    SET_LIMIT,
    SET_SUSPENDED,
    SET_NAME,
    CHANGE_LIMIT,
    CHANGE_SUSPENDED,
    DESTROY,
    COUNT,
} queue_method_kind;

enum { POOL = 256 };

static _Atomic(void *) originals[COUNT][POOL];
static int used[COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *original(queue_method_kind kind, int number) {
    return atomic_load_explicit(&originals[kind][number], memory_order_acquire);
}

static void append(uint8_t type, uint64_t subject, uint64_t argument) {
    recorder_log *log = the_log();
    if (log) recorder_append_now(log, log->id, type, subject, argument);
}

// MARK: The replacements, behind their numbers

static void add(void *operation, void *self, int number) {
    observed_queue *queue = queues_find(self);
    recorder_log *log = queue ? the_log() : NULL;
    bool before = false;
    if (log) {
        enqueue(log, queue, operation);
        before = recorder_begin_enqueue();
    }
    ((SWIFT void (*)(void *, SELF))original(ADD, number))(operation, self);
    if (log) recorder_end_enqueue(before);
}

static void add_all(void *operations, bool waits, void *self, int number) {
    observed_queue *queue = queues_find(self);
    recorder_log *log = queue ? the_log() : NULL;
    bool before = false;
    if (log) {
        uint64_t count;
        void **elements = foundation_elements(operations, &count);
        for (uint64_t index = 0; index < count; index++) enqueue(log, queue, elements[index]);
        before = recorder_begin_enqueue();
    }
    ((SWIFT void (*)(void *, bool, SELF))original(ADD_ALL, number))(operations, waits, self);
    if (log) recorder_end_enqueue(before);
}

static void add_barrier(const void *code, void *context, void *self, int number) {
    observed_queue *queue = barriers_is_adding(self) ? NULL : queues_find(self);
    recorder_log *log = queue ? the_log() : NULL;
    add_barrier_method method = (add_barrier_method)original(ADD_BARRIER, number);
    if (log) {
        barriers_add(log, queue, self, code, context, method);
    } else {
        method(code, context, self);
    }
}

/// An override calls the superclass's method, and that is the same call.
THREAD_LOCAL void *cancelling, *waiting;

static void cancel_all(void *self, int number) {
    observed_queue *queue = cancelling == self ? NULL : queues_find(self);
    void *outer = cancelling;
    cancelling = self;
    if (queue) append(RECORD_ALL_CANCELLED, queue->identifier, 0);
    ((SWIFT void (*)(SELF))original(CANCEL_ALL, number))(self);
    cancelling = outer;
}

static void wait_for_all(void *self, int number) {
    observed_queue *queue = waiting == self ? NULL : queues_find(self);
    void *outer = waiting;
    waiting = self;
    recorder_log *log = queue ? the_log() : NULL;
    if (log) {
        uint64_t parent = recorder_current(log->id);
        record records[] = {
            {.subject = parent, .type = RECORD_PARENT},
            {.subject = queue->identifier, .type = RECORD_WAIT_FOR_QUEUE},
        };
        recorder_append(log, log_now(log), records + !parent, 1 + (parent != 0));
    }
    // Foundation waits for one operation after the other. These waits belong to this one.
    bool before = recorder_begin_queue_wait();
    ((SWIFT void (*)(SELF))original(WAIT, number))(self);
    waiting = outer;
    recorder_end_queue_wait(before);
    if (log) append(RECORD_WAIT_ENDED, 0, 0);
}

static void set_limit(int64_t limit, void *self, int number) {
    settings_set_limit(limit, self, original(SET_LIMIT, number));
}

static void set_suspended(bool is_suspended, void *self, int number) {
    settings_set_suspended(is_suspended, self, original(SET_SUSPENDED, number));
}

static void set_name(swift_text name, void *self, int number) {
    settings_set_name(name, self, original(SET_NAME, number));
}

static void destroy(void *self, int number) {
    // Otherwise a queue that gets the same address would inherit the entry.
    queues_forget(self);
    ((SWIFT void (*)(SELF))original(DESTROY, number))(self);
}

// MARK: The pool

#define IN_POOL __attribute__((section("opviz_queues"), used, noinline)) static SWIFT

#define DEFINE(number)                                                                                        \
    IN_POOL void add_##number(void *operation, SELF) { add(operation, self, 0x##number); }                    \
    IN_POOL void add_all_##number(void *operations, bool waits, SELF) { add_all(operations, waits, self, 0x##number); } \
    IN_POOL void add_barrier_##number(const void *code, void *context, SELF) {                                \
        add_barrier(code, context, self, 0x##number);                                                         \
    }                                                                                                         \
    IN_POOL void cancel_all_##number(SELF) { cancel_all(self, 0x##number); }                                  \
    IN_POOL void wait_##number(SELF) { wait_for_all(self, 0x##number); }                                      \
    IN_POOL void set_limit_##number(int64_t limit, SELF) { set_limit(limit, self, 0x##number); }              \
    IN_POOL void set_suspended_##number(bool is_suspended, SELF) { set_suspended(is_suspended, self, 0x##number); } \
    IN_POOL void set_name_##number(swift_text name, SELF) { set_name(name, self, 0x##number); }               \
    IN_POOL settings_change change_limit_##number(void **buffer, SELF) {                                               \
        return settings_change_in_place(buffer, self, original(CHANGE_LIMIT, 0x##number));                                       \
    }                                                                                                         \
    IN_POOL settings_change change_suspended_##number(void **buffer, SELF) {                                           \
        return settings_change_in_place(buffer, self, original(CHANGE_SUSPENDED, 0x##number));                                   \
    }                                                                                                         \
    IN_POOL void destroy_##number(SELF) { destroy(self, 0x##number); }

#define FILL(number)                                                                                          \
    pool[0x##number][ADD] = add_##number, pool[0x##number][ADD_ALL] = add_all_##number;                       \
    pool[0x##number][ADD_BARRIER] = add_barrier_##number, pool[0x##number][CANCEL_ALL] = cancel_all_##number; \
    pool[0x##number][WAIT] = wait_##number, pool[0x##number][SET_LIMIT] = set_limit_##number;                 \
    pool[0x##number][SET_SUSPENDED] = set_suspended_##number, pool[0x##number][SET_NAME] = set_name_##number; \
    pool[0x##number][CHANGE_LIMIT] = change_limit_##number;                                                   \
    pool[0x##number][CHANGE_SUSPENDED] = change_suspended_##number;                                           \
    pool[0x##number][DESTROY] = destroy_##number;

REPEAT_256(DEFINE, 0)

/// Filled on first use, and not by the linker in every program.
static void *pool[POOL][COUNT];

static void fill_pool(void) { REPEAT_256(FILL, 0) }

#pragma GCC visibility push(hidden)
extern const char __start_opviz_queues[], __stop_opviz_queues[];
#pragma GCC visibility pop

/// Whether a class's own method is left alone. An override may reject an operation, give it edges, or never
/// do what it was asked. So the arguments that reach Foundation's method count. Every override that calls it
/// does so directly, which is seen. With static linking it is not seen; then the override is replaced
/// instead.
static bool is_left_alone(void *method, queue_method_kind kind) {
    static const bool is_called_directly[COUNT] = {
        [ADD] = true, [ADD_ALL] = true, [ADD_BARRIER] = true, [CANCEL_ALL] = true,
        [WAIT] = true, [SET_LIMIT] = true, [SET_SUSPENDED] = true, [SET_NAME] = true,
    };
    if (foundation_is_static || !is_called_directly[kind] || used[kind] == 0) return false;
    return originals[kind][0] != method;
}

static void replace(void **slot, queue_method_kind kind) {
    char *method = read_slot(slot);
    if (method >= __start_opviz_queues && method < __stop_opviz_queues) return;
    if (is_left_alone(method, kind)) return;
    int number = 0;
    while (number < used[kind] && originals[kind][number] != method) number++;
    // The pool is used up: calls of this class are not seen.
    if (number == POOL) return;
    if (number == used[kind]) {
        // The original is stored before anybody can call the replacement.
        atomic_store_explicit(&originals[kind][number], method, memory_order_release);
        used[kind]++;
    }
    write_slot(slot, pool[number][kind]);
}

// MARK: Direct calls

// The compiler calls Foundation's function directly, without the table, if it knows the queue's class: for a
// final class, and in `super.addOperation`. The linker resolves such calls to these functions. They are in
// the pool's section, because a subclass that is linked into the program has them in its table.

// Number 0 stands for OperationQueue's own method, because its class comes first.
#define DIRECT(kind, name, called, symbol, parameters, ...)                                                   \
    SWIFT void name parameters __asm__(symbol) __attribute__((visibility("default"), section("opviz_queues"))); \
    SWIFT void name parameters {                                                                              \
        static _Atomic(void *) found;                                                                         \
        if (original(kind, 0)) {                                                                              \
            called(__VA_ARGS__, 0);                                                                           \
        } else {                                                                                              \
            ((SWIFT void(*) parameters)foundation_function(&found, symbol))(__VA_ARGS__);                     \
        }                                                                                                     \
    }

#define QUEUE "$s10Foundation14OperationQueueC"
DIRECT(ADD, direct_add, add, QUEUE "03addB0yyAA0B0CF", (void *operation, SELF), operation, self)
DIRECT(ADD_ALL, direct_add_all, add_all, QUEUE "13addOperations_17waitUntilFinishedySayAA0B0CG_SbtF",
       (void *operations, bool waits, SELF), operations, waits, self)
DIRECT(ADD_BARRIER, direct_add_barrier, add_barrier, QUEUE "15addBarrierBlockyyyyYbcF",
       (const void *code, void *context, SELF), code, context, self)
DIRECT(CANCEL_ALL, direct_cancel_all, cancel_all, QUEUE "19cancelAllOperationsyyF", (SELF), self)
DIRECT(WAIT, direct_wait, wait_for_all, QUEUE "33waitUntilAllOperationsAreFinishedyyF", (SELF), self)
DIRECT(SET_LIMIT, direct_set_limit, set_limit, QUEUE "013maxConcurrentB5CountSivs", (int64_t limit, SELF), limit, self)
DIRECT(SET_SUSPENDED, direct_set_suspended, set_suspended, QUEUE "11isSuspendedSbvs", (bool is_suspended, SELF),
       is_suspended, self)
DIRECT(SET_NAME, direct_set_name, set_name, QUEUE "4nameSSSgvs", (swift_text name, SELF), name, self)

void queue_methods_observe(const void *class_metadata) {
    void **words = (void **)class_metadata;
    const int16_t slots[COUNT] = {
        [ADD] = foundation.queue_add,
        [ADD_ALL] = foundation.queue_add_all,
        [ADD_BARRIER] = foundation.queue_add_barrier,
        [CANCEL_ALL] = foundation.queue_cancel_all,
        [WAIT] = foundation.queue_wait,
        [SET_LIMIT] = foundation.queue_set_limit,
        [SET_SUSPENDED] = foundation.queue_set_suspended,
        [SET_NAME] = foundation.queue_set_name,
        [CHANGE_LIMIT] = foundation.queue_change_limit,
        [CHANGE_SUSPENDED] = foundation.queue_change_suspended,
        [DESTROY] = -2,
    };
    pthread_mutex_lock(&lock);
    if (!pool[0][ADD]) fill_pool();
    for (int kind = 0; kind < COUNT; kind++) replace(&words[slots[kind]], kind);
    pthread_mutex_unlock(&lock);
}

#endif
