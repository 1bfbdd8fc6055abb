// The numbers of the binary log, for writers and readers. Documentation/TraceFormat.md says what they mean,
// and EventLog/EventSchema.swift lists what each event has. They never change, because files contain them.
#ifndef CLOGFORMAT_H
#define CLOGFORMAT_H

#include "OpvizVersion.h"

#include <stdint.h>

#define LOG_MAGIC "OPTRACE\n"

enum {
    LOG_VERSION = 1,
    LOG_HEADER_SIZE = 4096,
    LOG_SEGMENT_SIZE = 65536,
    LOG_SEGMENT_HEADER_SIZE = 32,
    LOG_RECORD_SIZE = 24,
    /// Bits of a queue's identifier in an argument that has a kind above it.
    LOG_QUEUE_BITS = 28,
    /// The largest number of a text. Kinds have this many bits, and no number is used twice.
    LOG_LAST_TEXT = (1 << 28) - 1,
    /// The longest text, in bytes.
    LOG_LONGEST_TEXT = 60000,
};

enum { LOG_IS_SEALED = 1, LOG_KEEPS_LATEST = 2, LOG_IS_OF_ANOTHER_PROGRAM = 4 };

enum { LOG_SEGMENT_FREE = 0, LOG_SEGMENT_RECORDS = 1, LOG_SEGMENT_TEXTS = 2, LOG_SEGMENT_PROCESSES = 3 };

/// Offsets within the header.
enum {
    LOG_VERSION_OFFSET = 8,
    LOG_HEADER_SIZE_OFFSET = 12,
    LOG_SEGMENT_SIZE_OFFSET = 16,
    LOG_FLAGS_OFFSET = 20,
    LOG_CLOCK_OFFSET = 24,
    LOG_PROCESS_ID_OFFSET = 32,
    LOG_START_WALL_OFFSET = 40,
    LOG_START_MONOTONIC_OFFSET = 48,
    LOG_START_TIME_OFFSET = 56,
    LOG_LAST_ALIVE_OFFSET = 64,
    LOG_DROPPED_OFFSET = 72,
    LOG_OVERWRITTEN_OFFSET = 80,
    LOG_BOOT_HIGH_OFFSET = 88,
    LOG_BOOT_LOW_OFFSET = 96,
    LOG_SEALED_SIZE_OFFSET = 104,
    LOG_RECORDER_OFFSET = 112,
    LOG_PROCESS_OFFSET = 128,
    LOG_HOST_OFFSET = 384,
    /// The smallest size of a log file.
    LOG_HEADER_END = 640,
    /// Recorders leave it zero; opviz record writes it to the trace.
    LOG_ENDING_SIGNAL_OFFSET = 640,
    /// A `LOG_CPU` number.
    LOG_PROCESSOR_TIMES_OFFSET = 644,
    /// Processors of the machine, and those that the program may use; zero if unknown.
    LOG_ONLINE_PROCESSORS_OFFSET = 648,
    LOG_USABLE_PROCESSORS_OFFSET = 652,
    /// The program's quota of CPU time, in thousandths of a processor; zero if none is known.
    LOG_PROCESSOR_QUOTA_OFFSET = 656,
    /// The processors that the program could use after its affinity mask changed; zero if it did not.
    LOG_LATER_PROCESSORS_OFFSET = 660,
};

/// Where the parts of the argument of a task's records begin, in bits, and how many queues and texts they hold.
enum {
    /// The function, below. `LOG_TASK_IS_QUEUED` is above the kind: it was enqueued at once on the global executor.
    LOG_TASK_PRIORITY_BIT = 28,
    LOG_TASK_KIND_BIT = 36,
    LOG_TASK_QUEUED_BIT = 40,
    /// Of a run's end: the reason below, then where it suspended, then the executor that it waits for.
    LOG_RUN_PLACE_BIT = 4,
    LOG_RUN_EXECUTOR_BIT = 32,
    /// Of an executor: its kind below, then its name.
    LOG_EXECUTOR_NAME_BIT = 2,
};

/// The numbers of tasks begin here, plus what the runtime numbers them. Operations have lower ones.
static const uint64_t LOG_FIRST_TASK = UINT64_C(1) << 40;

/// How a task was created.
enum {
    LOG_TASK_UNSTRUCTURED = 0,
    LOG_TASK_ASYNC_LET = 1,
    LOG_TASK_GROUP_CHILD = 2,
    LOG_TASK_IMMEDIATE = 3,
};

/// Why a run ended.
enum {
    LOG_AWAITS_UNKNOWN = 0,
    LOG_AWAITS_TASK = 1,
    LOG_AWAITS_CONTINUATION = 2,
    LOG_AWAITS_GROUP = 3,
    LOG_AWAITS_EXECUTOR = 4,
    LOG_AWAITS_SLEEP = 5,
    LOG_AWAITS_YIELD = 6,
};

enum { LOG_EXECUTOR_POOL = 0, LOG_EXECUTOR_MAIN = 1, LOG_EXECUTOR_ACTOR = 2, LOG_EXECUTOR_CUSTOM = 3 };

