// Reads the JSON of a trace, event by event, in memory that does not grow with the file.
#ifndef CTRACEJSON_H
#define CTRACEJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that need not end in NUL and may contain any. `start` is NULL if the trace lacks the member.
typedef struct {
    const char *start;
    size_t length;
} trace_text;

typedef enum { TRACE_TEXT, TRACE_NUMBER, TRACE_TRUTH, TRACE_TEXTS } trace_kind;

/// A member of an event's "args" that a log uses. If its value has another type, the event counts as damaged.
typedef struct {
    trace_text key;
    trace_kind kind;
} trace_member;

typedef struct {
    bool is_there;
    /// Unescaped and valid UTF-8: invalid bytes in the file are repaired. Valid during the call only.
    trace_text text;
    /// For a Boolean, 0 or 1.
    int64_t number;
} trace_argument;

/// An event of a log. The same rules apply to its texts as to those of its arguments.
typedef struct {
    /// The event's offset in the file, in bytes.
    uint64_t offset;
    trace_text phase, category, name, timestamp;
    trace_text identifier;
    uint64_t thread;
    int64_t process;
    /// One for each of `members`, in their order.
    const trace_argument *arguments;
    /// The elements of the member that is a list of texts.
    const trace_text *list;
    size_t list_count;
} trace_event;

/// A process of a merged log.
typedef struct {
    trace_text process, process_id, event_process_id, host, start, offset, shift, operations_before, dropped, last_alive,
        processors, usable_processors, processor_quota, later_processors;
    bool is_closed;
} trace_process;

/// The members of "otherData".
typedef struct {
    trace_text format, process, process_id, host, start, dropped, last_alive, boot, monotonic, recorder, signal,
        processor_times, processors, usable_processors, processor_quota, later_processors;
    int64_t version;
    bool is_closed, is_of_another_program;
    const trace_process *processes;
    size_t process_count;
} trace_header;

typedef enum {
    /// The file was read to its end.
    TRACE_WHOLE,
    /// The file ends in the middle. All earlier events were passed on.
    TRACE_CUT,
    /// The bytes at the offset are not JSON. All earlier events were passed on.
    TRACE_MALFORMED,
    /// JSON, but not a log: not an object, or an object without this project's header.
    TRACE_OTHER,
    /// The caller did not want the header.
    TRACE_REFUSED,
    /// `errno` has the reason.
    TRACE_UNREADABLE,
    /// A value is too large to be sensible, or there is not enough memory.
    TRACE_TOO_LARGE,
} trace_ending;

typedef struct {
    trace_ending ending;
    /// Where reading ended: bytes from the start of the file.
    uint64_t offset;
    /// Whether reading ended inside an event.
    bool ends_within_event;
    /// Whether the file has a member "traceEvents".
    bool has_events;
    /// Well delimited events that could not be understood. All others were passed on.
    uint64_t damaged_events;
    uint64_t first_damaged_offset;
} trace_result;

/// Reads from `descriptor`, which must support seeking if the header comes after the events.
///
/// Calls `on_header` once, before any event. If it returns false, reading ends. A single value may take at
/// most 64 MiB. At most one of the members is a list.
trace_result trace_json_read(
    int descriptor, const trace_member *members, size_t member_count, void *context, bool (*on_header)(void *context, const trace_header *header),
    void (*on_event)(void *context, const trace_event *event));

/// An OpenTelemetry attribute. `value` is a text, a number or a Boolean. `written` is the JSON of a value of any
/// type.
typedef struct {
    trace_text key, value, written;
} otlp_attribute;

typedef struct {
    const otlp_attribute *items;
    size_t count;
} otlp_attributes;

/// The members of an event that another program wrote. Numbers are as written in the file.
typedef struct {
    /// The event's offset in the file, in bytes.
    uint64_t offset;
    trace_text phase, category, name, timestamp, duration, process, thread;
    /// `id`, or the member of `id2`; and its scope.
    trace_text identifier, scope;
    /// `id2.local`: the identifier is valid in its process only.
    bool is_local;
    /// For a slice that a flow passes: the flow's identifier, and the directions.
    trace_text flow;
    bool flows_in, flows_out;
    /// `"bp": "e"`: the end of a flow belongs to the enclosing slice.
    bool is_enclosed;
    // Members of "args".
    trace_text own_name, detail;
    /// Whether there is an "avg ms": clang writes such totals after its events.
    bool has_average;
    /// All members of "args" that are texts, numbers or Booleans, in a file that this project exported.
    otlp_attributes arguments;
} chrome_event;

/// What a Chrome trace states beside its events. Numbers are as written in the file.
typedef struct {
    /// Microseconds since 1970, to add to the times of events: clang's `beginningOfTime`.
    trace_text beginning;
    /// The same in nanoseconds: `baseTimeNanoseconds` of PyTorch, and of VizTracer in `viztracer_metadata`.
    trace_text base;
    /// The same in milliseconds: Bazel's `otherData.profile_start_ts`.
    trace_text profile_start;
    /// The same in microseconds: Chromium's `metadata.clock-offset-since-epoch`.
    trace_text clock_offset;
    /// Whether there is a `systemTraceEvents`: records of the kernel, as text.
    bool has_system_events;
} chrome_header;

/// Reads the events of a Chrome trace from any program: an object with `traceEvents`, or just a list of
/// events, even one without its closing bracket.
///
/// Calls `on_process` for each process of a file that this project exported, before the process's events.
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

/// A span as in its JSON. Texts and lists are valid during the call only.
typedef struct {
    /// The span's offset in the file, in bytes.
    uint64_t offset;
    /// The index of the span's entry in `resourceSpans` in the file, from 0.
    size_t resource;
    trace_text trace, span, parent, kind, name, start, end, status, message;
    otlp_attributes attributes;
    /// All members that are not identifiers, names, times or attributes, and are not empty, as written.
    otlp_attributes members;
    const otlp_event *events;
    size_t event_count;
    const otlp_link *links;
    size_t link_count;
} otlp_span;

/// Reads the spans of OTLP JSON: one or more export requests in a row. The attributes of a resource may come
/// after its spans. `has_events` says whether there is a member "resourceSpans".
///
/// Calls `on_unkept` with the name of each member that belongs neither to a span nor to the attributes of a
/// resource, and is not empty.
trace_result otlp_json_read(
    int descriptor, void *context,
    void (*on_resource)(void *context, size_t resource, const otlp_attributes *attributes),
    void (*on_span)(void *context, const otlp_span *span),
    void (*on_unkept)(void *context, const trace_text *name));

#ifdef __cplusplus
}
#endif
#endif
