/// The texts of a growing log. They are looked up when they are shown, because most names never are.
///
/// It remembers where each group of texts begins, and the most recently used texts. A recorder numbers texts
/// in the order in which it writes them.
struct FollowedTexts {
    /// A name may have 60,000 bytes; only this many are returned.
    private static let longestText = 4096
    private static let remembered = 16_384

    private struct Group {
        let segment: FollowedSegments.Segment
        /// The number of its first text; 0 if it is not known to have one.
        var first: UInt32 = 0
    }

    private let segmentSize: Int
    private let areRecycled: Bool
    private var groups: [Group] = []
    private var known: [UInt32: String] = [:]
    private let buffer = LogBuffer()
    private let startBuffer = LogBuffer()
    /// The group in the buffer, and the offset of a text in it: names are often looked up in order.
    private var loaded: (group: Int, bytes: UnsafeRawBufferPointer)?
    private var place: (number: UInt32, offset: Int) = (0, 0)

    init(_ header: BinaryLogHeader) {
        segmentSize = header.segmentSize
        areRecycled = header.flags.contains(.keepsLatest)
    }

    mutating func append(_ segment: FollowedSegments.Segment) {
        // A reused segment has other texts now; the earlier ones are gone.
        if areRecycled {
            groups.removeAll { $0.segment.offset == segment.offset }
            loaded = nil
        }
        groups.append(Group(segment: segment))
    }

    /// `?` for a missing text.
    mutating func text(
        _ number: UInt32, _ file: FollowedFile, _ segments: FollowedSegments
    ) throws(BinaryLogError) -> String {
        if number == 0 { return "" }
        if let text = known[number] { return text }
        let text = try find(number, file, segments)
        if let text {
            if known.count >= Self.remembered { known.removeAll(keepingCapacity: true) }
            known[number] = text
        }
        return text ?? "?"
    }

    private mutating func find(
        _ number: UInt32, _ file: FollowedFile, _ segments: FollowedSegments
    ) throws(BinaryLogError) -> String? {
        try nameFirsts(file)
        var (low, high) = (0, groups.count)
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].first != 0, groups[middle].first <= number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low > 0 else { return nil }
        let group = low - 1
        if loaded?.group == group, let text = scan(for: number) { return text }
        // The text was missing when the group was read, but may exist now.
        if loaded?.group != group || group == groups.count - 1 {
            let offset = groups[group].segment.offset
            let body = offset + BinaryLogHeader.segmentHeaderSize..<offset + segmentSize
            loaded = (group, try file.read(body, buffer))
            place = (0, 0)
            // If the segment was overwritten during the read, the number could refer to the bytes of another
            // text.
            guard try segments.isThere(groups[group].segment, file) else {
                loaded = nil
                return nil
            }
            return scan(for: number)
        }
        return nil
    }

    /// Continues from the last text that was found, if that was an earlier one.
    private mutating func scan(for number: UInt32) -> String? {
        guard let bytes = loaded?.bytes else { return nil }
        var offset = place.number != 0 && place.number <= number ? place.offset : 0
        while offset + 8 <= bytes.count {
            let found = FollowedFile.uint32(bytes, offset)
            let start = offset + 8
            let end = start + Int(FollowedFile.uint32(bytes, offset + 4))
            guard found != 0, end <= bytes.count else { return nil }
            if found == number {
                place = (found, offset)
                return String(decoding: bytes[start..<min(end, start + Self.longestText)], as: UTF8.self)
            }
            offset = (end + 7) & ~7
        }
        return nil
    }

    /// Finds the first numbers of groups that are new.
    private mutating func nameFirsts(_ file: FollowedFile) throws(BinaryLogError) {
        for index in groups.indices.reversed() {
            guard groups[index].first == 0 else { return }
            let start = groups[index].segment.offset + BinaryLogHeader.segmentHeaderSize
            let bytes = try file.read(start..<start + 4, startBuffer)
            if bytes.count == 4 { groups[index].first = FollowedFile.uint32(bytes, 0) }
        }
    }
}
