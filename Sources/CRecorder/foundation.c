#include "foundation.h"
#include "log.h"

#ifdef RECORDER_INTERPOSES

#include <stdatomic.h>
#include <string.h>

// MARK: Symbols

#define DECLARE(name, symbol) extern const char linked_##name[] __asm__(symbol) __attribute__((weak, visibility("default")));
FOUNDATION_SYMBOLS(DECLARE)

foundation_symbols foundation_linked_symbols(void) {
    return (foundation_symbols){
#define ADDRESS(name, symbol) .name = linked_##name,
        FOUNDATION_SYMBOLS(ADDRESS)
    };
}

// MARK: Classes

// A class's descriptor, as docs/ABI/TypeMetadata.rst and include/swift/ABI/Metadata.h of Swift specify it:
// eleven 32-bit numbers, then what the flags announce, then the methods, each with flags and the distance to
// its code.
enum {
    FLAG_GENERIC = 1 << 7,
    FLAG_RESILIENT_SUPERCLASS = 1 << 29,
    FLAG_METHODS = 1u << 31,
    KIND_CLASS = 16,
    FIXED_WORDS = 11,
    NAME_WORD = 2,
    FIELDS_WORD = 4,
    FIELD_OFFSETS_WORD = 10,
};

typedef struct {
    int32_t first_slot;
    uint32_t count;
    const int32_t *methods;
} method_list;

/// Resolves a pointer that is stored as the distance from its own address.
static const void *relative(const int32_t *distance) { return (const char *)distance + *distance; }

static bool find_methods(const int32_t *descriptor, method_list *list) {
    uint32_t flags = (uint32_t)descriptor[0];
    if ((flags & 31) != KIND_CLASS || (flags & (FLAG_GENERIC | FLAG_RESILIENT_SUPERCLASS)) || !(flags & FLAG_METHODS))
        return false;
    const int32_t *next = descriptor + FIXED_WORDS;
    // How the metadata is created on first use: not at all, as a singleton (three pointers), or as a foreign
    // class (one pointer).
    switch (flags >> 16 & 3) {
    case 0: break;
    case 1: next += 3; break;
    default: return false;
    }
    *list = (method_list){next[0], (uint32_t)next[1], next + 2};
    return true;
}

/// The slot of the method with that descriptor, or 0 if the class has something else in that slot.
static int16_t slot_of(const void *class_metadata, method_list list, const void *method) {
    if (!method) return 0;
    ptrdiff_t index = ((const int32_t *)method - list.methods) / 2;
    if (index < 0 || index >= (ptrdiff_t)list.count) return 0;
    int64_t slot = list.first_slot + index;
    const uint32_t *sizes = (const uint32_t *)class_metadata + 8;
    if (slot < 7 || slot >= (sizes[0] - sizes[1]) / 8) return 0;
    const void *code = relative(list.methods + 2 * index + 1);
    return ((const void *const *)class_metadata)[slot] == code ? (int16_t)slot : 0;
}

/// The offset of a field in objects of a class, in bytes, as the class states it; or 0.
static int32_t field_of(const void *class_metadata, const int32_t *descriptor, const char *name) {
    if (!class_metadata || !descriptor || !descriptor[FIELDS_WORD]) return 0;
    const int32_t *fields = relative(&descriptor[FIELDS_WORD]);
    uint16_t record_size = (uint16_t)((uint32_t)fields[2] >> 16);
    uint32_t count = (uint32_t)fields[3];
    if (record_size != 12 || count > 256) return 0;
    const int32_t *record = fields + 4;
    for (uint32_t index = 0; index < count; index++, record += 3) {
        if (strcmp(relative(&record[2]), name) == 0)
            return (int32_t)((const uint64_t *)class_metadata)[descriptor[FIELD_OFFSETS_WORD] + (int32_t)index];
    }
    return 0;
}

/// Asks the Swift runtime for a class by its mangled name.
static const void *class_named(const foundation_symbols *symbols, const char *name) {
    typedef SWIFT const void *(*lookup)(const char *name, size_t length, const void *context, const void *arguments);
    return ((lookup)symbols->swift_type_of_name)(name, strlen(name), NULL, NULL);
}

