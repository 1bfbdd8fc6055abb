// The replacements of methods: a pool for each method, compiled in. A replacement finds its original by its
// number, never by the object's class: classes whose metadata is created while the program runs copy their
// superclass's table, including replacements.
//
// One replacement serves every slot with the same original, whatever the class.
#include "interposition.h"

#ifdef RECORDER_INTERPOSES

enum { POOL = 512 };

static _Atomic(void *) originals[METHOD_COUNT][POOL];
static int used[METHOD_COUNT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *original(observed_method method, int number) {
    return atomic_load_explicit(&originals[method][number], memory_order_acquire);
}

// All replacements are in one section, so that their addresses identify them.
#define IN_POOL __attribute__((section("opviz_pool"), used, noinline)) static SWIFT

#define DEFINE(number)                                                                           \
    IN_POOL void start_##number(SELF) {                                                          \
        observed_start(self, original(METHOD_START, 0x##number));                                \
    }                                                                                            \
    IN_POOL void main_##number(SELF) {                                                           \
        observed_run_body(self, original(METHOD_MAIN, 0x##number));                              \
    }                                                                                            \
    IN_POOL bool finished_##number(SELF) {                                                       \
        return observed_is_finished(                                                             \
            self, original(METHOD_IS_FINISHED, 0x##number), __builtin_return_address(0));        \
    }                                                                                            \
    IN_POOL bool ready_##number(SELF) {                                                          \
        return observed_is_ready_now(self, original(METHOD_IS_READY, 0x##number));               \
    }                                                                                            \
    IN_POOL void cancel_##number(SELF) {                                                         \
        observed_cancel(self, original(METHOD_CANCEL, 0x##number));                              \
    }                                                                                            \
    IN_POOL void add_##number(void *other, SELF) {                                               \
        observed_add_dependency(other, self, original(METHOD_ADD_DEPENDENCY, 0x##number));       \
    }                                                                                            \
    IN_POOL void remove_##number(void *other, SELF) {                                            \
        observed_remove_dependency(other, self, original(METHOD_REMOVE_DEPENDENCY, 0x##number)); \
    }                                                                                            \
    IN_POOL bool executing_##number(SELF) {                                                      \
        return observed_is_executing_now(self, original(METHOD_IS_EXECUTING, 0x##number));       \
    }                                                                                            \
    IN_POOL void wait_##number(SELF) {                                                           \
        observed_wait_for(self, original(METHOD_WAIT, 0x##number));                              \
    }                                                                                            \
    IN_POOL void destroy_##number(SELF) {                                                        \
        observed_destroy(self, original(METHOD_DESTROY, 0x##number));                            \
    }

#define FILL(number)                                                                                     \
    pool[0x##number][METHOD_START] = start_##number, pool[0x##number][METHOD_MAIN] = main_##number;      \
    pool[0x##number][METHOD_IS_FINISHED] = finished_##number;                                            \
    pool[0x##number][METHOD_IS_READY] = ready_##number, pool[0x##number][METHOD_CANCEL] = cancel_##number; \
    pool[0x##number][METHOD_ADD_DEPENDENCY] = add_##number;                                              \
    pool[0x##number][METHOD_REMOVE_DEPENDENCY] = remove_##number;                                        \
    pool[0x##number][METHOD_IS_EXECUTING] = executing_##number;                                          \
    pool[0x##number][METHOD_WAIT] = wait_##number, pool[0x##number][METHOD_DESTROY] = destroy_##number;

// 512 of each, numbered from 000 to 1ff.
REPEAT_256(DEFINE, 0)
REPEAT_256(DEFINE, 1)

/// Filled on first use: a table filled by the linker would cost every program some tenths of a millisecond.
static void *pool[POOL][METHOD_COUNT];

static void fill_pool(void) { REPEAT_256(FILL, 0) REPEAT_256(FILL, 1) }

#pragma GCC visibility push(hidden)
extern const char __start_opviz_pool[], __stop_opviz_pool[];
#pragma GCC visibility pop

static bool is_replacement(const void *method) {
    return (const char *)method >= __start_opviz_pool && (const char *)method < __stop_opviz_pool;
}

// MARK: Classes

static atomic_bool is_possible;

void method_pool_begin(void) {
    pthread_mutex_lock(&lock);
    fill_pool();
    atomic_store_explicit(&is_possible, true, memory_order_release);
    pthread_mutex_unlock(&lock);
}

bool method_pool_has_begun(void) { return atomic_load_explicit(&is_possible, memory_order_acquire); }

/// The replacement that calls `method`, or NULL if the pool is used up. Call it with the lock held.
static void *replacement(observed_method kind, void *method) {
    for (int number = 0; number < used[kind]; number++) {
        if (originals[kind][number] == method) return pool[number][kind];
    }
    if (used[kind] == POOL) return NULL;
    // The original is stored before anybody can call the replacement.
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
    if (!method_pool_has_begun()) return false;
    void **words = (void **)class_metadata;
    bool is_complete = true;
    for (int kind = 0; kind < METHOD_COUNT; kind++) {
        void **slot = &words[foundation.operation.slots[kind]];
        if (is_replacement(read_slot(slot))) continue;
        if (kind == METHOD_IS_EXECUTING && read_slot(slot) == foundation.base[kind]) continue;
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
        // A class with only some of its methods replaced would give misleading events.
        if (!is_complete) return false;
    }
    return true;
}

bool recorder_has_base(observed_method kind, const void *class_metadata) {
    void *method = read_slot((void **)class_metadata + foundation.operation.slots[kind]);
    if (!is_replacement(method)) return method == foundation.base[kind];
    for (int number = 0; number < POOL; number++) {
        if (pool[number][kind] == method) return original(kind, number) == foundation.base[kind];
    }
    return false;
}

#else

bool recorder_observe_class(const void *class_metadata) { return (void)class_metadata, false; }
bool recorder_has_base(observed_method kind, const void *class_metadata) {
    return (void)kind, (void)class_metadata, false;
}

#endif
