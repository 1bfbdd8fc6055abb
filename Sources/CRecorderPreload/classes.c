// What is known about the classes of operations, determined once for each class.
#include "preload.h"

#include <string.h>

#ifdef RECORDER_INTERPOSES

static uint32_t describe(recorder_log *log, const void *metadata) {
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
    uint32_t noted = recorder_text(log, name.bytes, name.count) & RECORDER_KIND_MASK;
    if (recorder_observe_class(metadata)) {
        noted |= RECORDER_CLASS_IS_OBSERVED;
    } else {
        static const char said[] = "opviz: too many operation classes; the operations of this class are not observed";
        recorder_append_now(log, log->id, RECORD_MARK, 0, recorder_text(log, said, sizeof said - 1));
    }
    if (noted & RECORDER_CLASS_IS_OBSERVED && recorder_has_base(METHOD_IS_READY, metadata))
        noted |= RECORDER_CLASS_IS_READY;
    return noted;
}

operation_class class_of(recorder_log *log, void *operation) {
    const void *metadata = *(const void **)operation;
    uint32_t noted;
    if (!recorder_class_find(log, metadata, &noted)) {
        noted = describe(log, metadata);
        // If the log was full before the name was stored, it may have room at the next operation.
        if (noted & RECORDER_KIND_MASK) recorder_class_note(log, metadata, noted);
    }
    return (operation_class){
        .kind = noted & RECORDER_KIND_MASK,
        .is_observed = noted & RECORDER_CLASS_IS_OBSERVED,
        .has_base_readiness = noted & RECORDER_CLASS_IS_READY,
        .is_closure = foundation.block_field && metadata == foundation.symbols.block_operation,
    };
}

#endif
