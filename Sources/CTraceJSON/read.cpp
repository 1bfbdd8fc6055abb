#include "CTraceJSON.h"

#include "reading.hpp"

namespace {

/// A log of ours.
class LogTaker {
public:
    static constexpr bool needs_header = true;
    static bool takes_member(const std::string &key) { return key == "otherData"; }

    LogTaker(
        void *context, bool (*on_header)(void *, const trace_header *),
        void (*on_event)(void *, const trace_event *))
        : context(context), on_header(on_header), on_event(on_event) {}

    bool take(object fields, uint64_t offset) {
        trace_event event = {};
        event.offset = offset;
        dependencies.clear();
        if (Members(dependencies).read(fields, event)) return false;
        on_event(context, &event);
        return true;
    }

    trace_ending take_header(object fields) {
        trace_header header = {};
        Members members(dependencies);
        if (members.read(fields, header)) return TRACE_FOREIGN;
        return on_header(context, &header) ? TRACE_WHOLE : TRACE_REFUSED;
    }

private:
    void *context;
    bool (*on_header)(void *, const trace_header *);
    void (*on_event)(void *, const trace_event *);
    std::vector<trace_text> dependencies;
};

}  // namespace

trace_result trace_json_read(
    int descriptor, void *context, bool (*on_header)(void *, const trace_header *),
    void (*on_event)(void *, const trace_event *)) {
    return read_all(descriptor, LogTaker(context, on_header, on_event));
}
