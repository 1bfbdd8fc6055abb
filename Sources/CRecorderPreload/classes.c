// What is known about the classes of operations, determined once for each class.
#include "preload.h"

#include <string.h>

#ifdef RECORDER_INTERPOSES

// MARK: Kinds that only the program knows

enum { RECORDERS = 16 };
static _Atomic(recorder_outside_kinds) recorders[RECORDERS];

static void replace_recorder(recorder_outside_kinds before, recorder_outside_kinds after) {
    for (int index = 0; index < RECORDERS; index++) {
        recorder_outside_kinds found = before;
        if (atomic_compare_exchange_strong(&recorders[index], &found, after)) return;
    }
}

void kinds_ask(recorder_outside_kinds kinds) { replace_recorder(NULL, kinds); }

void kinds_forget(recorder_outside_kinds kinds) { replace_recorder(kinds, NULL); }

static recorder_outside_kind ask(
    void *operation, void *context, void (*take)(void *context, const char *text, size_t length)) {
    for (int index = 0; index < RECORDERS; index++) {
        recorder_outside_kinds kinds = atomic_load_explicit(&recorders[index], memory_order_acquire);
        recorder_outside_kind answer = kinds ? kinds(operation, context, take) : OUTSIDE_KIND_IS_CLASS;
        if (answer != OUTSIDE_KIND_IS_CLASS) return answer;
    }
    return OUTSIDE_KIND_IS_CLASS;
}

typedef struct {
    recorder_log *log;
    uint32_t number;
} stated_kind;

static void take(void *context, const char *text, size_t length) {
    stated_kind *kind = context;
    kind->number = recorder_text(kind->log, text, length) & RECORDER_KIND_MASK;
}

void class_ask(recorder_log *log, void *operation, operation_class *class) {
    if (!class->has_own_kinds) return;
    stated_kind kind = {.log = log};
    switch (ask(operation, &kind, take)) {
    case OUTSIDE_KIND_IS_CLASS: return;
    case OUTSIDE_KIND_IS_STATED: class->kind = kind.number; return;
    case OUTSIDE_KIND_IS_CLOSURE:
        take(&kind, "BlockOperation", 14);
        class->kind = kind.number;
        class->is_closure = foundation.block_field;
    }
}

// MARK: Classes

static uint32_t describe(recorder_log *log, void *operation) {
    const void *metadata = *(const void **)operation;
    typedef struct {
        const char *bytes;
        uint64_t count;
    } type_name;
    type_name name = {"Barrier", 7};
    const char *own_name = recorder_class_name(metadata);
    if (metadata != foundation.barrier && own_name) {
        name = (type_name){own_name, strlen(own_name)};
    } else if (metadata != foundation.barrier) {
        name = ((SWIFT type_name(*)(const void *type, bool is_qualified))foundation.symbols.swift_type_name)(metadata, false);
    }
    // A kind is a number of 28 bits.
    uint32_t stored = recorder_text(log, name.bytes, name.count) & RECORDER_KIND_MASK;
    if (recorder_observe_class(metadata)) {
        stored |= RECORDER_CLASS_IS_OBSERVED;
    } else {
        static const char said[] = "opviz: too many operation classes; the operations of this class are not observed";
        recorder_append_now(log, log->id, RECORD_MARK, 0, recorder_text(log, said, sizeof said - 1));
    }
    if (stored & RECORDER_CLASS_IS_OBSERVED && recorder_has_base(METHOD_IS_READY, metadata))
        stored |= RECORDER_CLASS_IS_READY;
    if (ask(operation, NULL, NULL) != OUTSIDE_KIND_IS_CLASS) stored |= RECORDER_CLASS_HAS_OWN_KINDS;
    return stored;
}

operation_class class_of(recorder_log *log, void *operation) {
    const void *metadata = *(const void **)operation;
    uint32_t stored;
    if (!recorder_class_find(log, metadata, &stored)) {
        stored = describe(log, operation);
        // If the log was full before the name was stored, it may have room at the next operation.
        if (stored & RECORDER_KIND_MASK) recorder_class_store(log, metadata, stored);
    }
    return (operation_class){
        .kind = stored & RECORDER_KIND_MASK,
        .has_own_kinds = stored & RECORDER_CLASS_HAS_OWN_KINDS,
        .is_observed = stored & RECORDER_CLASS_IS_OBSERVED,
        .has_base_readiness = stored & RECORDER_CLASS_IS_READY,
        .is_closure = foundation.block_field && metadata == foundation.symbols.block_operation,
    };
}

#endif
