// Which threads run tasks now, for snapshots of a running program.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <pthread.h>

static task_thread threads[RECORDER_MOST_TASK_THREADS];
/// For threads that found no place.
static task_thread others;
__thread task_thread *task_thread_own THREAD_LOCAL_MODEL;

static pthread_key_t thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end_thread(void *place) {
    task_thread *ended = place;
    task_thread_own = NULL;
    atomic_store(&ended->count, 0);
    atomic_store(&ended->number, 0);
}

static void prepare(void) { pthread_key_create(&thread_end, end_thread); }

void task_threads_enter(void) {
    task_thread_own = &others;
    uint64_t number = recorder_thread_number();
    for (int index = 0; index < RECORDER_MOST_TASK_THREADS; index++) {
        uint64_t nobody = 0;
        if (!atomic_compare_exchange_strong(&threads[index].number, &nobody, number)) continue;
        pthread_once(&once, prepare);
        pthread_setspecific(thread_end, &threads[index]);
        task_thread_own = &threads[index];
        return;
    }
}

size_t recorder_task_threads(uint64_t *numbers, size_t most) {
    size_t found = 0;
    for (int index = 0; index < RECORDER_MOST_TASK_THREADS && found < most; index++) {
        uint64_t number = atomic_load_explicit(&threads[index].number, memory_order_relaxed);
        if (number && atomic_load_explicit(&threads[index].count, memory_order_relaxed) > 0) numbers[found++] = number;
    }
    return found;
}

#else

size_t recorder_task_threads(uint64_t *numbers, size_t most) {
    (void)numbers;
    (void)most;
    return 0;
}

#endif
