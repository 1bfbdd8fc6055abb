// What the recorder knows about the Foundation in this process: where its classes are, where their methods
// and fields are, and how to read Swift's values. Only on Linux.
#ifndef RECORDER_FOUNDATION_H
#define RECORDER_FOUNDATION_H

#include "CRecorder.h"

#if defined(__linux__) && defined(__LP64__) && __has_attribute(swiftcall)
#define RECORDER_INTERPOSES 1

#pragma GCC visibility push(hidden)

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// Every symbol that is used: its name here and its own name.
#define FOUNDATION_SYMBOLS(SYMBOL)                                                                       \
    SYMBOL(operation, "$s10Foundation9OperationCN")                                                      \
    SYMBOL(operation_descriptor, "$s10Foundation9OperationCMn")                                          \
    SYMBOL(start, "$s10Foundation9OperationC5startyyFTq")                                                \
    SYMBOL(main, "$s10Foundation9OperationC4mainyyFTq")                                                  \
    SYMBOL(is_finished, "$s10Foundation9OperationC10isFinishedSbvgTq")                                   \
    SYMBOL(is_ready, "$s10Foundation9OperationC7isReadySbvgTq")                                          \
    SYMBOL(cancel, "$s10Foundation9OperationC6cancelyyFTq")                                              \
    SYMBOL(add_dependency, "$s10Foundation9OperationC13addDependencyyyACFTq")                            \
    SYMBOL(remove_dependency, "$s10Foundation9OperationC16removeDependencyyyACFTq")                      \
    SYMBOL(wait, "$s10Foundation9OperationC17waitUntilFinishedyyFTq")                                    \
    SYMBOL(is_executing, "$s10Foundation9OperationC11isExecutingSbvgTq")                                 \
    SYMBOL(did_change, "$s10Foundation9OperationC14didChangeValue6forKeyySS_tF")                         \
    SYMBOL(dependencies, "$s10Foundation9OperationC12dependenciesSayACGvgTq")                            \
    SYMBOL(priority, "$s10Foundation9OperationC13queuePriorityAC05QueueD0OvgTq")                         \
    SYMBOL(name, "$s10Foundation9OperationC4nameSSSgvgTq")                                               \
    SYMBOL(block_operation, "$s10Foundation14BlockOperationCN")                                          \
    SYMBOL(block_operation_descriptor, "$s10Foundation14BlockOperationCMn")                              \
    SYMBOL(queue, "$s10Foundation14OperationQueueCN")                                                    \
    SYMBOL(queue_descriptor, "$s10Foundation14OperationQueueCMn")                                        \
    SYMBOL(queue_add, "$s10Foundation14OperationQueueC03addB0yyAA0B0CFTq")                               \
    SYMBOL(queue_add_all, "$s10Foundation14OperationQueueC13addOperations_17waitUntilFinishedySayAA0B0CG_SbtFTq") \
    SYMBOL(queue_add_barrier, "$s10Foundation14OperationQueueC15addBarrierBlockyyyyYbcFTq")              \
    SYMBOL(queue_cancel_all, "$s10Foundation14OperationQueueC19cancelAllOperationsyyFTq")                \
    SYMBOL(queue_wait, "$s10Foundation14OperationQueueC33waitUntilAllOperationsAreFinishedyyFTq")        \
    SYMBOL(queue_limit, "$s10Foundation14OperationQueueC013maxConcurrentB5CountSivgTq")                  \
    SYMBOL(queue_set_limit, "$s10Foundation14OperationQueueC013maxConcurrentB5CountSivsTq")              \
    SYMBOL(queue_is_suspended, "$s10Foundation14OperationQueueC11isSuspendedSbvgTq")                     \
    SYMBOL(queue_set_suspended, "$s10Foundation14OperationQueueC11isSuspendedSbvsTq")                    \
    SYMBOL(queue_change_limit, "$s10Foundation14OperationQueueC013maxConcurrentB5CountSivMTq")           \
    SYMBOL(queue_change_suspended, "$s10Foundation14OperationQueueC11isSuspendedSbvMTq")                 \
    SYMBOL(queue_name, "$s10Foundation14OperationQueueC4nameSSSgvgTq")                                   \
    SYMBOL(queue_set_name, "$s10Foundation14OperationQueueC4nameSSSgvsTq")                               \
    SYMBOL(swift_empty_array, "_swiftEmptyArrayStorage")                                                 \
    SYMBOL(swift_retain, "swift_retain")                                                                 \
    SYMBOL(swift_release, "swift_release")                                                               \
    SYMBOL(swift_release_text, "swift_bridgeObjectRelease")                                              \
    SYMBOL(swift_allocate, "swift_allocObject")                                                          \
    SYMBOL(swift_deallocate, "swift_deallocObject")                                                      \
    SYMBOL(swift_type_name, "swift_getTypeName")                                                         \
    SYMBOL(swift_type_of_name, "swift_getTypeByMangledNameInContext")

/// The addresses of those symbols in this process; NULL for a missing symbol.
typedef struct {
#define FIELD(name, symbol) const void *name;
    FOUNDATION_SYMBOLS(FIELD)
#undef FIELD
} foundation_symbols;

/// The addresses that the dynamic linker found.
foundation_symbols foundation_linked_symbols(void);

/// Slots in the tables of classes, and offsets of fields in objects, in bytes.
typedef struct {
    foundation_symbols symbols;
    operation_layout operation;
    int16_t dependencies, priority, name;
    int16_t queue_add, queue_add_all, queue_add_barrier, queue_cancel_all, queue_wait;
    int16_t queue_change_limit, queue_change_suspended;
    int16_t queue_limit, queue_set_limit, queue_is_suspended, queue_set_suspended, queue_name, queue_set_name;
    int32_t dependencies_field;
    int32_t cancelled_field;
    /// The offset of an operation's state, or 0 if it was not found.
    int32_t state_field;
    int32_t block_field;
    /// The offset of a queue's first waiting barrier, or 0 if it was not found.
    int32_t barrier_field;
    /// The metadata of the hidden class of barriers, or NULL.
    const void *barrier;
    /// The return address of the read of `isFinished` that follows a notification of its change. Foundation
    /// records a finish in one place, and asks there.
    const void *asks_when_notified;
    /// The methods of `Operation` itself. An operation's class may be the program's, and recording never
    /// calls the program's methods. These are safe to call for any class.
    void *base[METHOD_COUNT];
} foundation_layout;

/// Finds all of these places, and checks that each method is where the class says. Returns false if anything
/// differs from what is expected; then use nothing from the layout. Call this before any class is changed.
bool foundation_find(const foundation_symbols *symbols, foundation_layout *layout);

/// Whether a class is `ancestor` or inherits from it.
bool foundation_is_a(const void *class_metadata, const void *ancestor);

// MARK: Values

/// A Swift string, or nil.
typedef struct {
    uint64_t words[2];
} swift_text;

/// The number of a text in a log; 0 for nil and the empty text. `is_nil` may be NULL.
uint32_t foundation_text(recorder_log *log, swift_text text, bool *is_nil);

/// Whether an ASCII text begins with `prefix`.
bool foundation_text_has_prefix(swift_text text, const char *prefix);

/// The elements of a Swift array of objects, as it is passed and returned.
static inline void **foundation_elements(const void *array, uint64_t *count) {
    *count = array ? ((const uint64_t *)array)[2] : 0;
    return (void **)array + 4;
}

#pragma GCC visibility pop

#endif
#endif
