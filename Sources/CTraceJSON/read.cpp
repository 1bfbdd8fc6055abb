#include "CTraceJSON.h"

#include "batch.hpp"
#include "members.hpp"
#include "source.hpp"

#include <new>

namespace {

/// Goes through the object that a trace is: finds the header and the events, and gives out each as it comes.
class Reading {
public:
    Reading(
        int descriptor, void *context, bool (*on_header)(void *, const trace_header *),
        void (*on_event)(void *, const trace_event *))
        : source(descriptor), context(context), on_header(on_header), on_event(on_event) {}

    trace_result run() {
        result.ending = read_object();
        bool can_go_on = !source.failed && !source.overflowed && result.ending != TRACE_REFUSED;
        if (can_go_on && has_header && has_passed_events) {
            // The header came after events, so they were passed over; now it is known whose they are.
            has_passed_events = false;
            source.rewind();
            result.ending = read_object();
        }
        if (result.ending == TRACE_WHOLE && !has_header) result.ending = TRACE_FOREIGN;
        result.offset = source.offset();
        return result;
    }

private:
    trace_ending read_object() {
        int byte = source.skip_blanks();
        if (byte != '{') return byte == '[' ? TRACE_FOREIGN : wrong();
        source.advance();
        if (source.skip_blanks() == '}') return end();
        for (;;) {
            if (source.skip_blanks() != '"') return wrong();
            source.mark();
            if (!source.skip_string()) return wrong();
            std::string_view text = source.text();
            std::string key(text.substr(1, text.size() - 2));
            source.unmark();
            if (source.skip_blanks() != ':') return wrong();
            source.advance();
            source.skip_blanks();
            trace_ending ending = read_member(key);
            if (ending != TRACE_WHOLE) return ending;
            int next = source.skip_blanks();
            if (next == '}') return end();
            if (next != ',') return wrong();
            source.advance();
        }
    }

    trace_ending end() {
        source.advance();
        return source.skip_blanks() == Source::end_of_file && !source.failed ? TRACE_WHOLE : wrong();
    }

    trace_ending read_member(const std::string &key) {
        if (key == "traceEvents" && source.peek() == '[') return read_events();
        uint64_t start = source.offset();
        bool is_header = key == "otherData" && !has_header;
        if (is_header) source.mark();
        if (!source.skip_value() || source.offset() == start) return wrong();
        if (!is_header) return TRACE_WHOLE;
        trace_ending ending = read_header();
        source.unmark();
        return ending;
    }

    trace_ending read_events() {
        result.has_events = true;
        source.advance();
        if (source.skip_blanks() == ']') {
            source.advance();
            return TRACE_WHOLE;
        }
        for (;;) {
            source.skip_blanks();
            if (!has_header) has_passed_events = true;
            if (has_passed_events || source.offset() < one_by_one_until || !read_batch()) {
                source.mark();
                if (!source.skip_value()) return wrong();
                if (source.offset() == source.marked_offset()) return wrong();
                if (!has_passed_events) read_event();
                source.unmark();
            }
            int next = source.skip_blanks();
            if (next != ',' && next != ']') return wrong();
            source.advance();
            if (next == ']') return TRACE_WHOLE;
        }
    }

    /// Reads whole events at once, for as long as they are what they should be, and moves behind them. False where the
    /// event that stands here then is to be read alone.
    ///
    /// What is read alone costs what a batch would: then the whole of it is, so that reading stays linear.
    bool read_batch() {
        source.fill();
        Batch batch(source);
        one_by_one_until = source.offset() + batch.size();
        if (batch.is_none()) return false;
        simdjson::ondemand::document document;
        simdjson::ondemand::array events;
        if (parser.iterate(batch.text()).get(document) || document.get_array().get(events)) return false;
        const char *last = nullptr;
        for (auto element : events) {
            value content;
            object fields;
            if (element.get(content)) return end_batch(last);
            const char *place = content.raw_json_token().data();
            trace_event event = {};
            dependencies.clear();
            if (content.get_object().get(fields) || Members(dependencies).read(fields, event)) {
                source.move_to(place);
                return false;
            }
            last = place;
            on_event(context, &event);
        }
        // The list may have ended before the batch does.
        const char *rest;
        if (!document.current_location().get(rest)) return end_batch(last);
        source.move_to(batch.end());
        return true;
    }

    /// Moves behind the event that begins at `last`, the last that was read.
    bool end_batch(const char *last) {
        if (last == nullptr) return false;
        source.move_to(last);
        source.mark();
        source.skip_value();
        source.unmark();
        return true;
    }

    void read_event() {
        trace_event event = {};
        dependencies.clear();
        simdjson::ondemand::document document;
        object fields;
        if (parser.iterate(source.text()).get(document) || document.get_object().get(fields)
            || Members(dependencies).read(fields, event)) {
            if (result.damaged_events++ == 0) result.first_damaged_offset = source.marked_offset();
        } else {
            on_event(context, &event);
        }
    }

    trace_ending read_header() {
        trace_header header = {};
        simdjson::ondemand::document document;
        object fields;
        if (parser.iterate(source.text()).get(document) || document.get_object().get(fields)
            || Members(dependencies).read(fields, header)) {
            return TRACE_FOREIGN;
        }
        has_header = true;
        return on_header(context, &header) ? TRACE_WHOLE : TRACE_REFUSED;
    }

    /// Why the byte that should come does not.
    trace_ending wrong() {
        if (source.failed) return TRACE_UNREADABLE;
        if (source.overflowed) return TRACE_TOO_LARGE;
        return source.peek() == Source::end_of_file ? TRACE_CUT : TRACE_MALFORMED;
    }

    Source source;
    void *context;
    bool (*on_header)(void *, const trace_header *);
    void (*on_event)(void *, const trace_event *);
    simdjson::ondemand::parser parser;
    std::vector<trace_text> dependencies;
    trace_result result = {};
    bool has_header = false;
    bool has_passed_events = false;
    /// Up to this offset there is something that a batch cannot be read over.
    uint64_t one_by_one_until = 0;
};

}  // namespace

trace_result trace_json_read(
    int descriptor, void *context, bool (*on_header)(void *, const trace_header *),
    void (*on_event)(void *, const trace_event *)) {
    try {
        return Reading(descriptor, context, on_header, on_event).run();
    } catch (const std::bad_alloc &) {
        trace_result result = {};
        result.ending = TRACE_TOO_LARGE;
        return result;
    }
}
