// Loaded into a program, this library finds the program's Foundation and begins to observe its queues. Without
// Foundation, it does nothing.
#define _GNU_SOURCE
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool foundation_is_static;

static atomic_bool is_observing;
static bool observes_operations;
/// The program started without one. It may load one.
static atomic_bool has_no_foundation;
static _Atomic(recorder_log *) log_of_process;
static pthread_once_t log_once = PTHREAD_ONCE_INIT;

static void begin_log(void) {
    uint64_t size;
    uint32_t processor_times;
    int descriptor = connection_ask(&size, &processor_times);
    if (descriptor < 0) return;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    recorder_options options = {
        .process = program_invocation_short_name,
        .host = host,
        .wall_time = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec,
        .clock = recorder_best_clock(),
        .processor_times = processor_times,
        .maximum_size = size,
        .has_whole_size = true,
    };
    const char *limit = recorder_environment("OPVIZ_TRACE_LIMIT");
    options.keeps_latest = limit && strstr(limit, "latest");
    recorder_log *log = recorder_open(descriptor, &options);
    connection_report_log(log != NULL, errno);
    if (log)
        recorder_record_cause_of_process(log);
    else
        close(descriptor);
    atomic_store_explicit(&log_of_process, log, memory_order_release);
}

recorder_log *the_log(void) {
    if (!atomic_load_explicit(&is_observing, memory_order_relaxed)) return NULL;
    if (recorder_is_forked_child()) {
        connection_report_forked_user();
        return NULL;
    }
    recorder_log *log = atomic_load_explicit(&log_of_process, memory_order_acquire);
    if (log) return log;
    // The program's `errno` must not change.
    int before = errno;
    pthread_once(&log_once, begin_log);
    errno = before;
    return atomic_load_explicit(&log_of_process, memory_order_acquire);
}

static void found_class(const void *class_metadata) {
    if (class_metadata != foundation.symbols.queue && foundation_is_a(class_metadata, foundation.symbols.queue))
        queue_methods_observe(class_metadata);
}

static const void *classes_in_program[1024];
static int class_count;

static void remember_class(const void *class_metadata) {
    if (class_count < 1024) classes_in_program[class_count++] = class_metadata;
}

/// Finds the program's Foundation, and observes its operations. Returns false if it cannot be done.
static bool begin_operations(void) {
    foundation_symbols symbols = foundation_linked_symbols();
    if (!symbols.operation) {
        switch (program_find(&symbols, remember_class)) {
        case PROGRAM_HAS_NO_FOUNDATION: atomic_store(&has_no_foundation, true); return false;
        case PROGRAM_IS_STRIPPED: connection_tell_unrecordable(true); return false;
        case PROGRAM_HAS_FOUNDATION: foundation_is_static = true; break;
        }
    }
    if (!foundation_find(&symbols, &foundation)) {
        connection_tell_unrecordable(false);
        return false;
    }
    interposition_begin(&operation_hooks);
    if (foundation.barrier) recorder_observe_class(foundation.barrier);
    queue_methods_observe(symbols.queue);
    for (int index = 0; index < class_count; index++) found_class(classes_in_program[index]);
    return true;
}

static void observe(void) {
    bool has_operations = begin_operations();
    const char *wanted = recorder_environment("OPVIZ_TASKS");
    recorder_tasks_state tasks = wanted && *wanted ? recorder_observe_tasks(the_log) : TASKS_ARE_NOT_WANTED;
    if (tasks == TASKS_HAVE_NO_RUNTIME && program_has_tasks()) tasks = TASKS_ARE_STATIC;
    bool is_refused = tasks == TASKS_ARE_STATIC || tasks == TASKS_ARE_UNKNOWN;
    if (!has_operations && is_refused) connection_tell_loaded(tasks);
    if (!has_operations && tasks != TASKS_ARE_OBSERVED) return;
    observes_operations = has_operations;
    atomic_store_explicit(&is_observing, true, memory_order_release);
    connection_tell_loaded(tasks);
}

__attribute__((constructor)) static void begin(void) {
    if (!connection_is_wanted()) return;
    observe();
    connection_end_probe(!atomic_load(&has_no_foundation), foundation_is_static);
}

__attribute__((destructor)) static void end(void) {
    recorder_log *log = atomic_load_explicit(&log_of_process, memory_order_acquire);
    if (!log || recorder_is_forked_child()) return;
    atomic_store_explicit(&is_observing, false, memory_order_relaxed);
    recorder_record_tasks(NULL);
    recorder_seal(log, NULL);
}

bool is_recording(void) { return atomic_load_explicit(&is_observing, memory_order_acquire) && observes_operations; }

/// A function of a library that the program loaded by `dlopen`, which the linker does not find from here. That library
/// then stays loaded.
static void *function_loaded_later(const char *symbol) {
    Dl_info own, info;
    if (!dladdr((void *)function_loaded_later, &own)) return NULL;
    // The program's handle is the first entry in the list of everything that is loaded.
    for (struct link_map *object = dlopen(NULL, RTLD_LAZY); object; object = object->l_next) {
        if (object->l_addr == (uintptr_t)own.dli_fbase) continue;
        void *library = dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD);
        void *function = library ? dlsym(library, symbol) : NULL;
        if (function && dladdr(function, &info) && object->l_addr == (uintptr_t)info.dli_fbase) return function;
        if (library) dlclose(library);
    }
    return NULL;
}

void *foundation_function(_Atomic(void *) *found, const char *symbol) {
    void *next = atomic_load_explicit(found, memory_order_acquire);
    if (next) return next;
    next = dlsym(RTLD_NEXT, symbol);
    if (!next) next = function_loaded_later(symbol);
    if (!next) abort();
    atomic_store_explicit(found, next, memory_order_release);
    return next;
}

// MARK: Queues of other classes

static void report_later_foundation(void) {
    int before = errno;
    if (atomic_exchange(&has_no_foundation, false) && !recorder_is_forked_child()) connection_report_later_foundation();
    errno = before;
}

// A subclass of OperationQueue has a table of its own. Its initializer calls the superclass's, which the
// linker resolves to this function. So each queue and its class are seen when the queue is created. The
// linker's order also finds the function to forward to.
SWIFT void *new_queue(SELF) __asm__("$s10Foundation14OperationQueueCACycfc") __attribute__((visibility("default")));

SWIFT void *new_queue(SELF) {
    typedef SWIFT void *(*initializer)(SELF);
    static _Atomic(void *) found;
    void *queue = ((initializer)foundation_function(&found, "$s10Foundation14OperationQueueCACycfc"))(self);
    if (is_recording())
        found_class(*(const void **)queue);
    else if (atomic_load_explicit(&has_no_foundation, memory_order_relaxed))
        report_later_foundation();
    return queue;
}

#endif
