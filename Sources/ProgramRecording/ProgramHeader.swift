import EventLog

/// The beginning of a program's file, for what the dynamic linker can do with it.
struct ProgramHeader {
    /// How many bytes to read.
    static let size = 4_096
    /// Follows the reason.
    static let consequence = ", so nothing can be loaded into it"
    /// The segment that names the dynamic linker.
    private static let linkerSegment = 3

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The obstacle that it shows. Nil for scripts and other files.
    var obstacle: RecordingObstacle? {
        guard bytes.starts(with: ELFFile.magic), bytes.count >= 64 else { return nil }
        #if arch(x86_64)
            let ownMachine = 62
        #else
            let ownMachine = 183
        #endif
        guard bytes[4] == 2, number(18, 2) == ownMachine else {
            return RecordingObstacle(
                reason: "is a program for another processor" + Self.consequence,
                remedy: "record it on a machine with that processor")
        }
        guard let segments else { return nil }
        let hasLinker = segments.contains { $0.kind == Self.linkerSegment }
        return hasLinker
            ? nil
            : RecordingObstacle(
                reason: "has no dynamic linker (it is linked with -static)" + Self.consequence,
                remedy: "link without -static")
    }

    /// The path of the dynamic linker.
    var linker: [UInt8]? {
        guard let segment = segments?.first(where: { $0.kind == Self.linkerSegment }),
            segment.start + segment.size <= bytes.count
        else { return nil }
        return Array(bytes[segment.start..<segment.start + segment.size])
    }

    /// The kinds of the segments, and where they are in the file; nil if the header has no usable list.
    private var segments: [(kind: Int, start: Int, size: Int)]? {
        let (start, size, count) = (number(32, 4), number(54, 2), number(56, 2))
        guard size >= 56, count > 0, start + size * count <= bytes.count else { return nil }
        return (0..<count).map { index in
            let segment = start + index * size
            return (number(segment, 4), number(segment + 8, 4), number(segment + 32, 4))
        }
    }

    private func number(_ offset: Int, _ size: Int) -> Int {
        guard offset >= 0, offset + size <= bytes.count else { return 0 }
        return bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
