#ifndef READING_HPP
#define READING_HPP

#include "CTraceJSON.h"

#include "batch.hpp"
#include "members.hpp"
#include "source.hpp"
#include "walk.hpp"

#include <new>

/// Parses a trace: finds the header and the events, and passes each to `Taker` in file order.
///
/// `Taker` defines the format: `needs_header`; `take(object, offset)` reads the event that begins at that offset
/// in the file; `take_header(object)` reads the header. If no header is needed, members beside the events go to
/// `take_member(key, value)`, and `takes_member(key)` selects them. A trace without a header may be only a list
/// of events, which need not be closed properly.
template <class Taker>
class Reading {
public:
    Reading(int descriptor, Taker &taker) : source(descriptor), taker(taker) {}

    trace_result run() {
        result.ending = read_trace();
        bool can_go_on = !source.failed && !source.overflowed && result.ending != TRACE_REFUSED;
        if (can_go_on && has_header && has_passed_events) {
            // The header came after events, so they were passed over; now it is known whose they are.
            has_passed_events = false;
            source.rewind();
            result.ending = read_trace();
        }
        if (result.ending == TRACE_WHOLE && Taker::needs_header && !has_header) result.ending = TRACE_OTHER;
        result.offset = source.offset();
        return result;
    }

private:
    trace_ending read_trace() {
        int byte = source.skip_blanks();
        if (byte == '{') return read_object();
        if (byte != '[') return unexpected(source);
        if (Taker::needs_header) return TRACE_OTHER;
        trace_ending ending = read_events();
        return ending == TRACE_WHOLE && source.skip_blanks() != Source::end_of_file ? unexpected(source) : ending;
    }

    trace_ending read_object() {
        trace_ending ending = each_member(source, [this](const std::string &key) { return read_member(key); });
        if (ending != TRACE_WHOLE) return ending;
        return source.skip_blanks() == Source::end_of_file && !source.failed ? TRACE_WHOLE : unexpected(source);
    }

    trace_ending read_member(const std::string &key) {
        if (key == "traceEvents" && source.peek() == '[') return read_events();
        uint64_t start = source.offset();
        bool is_header = Taker::takes_member(key) && !has_header;
        if (is_header) source.mark();
        if (!source.skip_value() || source.offset() == start) return unexpected(source);
        if (!is_header) return TRACE_WHOLE;
        trace_ending ending = TRACE_WHOLE;
        if constexpr (Taker::needs_header) {
            ending = read_header();
        } else {
            read_other(key);
        }
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
            // Other writers end each event with a comma.
            if (source.skip_blanks() == ']' && !Taker::needs_header) {
                source.advance();
                return TRACE_WHOLE;
            }
            if (Taker::needs_header && !has_header) has_passed_events = true;
            if (has_passed_events || source.offset() < one_by_one_until || !read_batch()) {
                source.mark();
                bool is_whole = source.skip_value();
                bool is_empty = source.offset() == source.marked_offset();
                result.ends_within_event = !is_whole && !is_empty;
                if (!is_whole || is_empty) return unexpected(source);
                if (!has_passed_events) read_event();
                source.unmark();
            }
            int next = source.skip_blanks();
            if (next != ',' && next != ']') return unexpected(source);
            source.advance();
            if (next == ']') return TRACE_WHOLE;
        }
    }

    /// Parses a batch of events and skips past it. Returns false if the next event must be parsed alone.
    ///
    /// After a failed batch, events are parsed one by one up to the batch's end, so reading stays linear.
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
            if (content.get_object().get(fields) || !taker.take(fields, source.offset_of(place))) {
                source.move_to(place);
                return false;
            }
            last = place;
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
        object fields;
        if (single.parse(source.text(), fields) || !taker.take(fields, source.marked_offset())) {
            if (result.damaged_events++ == 0) result.first_damaged_offset = source.marked_offset();
        }
    }

    trace_ending read_header() {
        object fields;
        if (single.parse(source.text(), fields)) return TRACE_OTHER;
        trace_ending ending = taker.take_header(fields);
        has_header = ending != TRACE_OTHER;
        return ending;
    }

    /// What others put beside the events may be anything.
    void read_other(const std::string &key) {
        simdjson::ondemand::document document;
        simdjson::ondemand::array list;
        // simdjson rejects a bare number as a document, so the text is wrapped in an array.
        std::string text = "[" + std::string(std::string_view(source.text())) + "]";
        simdjson::padded_string padded(text);
        if (parser.iterate(padded).get(document) || document.get_array().get(list)) return;
        for (auto element : list) {
            value content;
            if (element.get(content)) break;
            taker.take_member(key, content);
        }
    }

    Source source;
    Taker &taker;
    /// Of batches.
    simdjson::ondemand::parser parser;
    ObjectParser single;
    trace_result result = {};
    bool has_header = false;
    bool has_passed_events = false;
    /// Up to this offset there is something that a batch cannot be read over.
    uint64_t one_by_one_until = 0;
};

/// Turns std::bad_alloc into TRACE_TOO_LARGE.
template <class Taker>
trace_result read_all(int descriptor, Taker taker) {
    try {
        return Reading<Taker>(descriptor, taker).run();
    } catch (const std::bad_alloc &) {
        trace_result result = {};
        result.ending = TRACE_TOO_LARGE;
        return result;
    }
}

#endif
