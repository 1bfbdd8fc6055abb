// Before a runtime's tasks are recorded, tasks of our own show whether everything in them is where it is expected:
// one is cancelled; one runs and completes; one creates a child and waits for another task, and stays there.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define ASYNC __attribute__((swiftasynccall))
#define ASYNC_CONTEXT __attribute__((swift_async_context))

typedef struct async_context async_context;
/// Gets the context of the function that returns, and the error that it threw.
typedef ASYNC void (*continuation)(ASYNC_CONTEXT async_context *, __attribute__((swift_context)) void *error);
struct async_context {
    async_context *parent;
    continuation resume_parent;
};

typedef struct {
    char *task;
    async_context *context;
} created_task;

/// How much of a task and of the record of what it waits for is looked at: less than the runtime allocates.
enum { TASK_SIZE = 0xf0, DEPENDENCY_SIZE = 0x28 };

/// What our tasks were like at each moment, so that any layout can be compared with it.
typedef struct {
    /// A task that was created; while it ran; one that was cancelled; a child; and one that waits, with the record of
    /// what it waits for.
    char fresh[TASK_SIZE], running[TASK_SIZE], cancelled[TASK_SIZE], child[TASK_SIZE], waiting[TASK_SIZE];
    char dependency[DEPENDENCY_SIZE];
    const void *fresh_context, *waiting_task, *awaited_task, *dependency_record;
    /// What the begin and the end of a run got, from the start of the task.
    uint64_t entered, left;
    uint64_t completed_status;
    uint32_t fresh_number, child_number;
    /// Where a task that waits for another one goes on.
    const void *resume_of_waiting;
} task_evidence;

static task_evidence evidence;

/// The tasks that run now.
static char *brief, *waiting, *awaited;
/// Memory for the call in which a task waits.
static _Alignas(16) char call_context[512];

__thread bool task_runtime_is_checking THREAD_LOCAL_MODEL;

void task_runtime_check_enter(char *local) {
    if (current_task() == brief) evidence.entered = (uint64_t)(local - brief);
}

void task_runtime_check_exit(char *local) {
    if (current_task() == waiting) evidence.left = (uint64_t)(local - waiting);
}

void task_runtime_check_release(void *object) {
    // The first time, the task has just completed; later, its memory may be another's.
    if (object != brief || evidence.completed_status) return;
    evidence.completed_status = word_at(object, task_layout_known.status);
}

/// What the runtime starts a task with: the function, relative to this number, and the size of its first context.
typedef struct {
    int32_t function;
    uint32_t context_size;
} async_function;

static async_function brief_function, waiting_function, newest_function;

static void describe(async_function *description, const void *function) {
    description->function = (int32_t)((intptr_t)function - (intptr_t)&description->function);
    description->context_size = 64;
}

static created_task create(uint64_t flags, async_function *function) {
    typedef SWIFT created_task (*create_task)(
        uint64_t flags, void *options, const void *result_type, void *function, void *captures);
    // The symbol of the type `()` is that of its whole metadata, in which the type comes second.
    const void *result_type = (const uint64_t *)task_runtime.empty_type + 1;
    return ((create_task)task_runtime.create)(flags, NULL, result_type, function, NULL);
}

// From `TaskCreateFlags` of the runtime.
enum { DEFAULT_PRIORITY = 0x15, CREATE_CHILD = 1 << 8 };

static ASYNC void finish_at_once(ASYNC_CONTEXT async_context *context) {
    memcpy(evidence.running, brief, TASK_SIZE);
    return context->resume_parent(context, NULL);
}

static ASYNC void never_resumed(ASYNC_CONTEXT async_context *context) { (void)context; }

static ASYNC void wait_for_other(ASYNC_CONTEXT async_context *context) {
    char *child = create(DEFAULT_PRIORITY | CREATE_CHILD, &brief_function).task;
    evidence.child_number = (uint32_t)task_identifier(child);
    memcpy(evidence.child, child, TASK_SIZE);
    typedef ASYNC void (*await_task)(void *result, ASYNC_CONTEXT async_context *caller, void *task, void *resume, void *call);
    return ((await_task)task_runtime.await)(
        NULL, context, awaited, (void *)never_resumed, call_context);
}

static void run(void *task) {
    typedef SWIFT void (*run_job)(void *job, void *executor, void *implementation);
    ((run_job)task_runtime.run)(task, NULL, NULL);
}

static bool is_mapped(const void *address) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char is_resident;
    uintptr_t first = (uintptr_t)address / size * size, last = ((uintptr_t)address + DEPENDENCY_SIZE) / size * size;
    return ((uintptr_t)address & 7) == 0 && mincore((void *)first, 1, &is_resident) == 0
        && mincore((void *)last, 1, &is_resident) == 0;
}

