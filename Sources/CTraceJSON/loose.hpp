#ifndef LOOSE_HPP
#define LOOSE_HPP

#include "fields.hpp"
#include "source.hpp"

/// A string, or a number or a word as it is written. Skips other values, because foreign traces may contain
/// anything.
inline simdjson::error_code text_or_number(value content, trace_text &result) {
    std::string_view token = content.raw_json_token();
    if (token.empty() || token[0] == '{' || token[0] == '[') return simdjson::SUCCESS;
    if (token[0] == '"') return text(content, result);
    while (!token.empty() && Source::is_blank(token.back())) token.remove_suffix(1);
    result = {token.data(), token.size()};
    return simdjson::SUCCESS;
}

inline bool is_true(value content) {
    bool is_true = false;
    return !content.get_bool().get(is_true) && is_true;
}

/// Calls `take` with each member of an object.
template <class Take>
simdjson::error_code each(value content, Take take) {
    object fields;
    // What should be an object may be anything else.
    if (content.get_object().get(fields)) return simdjson::SUCCESS;
    for (auto field : fields) {
        std::string_view key;
        value member;
        if (auto error = split(field, key, member)) return error;
        if (auto error = take(key, member)) return error;
    }
    return simdjson::SUCCESS;
}

#endif
