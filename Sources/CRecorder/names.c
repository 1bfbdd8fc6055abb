// Names that come from outside, such as a process's and a host's: any bytes can be in them, and a log is to
// be UTF-8.
#include "log.h"

#include <string.h>

/// How many bytes the character takes that begins there; 0 where no character does (Unicode 15, table 3-7).
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
        // What does not fit is left out, and no part of a character is left.
        if (used + length >= size) break;
        memcpy(to + used, count ? (const char *)bytes : replacement, length);
        used += length;
        bytes += count ? count : 1;
    }
    memset(to + used, 0, size - used);
}