static void collect_evidence(void) {
    memset(&evidence, 0, sizeof evidence);
    describe(&brief_function, (const void *)finish_at_once);
    describe(&waiting_function, (const void *)wait_for_other);
    evidence.resume_of_waiting = *(const void *const *)task_runtime.resume_of_waiting;

    awaited = create(DEFAULT_PRIORITY, &brief_function).task;
    ((SWIFT void (*)(void *))task_runtime.cancel)(awaited);
    memcpy(evidence.cancelled, awaited, TASK_SIZE);

    created_task created = create(DEFAULT_PRIORITY, &brief_function);
    brief = created.task;
    evidence.fresh_context = created.context;
    evidence.fresh_number = (uint32_t)task_identifier(brief);
    memcpy(evidence.fresh, brief, TASK_SIZE);
    run(brief);

    // It stays suspended: to be resumed, it would need a thread of the program's pool.
    evidence.waiting_task = waiting = create(DEFAULT_PRIORITY, &waiting_function).task;
    evidence.awaited_task = awaited;
    run(waiting);
    memcpy(evidence.waiting, waiting, TASK_SIZE);
    const void *record = (const void *)word_at(waiting, task_layout_known.dependency);
    if (!is_mapped(record)) return;
    evidence.dependency_record = record;
    memcpy(evidence.dependency, record, DEPENDENCY_SIZE);
}

static bool fits(const task_layout *layout) {
    uint64_t fresh = word_at(evidence.fresh, layout->status), cancelled = word_at(evidence.cancelled, layout->status);
    uint64_t others = fresh | cancelled | word_at(evidence.running, layout->status) | word_at(evidence.waiting, layout->status);
    return half_at(evidence.fresh, layout->flags) == TASK_HAS_RESULT
        && half_at(evidence.child, layout->flags) == (TASK_HAS_RESULT | TASK_IS_CHILD)
        && (fresh & TASK_PRIORITY_MASK) == DEFAULT_PRIORITY
        && half_at(evidence.fresh, layout->number) == evidence.fresh_number
        && half_at(evidence.child, layout->number) == evidence.child_number
        && (const void *)word_at(evidence.fresh, layout->context) == evidence.fresh_context
        && (const void *)word_at(evidence.waiting, layout->resume) == evidence.resume_of_waiting
        && evidence.entered == layout->local && evidence.left == layout->local
        && (fresh ^ cancelled) == layout->is_cancelled
        && (evidence.completed_status & layout->is_complete) == layout->is_complete && layout->is_complete
        && (others & layout->is_complete) == 0 && evidence.dependency_record
        // The second word of the status may point to the same record, but not always.
        && layout->dependency != layout->status + sizeof(uint64_t)
        && (const void *)word_at(evidence.waiting, layout->dependency) == evidence.dependency_record
        && (const void *)word_at(evidence.dependency, layout->dependency_object) == evidence.awaited_task
        && half_at(evidence.dependency, layout->dependency_kind) == WAITS_FOR_TASK
        // The word after the object, and the halves after others, are not always initialized: they may look like it.
        && layout->dependency_kind != layout->dependency_object + sizeof(uint64_t) && layout->dependency_kind % 8 == 0
        && (const void *)word_at(evidence.child, layout->fragments) == evidence.waiting_task;
}

static void *checking(void *work) {
    task_runtime_is_checking = true;
    ((void (*)(void))work)();
    task_runtime_is_checking = false;
    return NULL;
}

/// Does work with tasks of our own. The runtime does not remember the task of a thread that runs another one.
static bool check(void (*work)(void)) {
    pthread_t thread;
    if (!current_task()) return checking((void *)work), true;
    return pthread_create(&thread, NULL, checking, (void *)work) == 0 && pthread_join(thread, NULL) == 0;
}

bool task_runtime_check(const task_layout *layout) { return check(collect_evidence) && fits(layout); }

static uint64_t newest;

static ASYNC void finish_as_newest(ASYNC_CONTEXT async_context *context) { return context->resume_parent(context, NULL); }

static void find_newest(void) {
    describe(&newest_function, (const void *)finish_as_newest);
    void *task = create(DEFAULT_PRIORITY, &newest_function).task;
    newest = task_number(task);
    run(task);
}

uint64_t task_runtime_newest(void) { return check(find_newest) ? newest : 0; }

bool recorder_tasks_fit(const uint16_t *offsets, uint64_t is_cancelled, uint64_t is_complete) {
    task_layout layout = {.is_cancelled = is_cancelled, .is_complete = is_complete};
    // Without what lies between the offsets and the flags.
    memcpy(&layout, offsets, offsetof(task_layout, fragments) + sizeof layout.fragments);
    return fits(&layout);
}

#endif