/// Where the times come from that threads spend on processors.
enum { LOG_CPU_UNKNOWN = 0, LOG_CPU_SWITCHES = 1, LOG_CPU_CLOCKS = 2, LOG_CPU_OFF = 3 };

#define NAMED(name) __attribute__((swift_name(#name)))

/// The types of records. 12 to 15 are reserved for records about the next record; unlisted numbers from 16 on
/// are reserved for new events.
typedef enum __attribute__((enum_extensibility(closed))) : uint8_t {
    // About the stream of records itself.
    RECORD_THREAD NAMED(thread) = 1,
    RECORD_ANCHOR NAMED(anchor) = 2,
    // Records that add to the next record of another kind.
    RECORD_NOT_BEFORE NAMED(notBefore) = 3,
    RECORD_NAME NAMED(name) = 4,
    RECORD_PARENT NAMED(parent) = 5,
    RECORD_DEPENDENCY NAMED(dependency) = 6,
    RECORD_NUMBER NAMED(number) = 7,
    RECORD_CODE NAMED(code) = 9,
    // About the stream, in merged logs only: the process that it belongs to.
    RECORD_PROCESS NAMED(process) = 10,
    // Operations.
    RECORD_ENQUEUED NAMED(enqueued) = 16,
    RECORD_SIGHTED NAMED(sighted) = 17,
    RECORD_DEPENDENCY_ADDED NAMED(dependencyAdded) = 18,
    RECORD_DEPENDENCY_REMOVED NAMED(dependencyRemoved) = 19,
    RECORD_READY NAMED(ready) = 20,
    RECORD_EXECUTING NAMED(executing) = 21,
    RECORD_CANCELLED NAMED(cancelled) = 22,
    RECORD_FINISHED NAMED(finished) = 23,
    RECORD_BODY_BEGAN NAMED(bodyBegan) = 24,
    RECORD_BODY_ENDED NAMED(bodyEnded) = 25,
    RECORD_CONTEXT_SENT NAMED(contextSent) = 26,
    RECORD_CONTEXT_RECEIVED NAMED(contextReceived) = 27,
    RECORD_UNNOTIFIED_FINISH NAMED(unnotifiedFinish) = 28,
    RECORD_SLOT_FREE NAMED(slotFree) = 29,
    RECORD_BODY_USED NAMED(bodyUsed) = 30,
    RECORD_OPERATION_SEARCHED NAMED(operationSearched) = 31,
    // Queues.
    RECORD_QUEUE_OPENED NAMED(queueOpened) = 32,
    RECORD_QUEUE_RENAMED NAMED(queueRenamed) = 33,
    RECORD_SUSPENDED NAMED(suspended) = 34,
    RECORD_RESUMED NAMED(resumed) = 35,
    RECORD_LIMIT_CHANGED NAMED(limitChanged) = 36,
    RECORD_ALL_CANCELLED NAMED(allCancelled) = 37,
    // Swift tasks, and their executors, which are queues in the log. Tasks also finish, as operations
    // do.
    RECORD_TASK_CREATED NAMED(taskCreated) = 38,
    RECORD_TASK_ENQUEUED NAMED(taskEnqueued) = 39,
    RECORD_RUN_BEGAN NAMED(runBegan) = 40,
    RECORD_RUN_ENDED NAMED(runEnded) = 41,
    RECORD_TASK_RESUMED NAMED(taskResumed) = 42,
    RECORD_TASK_MOVED NAMED(taskMoved) = 43,
    RECORD_EXECUTOR_OPENED NAMED(executorOpened) = 44,
    RECORD_TASK_CANCELLED NAMED(taskCancelled) = 45,
    RECORD_TASK_SEARCHED NAMED(taskSearched) = 46,
    // Marks of the program, and waits of its threads.
    RECORD_MARK NAMED(mark) = 48,
    RECORD_WAIT_FOR_OPERATION NAMED(waitForOperation) = 49,
    RECORD_WAIT_FOR_QUEUE NAMED(waitForQueue) = 50,
    RECORD_WAIT_ENDED NAMED(waitEnded) = 51,
    // Samples of what the threads executed.
    RECORD_SAMPLING NAMED(sampling) = 52,
    RECORD_SAMPLED NAMED(sampled) = 53,
    RECORD_SAMPLED_IN_KERNEL NAMED(sampledInKernel) = 54,
    RECORD_SAMPLED_BLOCKED NAMED(sampledBlocked) = 55,
    // Threads and processors.
    RECORD_LEFT_CPU NAMED(leftCPU) = 56,
    RECORD_PREEMPTED NAMED(preempted) = 57,
    RECORD_BLOCKED NAMED(blocked) = 58,
    RECORD_WAITED_FOR_CPU NAMED(waitedForCPU) = 59,
    RECORD_SWITCHES_LOST NAMED(switchesLost) = 60,
    // The stacks of samples.
    RECORD_FRAME NAMED(frame) = 61,
} record_type;

#undef NAMED

#endif
