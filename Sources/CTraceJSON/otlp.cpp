#include "CTraceJSON.h"

#include "loose.hpp"
#include "walk.hpp"

#include <new>
#include <string>
#include <vector>

namespace {

using simdjson::ondemand::array;

/// Calls `take` with each object of a list.
template <class Take>
simdjson::error_code each_object(value content, Take take) {
    array list;
    if (content.get_array().get(list)) return simdjson::SUCCESS;
    for (auto element : list) {
        value entry;
        if (auto error = element.get(entry)) return error;
        if (auto error = take(entry)) return error;
    }
    return simdjson::SUCCESS;
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
        span.events = events.data();
        span.event_count = events.size();
        span.links = links.data();
        span.link_count = links.size();
        return simdjson::SUCCESS;
    }

    /// Appends a list of attributes.
    static simdjson::error_code read_attributes(value content, std::vector<otlp_attribute> &list) {
        return each_object(content, [&list](value entry) {
            otlp_attribute attribute = {};
            auto error = each(entry, [&attribute](std::string_view key, value member) {
                if (key == "key") return text_or_number(member, attribute.key);
                if (key != "value") return simdjson::SUCCESS;
                return each(member, [&attribute](std::string_view, value content) {
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
        if (key == "kind") return text_or_number(content, span.kind);
        if (key == "name") return text_or_number(content, span.name);
        if (key == "startTimeUnixNano") return text_or_number(content, span.start);
        if (key == "endTimeUnixNano") return text_or_number(content, span.end);
        if (key == "attributes") return read_attributes(content, own);
        if (key == "status") {
            return each(content, [this](std::string_view key, value member) {
                if (key == "code") return text_or_number(member, span.status);
                return key == "message" ? text_or_number(member, span.message) : simdjson::SUCCESS;
            });
        }
        if (key == "links") {
            return each_object(content, [this](value entry) {
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
            return each_object(content, [this](value entry) {
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
        return simdjson::SUCCESS;
    }

    std::vector<otlp_attribute> attributes, own;
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
        void (*on_span)(void *, const otlp_span *))
        : source(descriptor), context(context), on_resource(on_resource), on_span(on_span) {}

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
        uint64_t start = source.offset();
        return !source.skip_value() || source.offset() == start ? unexpected(source) : TRACE_WHOLE;
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
                if (span.read(fields)) return false;
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
            for (auto field : fields) {
                std::string_view key;
                value content;
                if (split(field, key, content)) return false;
                if (key == "attributes" && Span::read_attributes(content, attributes)) return false;
            }
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
    ObjectParser parser;
    Span span;
    trace_result result = {};
    size_t resource_count = 0;
};

}  // namespace

trace_result otlp_json_read(
    int descriptor, void *context, void (*on_resource)(void *, size_t, const otlp_attributes *),
    void (*on_span)(void *, const otlp_span *)) {
    try {
        return Requests(descriptor, context, on_resource, on_span).run();
    } catch (const std::bad_alloc &) {
        trace_result result = {};
        result.ending = TRACE_TOO_LARGE;
        return result;
    }
}
