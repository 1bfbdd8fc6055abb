#ifndef FIELDS_HPP
#define FIELDS_HPP

#include "CTraceJSON.h"

#include <simdjson.h>

using simdjson::ondemand::object;
using simdjson::ondemand::value;

/// The key and the value of a member.
inline simdjson::error_code split(
    simdjson::simdjson_result<simdjson::ondemand::field> &field, std::string_view &key, value &content) {
    simdjson::ondemand::raw_json_string raw;
    if (auto error = field.key().get(raw)) return error;
    // It is closed: simdjson has seen to that.
    const char *end = raw.raw();
    while (*end != '"' && *end != '\\') end++;
    if (*end == '"') {
        key = std::string_view(raw.raw(), static_cast<size_t>(end - raw.raw()));
    } else if (auto error = field.unescaped_key().get(key)) {
        return error;
    }
    return field.value().get(content);
}

/// A string, where it stands, if nothing in it is escaped; most texts are short, and copying them takes longer than looking.
inline simdjson::error_code text(value content, trace_text &text) {
    std::string_view token = content.raw_json_token();
    if (token.empty() || token[0] != '"') return simdjson::INCORRECT_TYPE;
    size_t end = 1;
    while (end < token.size() && token[end] != '"' && token[end] != '\\') end++;
    if (end < token.size() && token[end] == '"') {
        text = {token.data() + 1, end - 1};
        // Moves behind it.
        return content.get_raw_json_string().error();
    }
    std::string_view view;
    auto error = content.get_string().get(view);
    text = {view.data(), view.size()};
    return error;
}

#endif
