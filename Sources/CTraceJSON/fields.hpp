#ifndef FIELDS_HPP
#define FIELDS_HPP

#include "CTraceJSON.h"

#include <simdjson.h>

#include <cstring>
#include <string>

using simdjson::ondemand::object;
using simdjson::ondemand::value;

constexpr uint64_t every(unsigned char byte) { return 0x0101010101010101u * byte; }
/// Sets the high bit of each zero byte. Bits above the lowest one may be false positives.
constexpr uint64_t zeros(uint64_t bytes) { return (bytes - every(1)) & ~bytes & every(0x80); }

/// The first quotation mark or backslash from here on. simdjson has checked that strings are closed.
///
/// Eight bytes at a time: most strings are that short, and the buffer has eight bytes of padding.
inline const char *end_of_plain(const char *text) {
    for (;; text += sizeof(uint64_t)) {
        uint64_t bytes;
        std::memcpy(&bytes, text, sizeof bytes);
        uint64_t found = zeros(bytes ^ every('"')) | zeros(bytes ^ every('\\'));
        if (found == 0) continue;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        return text + __builtin_ctzll(found) / 8;
#else
        while (*text != '"' && *text != '\\') text++;
        return text;
#endif
    }
}

/// The key and the value of a member.
inline simdjson::error_code split(
    simdjson::simdjson_result<simdjson::ondemand::field> &field, std::string_view &key, value &content) {
    simdjson::ondemand::raw_json_string raw;
    if (auto error = field.key().get(raw)) return error;
    const char *end = end_of_plain(raw.raw());
    if (*end == '"') {
        key = std::string_view(raw.raw(), static_cast<size_t>(end - raw.raw()));
    } else if (auto error = field.unescaped_key().get(key)) {
        return error;
    }
    return field.value().get(content);
}

/// Replaces invalid UTF-8 with U+FFFD.
inline std::string repaired(std::string_view text) {
    static const char replacement[] = "\xEF\xBF\xBD";
    std::string result;
    for (size_t index = 0; index < text.size();) {
        auto byte = [&](size_t place) {
            return place < text.size() ? static_cast<unsigned char>(text[place]) : 0u;
        };
        unsigned first = byte(index), second = byte(index + 1);
        size_t length = first < 0x80 ? 1 : first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3
            : first >= 0xF0 && first < 0xF5 ? 4 : 0;
        // Overlong forms, halves of surrogate pairs, and what is beyond the last scalar.
        unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        size_t valid = length == 0 ? 0 : 1;
        if (length > 1 && second >= low && second <= high) {
            valid = 2;
            while (valid < length && (byte(index + valid) & 0xC0) == 0x80) valid++;
        }
        if (length > 0 && valid == length) {
            result.append(text, index, length);
            index += length;
        } else {
            // One U+FFFD per maximal invalid prefix, as Swift's String does.
            result += replacement;
            index += valid == 0 ? 1 : valid;
        }
    }
    return result;
}

/// Parses one object. Invalid UTF-8 becomes U+FFFD, as in texts of binary logs: a name in another encoding must
/// not cost the event, or the header and with it the whole trace.
class ObjectParser {
public:
    /// The object is valid until the next.
    simdjson::error_code parse(simdjson::padded_string_view text, object &fields) {
        parsed = text;
        auto error = parser.iterate(text).get(document);
        if (error == simdjson::UTF8_ERROR) {
            copy = simdjson::padded_string(repaired(text));
            parsed = copy;
            error = parser.iterate(copy).get(document);
        }
        return error ? error : document.get_object().get(fields);
    }

    /// Whether all of the object is JSON. Otherwise only the values that are read are checked.
    bool is_valid() { return !complete.parse(parsed.data(), parsed.size(), false).error(); }

private:
    simdjson::dom::parser complete;
    std::string_view parsed;
    simdjson::ondemand::parser parser;
    simdjson::ondemand::document document;
    simdjson::padded_string copy;
};

/// A string, where it stands, if nothing in it is escaped; most texts are short, and copying them takes
/// longer than looking.
inline simdjson::error_code text(value content, trace_text &text) {
    std::string_view token = content.raw_json_token();
    if (token.empty() || token[0] != '"') return simdjson::INCORRECT_TYPE;
    const char *start = token.data() + 1, *end = end_of_plain(start);
    if (*end == '"') {
        text = {start, static_cast<size_t>(end - start)};
        // Moves behind it.
        return content.get_raw_json_string().error();
    }
    std::string_view view;
    auto error = content.get_string().get(view);
    text = {view.data(), view.size()};
    return error;
}

#endif
