// A program with statically linked Swift does not export its symbols. They are in its file unless it was
// stripped.
#define _GNU_SOURCE
#include "preload.h"

#ifdef RECORDER_INTERPOSES

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    const uint8_t *bytes;
    size_t size;
} file;

/// The bytes at an offset; NULL if they lie outside the file.
static const void *at(file file, uint64_t offset, uint64_t size) {
    return offset <= file.size && size <= file.size - offset ? file.bytes + offset : NULL;
}

static int store_base(struct dl_phdr_info *object, size_t size, void *base) {
    (void)size;
    // The first object is the program.
    *(uintptr_t *)base = object->dlpi_addr;
    return 1;
}

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), end = strlen(ending);
    return length >= end && strcmp(name + length - end, ending) == 0;
}

static bool has_tasks;

bool program_has_tasks(void) { return has_tasks; }

static void take_symbol(
    foundation_symbols *symbols, const char *name, const void *address, void (*class_found)(const void *)) {
#define TAKE(field, symbol)                                                                              \
    if (strcmp(name, symbol) == 0) symbols->field = address;
    if (strncmp(name, "$s10Foundation", 14) == 0 || strncmp(name, "swift_", 6) == 0
        || strncmp(name, "_swift", 6) == 0) {
        FOUNDATION_SYMBOLS(TAKE)
        if (strcmp(name, "swift_task_getCurrent") == 0) has_tasks = true;
    } else if (strncmp(name, "$s", 2) == 0 && ends_with(name, "CN")) {
        class_found(address);
    }
}

/// The section where the Swift compiler lists a program's types on Linux.
static const char swift_section[] = "swift5_type_metadata";

static program_state search(file file, foundation_symbols *symbols, void (*class_found)(const void *)) {
    const Elf64_Ehdr *header = at(file, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_shentsize != sizeof(Elf64_Shdr))
        return PROGRAM_HAS_NO_FOUNDATION;
    const Elf64_Shdr *sections = at(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof *sections);
    if (!sections || header->e_shstrndx >= header->e_shnum) return PROGRAM_HAS_NO_FOUNDATION;
    const Elf64_Shdr *names = &sections[header->e_shstrndx];
    const Elf64_Shdr *table = NULL;
    bool has_swift = false;
    for (int index = 0; index < header->e_shnum; index++) {
        const char *name = at(file, names->sh_offset + sections[index].sh_name, sizeof swift_section);
        if (name && memcmp(name, swift_section, sizeof swift_section) == 0) has_swift = true;
        if (sections[index].sh_type == SHT_SYMTAB) table = &sections[index];
    }
    if (!has_swift) return PROGRAM_HAS_NO_FOUNDATION;
    if (!table) return PROGRAM_IS_STRIPPED;
    uint64_t count = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *entries = at(file, table->sh_offset, count * sizeof *entries);
    const Elf64_Shdr *text = table->sh_link < header->e_shnum ? &sections[table->sh_link] : NULL;
    const char *texts = text ? at(file, text->sh_offset, text->sh_size) : NULL;
    if (!entries || !texts || text->sh_size == 0 || texts[text->sh_size - 1] != 0) return PROGRAM_IS_STRIPPED;
    uintptr_t base = 0;
    dl_iterate_phdr(store_base, &base);
    for (uint64_t index = 0; index < count; index++) {
        if (entries[index].st_name >= text->sh_size || entries[index].st_shndx == SHN_UNDEF) continue;
        take_symbol(
            symbols, texts + entries[index].st_name, (const void *)(base + entries[index].st_value), class_found);
    }
    return symbols->operation ? PROGRAM_HAS_FOUNDATION : PROGRAM_HAS_NO_FOUNDATION;
}

program_state program_find(foundation_symbols *symbols, void (*class_found)(const void *class_metadata)) {
    // Swift's library is loaded dynamically, so Foundation would be too.
    if (dlsym(RTLD_DEFAULT, "swift_retain")) return PROGRAM_HAS_NO_FOUNDATION;
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return PROGRAM_HAS_NO_FOUNDATION;
    struct stat status;
    program_state state = PROGRAM_HAS_NO_FOUNDATION;
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (bytes != MAP_FAILED) {
            state = search((file){bytes, (size_t)status.st_size}, symbols, class_found);
            munmap(bytes, (size_t)status.st_size);
        }
    }
    close(descriptor);
    return state;
}

#endif
