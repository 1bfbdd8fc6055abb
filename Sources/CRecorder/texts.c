// Texts are stored in the file once. This is the table that finds them again.
#include "log.h"

#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_TEXT = 60000,
    FIRST_CAPACITY = 1024,
    /// Half as many texts are known again; later ones are stored each time, so that memory stays bounded.
    LARGEST_CAPACITY = 1 << 19,
};

typedef struct {
    /// Of the text in the file; NULL for a free place.
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
};

/// A text in the file: this, its bytes, and zeros up to a multiple of eight.
typedef struct {
    /// 0 for nothing. Written last.
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
    free(texts->segment);
    free(texts->entries);
    free(texts);
}

/// FNV-1a, by G. Fowler, L. C. Noll and K.-P. Vo.
static uint32_t hash_of(const char *bytes, size_t count) {
    uint32_t hash = 2166136261u;
    for (size_t index = 0; index < count; index++) hash = (hash ^ (uint8_t)bytes[index]) * 16777619u;
    return hash;
}

/// The place of the text, or the free one where it belongs.
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

/// The bytes of the text in the file, or NULL where there is no room.
static const uint8_t *store(recorder_log *log, const char *bytes, size_t count) {
    text_table *texts = log->texts;
    size_t size = (sizeof(stored_text) + count + 7) & ~(size_t)7;
    if (!texts->segment || texts->used + size > SEGMENT_SIZE) {
        segment *taken = segments_take(log, SEGMENT_TEXTS, 0);
        if (!taken) return NULL;
        // Full ones stay in the file, also where only the latest records are kept.
        free(texts->segment);
        texts->segment = taken;
        texts->used = SEGMENT_HEADER_SIZE;
    }
    stored_text *stored = (stored_text *)(texts->segment->bytes + texts->used);
    texts->used += size;
    stored->count = (uint32_t)count;
    memcpy(stored + 1, bytes, count);
    atomic_store_explicit(&stored->number, ++texts->last_number, memory_order_release);
    return (const uint8_t *)(stored + 1);
}

uint32_t recorder_text(recorder_log *log, const char *bytes, size_t count) {
    if (count == 0 || recorder_is_forked_child()) return 0;
    if (count > LONGEST_TEXT) {
        count = LONGEST_TEXT;
        // Not within a character.
        while (count > 0 && ((uint8_t)bytes[count] & 0xc0) == 0x80) count--;
    }
    uint32_t hash = hash_of(bytes, count);
    pthread_mutex_lock(&log->text_lock);
    text_table *texts = log->texts;
    entry *place = find(texts, hash, bytes, count);
    uint32_t number = place->number;
    if (!place->bytes) {
        const uint8_t *stored = store(log, bytes, count);
        number = stored ? texts->last_number : 0;
        // Some places stay free, also where the table could not grow: a search ends at one.
        if (stored && texts->count * 2 < LARGEST_CAPACITY && texts->count * 4 < texts->capacity * 3) {
            *place = (entry){stored, hash, number};
            if (++texts->count * 2 > texts->capacity) grow(texts);
        }
        if (!stored) atomic_fetch_add(&log->header->dropped, 1);
    }
    pthread_mutex_unlock(&log->text_lock);
    return number;
}
