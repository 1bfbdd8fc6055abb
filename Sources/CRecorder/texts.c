// Each text is stored in the file once. This table finds stored texts again.
#include "log.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_CAPACITY = 1024,
    /// The table remembers at most half as many texts. Later ones are stored each time, so that memory stays
    /// bounded.
    LARGEST_CAPACITY = 1 << 19,
};

typedef struct {
    /// The text in the file; NULL for a free place.
    const uint8_t *bytes;
    uint32_t hash;
    uint32_t number;
} entry;

struct text_table {
    entry *entries;
    size_t capacity;
    size_t count;
    uint32_t last_number;
    segment *segment;
    size_t used;

    // In a log that keeps the latest: the full segments, oldest first; the first one whose texts may still be
    // named; and how many segments have texts.
    segment *full_first;
    segment *full_last;
    segment *lasting;
    uint64_t segment_count;
};

/// A text in the file: this header, its bytes, and zeros up to a multiple of eight.
typedef struct {
    /// 0 without a text. Written last.
    _Atomic uint32_t number;
    uint32_t count;
} stored_text;

text_table *texts_create(void) {
    text_table *texts = calloc(1, sizeof *texts);
    if (!texts) return NULL;
    texts->entries = calloc(FIRST_CAPACITY, sizeof *texts->entries);
    texts->capacity = FIRST_CAPACITY;
    if (texts->entries) return texts;
    free(texts);
    return NULL;
}

void texts_destroy(text_table *texts) {
    free(texts->entries);
    free(texts);
}

/// FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo.
static uint32_t hash_of(const char *bytes, size_t count) {
    uint32_t hash = 2166136261u;
    for (size_t index = 0; index < count; index++) hash = (hash ^ (uint8_t)bytes[index]) * 16777619u;
    return hash;
}

/// The place of the text, or the free place where it belongs.
static entry *find(text_table *texts, uint32_t hash, const char *bytes, size_t count) {
    for (size_t place = hash;; place++) {
        entry *candidate = &texts->entries[place & (texts->capacity - 1)];
        if (!candidate->bytes) return candidate;
        if (candidate->hash != hash) continue;
        const stored_text *stored = (const stored_text *)(candidate->bytes - sizeof(stored_text));
        if (stored->count == count && memcmp(candidate->bytes, bytes, count) == 0) return candidate;
    }
}

static void grow(text_table *texts) {
    size_t capacity = texts->capacity * 2;
    entry *entries = calloc(capacity, sizeof *entries);
    if (!entries) return;
    for (size_t index = 0; index < texts->capacity; index++) {
        if (!texts->entries[index].bytes) continue;
        size_t place = texts->entries[index].hash;
        while (entries[place & (capacity - 1)].bytes) place++;
        entries[place & (capacity - 1)] = texts->entries[index];
    }
    free(texts->entries);
    texts->entries = entries;
    texts->capacity = capacity;
}

// MARK: Logs that keep the latest

// A text has to outlast the records that name it. It may be named for half a round of the log. Then it is
// old, and the next use stores it again under the next number. A segment of old texts is reused when every
// segment that was full of records before the texts became old has been overwritten. A thread may keep a
// segment for a whole round without filling it. Its records may then name a number that has disappeared, but
// never a different text, because no number is used twice.

/// The number of segments that the log may have.
static uint64_t largest_count(const recorder_log *log) { return log->maximum_size / LOG_SEGMENT_SIZE; }

/// Publishes the first number that may still be named.
static void publish_lasting(recorder_log *log) {
    const text_table *texts = log->texts;
    const segment *first = texts->lasting ? texts->lasting : texts->segment;
    atomic_store_explicit(
        &log->first_lasting_text, first ? first->first_text : texts->last_number + 1, memory_order_relaxed);
}

/// Appends the current segment of texts to the full ones.
static void retire(text_table *texts) {
    segment *full = texts->segment;
    texts->segment = NULL;
    if (!full) return;
    full->next = NULL;
    if (texts->full_last) {
        texts->full_last->next = full;
    } else {
        texts->full_first = full;
    }
    texts->full_last = full;
    if (!texts->lasting) texts->lasting = full;
}

static void make_old(recorder_log *log, segment *full, uint64_t now) {
    full->aged = now;
    log->texts->lasting = full->next;
    publish_lasting(log);
}

/// Finds out which texts became old.
static void look_for_old(recorder_log *log) {
    text_table *texts = log->texts;
    uint64_t now = atomic_load_explicit(&log->last_sequence, memory_order_relaxed);
    segment *oldest = texts->lasting ? texts->lasting : texts->segment;
    if (!oldest || now - oldest->sequence <= largest_count(log) / 2) return;
    if (oldest == texts->segment) retire(texts);
    make_old(log, oldest, now);
}