// MARK: Where Foundation asks

/// The return address of the last read of `isFinished` on this thread, while `find_asks_when_notified` looks for
/// it.
THREAD_LOCAL const void *asked_from;

static SWIFT bool answer_not_finished(SELF) {
    (void)self;
    asked_from = __builtin_return_address(0);
    return false;
}

/// Finds the place where Foundation asks whether an operation has finished, after it was notified that
/// `isFinished` changed. The notification is about a fake object that has only a class. The object answers
/// that it has not finished, so Foundation does nothing more. NULL if Foundation does not ask.
static const void *find_asks_when_notified(const foundation_symbols *symbols, int16_t is_finished) {
    enum { WORDS_BEFORE = 2, MOST_WORDS = 1024 };
    const uint32_t *sizes = (const uint32_t *)symbols->operation + 8;
    size_t words = (sizes[0] - sizes[1]) / 8;
    if (words > MOST_WORDS) return NULL;
    void *table[WORDS_BEFORE + MOST_WORDS];
    memcpy(table, (void *const *)symbols->operation - WORDS_BEFORE, (WORDS_BEFORE + words) * sizeof *table);
    table[WORDS_BEFORE + is_finished] = answer_not_finished;
    // The second word is the reference count: one reference, the owner's.
    _Alignas(16) void *object[64] = {&table[WORDS_BEFORE], (void *)3};
    // A text of ten bytes is stored inside the two words.
    swift_text key = {{0, 0xea00000000000000}};
    memcpy(&key, "isFinished", 10);
    typedef SWIFT void (*change_method)(uint64_t first, uint64_t second, SELF);
    asked_from = NULL;
    ((change_method)symbols->did_change)(key.words[0], key.words[1], object);
    return asked_from;
}

bool foundation_find(const foundation_symbols *symbols, foundation_layout *layout) {
#define MISSING(name, symbol) || !symbols->name
    if (false FOUNDATION_SYMBOLS(MISSING)) return false;
    method_list operation, queue;
    if (!find_methods(symbols->operation_descriptor, &operation) || !find_methods(symbols->queue_descriptor, &queue))
        return false;
    *layout = (foundation_layout){.symbols = *symbols};
    bool is_whole = true;
#define OPERATION(field, name) \
    is_whole = (layout->field = slot_of(symbols->operation, operation, symbols->name)) && is_whole
    OPERATION(operation.slots[METHOD_START], start);
    OPERATION(operation.slots[METHOD_MAIN], main);
    OPERATION(operation.slots[METHOD_IS_FINISHED], is_finished);
    OPERATION(operation.slots[METHOD_IS_READY], is_ready);
    OPERATION(operation.slots[METHOD_CANCEL], cancel);
    OPERATION(operation.slots[METHOD_ADD_DEPENDENCY], add_dependency);
    OPERATION(operation.slots[METHOD_REMOVE_DEPENDENCY], remove_dependency);
    OPERATION(operation.slots[METHOD_WAIT], wait);
    OPERATION(operation.slots[METHOD_IS_EXECUTING], is_executing);
    OPERATION(dependencies, dependencies);
    OPERATION(priority, priority);
    OPERATION(name, name);
    // In every class, the function that deallocates an object stands before the metadata's address.
    layout->operation.slots[METHOD_DESTROY] = -2;
#define QUEUE(field) is_whole = (layout->field = slot_of(symbols->queue, queue, symbols->field)) && is_whole
    QUEUE(queue_add);
    QUEUE(queue_add_all);
    QUEUE(queue_add_barrier);
    QUEUE(queue_cancel_all);
    QUEUE(queue_wait);
    QUEUE(queue_limit);
    QUEUE(queue_set_limit);
    QUEUE(queue_is_suspended);
    QUEUE(queue_set_suspended);
    QUEUE(queue_change_limit);
    QUEUE(queue_change_suspended);
    QUEUE(queue_name);
    QUEUE(queue_set_name);
    layout->dependencies_field = field_of(symbols->operation, symbols->operation_descriptor, "__dependencies");
    layout->cancelled_field = field_of(symbols->operation, symbols->operation_descriptor, "__isCancelled");
    layout->state_field = field_of(symbols->operation, symbols->operation_descriptor, "__state");
    layout->block_field = field_of(symbols->block_operation, symbols->block_operation_descriptor, "_block");
    // Barriers have the highest priority, so the queue's first list is theirs.
    layout->barrier_field = field_of(symbols->queue, symbols->queue_descriptor, "__firstPriorityOperation");
    if (!is_whole || !layout->dependencies_field || !layout->cancelled_field) return false;
    for (int method = 0; method < METHOD_COUNT; method++)
        layout->base[method] = ((void *const *)symbols->operation)[layout->operation.slots[method]];
    layout->asks_when_notified = find_asks_when_notified(symbols, layout->operation.slots[METHOD_IS_FINISHED]);
    if (!layout->asks_when_notified) return false;
    layout->barrier = class_named(symbols, "10Foundation17_BarrierOperationC");
    if (layout->barrier && !foundation_is_a(layout->barrier, symbols->operation)) layout->barrier = NULL;
    return true;
}

