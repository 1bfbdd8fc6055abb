// The runtime of tasks has no place for observers on Linux. Four of its own places serve: two functions that it
// imports from the library of Swift's core, called at the begin and at the end of each run; and two variables there,
// which hold functions for the thread sanitizer and are called at the other moments.
#define _GNU_SOURCE
#include "task_runtime.h"

#ifdef RECORDER_INTERPOSES

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const task_layout task_layout_known = {
    .flags = 0x20,
    .number = 0x24,
    .resume = 0x38,
    .context = 0x40,
    .local = 0x50,
    .status = 0x60,
    .dependency = 0xa0,
    .dependency_object = 0x10,
    .dependency_kind = 0x20,
    .fragments = 0xd0,
    .is_cancelled = 0x100,
    .is_complete = 0x2000,
};

task_symbols task_runtime;
task_layout task_parts;
task_functions task_places;
task_hooks task_next;

// MARK: Finding it

static bool find_symbols(void) {
    void *library = RTLD_DEFAULT;
    if (!dlsym(library, "swift_task_getCurrent")) {
        // A library that was loaded later need not be visible to all.
        library = dlopen("libswift_Concurrency.so", RTLD_LAZY | RTLD_NOLOAD);
        if (!library) return false;
    }
#define SYMBOL(name, symbol) task_runtime.name = dlsym(library, symbol);
    TASK_SYMBOLS(SYMBOL)
#undef SYMBOL
    return true;
}

static bool has_all_symbols(void) {
    void *const *symbols = (void *const *)&task_runtime;
    for (size_t index = 0; index < sizeof task_runtime / sizeof *symbols; index++)
        if (!symbols[index]) return false;
    return true;
}

static bool find_range(void *function, function_range *range) {
    Dl_info info;
    ElfW(Sym) *symbol = NULL;
    if (!dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol || !symbol->st_size) return false;
    *range = (function_range){(uintptr_t)function, (uintptr_t)function + symbol->st_size};
    return true;
}

static bool find_places(void) {
    return find_range(task_runtime.enqueue, &task_places.enqueue)
        && find_range(task_runtime.resume, &task_places.resume[0])
        && find_range(task_runtime.resume_throwing, &task_places.resume[1])
        && find_range(task_runtime.resume_with_error, &task_places.resume[2])
        && find_range(task_runtime.cancel, &task_places.cancel) && find_range(task_runtime.move, &task_places.move);
}

// MARK: Observing it

/// The entries of the runtime's library through which it calls two functions of another one.
typedef struct {
    void **enter, **exit;
    /// What is read-only from when the library was loaded.
    uintptr_t protected_from, protected_to;
} imports;

static int find_imports(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    imports *found = context;
    const ElfW(Dyn) *entry = NULL;
    bool is_runtime = false;
    function_range code = {0}, protected = {0};
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        uintptr_t start = object->dlpi_addr + part->p_vaddr;
        function_range range = {start, start + part->p_memsz};
        if (part->p_type == PT_DYNAMIC) entry = (const void *)start;
        if (part->p_type == PT_GNU_RELRO) protected = range;
        if (part->p_type != PT_LOAD || !is_within(range, task_runtime.current)) continue;
        is_runtime = true;
        code = range;
    }
    if (!is_runtime || !entry) return 0;
    task_places.code = code;
    *found = (imports){.protected_from = protected.from, .protected_to = protected.to};
    const ElfW(Rela) *relocation = NULL;
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    size_t bytes = 0;
    for (; entry->d_tag != DT_NULL; entry++) {
        switch (entry->d_tag) {
        case DT_JMPREL: relocation = (const void *)entry->d_un.d_ptr; break;
        case DT_PLTRELSZ: bytes = entry->d_un.d_val; break;
        case DT_SYMTAB: symbols = (const void *)entry->d_un.d_ptr; break;
        case DT_STRTAB: names = (const void *)entry->d_un.d_ptr; break;
        }
    }
    if (!relocation || !symbols || !names) return 1;
    for (size_t index = 0; index < bytes / sizeof *relocation; index++, relocation++) {
        const char *name = names + symbols[ELF64_R_SYM(relocation->r_info)].st_name;
        void **place = (void **)(object->dlpi_addr + relocation->r_offset);
        if (strcmp(name, "swift_task_enterThreadLocalContext") == 0) found->enter = place;
        if (strcmp(name, "swift_task_exitThreadLocalContext") == 0) found->exit = place;
    }
    return 1;
}

/// Puts a function into an entry. Returns what to call instead of it: the function of another library, or the
/// runtime's own where the entry was not used so far.
static void *exchange_import(const imports *all, void **entry, void *function, void *own) {
    uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE), page = (uintptr_t)entry / size * size;
    bool is_protected = (uintptr_t)entry >= all->protected_from && (uintptr_t)entry < all->protected_to;
    if (is_protected && mprotect((void *)page, size, PROT_READ | PROT_WRITE) != 0) return NULL;
    void *before = __atomic_exchange_n(entry, function, __ATOMIC_ACQ_REL);
    if (is_protected) mprotect((void *)page, size, PROT_READ);
    return is_within(task_places.code, before) ? own : before;
}

static bool observe(const imports *all, const task_hooks *hooks) {
    // Each hook is called only once what it calls is known.
    task_next = (task_hooks){.enter = task_runtime.enter, .exit = task_runtime.exit};
    void *enter = exchange_import(all, all->enter, hooks->enter, task_runtime.enter);
    if (!enter) return false;
    task_next.enter = enter;
    void *exit = exchange_import(all, all->exit, hooks->exit, task_runtime.exit);
    if (!exit) {
        exchange_import(all, all->enter, enter, enter);
        return false;
    }
    task_next.exit = exit;
    task_next.acquire = *(void (**)(void *))task_runtime.acquire;
    task_next.release = *(void (**)(void *))task_runtime.release;
    __atomic_store_n((void **)task_runtime.acquire, hooks->acquire, __ATOMIC_RELEASE);
    __atomic_store_n((void **)task_runtime.release, hooks->release, __ATOMIC_RELEASE);
    return true;
}

static void stop_observing(const imports *all, const task_hooks *hooks) {
    exchange_import(all, all->enter, task_next.enter, NULL);
    exchange_import(all, all->exit, task_next.exit, NULL);
    void *expected = hooks->acquire;
    __atomic_compare_exchange_n(
        (void **)task_runtime.acquire, &expected, task_next.acquire, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    expected = hooks->release;
    __atomic_compare_exchange_n(
        (void **)task_runtime.release, &expected, task_next.release, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

recorder_tasks_state task_runtime_observe(const task_hooks *hooks) {
    static bool is_observing;
    if (is_observing) return TASKS_ARE_OBSERVED;
    if (!find_symbols()) return TASKS_HAVE_NO_RUNTIME;
    imports all = {0};
    dl_iterate_phdr(find_imports, &all);
    if (!all.enter && !all.exit) return TASKS_ARE_STATIC;
    if (!has_all_symbols() || !find_places() || !all.enter || !all.exit || *(uint32_t *)task_runtime.layout_version != 1)
        return TASKS_ARE_UNKNOWN;
    task_parts = task_layout_known;
    if (!observe(&all, hooks)) return TASKS_ARE_UNKNOWN;
    if (!task_runtime_check(&task_layout_known)) {
        stop_observing(&all, hooks);
        return TASKS_ARE_UNKNOWN;
    }
    is_observing = true;
    return TASKS_ARE_OBSERVED;
}

#endif
