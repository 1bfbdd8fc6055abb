// Operations that are added to a queue, and the edges between them.
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <string.h>

static void release(void *object) { ((void (*)(void *))foundation.symbols.swift_release)(object); }

/// Returns the dependencies as an array, which the caller must release.
static void *copy_dependencies(void *operation, void ***elements, uint64_t *count) {
    void *array = ((SWIFT void *(*)(SELF))foundation_getter(foundation.dependencies))(operation);
    *elements = foundation_elements(array, count);
    return array;
}

/// The number in the log of the operation's own name.
static uint32_t name_of(recorder_log *log, void *operation, bool *has_none) {
    swift_text name = foundation_copy_name(operation);
    uint32_t number = foundation_text(log, name, has_none);
    foundation_release_text(name);
    return number;
}

uint64_t identify(recorder_log *log, void *operation, bool reads_name) {
    operation_class class = class_of(log, operation);
    bool is_new;
    recorded_operation *entry = objects_find_or_add(operation, log, &is_new);
    if (!entry) {
        record dying = {recorder_next_operation(log), class.kind, RECORD_SIGHTED};
        recorder_append(log, log_now(log), &dying, 1);
        return dying.subject;
    }
    uint64_t identifier = entry->identifier;
    if (!is_new) return identifier;
    class_ask(log, operation, &class);
    record records[2] = {{.type = RECORD_NAME}, {identifier, class.kind, RECORD_SIGHTED}};
    bool has_no_name = true;
    if (reads_name) records[0].argument = name_of(log, operation, &has_no_name);
    recorder_append(log, log_now(log), records + has_no_name, 2 - has_no_name);
    return identifier;
}

// MARK: Adding

enum { LARGEST_GROUP = 200 };

static void append_edge(recorder_log *log, uint64_t identifier, uint64_t predecessor, bool is_removed, uint64_t not_before) {
    record records[] = {
        {.subject = not_before, .type = RECORD_NOT_BEFORE},
        {.subject = predecessor, .type = RECORD_DEPENDENCY},
        {.subject = identifier, .type = is_removed ? RECORD_DEPENDENCY_REMOVED : RECORD_DEPENDENCY_ADDED},
    };
    recorder_append(log, log_now(log), records + !not_before, 2 + (not_before != 0));
}

uint64_t parent_in(recorder_log *log, observed_queue *queue) {
    uint64_t owner = atomic_load_explicit(&queue->owner, memory_order_relaxed);
    return owner ? owner : recorder_current(log->id);
}

void enqueue(recorder_log *log, observed_queue *queue, void *operation) {
    operation_class class = class_of(log, operation);
    bool is_new;
    recorded_operation *entry = objects_find_or_add(operation, log, &is_new);
    // A queue may override one method that adds operations and call another one: it is the same operation.
    unsigned flags = entry ? atomic_load_explicit(&entry->flags, memory_order_relaxed) : FLAG_UNSEEN;
    if (flags & FLAG_UNSEEN || !(flags & FLAG_SIGHTED)) return;
    uint64_t identifier = entry->identifier;
    class_ask(log, operation, &class);

    record records[LARGEST_GROUP + BARRIERS_NAMED];
    size_t count = 0;
    bool has_no_name;
    uint32_t name = name_of(log, operation, &has_no_name);
    if (!has_no_name) records[count++] = (record){.argument = name, .type = RECORD_NAME};
    const void *code = class.is_closure ? *(void **)((char *)operation + foundation.block_field) : NULL;
    uint32_t origin = code ? recorder_origin(log, code) : 0;
    if (origin) records[count++] = (record){.argument = origin, .type = RECORD_CODE};
    uint64_t parent = parent_in(log, queue);
    if (parent) records[count++] = (record){.subject = parent, .type = RECORD_PARENT};
    int64_t priority = foundation_priority(operation);
    if (priority) records[count++] = (record){.subject = (uint64_t)priority, .type = RECORD_NUMBER};

    void **predecessors = NULL;
    uint64_t edges = 0;
    // Most operations have no edges, and asking takes longer than this check.
    void *array = recorder_may_have_edges(operation) ? copy_dependencies(operation, &predecessors, &edges) : NULL;
    uint64_t grouped = edges < LARGEST_GROUP - 8 ? edges : LARGEST_GROUP - 8;
    for (uint64_t index = 0; index < grouped; index++)
        records[count++] = (record){.subject = identify(log, predecessors[index], true), .type = RECORD_DEPENDENCY};
    uint64_t barriers[BARRIERS_NAMED], last_barrier;
    bool are_finished;
    size_t barrier_count = barriers_unfinished(queue, &last_barrier, &are_finished, barriers);
    for (size_t index = 0; index < barrier_count; index++)
        records[count++] = (record){.subject = barriers[index], .type = RECORD_DEPENDENCY};

    bool is_ready = class.has_base_readiness && edges == 0 && are_finished;
    records[count++] =
        (record){identifier, queue->identifier | (uint64_t)class.kind << LOG_QUEUE_BITS, RECORD_ENQUEUED};
    if (is_ready) records[count++] = (record){.subject = identifier, .type = RECORD_READY};
    uint64_t time = log_now(log);
    recorder_append(log, time, records, count);
    // The edges that do not fit follow as edges that are added one by one.
    for (uint64_t index = grouped; index < edges; index++)
        append_edge(log, identifier, identify(log, predecessors[index], true), false, 0);
    if (array) release(array);
    if (!class.is_observed) {
        renew_flags(entry, FLAG_SIGHTED | FLAG_UNSEEN);
        return;
    }
    SET(entry->finished_barriers, &queue->finished_barriers);
    SET(entry->behind, are_finished ? 0 : last_barrier);
    recording_begin(entry, operation, time, (int)edges, is_ready ? FLAG_READY : 0);
}

// MARK: Hooks of the observation

static void record_edge(recorder_log *log, uint64_t identifier, void *predecessor, bool is_removed) {
    append_edge(log, identifier, identify(log, predecessor, false), is_removed, 0);
}

static bool check_edges(recorder_log *log, uint64_t identifier, void *operation, int known, uint64_t enqueued) {
    void **predecessors;
    uint64_t count;
    void *array = copy_dependencies(operation, &predecessors, &count);
    bool has_more = (int64_t)count > known;
    for (uint64_t index = 0; has_more && index < count; index++)
        append_edge(log, identifier, identify(log, predecessors[index], false), false, enqueued);
    release(array);
    return has_more;
}

const observation_hooks operation_hooks = {record_edge, check_edges};

#endif
