#ifndef LOOSE_HPP
#define LOOSE_HPP

#include "fields.hpp"
#include "source.hpp"

/// Without blanks at its end.
inline trace_text trimmed(std::string_view text) {
    while (!text.empty() && Source::is_blank(text.back())) text.remove_suffix(1);
    return {text.data(), text.size()};
}

/// A string, or a number or a word as it is written. Skips other values, because foreign traces may contain
/// anything.
inline simdjson::error_code text_or_number(value content, trace_text &result) {
    std::string_view token = content.raw_json_token();
    if (token.empty() || token[0] == '{' || token[0] == '[') return simdjson::SUCCESS;
    if (token[0] == '"') return text(content, result);
    result = trimmed(token);
    return simdjson::SUCCESS;
}

inline bool is_true(value content) {
    bool is_true = false;
    return !content.get_bool().get(is_true) && is_true;
}

/// Calls `take` with each member of an object, until it returns an error. `Members` has loops of its own: of
/// this project's logs, reading would take 5 % longer.
template <class Take>
simdjson::error_code each_member(object &fields, Take take) {
    for (auto field : fields) {
        std::string_view key;
        value content;
        if (auto error = split(field, key, content)) return error;
        if (auto error = take(key, content)) return error;
    }
    return simdjson::SUCCESS;
}

/// The same of a value.
template <class Take>
simdjson::error_code each(value content, Take take) {
    object fields;
    // What should be an object may be anything else.
    if (content.get_object().get(fields)) return simdjson::SUCCESS;
    return each_member(fields, take);
}

#endif
