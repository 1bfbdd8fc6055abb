#include "CTraceJSON.h"

#include "loose.hpp"
#include "reading.hpp"

namespace {

class ForeignTaker {
public:
    static constexpr bool needs_header = false;

    ForeignTaker(void *context, void (*on_event)(void *, const foreign_event *))
        : context(context), on_event(on_event) {}

    bool take(object fields, uint64_t) {
        foreign_event event = {};
        for (auto field : fields) {
            std::string_view key;
            value content;
            if (split(field, key, content) || take(key, content, event)) return false;
        }
        on_event(context, &event);
        return true;
    }

    trace_ending take_header(object) { return TRACE_WHOLE; }

private:
    static simdjson::error_code take(std::string_view key, value content, foreign_event &event) {
        if (key == "ph") return text_or_number(content, event.phase);
        if (key == "ts") return text_or_number(content, event.timestamp);
        if (key == "dur") return text_or_number(content, event.duration);
        if (key == "pid") return text_or_number(content, event.process);
        if (key == "tid") return text_or_number(content, event.thread);
        if (key == "cat") return text_or_number(content, event.category);
        if (key == "name") return text_or_number(content, event.name);
        if (key == "id") return text_or_number(content, event.identifier);
        if (key == "scope") return text_or_number(content, event.scope);
        if (key == "bind_id") return text_or_number(content, event.flow);
        if (key == "flow_in") {
            event.flows_in = is_true(content);
        } else if (key == "flow_out") {
            event.flows_out = is_true(content);
        } else if (key == "bp") {
            trace_text point = {};
            if (auto error = text_or_number(content, point)) return error;
            event.is_enclosed = point.length == 1 && point.start[0] == 'e';
        } else if (key == "id2") {
            return each(content, [&event](std::string_view key, value member) {
                if (key == "local") event.is_local = true;
                return key == "local" || key == "global" ? text_or_number(member, event.identifier)
                                                         : simdjson::SUCCESS;
            });
        } else if (key == "args") {
            return each(content, [&event](std::string_view key, value member) {
                if (key == "name") return text_or_number(member, event.own_name);
                if (key == "avg ms") event.has_average = true;
                return key == "detail" ? text_or_number(member, event.detail) : simdjson::SUCCESS;
            });
        }
        return simdjson::SUCCESS;
    }

    void *context;
    void (*on_event)(void *, const foreign_event *);
};

}  // namespace

trace_result foreign_json_read(
    int descriptor, void *context, void (*on_event)(void *, const foreign_event *)) {
    return read_all(descriptor, ForeignTaker(context, on_event));
}
