// What the threads of a program execute: their stacks, which the kernel looks at many times a second.
#ifndef RECORD_SAMPLES_H
#define RECORD_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#define NAMED(name) __attribute__((swift_name(#name)))

typedef enum __attribute__((enum_extensibility(closed))) : uint32_t {
    RECORD_SAMPLE_EXECUTING NAMED(executing) = 0,
    /// The thread was in the kernel.
    RECORD_SAMPLE_IN_KERNEL NAMED(inKernel) = 1,
    /// The thread left the processor to wait.
    RECORD_SAMPLE_BLOCKED NAMED(blocked) = 2,
} record_sample_state;

#undef NAMED

/// A stack: that of the caller, and an address on top of it.
typedef struct {
    /// The next instruction of the function; for callers, after the call.
    uint64_t address;
    /// Index of the caller's stack; the node's own index for the outermost function.
    uint32_t caller;
} record_stack;

typedef struct {
    /// Nanoseconds of CLOCK_MONOTONIC.
    uint64_t time;
    int32_t process, thread;
    /// Index of a stack.
    uint32_t stack;
    record_sample_state state;
} record_sample;

enum { RECORD_LONGEST_BUILD_ID = 20 };

/// A file, or a part of it, was mapped as code.
typedef struct {
    uint64_t time;
    /// The addresses, and the offset in the file.
    uint64_t start, end, offset;
    /// Where its path is in `paths`; it ends in NUL.
    size_t path;
    int32_t process;
    /// 0 if the file has no build ID, or the kernel does not tell it.
    uint8_t build_id_size;
    uint8_t build_id[RECORD_LONGEST_BUILD_ID];
} record_mapping;

/// In the order in which they were taken.
typedef struct {
    record_sample *samples;
    size_t sample_count;
    /// A caller comes before its callees. Processes share them: what an address means depends on the process.
    record_stack *stacks;
    size_t stack_count;
    record_mapping *mappings;
    size_t mapping_count;
    char *paths;
    size_t paths_size;
    /// How many samples the kernel had no room for, at most, because other records may be among these; and
    /// how many there was no memory for here.
    uint64_t lost;
} record_samples;

#endif
