// How a program finds the log that `opviz record` writes about it. The library that `opviz record` loads is
// built without this file: it is the other side.
#include "CRecorder.h"

#include <dlfcn.h>

const recorder_outside *recorder_host_log(void) {
    const recorder_outside *found = dlsym(RTLD_DEFAULT, "opviz_outside");
    return found && found->size >= offsetof(recorder_outside, ask_kinds) ? found : NULL;
}

bool recorder_is_recorded_from_outside(void) {
    const recorder_outside *outside = recorder_host_log();
    return outside && outside->is_recording();
}

#ifdef __linux__

#pragma GCC visibility push(hidden)
/// In HostLog.swift.
extern recorder_outside_kind opviz_operation_kind(
    void *operation, void *context, void (*take)(void *context, const char *text, size_t length));
#pragma GCC visibility pop

static const recorder_outside *log_that_asks_kinds(void) {
    const recorder_outside *outside = recorder_host_log();
    return outside && outside->size >= offsetof(recorder_outside, observe_tasks) ? outside : NULL;
}

// When the program is loaded, and not when it first uses `Ops`: then nothing has to check for it, and no
// operation comes earlier.
__attribute__((constructor)) static void offer_kinds(void) {
    const recorder_outside *outside = log_that_asks_kinds();
    if (outside) outside->ask_kinds(opviz_operation_kind);
}

__attribute__((destructor)) static void withdraw_kinds(void) {
    const recorder_outside *outside = log_that_asks_kinds();
    if (outside) outside->forget_kinds(opviz_operation_kind);
}

#endif
