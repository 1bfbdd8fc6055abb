// Barriers. Foundation turns a barrier into a hidden operation, which is recorded like any other. On an empty
// queue it creates no operation and hands the closure to the thread pool. So the closure is wrapped in a
// closure of ours, which logs what happens in both cases.
#include "preload.h"

#ifdef RECORDER_INTERPOSES

/// A closure's captured values, as Swift allocates them.
typedef struct {
    void *metadata;
    void *references;
    const void *code;
    void *context;
    recorder_log *log;
    uint64_t queue;
    uint64_t operation;
    uint64_t parent;
    uint64_t enqueued;
    uint32_t kind;
    /// It has an operation, whose own methods log what happens to it.
    atomic_bool has_object;
    atomic_bool is_enqueue_logged;
} barrier_closure;

static SWIFT void destroy(SELF) {
    barrier_closure *closure = self;
    ((void (*)(void *))foundation.symbols.swift_release)(closure->context);
    ((void (*)(void *, size_t, size_t))foundation.symbols.swift_deallocate)(self, sizeof *closure, 15);
}

/// The words before and at the address of such metadata: its destructor, and the metadata kind of closure
/// contexts.
static const struct {
    SWIFT void (*destroy)(SELF);
    const void *witnesses;
    uint64_t kind;
    uint32_t offset;
    const void *captures;
} closure_metadata = {destroy, NULL, 1024, 16, NULL};

static void log_enqueue(barrier_closure *closure) {
    if (atomic_exchange(&closure->is_enqueue_logged, true)) return;
    record records[] = {
        {.subject = closure->parent, .type = RECORD_PARENT},
        {closure->operation, closure->queue | (uint64_t)closure->kind << LOG_QUEUE_BITS, RECORD_ENQUEUED},
        {.subject = closure->operation, .type = RECORD_READY},
    };
    bool has_parent = closure->parent != 0;
    bool has_object = atomic_load(&closure->has_object);
    recorder_append(closure->log, closure->enqueued, records + !has_parent, 1 + has_parent + !has_object);
}

static SWIFT void run(SELF) {
    barrier_closure *closure = self;
    SWIFT void (*body)(SELF) = closure->code;
    if (atomic_load(&closure->has_object) || !the_log()) {
        body(closure->context);
        return;
    }
    log_enqueue(closure);
    recorder_append_now(closure->log, closure->log->id, RECORD_EXECUTING, closure->operation, 0);
    recorder_body before = recorder_enter(closure->log->id, closure->operation);
    body(closure->context);
    recorder_restore(before);
    recorder_append_now(closure->log, closure->log->id, RECORD_FINISHED, closure->operation, 0);
}

// MARK: The hidden operation

/// The barrier that this thread is adding.
THREAD_LOCAL struct {
    barrier_closure *closure;
    observed_queue *queue;
    void *object;
} adding;

bool barriers_is_adding(void *queue) { return adding.queue && adding.queue->object == queue; }

static void begin_recording(void *operation) {
    bool is_new;
    barrier_closure *closure = adding.closure;
    recorded_operation *entry = objects_find_or_add(operation, closure->log, &is_new);
    if (!entry) return;
    adding.object = operation;
    atomic_store(&closure->has_object, true);
    log_enqueue(closure);
    observed_queue *queue = adding.queue;
    uint64_t number = atomic_load(&queue->barriers) + 1;
    SET(entry->identifier, closure->operation);
    SET(entry->enqueued, closure->enqueued);
    SET(entry->finished_barriers, &queue->finished_barriers);
    SET(entry->barrier, number);
    SET(entry->behind, atomic_load(&queue->finished_barriers) < number - 1 ? number - 1 : 0);
    renew_flags(entry, 0);
    // One thread at a time, because the queue's lock is held.
    atomic_store(&queue->barrier_operations[number % BARRIERS_KEPT], closure->operation);
    atomic_store(&queue->barriers, number);
}

/// Called after each edge that Foundation adds to it, with the queue's lock held.
static void seen(void *operation) {
    if (*(const void **)operation != foundation.barrier) return;
    if (!adding.object) begin_recording(operation);
    recorded_operation *entry = adding.object == operation ? objects_find(operation) : NULL;
    if (!entry) return;
    // Nobody else has this operation yet, so its array does not change meanwhile.
    uint64_t count;
    void **predecessors = foundation_elements(*(void **)((char *)operation + foundation.dependencies_field), &count);
    uint64_t known = (uint64_t)atomic_load_explicit(&entry->edges, memory_order_relaxed);
    if (count <= known) return;
    // Earlier answers of any thread do not count. Foundation asks again when all edges are in place.
    begin_edge(entry);
    for (uint64_t index = known; index < count; index++)
        operation_hooks.edge(entry->log, entry->identifier, predecessors[index], false);
    atomic_store_explicit(&entry->edges, (int)count, memory_order_relaxed);
    end_edge(entry);
}

size_t barriers_unfinished(observed_queue *queue, uint64_t *last, bool *are_finished, uint64_t *operations) {
    *last = atomic_load(&queue->barriers);
    uint64_t finished = atomic_load(&queue->finished_barriers);
    *are_finished = finished >= *last;
    size_t count = 0;
    for (uint64_t number = *last > finished + BARRIERS_NAMED ? *last - BARRIERS_NAMED + 1 : finished + 1; number <= *last;
         number++) {
        uint64_t operation = atomic_load(&queue->barrier_operations[number % BARRIERS_KEPT]);
        // Another thread may be adding barriers. It writes the place of the next barrier before it counts it.
        if (atomic_load(&queue->barriers) + 1 < number + BARRIERS_KEPT) operations[count++] = operation;
    }
    return count;
}

void barriers_add(
    recorder_log *log, observed_queue *queue, void *self, const void *code, void *context, add_barrier_method original) {
    typedef barrier_closure *(*allocator)(const void *metadata, size_t size, size_t alignment_mask);
    barrier_closure *closure =
        ((allocator)foundation.symbols.swift_allocate)(&closure_metadata.kind, sizeof *closure, 15);
    closure->code = code;
    closure->context = context;
    ((void *(*)(void *))foundation.symbols.swift_retain)(context);
    closure->log = log;
    closure->queue = queue->identifier;
    closure->operation = recorder_next_operation(log);
    closure->parent = parent_in(log, queue);
    closure->kind = recorder_text(log, "Barrier", 7);
    closure->has_object = false;
    closure->is_enqueue_logged = false;
    closure->enqueued = log_now(log);
    __typeof__(adding) before = adding;
    adding = (__typeof__(adding)){closure, queue, NULL};
    if (foundation.barrier) interposition_observe_barrier(seen);
    original(run, closure, self);
    interposition_observe_barrier(NULL);
    adding = before;
    log_enqueue(closure);
    ((void (*)(void *))foundation.symbols.swift_release)(closure);
}

#endif
