#ifndef BATCH_HPP
#define BATCH_HPP

#include "source.hpp"

/// Whole objects of a list, made a list of their own in the window for as long as this lives: what stands
/// before and behind them is put back then.
class Batch {
public:
    /// From here up to the last place in the window that looks as if an object ended before another, `},{`.
    /// That place may lie within a string or an object; then the list is none that simdjson reads to its end.
    explicit Batch(Source &source) : begin(source.begin()), window_end(source.end()), room(source.room_from(begin - 1)) {
        last = place_between_objects();
        if (is_none()) return;
        kept_first = begin[-1];
        std::memcpy(kept_last, last, sizeof kept_last);
        begin[-1] = '[';
        // simdjson may look at what stands behind the list, and must not find more of the file there.
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
    /// Behind the last object.
    const char *end() const { return last; }
    /// The bytes that were looked at: of the objects, or of all that the window holds where there are none.
    size_t size() const { return static_cast<size_t>((is_none() ? window_end : last) - begin); }

    simdjson::padded_string_view text() const {
        return simdjson::padded_string_view(begin - 1, size() + 2, room);
    }

private:
    /// Behind the `}` of the last `},{`, with or without blanks in it; null where there is none.
    char *place_between_objects() const {
        for (char *brace = window_end; brace-- > begin;) {
            if (*brace != '{') continue;
            char *comma = before_blanks(brace);
            if (comma == begin || comma[-1] != ',') continue;
            char *bracket = before_blanks(comma - 1);
            if (bracket != begin && bracket[-1] == '}') return bracket;
            // What was looked at is not looked at again.
            brace = bracket;
        }
        return nullptr;
    }

    /// The place behind the last byte before `place` that is no blank.
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
