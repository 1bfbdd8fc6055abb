#ifndef CHROME_HPP
#define CHROME_HPP

#include "CTraceJSON.h"

#include "loose.hpp"
#include "reading.hpp"

#include <vector>

namespace {

class ChromeTaker {
public:
    static constexpr bool needs_header = false;

    static bool takes_member(const std::string &key) {
        return key == "otherData" || key == "metadata" || key == "viztracer_metadata" || key == "beginningOfTime" ||
            key == "baseTimeNanoseconds" || key == "systemTraceEvents";
    }

    ChromeTaker(
        void *context, void (*on_process)(void *, const otlp_attributes *),
        void (*on_event)(void *, const chrome_event *), void (*on_header)(void *, const chrome_header *))
        : context(context), on_process(on_process), on_event(on_event), on_header(on_header) {}

    bool take(object fields, uint64_t offset) {
        chrome_event event = {};
        event.offset = offset;
        arguments.clear();
        for (auto field : fields) {
            std::string_view key;
            value content;
            if (split(field, key, content) || take(key, content, event)) return false;
        }
        event.arguments = {arguments.data(), arguments.size()};
        on_event(context, &event);
        return true;
    }

    /// The members beside the events may be anything. Unreadable ones are skipped.
    void take_member(const std::string &key, value content) {
        chrome_header header = {};
        if (key == "beginningOfTime") {
            if (text_or_number(content, header.beginning)) return;
        } else if (key == "baseTimeNanoseconds") {
            if (text_or_number(content, header.base)) return;
        } else if (key == "systemTraceEvents") {
            header.has_system_events = true;
        } else {
            auto error = each(content, [this, &header](std::string_view name, value member) {
                if (name == "baseTimeNanoseconds") return text_or_number(member, header.base);
                if (name == "clock-offset-since-epoch") return text_or_number(member, header.clock_offset);
                if (name == "profile_start_ts") return text_or_number(member, header.profile_start);
                if (name == "exporter") return take_exporter(member);
                return name == "processes" && is_own ? take_processes(member) : simdjson::SUCCESS;
            });
            if (error) return;
        }
        on_header(context, &header);
    }

private:
    simdjson::error_code take_exporter(value content) {
        trace_text exporter = {};
        auto error = text_or_number(content, exporter);
        is_own = exporter.length == 5 && std::string_view(exporter.start, 5) == "opviz";
        return error;
    }

    simdjson::error_code take_processes(value content) {
        simdjson::ondemand::array list;
        if (content.get_array().get(list)) return simdjson::SUCCESS;
        for (auto element : list) {
            value entry;
            if (auto error = element.get(entry)) return error;
            std::vector<otlp_attribute> attributes;
            auto error = each(entry, [&attributes](std::string_view key, value member) {
                return append(key, member, attributes);
            });
            if (error) return error;
            otlp_attributes all = {attributes.data(), attributes.size()};
            on_process(context, &all);
        }
        return simdjson::SUCCESS;
    }

    static simdjson::error_code append(std::string_view key, value content, std::vector<otlp_attribute> &list) {
        otlp_attribute attribute = {{key.data(), key.size()}, {}, {}};
        auto error = text_or_number(content, attribute.value);
        list.push_back(attribute);
        return error;
    }

    simdjson::error_code take(std::string_view key, value content, chrome_event &event) {
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
            return each(content, [this, &event](std::string_view key, value member) {
                if (is_own && key != "name") return append(key, member, arguments);
                if (key == "name") return text_or_number(member, event.own_name);
                if (key == "avg ms") event.has_average = true;
                return key == "detail" ? text_or_number(member, event.detail) : simdjson::SUCCESS;
            });
        }
        return simdjson::SUCCESS;
    }

    void *context;
    void (*on_process)(void *, const otlp_attributes *);
    void (*on_event)(void *, const chrome_event *);
    void (*on_header)(void *, const chrome_header *);
    /// Whether this project exported the file.
    bool is_own = false;
    std::vector<otlp_attribute> arguments;
};

}  // namespace

trace_result chrome_json_read(
    int descriptor, void *context, void (*on_process)(void *, const otlp_attributes *),
    void (*on_event)(void *, const chrome_event *), void (*on_header)(void *, const chrome_header *)) {
    return read_all(descriptor, ChromeTaker(context, on_process, on_event, on_header));
}

#endif
