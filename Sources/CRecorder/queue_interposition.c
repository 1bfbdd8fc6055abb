// Replaces the methods that add operations in the classes of queues. interposition.c does the same for
// operations.
#include "interposition.h"

#ifdef RECORDER_INTERPOSES

#include <string.h>

enum { QUEUE_POOL = 32 };

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(void *) queue_originals[QUEUE_METHOD_COUNT][QUEUE_POOL];
static int used_for_queues[QUEUE_METHOD_COUNT];
static int16_t queue_slots[QUEUE_METHOD_COUNT];
static queue_hooks queue_asked;

typedef SWIFT void (*add_method)(void *operation, SELF);
typedef SWIFT void (*add_all_method)(void *operations, bool waits, SELF);

static void add(void *operation, void *self, int number) {
    add_method method = (add_method)atomic_load_explicit(&queue_originals[QUEUE_ADD][number], memory_order_acquire);
    void *begun = queue_asked.begin(self, operation, false);
    bool before = begun && recorder_begin_enqueue();
    method(operation, self);
    if (begun) {
        recorder_end_enqueue(before);
        queue_asked.end(begun);
    }
}

static void add_all(void *operations, bool waits, void *self, int number) {
    add_all_method method =
        (add_all_method)atomic_load_explicit(&queue_originals[QUEUE_ADD_ALL][number], memory_order_acquire);
    void *begun = queue_asked.begin(self, operations, true);
    bool before = begun && recorder_begin_enqueue();
    method(operations, waits, self);
    if (begun) {
        recorder_end_enqueue(before);
        queue_asked.end(begun);
    }
}

#define IN_QUEUE_POOL __attribute__((section("opviz_queue_pool"), used, noinline)) static SWIFT
#define DEFINE_QUEUE(number)                                                                             \
    IN_QUEUE_POOL void queue_add_##number(void *operation, SELF) { add(operation, self, 0x##number); }   \
    IN_QUEUE_POOL void queue_add_all_##number(void *operations, bool waits, SELF) {                      \
        add_all(operations, waits, self, 0x##number);                                                    \
    }
#define FILL_QUEUE(number) \
    queue_pool[0x##number][QUEUE_ADD] = queue_add_##number, queue_pool[0x##number][QUEUE_ADD_ALL] = queue_add_all_##number;

REPEAT_16(DEFINE_QUEUE, 0)
REPEAT_16(DEFINE_QUEUE, 1)

static void *queue_pool[QUEUE_POOL][QUEUE_METHOD_COUNT];

#pragma GCC visibility push(hidden)
extern const char __start_opviz_queue_pool[], __stop_opviz_queue_pool[];
#pragma GCC visibility pop

void recorder_interpose_queues(const int16_t slots[QUEUE_METHOD_COUNT], const queue_hooks *asked) {
    pthread_mutex_lock(&queue_lock);
    REPEAT_16(FILL_QUEUE, 0) REPEAT_16(FILL_QUEUE, 1)
    memcpy(queue_slots, slots, sizeof queue_slots);
    queue_asked = *asked;
    pthread_mutex_unlock(&queue_lock);
}

/// Replaces the method in a slot of a queue's class. Call it with the lock held. Returns false if the pool is
/// used up.
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
    pthread_mutex_lock(&queue_lock);
    bool is_complete =
        replace_add(&words[queue_slots[QUEUE_ADD]], QUEUE_ADD) && replace_add(&words[queue_slots[QUEUE_ADD_ALL]], QUEUE_ADD_ALL);
    pthread_mutex_unlock(&queue_lock);
    return is_complete;
}

void recorder_replace_method(const void *class_metadata, int slot, const void *expected, const void *method) {
    void **words = (void **)class_metadata;
    pthread_mutex_lock(&queue_lock);
    if (read_slot(&words[slot]) == expected) write_slot(&words[slot], (void *)method);
    pthread_mutex_unlock(&queue_lock);
}

#else

void recorder_interpose_queues(const int16_t slots[QUEUE_METHOD_COUNT], const queue_hooks *hooks) {
    (void)slots, (void)hooks;
}
bool recorder_observe_queue_class(const void *class_metadata) { return (void)class_metadata, false; }
void recorder_replace_method(const void *class_metadata, int slot, const void *expected, const void *replacement) {
    (void)class_metadata, (void)slot, (void)expected, (void)replacement;
}

#endif
