#ifndef WALK_HPP
#define WALK_HPP

#include "CTraceJSON.h"

#include "source.hpp"

#include <string>

/// The reason for an unexpected byte.
inline trace_ending unexpected(Source &source) {
    if (source.failed) return TRACE_UNREADABLE;
    if (source.overflowed) return TRACE_TOO_LARGE;
    return source.peek() == Source::end_of_file ? TRACE_CUT : TRACE_MALFORMED;
}

/// Goes through what stands between an opening bracket, where the source is, and `close`, behind which it
/// moves. `read` moves behind one of the things that are separated by commas.
template <class Read>
trace_ending each_separated(Source &source, char close, Read read) {
    source.advance();
    if (source.skip_blanks() != close) {
        for (;;) {
            source.skip_blanks();
            trace_ending ending = read();
            if (ending != TRACE_WHOLE) return ending;
            int next = source.skip_blanks();
            if (next == close) break;
            if (next != ',') return unexpected(source);
            source.advance();
        }
    }
    source.advance();
    return TRACE_WHOLE;
}

/// Goes through the members of an object, at whose bracket the source is. `read` is given the key, as it is
/// written, and moves behind the value.
template <class Read>
trace_ending each_member(Source &source, Read read) {
    return each_separated(source, '}', [&source, &read]() {
        if (source.peek() != '"') return unexpected(source);
        source.mark();
        if (!source.skip_string()) return unexpected(source);
        std::string_view text = source.text();
        std::string key(text.substr(1, text.size() - 2));
        source.unmark();
        if (source.skip_blanks() != ':') return unexpected(source);
        source.advance();
        source.skip_blanks();
        return read(key);
    });
}

/// Goes through the elements of a list, at whose bracket the source is. `read` moves behind one.
template <class Read>
trace_ending each_element(Source &source, Read read) {
    return each_separated(source, ']', read);
}

#endif
