// Reads the JSON of a trace, event by event, in memory that does not grow with the file.
#ifndef CTRACEJSON_H
#define CTRACEJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that need not end in NUL and may hold any. `start` is NULL where the trace has no such member.
typedef struct {
    const char *start;
    size_t length;
} trace_text;

typedef enum { TRACE_TEXT, TRACE_NUMBER, TRACE_TRUTH, TRACE_TEXTS } trace_kind;

/// A member of an event's "args" that means something in a log. A value of another kind makes the event a
/// damaged one.
typedef struct {
    trace_text key;
    trace_kind kind;
} trace_member;

typedef struct {
    bool is_there;
    /// Unescaped UTF-8, repaired where it is none in the file, and valid during the call only.
    trace_text text;
    /// A truth value is 0 or 1.
    int64_t number;
} trace_argument;

/// An event of a log. Texts as in its arguments.
typedef struct {
    /// Where it begins: bytes from the start of the file.
    uint64_t offset;
    trace_text phase, category, name, timestamp;
    trace_text identifier;
    uint64_t thread;
    int64_t process;
    /// As many as there are members, in their order.
    const trace_argument *arguments;
    /// Of the member that is a list of texts.
    const trace_text *list;
    size_t list_count;
} trace_event;

/// A process of a merged log.
typedef struct {
    trace_text process, process_id, event_process_id, host, start, offset, shift, operations_before, dropped, last_alive;
    bool is_closed;
} trace_process;

/// The members of "otherData".
typedef struct {
    trace_text format, process, process_id, host, start, dropped, last_alive, boot, monotonic, recorder, signal;
    int64_t version;
    bool is_closed;
    const trace_process *processes;
    size_t process_count;
} trace_header;

typedef enum {
    /// Read to its end.
    TRACE_WHOLE,
    /// The file ends in the middle; all events before that were given.
    TRACE_CUT,
    /// What stands at the offset is no JSON; all events before that were given.
    TRACE_MALFORMED,
    /// JSON, but no object, or an object without a header of ours: not a log of ours.
    TRACE_OTHER,
    /// The caller did not want the header.
    TRACE_REFUSED,
    /// `errno` says why.
    TRACE_UNREADABLE,
    /// One value is larger than can be sensible, or there is no memory.
    TRACE_TOO_LARGE,
} trace_ending;

typedef struct {
    trace_ending ending;
    /// Where the reading ended: bytes from the start of the file.
    uint64_t offset;
    /// Where the reading did not end between two events.
    bool ends_within_event;
    /// Whether the file has a member "traceEvents".
    bool has_events;
    /// Events that are well delimited but could not be understood; the others were given.
    uint64_t damaged_events;
    uint64_t first_damaged_offset;
} trace_result;

/// Reads from `descriptor`, which must be able to seek where the header comes after the events.
///
/// `on_header` is called once, before any event; when it returns false, reading ends. A single value may take
/// 64 MiB at most. Of the members at most one is a list.
trace_result trace_json_read(
    int descriptor, const trace_member *members, size_t member_count, void *context, bool (*on_header)(void *context, const trace_header *header),
    void (*on_event)(void *context, const trace_event *event));

/// An attribute of OpenTelemetry whose value is a text, a number or a truth value, as it is written.
typedef struct {
    trace_text key, value;
} otlp_attribute;

typedef struct {
    const otlp_attribute *items;
    size_t count;
} otlp_attributes;

/// The members of an event that another program wrote. Numbers are as they were written.
typedef struct {
    /// Where it begins: bytes from the start of the file.
    uint64_t offset;
    trace_text phase, category, name, timestamp, duration, process, thread;
    /// `id`, or the member of `id2`; and what it belongs to.
    trace_text identifier, scope;
    /// `id2.local`: known in the process only.
    bool is_local;
    /// Of a slice that a flow passes: the flow's, and which way.
    trace_text flow;
    bool flows_in, flows_out;
    /// `"bp": "e"`: of the end of a flow, that it is at the slice around it.
    bool is_enclosed;
    // Members of "args".
    trace_text own_name, detail;
    /// There is an "avg ms": clang sums up what it wrote before.
    bool has_average;
    /// All members of "args" that are texts, numbers or truth values, in a file that this project exported.
    otlp_attributes arguments;
} chrome_event;

/// What a Chrome trace says of itself, beside its events. Numbers are as they were written.
typedef struct {
    /// Microseconds since 1970, to be added to the times of events: clang's `beginningOfTime`.
    trace_text beginning;
    /// The same in nanoseconds: `baseTimeNanoseconds` of PyTorch, and of VizTracer in `viztracer_metadata`.
    trace_text base;
    /// The same in milliseconds: Bazel's `otherData.profile_start_ts`.
    trace_text profile_start;
    /// The same in microseconds: Chromium's `metadata.clock-offset-since-epoch`.
    trace_text clock_offset;
    /// There is a `systemTraceEvents`: records of the kernel, as text.
    bool has_system_events;
} chrome_header;

/// Reads the events of a Chrome trace, whoever wrote it: an object with `traceEvents`, or their list alone,
/// closed or not.
///
/// `on_process` is called for each process of a file that this project exported, before its events.
trace_result chrome_json_read(
    int descriptor, void *context, void (*on_process)(void *context, const otlp_attributes *attributes),
    void (*on_event)(void *context, const chrome_event *event),
    void (*on_header)(void *context, const chrome_header *header));

typedef struct {
    trace_text time, name;
    otlp_attributes attributes;
} otlp_event;

typedef struct {
    trace_text trace, span;
} otlp_link;

/// A span as its JSON has it. Texts and lists are valid during the call only.
typedef struct {
    /// Where it begins: bytes from the start of the file.
    uint64_t offset;
    /// In the file: which entry of `resourceSpans` it is within, from 0.
    size_t resource;
    trace_text trace, span, parent, name, start, end, status, message;
    otlp_attributes attributes;
    const otlp_event *events;
    size_t event_count;
    const otlp_link *links;
    size_t link_count;
} otlp_span;

/// Reads the spans of OTLP JSON: requests that export traces, one or one after the other. The attributes of a
/// resource may come after its spans. `has_events` says whether there is a member "resourceSpans".
trace_result otlp_json_read(
    int descriptor, void *context,
    void (*on_resource)(void *context, size_t resource, const otlp_attributes *attributes),
    void (*on_span)(void *context, const otlp_span *span));

#ifdef __cplusplus
}
#endif
#endif
