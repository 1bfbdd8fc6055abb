// simdjson alone: visits every field of a trace, in windows, and does nothing with them. `reading.sh`
// compares reading a trace with this. It takes files with an event per line, as this project writes them.
#include <simdjson.h>

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

using namespace simdjson;

static uint64_t visited = 0;

static error_code visit(ondemand::value value) {
    ondemand::json_type type;
    if (auto error = value.type().get(type)) return error;
    visited++;
    switch (type) {
    case ondemand::json_type::object: {
        ondemand::object object;
        if (auto error = value.get_object().get(object)) return error;
        for (auto field : object) {
            std::string_view key;
            if (auto error = field.unescaped_key().get(key)) return error;
            ondemand::value content;
            if (auto error = field.value().get(content)) return error;
            if (auto error = visit(content)) return error;
        }
        return SUCCESS;
    }
    case ondemand::json_type::array: {
        ondemand::array array;
        if (auto error = value.get_array().get(array)) return error;
        for (auto element : array) {
            ondemand::value content;
            if (auto error = element.get(content)) return error;
            if (auto error = visit(content)) return error;
        }
        return SUCCESS;
    }
    case ondemand::json_type::string: return value.get_string().error();
    case ondemand::json_type::number: return value.get_double().error();
    case ondemand::json_type::boolean: return value.get_bool().error();
    default: return value.is_null() ? SUCCESS : INCORRECT_TYPE;
    }
}

int main(int count, char **arguments) {
    int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
    if (file < 0) {
        std::fprintf(stderr, "usage: json-visit FILE.json\n");
        return 64;
    }
    constexpr size_t window = 1 << 20;
    static const char head[] = "\"traceEvents\":[";
    std::vector<char> buffer(window + SIMDJSON_PADDING);
    ondemand::parser parser;
    size_t filled = 0;
    bool is_begun = false;
    for (;;) {
        ssize_t chunk = read(file, buffer.data() + filled, window - filled);
        if (chunk < 0) return 74;
        filled += static_cast<size_t>(chunk);
        char *start = buffer.data(), *end = start + filled;
        if (!is_begun) {
            start = static_cast<char *>(memmem(start, filled, head, sizeof head - 1));
            if (start == nullptr) return 65;
            start += sizeof head - 2;
            is_begun = true;
        }
        // Up to the end of the last event, or of the list.
        char *cut = end - 1;
        while (cut > start && !(chunk > 0 ? cut[-1] == '}' && cut[0] == ',' && cut[1] == '\n' : *cut == ']')) cut--;
        if (cut == start) return chunk > 0 ? 65 : 0;
        char kept[SIMDJSON_PADDING];
        std::memcpy(kept, cut + 1, sizeof kept);
        std::memset(cut + 1, ' ', sizeof kept);
        *start = '[';
        *cut = ']';
        ondemand::document document;
        ondemand::array events;
        auto error = parser.iterate(start, cut + 1 - start, buffer.data() + buffer.size() - start).get(document);
        if (!error) error = document.get_array().get(events);
        if (!error) {
            for (auto event : events) {
                ondemand::value value;
                if ((error = event.get(value)) || (error = visit(value))) break;
            }
        }
        if (error) {
            std::fprintf(stderr, "%s\n", error_message(error));
            return 65;
        }
        if (chunk == 0) break;
        std::memcpy(cut + 1, kept, sizeof kept);
        filled = static_cast<size_t>(end - cut);
        std::memmove(buffer.data(), cut, filled);
    }
    std::printf("%llu values\n", static_cast<unsigned long long>(visited));
    return 0;
}
