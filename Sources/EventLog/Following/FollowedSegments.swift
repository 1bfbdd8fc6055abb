/// Which segments of a growing log have been handed out.
///
/// They are in the order of the file, except for a few that threads are just taking. So a look continues from
/// the first free segment. If only the latest events are kept, any segment may be reused with a new sequence
/// number. All are then checked, some thousands at a time.
struct FollowedSegments {
    struct Segment {
        /// The offset in the file.
        let offset: Int
        let kind: UInt32
        let stream: UInt64
        let sequence: UInt64
    }

    static let records: UInt32 = 1
    static let texts: UInt32 = 2
    /// The processes of a merged log.
    static let processes: UInt32 = 3

    /// How many threads may have taken a segment without having marked it yet.
    private static let widestGap = 64
    /// How many segments are checked again at a time: 4,096 of them are 256 MiB, and take about 2 ms.
    private static let looksAgain = 4096

    private let headerSize: Int
    private let segmentSize: Int
    private let areRecycled: Bool
    /// The sequence number of each segment when it was found, in the order of the file; nil for a free one.
    private var found: [UInt64?] = []
    private var firstFree = 0
    private var nextAgain = 0
    private let buffer = LogBuffer()

    init(_ header: BinaryLogHeader) {
        headerSize = header.headerSize
        segmentSize = header.segmentSize
        areRecycled = header.flags.contains(.keepsLatest)
    }

    /// New segments, in the order of their sequence numbers.
    mutating func look(_ file: FollowedFile) throws(BinaryLogError) -> [Segment] {
        var new: [Segment] = []
        if areRecycled {
            for _ in 0..<min(Self.looksAgain, firstFree) {
                nextAgain = nextAgain + 1 < firstFree ? nextAgain + 1 : 0
                guard let segment = try segment(nextAgain, file) else { break }
                take(segment, nextAgain, &new)
            }
        }
        var index = firstFree
        var free: Int?
        while index - (free ?? index) < Self.widestGap {
            if index < found.count, found[index] != nil {
                index += 1
                continue
            }
            guard let segment = try segment(index, file) else { break }
            if index == found.count { found.append(nil) }
            take(segment, index, &new)
            if found[index] == nil, free == nil { free = index }
            index += 1
        }
        firstFree = free ?? index
        return new.sorted { $0.sequence < $1.sequence }
    }

    /// Whether the segment has not been reused.
    func isThere(_ segment: Segment, _ file: FollowedFile) throws(BinaryLogError) -> Bool {
        guard areRecycled else { return true }
        let bytes = try file.read(segment.offset..<segment.offset + 24, buffer)
        return bytes.count == 24 && FollowedFile.uint32(bytes, 0) == segment.kind
            && FollowedFile.uint64(bytes, 16) == segment.sequence
    }

    private mutating func take(_ segment: Segment, _ index: Int, _ new: inout [Segment]) {
        let known = found[index]
        found[index] = segment.kind == 0 ? nil : segment.sequence
        if segment.kind != 0, known != segment.sequence { new.append(segment) }
    }

    /// Nil beyond the end of the file.
    private func segment(_ index: Int, _ file: FollowedFile) throws(BinaryLogError) -> Segment? {
        let offset = headerSize + index * segmentSize
        let size = BinaryLogHeader.segmentHeaderSize
        let bytes = try file.read(offset..<offset + size, buffer)
        guard bytes.count == size else { return nil }
        return Segment(
            offset: offset, kind: FollowedFile.uint32(bytes, 0), stream: FollowedFile.uint64(bytes, 8),
            sequence: FollowedFile.uint64(bytes, 16))
    }
}
