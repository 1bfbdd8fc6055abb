#ifndef OTLP_HPP
#define OTLP_HPP

#include "CTraceJSON.h"

#include "loose.hpp"
#include "walk.hpp"

#include <new>
#include <string>
#include <vector>

namespace {

using simdjson::ondemand::array;

/// Keeps the JSON of a list or an object, which is then read from its beginning.
template <class Container>
simdjson::error_code keep(Container &content, trace_text &written) {
    std::string_view text;
    if (auto error = content.raw_json().get(text)) return error;
    written = trimmed(text);
    return content.reset().error();
}

/// Calls `take` with each object of a list. `written` becomes the JSON of the list.
template <class Take>
simdjson::error_code each_object(value content, trace_text &written, Take take) {
    array list;
    if (content.get_array().get(list)) return simdjson::SUCCESS;
    if (auto error = keep(list, written)) return error;
    for (auto element : list) {
        value entry;
        if (auto error = element.get(entry)) return error;
        if (auto error = take(entry)) return error;
    }
    return simdjson::SUCCESS;
}

/// Calls `take` with each member of an object. `written` becomes the JSON of the object.
template <class Take>
simdjson::error_code each_written(value content, trace_text &written, Take take) {
    object fields;
    if (content.get_object().get(fields)) return simdjson::SUCCESS;
    if (auto error = keep(fields, written)) return error;
    return each_member(fields, take);
}

/// The JSON of a value. One that is an object or a list cannot be read afterwards.
simdjson::error_code as_written(value content, trace_text &written) {
    std::string_view text = content.raw_json_token();
    if (!text.empty() && text[0] == '{') {
        object fields;
        if (auto error = content.get_object().get(fields)) return error;
        if (auto error = fields.raw_json().get(text)) return error;
    } else if (!text.empty() && text[0] == '[') {
        array list;
        if (auto error = content.get_array().get(list)) return error;
        if (auto error = list.raw_json().get(text)) return error;
    }
    written = trimmed(text);
    return simdjson::SUCCESS;
}

/// Whether JSON says no more than a missing member.
bool is_empty(const trace_text &written) {
    std::string_view text(written.start, written.length);
    for (auto empty : {"", "null", "[]", "{}", "\"\"", "0", "\"0\""}) {
        if (text == empty) return true;
    }
    return false;
}

/// A span while it is being read. Its lists grow, so the addresses of their elements are known only at the
/// end.
class Span {
public:
    simdjson::error_code read(object fields) {
        span = {};
        attributes.clear();
        own.clear();
        events.clear();
        counts.clear();
        links.clear();
        members.clear();
        for (auto field : fields) {
            std::string_view key;
            value content;
            if (auto error = split(field, key, content)) return error;
            if (auto error = take(key, content)) return error;
        }
        size_t first = 0;
        for (size_t index = 0; index < events.size(); index++) {
            events[index].attributes = {attributes.data() + first, counts[index]};
            first += counts[index];
        }
        span.attributes = {own.data(), own.size()};
        span.members = {members.data(), members.size()};
        span.events = events.data();
        span.event_count = events.size();
        span.links = links.data();
        span.link_count = links.size();
        return simdjson::SUCCESS;
    }

    /// Appends a list of attributes.
    static simdjson::error_code read_attributes(value content, std::vector<otlp_attribute> &list) {
        trace_text all = {};
        return each_object(content, all, [&list](value entry) {
            otlp_attribute attribute = {};
            auto error = each(entry, [&attribute](std::string_view key, value member) {
                if (key == "key") return text_or_number(member, attribute.key);
                if (key != "value") return simdjson::SUCCESS;
                return each_written(member, attribute.written, [&attribute](std::string_view, value content) {
                    return text_or_number(content, attribute.value);
                });
            });
            list.push_back(attribute);
            return error;
        });
    }

    otlp_span span = {};

private:
    simdjson::error_code take(std::string_view key, value content) {
        if (key == "traceId") return text_or_number(content, span.trace);
        if (key == "spanId") return text_or_number(content, span.span);
        if (key == "parentSpanId") return text_or_number(content, span.parent);
        if (key == "name") return text_or_number(content, span.name);
        if (key == "startTimeUnixNano") return text_or_number(content, span.start);
        if (key == "endTimeUnixNano") return text_or_number(content, span.end);
        if (key == "attributes") return read_attributes(content, own);
        trace_text written = {};
        auto error = take(key, content, written);
        if (!error && !is_empty(written)) members.push_back({{key.data(), key.size()}, {}, written});
        return error;
    }

    simdjson::error_code take(std::string_view key, value content, trace_text &written) {
        if (key == "status") {
            return each_written(content, written, [this](std::string_view key, value member) {
                if (key == "code") return text_or_number(member, span.status);
                return key == "message" ? text_or_number(member, span.message) : simdjson::SUCCESS;
            });
        }
        if (key == "links") {
            return each_object(content, written, [this](value entry) {
                otlp_link link = {};
                auto error = each(entry, [&link](std::string_view key, value member) {
                    if (key == "traceId") return text_or_number(member, link.trace);
                    return key == "spanId" ? text_or_number(member, link.span) : simdjson::SUCCESS;
                });
                links.push_back(link);
                return error;
            });
        }
        if (key == "events") {
            return each_object(content, written, [this](value entry) {
                otlp_event event = {};
                size_t before = attributes.size();
                auto error = each(entry, [this, &event](std::string_view key, value member) {
                    if (key == "timeUnixNano") return text_or_number(member, event.time);
                    if (key == "name") return text_or_number(member, event.name);
                    return key == "attributes" ? read_attributes(member, attributes) : simdjson::SUCCESS;
                });
                events.push_back(event);
                counts.push_back(attributes.size() - before);
                return error;
            });
        }
        if (key == "kind") {
            if (auto error = text_or_number(content, span.kind)) return error;
        }
        return as_written(content, written);
    }

