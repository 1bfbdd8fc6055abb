import Foundation

/// Texts by number, in the order in which they were added. Each is stored once, or once for each number that
/// a log assigned to it.
///
/// Invalid UTF-8 is repaired. A lookup costs the length of the text, whatever the other texts are, because
/// each process has its own hash key.
package struct InternedTexts: Sendable {
    package typealias Number = UInt32

    /// The number of the empty text.
    package static let empty: Number = 0
    /// The number of `?`, which stands for a text that is not known.
    package static let unknown: Number = 1

    private var bytes: [UInt8] = []
    /// Where each text ends in `bytes`. It begins where the one before ends.
    private var ends: [Int] = [0]
    /// A hash table: the number and the hash of a text, at the position for the hash or the next free one;
    /// zeros if free. At most half of the positions are used.
    private var places: [(number: Number, hash: UInt32)]
    private var taken = 0
    /// How many names were looked up, and how many of them existed.
    private var (names, knownNames) = (0, 0)

    package init() {
        places = Array(repeating: (0, 0), count: 64)
        _ = number(of: "?")
    }

    package var count: Int { ends.count }

    /// The text with that number, as a new string.
    package subscript(number: Number) -> String {
        String(decoding: bytes[range(of: Int(number))], as: UTF8.self)
    }

    /// Calls `body` with the text's UTF-8.
    package func withBytes<Result>(
        of number: Number, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range(of: Int(number))])) }
    }

    /// A hash of the text with that number, if it is printable ASCII up to this length in bytes. For texts
    /// that are compared afterwards: anybody can make many with one hash (FNV-1a).
    package func plainHash(of number: Number, longest: Int) -> UInt32? {
        let range = range(of: Int(number))
        guard range.count <= longest else { return nil }
        return bytes.withUnsafeBytes { Self.plainHash(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The same for any text.
    package static func plainHash(_ text: UnsafeRawBufferPointer) -> UInt32? {
        var hash: UInt32 = 0
        for byte in text {
            guard (0x20..<0x7F).contains(byte) else { return nil }
            hash = (hash ^ UInt32(byte)) &* 0x0100_0193
        }
        return hash
    }

    package mutating func number(of text: String) -> Number {
        var text = text
        return text.withUTF8 { number(ofValid: UnsafeRawBufferPointer($0)) }
    }

    package mutating func number(of text: UnsafeRawBufferPointer) -> Number {
        number(ofValid: text, isValid: false)
    }

    /// Like `number(of:)`, for names of operations. In many logs each operation has a different name, such as
    /// `item 17`. If that is the case, names are not looked up any more, and a repeated one is stored again.
    package mutating func number(ofName text: UnsafeRawBufferPointer) -> Number {
        if names >= 4096, knownNames < names / 8 { return newNumber(of: text) }
        let before = count
        let number = number(of: text)
        names += 1
        if count == before { knownNames += 1 }
        return number
    }

    /// A new number for a text, without a lookup: for a log that numbers its texts itself.
    package mutating func newNumber(of text: UnsafeRawBufferPointer) -> Number {
        if text.isEmpty { return Self.empty }
        if Self.isUTF8(text) { return append(text) }
        var repaired = String(decoding: text, as: UTF8.self)
        return repaired.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    private mutating func number(ofValid text: UnsafeRawBufferPointer, isValid: Bool = true) -> Number {
        if text.isEmpty { return Self.empty }
        var hasher = Hasher()
        hasher.combine(bytes: text)
        let hash = UInt32(truncatingIfNeeded: hasher.finalize())
        var place = Int(hash) & (places.count - 1)
        while places[place].number != 0 {
            if places[place].hash == hash, isSame(Int(places[place].number), text) {
                return places[place].number
            }
            place = (place + 1) & (places.count - 1)
        }
        if !isValid, !Self.isUTF8(text) { return number(of: String(decoding: text, as: UTF8.self)) }
        let number = append(text)
        places[place] = (number, hash)
        taken += 1
        if taken > places.count / 2 { grow() }
        return number
    }

    private mutating func append(_ text: UnsafeRawBufferPointer) -> Number {
        let number = Number(ends.count)
        bytes.append(contentsOf: text)
        ends.append(bytes.count)
        return number
    }

    private func range(of number: Int) -> Range<Int> { (number == 0 ? 0 : ends[number - 1])..<ends[number] }

    private func isSame(_ number: Int, _ text: UnsafeRawBufferPointer) -> Bool {
        let range = range(of: number)
        guard range.count == text.count else { return false }
        return bytes.withUnsafeBytes {
            memcmp($0.baseAddress! + range.lowerBound, text.baseAddress!, range.count) == 0
        }
    }

    private static func isUTF8(_ text: UnsafeRawBufferPointer) -> Bool {
        isASCII(text) || String(validating: text, as: UTF8.self) != nil
    }

    private static func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        let wordSize = MemoryLayout<UInt64>.size
        guard text.count >= wordSize else { return text.allSatisfy { $0 < 0x80 } }
        var bits: UInt64 = 0
        for offset in stride(from: 0, to: text.count - wordSize, by: wordSize) {
            bits |= text.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        // The last word may overlap the one before.
        bits |= text.loadUnaligned(fromByteOffset: text.count - wordSize, as: UInt64.self)
        return bits & 0x8080_8080_8080_8080 == 0
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: (0, 0), count: old.count * 2)
        for entry in old where entry.number != 0 {
            var place = Int(entry.hash) & (places.count - 1)
            while places[place].number != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = entry
        }
    }
}