/// Removes the texts of a segment from the table. Moves later entries up, so that a search still ends at a
/// free place.
static void forget(text_table *texts, const segment *full) {
    size_t mask = texts->capacity - 1;
    for (size_t used = LOG_SEGMENT_HEADER_SIZE; used + sizeof(stored_text) <= LOG_SEGMENT_SIZE;) {
        const stored_text *stored = (const stored_text *)(full->bytes + used);
        if (stored->number == 0) return;
        const char *bytes = (const char *)(stored + 1);
        entry *found = find(texts, hash_of(bytes, stored->count), bytes, stored->count);
        // A text that was stored again has another number.
        if (found->bytes == (const uint8_t *)bytes) {
            size_t hole = (size_t)(found - texts->entries);
            for (size_t place = (hole + 1) & mask; texts->entries[place].bytes; place = (place + 1) & mask) {
                size_t distance = (place - texts->entries[place].hash) & mask;
                if (distance < ((place - hole) & mask)) continue;
                texts->entries[hole] = texts->entries[place];
                hole = place;
            }
            texts->entries[hole] = (entry){0};
            texts->count--;
        }
        used += (sizeof(stored_text) + stored->count + 7) & ~(size_t)7;
    }
}

/// Empties and returns the oldest segment of texts. Only if no remaining record should name its texts, or if
/// texts fill half of the log.
static segment *renew_oldest(recorder_log *log) {
    text_table *texts = log->texts;
    segment *oldest = texts->full_first;
    if (!oldest) return NULL;
    bool is_outlived = oldest->aged && oldest->aged < segments_oldest(log);
    if (!is_outlived && texts->segment_count < largest_count(log) / 2) return NULL;
    if (oldest == texts->lasting) make_old(log, oldest, 0);
    texts->full_first = oldest->next;
    if (!oldest->next) texts->full_last = NULL;
    forget(texts, oldest);
    segments_renew(log, oldest);
    return oldest;
}

/// A segment to write texts to, or NULL.
static segment *next_segment(recorder_log *log) {
    text_table *texts = log->texts;
    if (!log->keeps_latest) return segments_take(log, LOG_SEGMENT_TEXTS, 0);
    retire(texts);
    segment *taken = renew_oldest(log);
    if (!taken) {
        taken = segments_take(log, LOG_SEGMENT_TEXTS, 0);
        texts->segment_count += taken != NULL;
    }
    if (!taken) return NULL;
    taken->first_text = texts->last_number + 1;
    taken->aged = 0;
    return taken;
}

// MARK: Storing

/// Stores a text, and returns its bytes in the file; NULL if the log is full.
static const uint8_t *store(recorder_log *log, const char *bytes, size_t count) {
    text_table *texts = log->texts;
    size_t size = (sizeof(stored_text) + count + 7) & ~(size_t)7;
    if (texts->last_number == LOG_LAST_TEXT) return NULL;
    if (!texts->segment || texts->used + size > LOG_SEGMENT_SIZE) {
        segment *taken = next_segment(log);
        if (!taken) return NULL;
        texts->segment = taken;
        texts->used = LOG_SEGMENT_HEADER_SIZE;
    }
    stored_text *stored = (stored_text *)(texts->segment->bytes + texts->used);
    texts->used += size;
    stored->count = (uint32_t)count;
    memcpy(stored + 1, bytes, count);
    atomic_store_explicit(&stored->number, ++texts->last_number, memory_order_release);
    return (const uint8_t *)(stored + 1);
}

bool recorder_text_lasts(const recorder_log *log, uint32_t number) {
    return log_text_lasts(log, number);
}

uint32_t recorder_text(recorder_log *log, const char *bytes, size_t count) {
    if (count == 0 || recorder_is_forked_child()) return 0;
    if (count > LOG_LONGEST_TEXT) {
        count = LOG_LONGEST_TEXT;
        // Do not cut within a character.
        while (count > 0 && ((uint8_t)bytes[count] & 0xc0) == 0x80) count--;
    }
    uint32_t hash = hash_of(bytes, count);
    pthread_mutex_lock(&log->text_lock);
    text_table *texts = log->texts;
    // The log may have been released.
    if (!texts) {
        pthread_mutex_unlock(&log->text_lock);
        return 0;
    }
    if (log->keeps_latest) look_for_old(log);
    entry *place = find(texts, hash, bytes, count);
    uint32_t number = place->number;
    bool is_old = place->bytes && !recorder_text_lasts(log, number);
    if (!place->bytes || is_old) {
        const uint8_t *stored = store(log, bytes, count);
        number = stored ? texts->last_number : 0;
        // Reusing segments removed entries.
        if (stored && log->keeps_latest) place = find(texts, hash, bytes, count);
        // Some places stay free even if the table could not grow: a search must end at one.
        if (stored && place->bytes) {
            *place = (entry){stored, hash, number};
        } else if (stored && texts->count * 2 < LARGEST_CAPACITY && texts->count * 4 < texts->capacity * 3) {
            *place = (entry){stored, hash, number};
            if (++texts->count * 2 > texts->capacity) grow(texts);
        }
        if (!stored) cursors_count_dropped(log, log->id);
    }
    pthread_mutex_unlock(&log->text_lock);
    return number;
}