    std::vector<otlp_attribute> attributes, own, members;
    std::vector<otlp_event> events;
    /// For each event, how many of the attributes belong to it.
    std::vector<size_t> counts;
    std::vector<otlp_link> links;
};

/// Walks the JSON of the requests, and parses each resource and each span on its own.
class Requests {
public:
    enum Level { request, resource_spans, scope_spans };

    Requests(
        int descriptor, void *context, void (*on_resource)(void *, size_t, const otlp_attributes *),
        void (*on_span)(void *, const otlp_span *), void (*on_unkept)(void *, const trace_text *))
        : source(descriptor), context(context), on_resource(on_resource), on_span(on_span),
          report_unkept(on_unkept) {}

    trace_result run() {
        bool is_first = true;
        do {
            int byte = source.skip_blanks();
            if (byte == Source::end_of_file && !is_first && !source.failed && !source.overflowed) break;
            result.ending = byte == '{' ? read_object(request) : unexpected(source);
            is_first = false;
        } while (result.ending == TRACE_WHOLE);
        result.offset = source.offset();
        return result;
    }

private:
    trace_ending read_object(Level level) {
        return each_member(source, [this, level](const std::string &key) { return read_member(level, key); });
    }

    trace_ending read_member(Level level, const std::string &key) {
        bool is_list = source.peek() == '[';
        if (level == request && key == "resourceSpans" && is_list) {
            result.has_events = true;
            return read_list(resource_spans);
        }
        // The second name is the one before version 1.
        bool is_scopes = key == "scopeSpans" || key == "instrumentationLibrarySpans";
        if (level == resource_spans && is_scopes && is_list) return read_list(scope_spans);
        if (level == scope_spans && key == "spans" && is_list) return read_spans();
        if (level == resource_spans && key == "resource") return read_resource();
        if (level != request) return pass_over(key);
        uint64_t start = source.offset();
        return !source.skip_value() || source.offset() == start ? unexpected(source) : TRACE_WHOLE;
    }

    trace_ending pass_over(const std::string &key) {
        source.mark();
        bool is_whole = source.skip_value();
        if (!is_whole || source.offset() == source.marked_offset()) return unexpected(source);
        std::string_view text = source.text();
        // A scope that this project's exports have.
        if (!is_empty(trimmed(text)) && text != R"({"name":"opviz"})") on_unkept(key);
        source.unmark();
        return TRACE_WHOLE;
    }

    void on_unkept(std::string_view key) {
        trace_text name = {key.data(), key.size()};
        report_unkept(context, &name);
    }

    trace_ending read_list(Level level) {
        return each_element(source, [this, level]() {
            if (source.peek() != '{') return unexpected(source);
            if (level == resource_spans) resource_count++;
            return read_object(level);
        });
    }

    trace_ending read_spans() {
        return each_element(source, [this]() {
            return read_value([this](object fields) {
                // Members are kept as written.
                if (span.read(fields) || !parser.is_valid()) return false;
                span.span.offset = source.marked_offset();
                span.span.resource = resource_count - 1;
                on_span(context, &span.span);
                return true;
            });
        });
    }

    trace_ending read_resource() {
        return read_value([this](object fields) {
            std::vector<otlp_attribute> attributes;
            auto error = each_member(fields, [&](std::string_view key, value content) {
                if (key == "attributes") return Span::read_attributes(content, attributes);
                trace_text written = {};
                auto error = as_written(content, written);
                if (!error && !is_empty(written)) on_unkept(key);
                return error;
            });
            if (error) return false;
            otlp_attributes list = {attributes.data(), attributes.size()};
            on_resource(context, resource_count - 1, &list);
            return true;
        });
    }

    /// Copies and parses one value. A value of the wrong form is counted as damaged.
    template <class Read>
    trace_ending read_value(Read read) {
        source.mark();
        bool is_whole = source.skip_value();
        bool is_empty = source.offset() == source.marked_offset();
        result.ends_within_event = !is_whole && !is_empty;
        if (!is_whole || is_empty) return unexpected(source);
        object fields;
        if (parser.parse(source.text(), fields) || !read(fields)) {
            if (result.damaged_events++ == 0) result.first_damaged_offset = source.marked_offset();
        }
        source.unmark();
        return TRACE_WHOLE;
    }

    Source source;
    void *context;
    void (*on_resource)(void *, size_t, const otlp_attributes *);
    void (*on_span)(void *, const otlp_span *);
    void (*report_unkept)(void *, const trace_text *);
    ObjectParser parser;
    Span span;
    trace_result result = {};
    size_t resource_count = 0;
};

}  // namespace

trace_result otlp_json_read(
    int descriptor, void *context, void (*on_resource)(void *, size_t, const otlp_attributes *),
    void (*on_span)(void *, const otlp_span *), void (*on_unkept)(void *, const trace_text *)) {
    try {
        return Requests(descriptor, context, on_resource, on_span, on_unkept).run();
    } catch (const std::bad_alloc &) {
        trace_result result = {};
        result.ending = TRACE_TOO_LARGE;
        return result;
    }
}

#endif
