// The function that a task was created with. Often it is a thunk that the compiler made, which calls the closure that it
// captured: then both are recorded, and a reader of the log, which sees their names, chooses.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <link.h>
#include <string.h>

enum { PAIR_BITS = 11, MOST_IMAGES = 512 };

/// The program and its libraries, and the code in each, as far as they were loaded when this was read.
static struct {
    function_range whole[MOST_IMAGES], code[MOST_IMAGES];
    _Atomic int count;
} images;

static int add_image(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    int *count = context;
    if (*count == MOST_IMAGES) return 1;
    function_range whole = {UINTPTR_MAX, 0}, code = {0};
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD) continue;
        function_range range = {object->dlpi_addr + part->p_vaddr, object->dlpi_addr + part->p_vaddr + part->p_memsz};
        if (part->p_flags & PF_X) code = range;
        if (range.from < whole.from) whole.from = range.from;
        if (range.to > whole.to) whole.to = range.to;
    }
    images.whole[*count] = whole;
    images.code[*count] = code;
    ++*count;
    return 0;
}

void task_functions_begin(void) {
    int count = 0;
    dl_iterate_phdr(add_image, &count);
    atomic_store_explicit(&images.count, count, memory_order_release);
}

static bool is_in(const function_range *ranges, const void *address) {
    int count = atomic_load_explicit(&images.count, memory_order_acquire);
    for (int index = 0; index < count; index++)
        if (is_within(ranges[index], address)) return true;
    return false;
}

/// The function that a description of an asynchronous function is of: it has the distance to it, and the size of its
/// context. NULL if it is invalid.
static const void *described(const void *description) {
    if ((uintptr_t)description % 4 != 0 || !is_in(images.whole, description)) return NULL;
    uint32_t size = half_at(description, 4);
    const void *function = (const char *)description + *(const int32_t *)description;
    return size >= 16 && size < 1 << 16 && size % 16 == 0 && is_in(images.code, function) ? function : NULL;
}

/// Where a function's captures have a closure; 0 if no capture is a closure.
typedef struct {
    _Atomic(const void *) function;
    _Atomic uintptr_t offset;
} capture;

enum { CAPTURE_BITS = 10, FIRST_CAPTURE = 16, LAST_CAPTURE = 32, LEAST_PAGE = 4096 };
static capture known_captures[1 << CAPTURE_BITS];

/// Nothing says how many captures there are, so some words may belong to what lies behind them: within a page, that can
/// be read, too.
static bool can_read(const void *captures) {
    return (uintptr_t)captures % LEAST_PAGE + LAST_CAPTURE + sizeof(void *) <= LEAST_PAGE;
}

/// The offset of the first closure among the captures. Before it there may be types, in code that is not specialized.
__attribute__((no_sanitize("address"))) static uintptr_t offset_of_closure(const void *function, const void *captures) {
    capture *known = &known_captures[((uintptr_t)function >> 2) * 0x9e3779b97f4a7c15u >> (64 - CAPTURE_BITS)];
    uintptr_t offset = atomic_load_explicit(&known->offset, memory_order_acquire);
    if (atomic_load_explicit(&known->function, memory_order_acquire) == function
        && atomic_load_explicit(&known->offset, memory_order_relaxed) == offset)
        return offset;
    if (!can_read(captures)) return 0;
    for (offset = FIRST_CAPTURE; offset <= LAST_CAPTURE; offset += sizeof(void *))
        if (described(*(const void *const *)((const char *)captures + offset))) break;
    if (offset > LAST_CAPTURE) offset = 0;
    atomic_store_explicit(&known->function, NULL, memory_order_relaxed);
    atomic_store_explicit(&known->offset, offset, memory_order_release);
    atomic_store_explicit(&known->function, function, memory_order_release);
    return offset;
}

const void *task_function(const char *task, const void **captured) {
    *captured = NULL;
    const char *context = (const char *)word_at(task, task_parts.context);
    if (!context) return NULL;
    // The runtime stores the function and its captures before the first context.
    const void *captures = *(const void *const *)(context - 16), *function = *(const void *const *)(context - 24);
    if (!captures || (uintptr_t)captures % 8 != 0) return function;
    uintptr_t offset = offset_of_closure(function, captures);
    if (offset) *captured = (const void *)word_at(captures, offset);
    return function;
}

/// The number in a log of the text for a function and what it captured.
typedef struct {
    _Atomic(const void *) function;
    _Atomic(const void *) captured;
    /// The upper half is the log.
    _Atomic uint64_t text;
} function_pair;

static function_pair pairs[1 << PAIR_BITS];

static __attribute__((noinline)) uint32_t find(const task_log *log, const void *function, const void *captured) {
    char text[2 * 4500];
    size_t length = recorder_origin_text(function, text, sizeof text / 2);
    const void *closure = described(captured);
    if (closure && length) {
        text[length++] = '>';
        length += recorder_origin_text(closure, text + length, sizeof text - length);
    }
    return recorder_text(log->log, text, length);
}

uint32_t task_function_text(const task_log *log, const void *function, const void *captured) {
    size_t place = (((uintptr_t)function >> 2) ^ ((uintptr_t)captured >> 1)) * 0x9e3779b97f4a7c15u >> (64 - PAIR_BITS);
    function_pair *pair = &pairs[place];
    uint64_t known = atomic_load_explicit(&pair->text, memory_order_acquire);
    if (atomic_load_explicit(&pair->function, memory_order_acquire) == function
        && atomic_load_explicit(&pair->captured, memory_order_acquire) == captured && known >> 32 == (uint32_t)log->id
        && atomic_load_explicit(&pair->text, memory_order_relaxed) == known && log_text_lasts(log->log, (uint32_t)known))
        return (uint32_t)known;
    uint32_t text = find(log, function, captured);
    // A thread that reads meanwhile finds 0, or that the text changed.
    atomic_store_explicit(&pair->text, 0, memory_order_relaxed);
    atomic_store_explicit(&pair->function, function, memory_order_release);
    atomic_store_explicit(&pair->captured, captured, memory_order_release);
    atomic_store_explicit(&pair->text, log->id << 32 | text, memory_order_release);
    return text;
}

#endif
