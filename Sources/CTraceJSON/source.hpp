#ifndef SOURCE_HPP
#define SOURCE_HPP

#include <simdjson.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unistd.h>
#include <vector>

/// A file seen through a window that moves on and grows only for a value that does not fit.
class Source {
public:
    static constexpr size_t window = 1 << 20;
    static constexpr size_t largest_value = 64 << 20;
    static constexpr int end_of_file = -1;

    explicit Source(int descriptor) : descriptor(descriptor), buffer(front + window + simdjson::SIMDJSON_PADDING) {}

    /// The next byte, or `end_of_file`; `failed` and `overflowed` tell other reasons apart.
    int peek() {
        if (position == filled && !refill()) return end_of_file;
        return static_cast<unsigned char>(buffer[position]);
    }

    void advance() { position++; }
    uint64_t offset() const { return base + position - front; }

    /// Of a place in the window.
    uint64_t offset_of(const char *place) const {
        return base + static_cast<uint64_t>(place - buffer.data()) - front;
    }

    /// From now on the bytes are kept, until `unmark`.
    void mark() { marked = position; is_marked = true; }
    void unmark() { is_marked = false; }
    uint64_t marked_offset() const { return base + marked - front; }

    /// What was read since `mark`, with room behind it that simdjson may read.
    simdjson::padded_string_view text() const {
        return simdjson::padded_string_view(buffer.data() + marked, position - marked, buffer.size() - marked);
    }

    static bool is_blank(int byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

    int skip_blanks() {
        for (;;) {
            int byte = peek();
            if (!is_blank(byte)) return byte;
            advance();
        }
    }

    /// Moves behind one JSON value, looking only at strings and brackets. False when the file ends before it
    /// does.
    bool skip_value() {
        size_t depth = 0;
        do {
            int byte = peek();
            if (byte == end_of_file) return false;
            if (byte == '"') {
                if (!skip_string()) return false;
            } else if (byte == '{' || byte == '[') {
                depth++;
                advance();
            } else if (byte == '}' || byte == ']') {
                // A closing bracket where a value should stand: left to the caller, who sees an empty value.
                if (depth == 0) return true;
                depth--;
                advance();
            } else if (depth == 0) {
                return skip_scalar();
            } else {
                advance();
            }
        } while (depth > 0);
        return true;
    }

    bool skip_string() {
        advance();
        for (;;) {
            int byte = peek();
            if (byte == end_of_file) return false;
            advance();
            if (byte == '"') return true;
            if (byte == '\\') {
                if (peek() == end_of_file) return false;
                advance();
            }
        }
    }

    /// Makes the window begin here, and reads as much as it holds; less at the end of the file or where
    /// reading fails.
    void fill() {
        while (filled - position < window && refill()) {}
    }

    /// The rest of the window. One byte before it may be overwritten; SIMDJSON_PADDING bytes after it may be
    /// read.
    char *begin() { return buffer.data() + position; }
    char *end() { return buffer.data() + filled; }
    size_t room_from(const char *place) const { return static_cast<size_t>(buffer.data() + buffer.size() - place); }
    /// To a place between `begin` and `end`.
    void move_to(const char *place) { position = static_cast<size_t>(place - buffer.data()); }

    void rewind() {
        position = filled = front;
        base = 0;
        is_marked = false;
        if (lseek(descriptor, 0, SEEK_SET) != 0) failed = true;
    }

    bool failed = false;
    bool overflowed = false;

private:
    bool skip_scalar() {
        for (;;) {
            int byte = peek();
            if (byte == end_of_file) return false;
            if (std::strchr(",]} \n\r\t\"[{:", byte) != nullptr && byte != 0) return true;
            advance();
        }
    }

    bool refill() {
        if (failed || overflowed) return false;
        size_t keep = is_marked ? marked : position;
        std::memmove(buffer.data() + front, buffer.data() + keep, filled - keep);
        base += keep - front;
        filled -= keep - front;
        position -= keep - front;
        marked = front;
        size_t room = buffer.size() - simdjson::SIMDJSON_PADDING;
        if (filled == room) {
            if (room >= largest_value) {
                overflowed = true;
                return false;
            }
            room *= 2;
            buffer.resize(room + simdjson::SIMDJSON_PADDING);
        }
        ssize_t count;
        do {
            count = read(descriptor, buffer.data() + filled, room - filled);
        } while (count < 0 && errno == EINTR);
        if (count < 0) failed = true;
        if (count <= 0) return false;
        filled += static_cast<size_t>(count);
        return true;
    }

    /// Bytes before the window, so that something can be put before its first.
    static constexpr size_t front = 1;

    int descriptor;
    std::vector<char> buffer;
    size_t position = front, filled = front, marked = front;
    /// Where the window begins in the file.
    uint64_t base = 0;
    bool is_marked = false;
};

#endif