const char *recorder_class_name(const void *class_metadata) {
    const int32_t *descriptor = ((const int32_t *const *)class_metadata)[5];
    uint32_t flags = descriptor ? (uint32_t)descriptor[0] : 0;
    return (flags & 31) == KIND_CLASS && !(flags & FLAG_GENERIC) ? relative(&descriptor[NAME_WORD]) : NULL;
}

bool foundation_is_a(const void *class_metadata, const void *ancestor) {
    // The superclass is the second word. No class has 64 ancestors. A word that is not a class ends the
    // search too.
    for (int depth = 0; class_metadata && depth < 64; depth++) {
        if (class_metadata == ancestor) return true;
        class_metadata = ((const void *const *)class_metadata)[1];
    }
    return false;
}

// MARK: Closures

/// The offset of the closure in operations, in bytes. 0 before the first lookup, -1 if the lookup failed.
static _Atomic int32_t closure_field;

static __attribute__((noinline)) int32_t find_closure_field(void) {
    foundation_symbols symbols = foundation_linked_symbols();
    int32_t field = field_of(symbols.block_operation, symbols.block_operation_descriptor, "_block");
    if (!field) field = -1;
    atomic_store_explicit(&closure_field, field, memory_order_relaxed);
    return field;
}

NOT_SANITIZED const void *recorder_closure_code(const void *operation, bool is_ours) {
    if (!is_ours && *(const void *const *)operation != linked_block_operation) return NULL;
    int32_t field = atomic_load_explicit(&closure_field, memory_order_relaxed);
    if (!field) field = find_closure_field();
    return field > 0 ? *(const void *const *)((const char *)operation + field) : NULL;
}

// MARK: Values

// As stdlib/public/core/StringObject.swift of Swift specifies it for 64-bit systems: the highest four bits of
// the second word say what it is, short texts lie in the words themselves.
static const char *bytes_of(const swift_text *text, size_t *count) {
    uint64_t marker = text->words[1] >> 60;
    *count = 0;
    if (text->words[1] == 0) return NULL;
    if (marker == 0xe || marker == 0xa) {
        *count = text->words[1] >> 56 & 15;
        return (const char *)text->words;
    }
    // A bridged Cocoa string, which does not occur on Linux.
    if (marker & 1) return NULL;
    *count = text->words[0] & 0xffffffffffff;
    return (const char *)(text->words[1] & 0x0fffffffffffffff) + 32;
}

uint32_t foundation_text(recorder_log *log, swift_text text, bool *is_nil) {
    if (is_nil) *is_nil = text.words[1] == 0;
    size_t count;
    const char *bytes = bytes_of(&text, &count);
    return recorder_text(log, bytes, count);
}

bool foundation_text_has_prefix(swift_text text, const char *prefix) {
    size_t count;
    const char *bytes = bytes_of(&text, &count);
    return count >= strlen(prefix) && memcmp(bytes, prefix, strlen(prefix)) == 0;
}

#else

const char *recorder_class_name(const void *class_metadata) { return (void)class_metadata, NULL; }
const void *recorder_closure_code(const void *operation, bool is_ours) { return (void)operation, (void)is_ours, NULL; }

#endif
