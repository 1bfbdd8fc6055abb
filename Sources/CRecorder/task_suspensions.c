// Why a suspended task is suspended, and where in the program.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

/// Where sleeping and yielding tasks go on, within the runtime: learnt when one is resumed.
enum { MOST_WAYS = 8 };
static struct {
    _Atomic(const void *) resume;
    _Atomic uint64_t reason;
} ways[MOST_WAYS];

static uint64_t way_of(const void *resume) {
    for (int index = 0; index < MOST_WAYS; index++) {
        const void *found = atomic_load_explicit(&ways[index].resume, memory_order_acquire);
        if (!found) break;
        uint64_t reason = atomic_load_explicit(&ways[index].reason, memory_order_relaxed);
        if (found == resume && reason) return reason;
    }
    return LOG_AWAITS_CONTINUATION;
}

static uint64_t learn(const void *resume, uint64_t reason) {
    for (int index = 0; index < MOST_WAYS; index++) {
        const void *found = NULL;
        if (!atomic_compare_exchange_strong(&ways[index].resume, &found, resume) && found != resume) continue;
        atomic_store_explicit(&ways[index].reason, reason, memory_order_relaxed);
        break;
    }
    return reason;
}

uint64_t suspension_ended(const task_log *log, const char *task, const void *current, bool is_resumed) {
    const void *resume = (const void *)word_at(task, task_parts.resume);
    if (!is_within(task_places.code, resume)) return LOG_AWAITS_CONTINUATION;
    if (current && task_has_state(log, task_number(current), TASK_IS_HIDDEN)) return learn(resume, LOG_AWAITS_SLEEP);
    return is_resumed ? way_of(resume) : learn(resume, LOG_AWAITS_YIELD);
}

/// Where a suspended task goes on in the program: in the first function that does not belong to the runtime.
static const void *place_of(const char *task, const void *resume) {
    const char *context = (const char *)word_at(task, task_parts.context);
    for (int depth = 0; depth < 4 && context && is_within(task_places.code, resume); depth++) {
        resume = (const void *)word_at(context, sizeof(void *));
        context = (const char *)word_at(context, 0);
    }
    return is_within(task_places.code, resume) ? NULL : resume;
}

static suspension dependency_of(const task_log *log, const char *task, const void *resume) {
    const void *dependency = (const void *)word_at(task, task_parts.dependency);
    if (!dependency) return (suspension){.reason = LOG_AWAITS_UNKNOWN};
    void *object = (void *)word_at(dependency, task_parts.dependency_object);
    const void *implementation = (const void *)word_at(dependency, task_parts.dependency_object + sizeof(void *));
    switch (half_at(dependency, task_parts.dependency_kind)) {
    case WAITS_FOR_TASK: return (suspension){.reason = LOG_AWAITS_TASK, .task = task_identifier(object)};
    case WAITS_FOR_GROUP: return (suspension){.reason = LOG_AWAITS_GROUP};
    case WAITS_FOR_EXECUTOR:
        return (suspension){.reason = LOG_AWAITS_EXECUTOR, .executor = executor_number(log, object, implementation)};
    case WAITS_FOR_CONTINUATION:
        // Sleeping and yielding are made of continuations.
        return (suspension){.reason = is_within(task_places.code, resume) ? way_of(resume) : LOG_AWAITS_CONTINUATION};
    default: return (suspension){.reason = LOG_AWAITS_UNKNOWN};
    }
}

_Atomic bool records_await_stacks;

suspension suspension_of(const task_log *log, const char *task) {
    const void *resume = (const void *)word_at(task, task_parts.resume);
    suspension found = dependency_of(log, task, resume);
    if (atomic_load_explicit(&records_await_stacks, memory_order_relaxed)) {
        found.place = await_stack_of(log, task, resume);
        return found;
    }
    const void *place = place_of(task, resume);
    if (place) found.place = recorder_origin(log->log, place);
    return found;
}

uint32_t executor_waited_for(const task_log *log, const char *task) {
    const void *dependency = (const void *)word_at(task, task_parts.dependency);
    if (!dependency || half_at(dependency, task_parts.dependency_kind) != WAITS_FOR_EXECUTOR) return 0;
    void *object = (void *)word_at(dependency, task_parts.dependency_object);
    if (!object) return 0;
    return executor_number(
        log, object, (const void *)word_at(dependency, task_parts.dependency_object + sizeof(void *)));
}

#endif
