/// How many columns of a terminal a text takes.
///
/// Based on Unicode Standard Annex #11, "East Asian Width". Wide and fullwidth characters and emoji take two
/// columns. Characters that combine with the one before take none. All others take one. A terminal's actual
/// behaviour depends on its version of Unicode, so this is exact for most texts and off by a column for some.
package enum TextWidth {
    /// Cost: linear in the text.
    package static func columns(of text: String) -> Int {
        if isPlain(text) { return text.utf8.count }
        return text.reduce(0) { $0 + columns(of: $1) }
    }

    /// Cost: linear in the text.
    package static func columns(of text: Substring) -> Int { columns(of: String(text)) }

    /// A printable ASCII character: it takes one column and controls nothing. Most characters are like that.
    package static func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }

    /// Whether all characters are printable ASCII. Most texts are like that.
    static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy(isPlain) }

    /// A character is as wide as its widest scalar. 👩‍🚀 is one character, and takes two columns.
    static func columns(of character: Character) -> Int {
        var widest = 0
        var parts = 0
        for scalar in character.unicodeScalars {
            parts += 1
            // Variation selector 16 requests the emoji. Two regional indicators form a flag.
            if scalar.value == 0xFE0F && parts > 1 { return 2 }
            if (0x1F1E6...0x1F1FF).contains(scalar.value) { return 2 }
            widest = max(widest, columns(of: scalar))
        }
        return widest
    }

    private static func columns(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) || value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // Vowels and final consonants of Hangul syllables written in parts.
        if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
        if scalar.properties.isEmojiPresentation { return 2 }
        var low = 0
        var high = wide.count
        while low < high {
            let middle = (low + high) / 2
            if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < wide.count && wide[low].contains(value) ? 2 : 1
    }

    /// The blocks that EastAsianWidth.txt lists as W or F, sorted. Includes unassigned code points between
    /// them that the annex reserves as wide. The standard library knows emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F,  // Hangul initial consonants
        0x2329...0x232A,  // angle brackets
        0x2E80...0x303E,  // CJK radicals, Kangxi, CJK punctuation
        0x3041...0x33FF,  // kana, Bopomofo, Hangul compatibility, CJK symbols
        0x3400...0x4DBF,  // CJK extension A
        0x4E00...0xA4CF,  // CJK unified, Yi
        0xA960...0xA97F,  // Hangul extended A
        0xAC00...0xD7A3,  // Hangul syllables
        0xF900...0xFAFF,  // CJK compatibility
        0xFE10...0xFE19,  // vertical forms
        0xFE30...0xFE6F,  // CJK compatibility forms, small forms
        0xFF01...0xFF60,  // fullwidth forms
        0xFFE0...0xFFE6,  // fullwidth signs
        0x16FE0...0x18DFF,  // Tangut, Khitan
        0x1AFF0...0x1B2FF,  // kana supplements, Nüshu
        0x1F200...0x1F265,  // enclosed ideographs
        0x20000...0x3FFFD,  // CJK extensions B and up
    ]
}
