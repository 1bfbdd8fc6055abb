#ifndef BATCH_HPP
#define BATCH_HPP

#include "source.hpp"

/// Turns a run of complete objects into a JSON array in place, by overwriting the bytes around them. The
/// destructor restores those bytes.
class Batch {
public:
    /// From here to the last separator of objects in the window, `},{`. The separator may lie inside a string
    /// or a nested object. simdjson then fails before the end of the batch.
    explicit Batch(Source &source) : begin(source.begin()), window_end(source.end()), room(source.room_from(begin - 1)) {
        last = place_between_objects();
        if (is_none()) return;
        kept_first = begin[-1];
        std::memcpy(kept_last, last, sizeof kept_last);
        begin[-1] = '[';
        // simdjson may read past the array, and must not find more of the file there.
        std::memset(last, 0, sizeof kept_last);
        *last = ']';
    }

    ~Batch() {
        if (is_none()) return;
        begin[-1] = kept_first;
        std::memcpy(last, kept_last, sizeof kept_last);
    }

    Batch(const Batch &) = delete;
    Batch &operator=(const Batch &) = delete;

    bool is_none() const { return last == nullptr; }
    /// After the last object.
    const char *end() const { return last; }
    /// The bytes examined: the batch, or the whole window if it contains no complete object.
    size_t size() const { return static_cast<size_t>((is_none() ? window_end : last) - begin); }

    simdjson::padded_string_view text() const {
        return simdjson::padded_string_view(begin - 1, size() + 2, room);
    }

private:
    /// After the `}` of the last `},{`, which may contain whitespace; null if nothing matches.
    char *place_between_objects() const {
        for (char *brace = window_end; brace-- > begin;) {
            if (*brace != '{') continue;
            char *comma = before_blanks(brace);
            if (comma == begin || comma[-1] != ',') continue;
            char *bracket = before_blanks(comma - 1);
            if (bracket != begin && bracket[-1] == '}') return bracket;
            // Examines no byte twice.
            brace = bracket;
        }
        return nullptr;
    }

    /// Skips whitespace backwards from `place`.
    char *before_blanks(char *place) const {
        while (place > begin && Source::is_blank(place[-1])) place--;
        return place;
    }

    char *const begin;
    char *const window_end;
    const size_t room;
    char *last;
    char kept_first = 0;
    char kept_last[simdjson::SIMDJSON_PADDING];
};

#endif
