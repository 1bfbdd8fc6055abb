#ifndef READ_HPP
#define READ_HPP

#include "CTraceJSON.h"

#include "reading.hpp"

namespace {

/// Reads this project's own logs.
class LogTaker {
public:
    static constexpr bool needs_header = true;
    static bool takes_member(const std::string &key) { return key == "otherData"; }

    LogTaker(
        const trace_member *members, size_t member_count, void *context, bool (*on_header)(void *, const trace_header *),
        void (*on_event)(void *, const trace_event *))
        : members(members, member_count), context(context), on_header(on_header), on_event(on_event) {}

    bool take(object fields, uint64_t offset) {
        trace_event event = {};
        event.offset = offset;
        if (members.read(fields, event)) return false;
        on_event(context, &event);
        return true;
    }

    trace_ending take_header(object fields) {
        trace_header header = {};
        if (members.read(fields, header)) return TRACE_OTHER;
        return on_header(context, &header) ? TRACE_WHOLE : TRACE_REFUSED;
    }

private:
    Members members;
    void *context;
    bool (*on_header)(void *, const trace_header *);
    void (*on_event)(void *, const trace_event *);
};

}  // namespace

trace_result trace_json_read(
    int descriptor, const trace_member *members, size_t member_count, void *context, bool (*on_header)(void *, const trace_header *),
    void (*on_event)(void *, const trace_event *)) {
    return read_all(descriptor, LogTaker(members, member_count, context, on_header, on_event));
}

#endif
