// Names that come from outside, such as the names of the process and the host. They may contain any bytes,
// but a log must be UTF-8.
#include "log.h"

#include <string.h>

/// The size in bytes of the character that begins there; 0 if none does (Unicode 15, table 3-7).
static size_t character_size(const unsigned char *bytes) {
    unsigned char first = bytes[0];
    if (first < 0x80) return 1;
    size_t size = first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
    unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    for (size_t index = 1; index < size; index++) {
        if (bytes[index] < least || bytes[index] > most) return 0;
        least = 0x80, most = 0xbf;
    }
    return size;
}

void names_copy(char *to, size_t size, const char *from) {
    static const char replacement[] = "\xef\xbf\xbd";
    const unsigned char *bytes = (const unsigned char *)(from ? from : "");
    size_t used = 0;
    while (*bytes) {
        size_t count = character_size(bytes);
        size_t length = count ? count : sizeof replacement - 1;
        // A character that does not fit is left out as a whole.
        if (used + length >= size) break;
        memcpy(to + used, count ? (const char *)bytes : replacement, length);
        used += length;
        bytes += count ? count : 1;
    }
    memset(to + used, 0, size - used);
}
