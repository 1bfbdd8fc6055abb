import Foundation

/// What the headers of an ELF file say: which file it is, and where its parts are loaded. Nothing in the file
/// is trusted.
package struct ELFFile {
    /// The first bytes of an ELF file.
    package static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]
    private static let headerSize = 64
    private static let segmentSize = 56

    let bytes: ELFBytes
    /// In hexadecimal digits. Nil if the file has no build ID.
    package let buildID: String?
    /// The parts that are loaded: their offsets in the file, their sizes there, and their addresses.
    private let loaded: [(offset: UInt64, size: UInt64, address: UInt64)]
    /// The sorted table of functions that exceptions use: its bytes in the file, and its address. Stripping
    /// keeps it.
    let unwindTable: (bytes: Range<Int>, address: UInt64)?

    /// Nil if the file does not exist or is not a 64-bit ELF file.
    package init?(path: String) {
        guard let bytes = ELFBytes(path: path) else { return nil }
        self.init(bytes)
    }

    init?(_ data: Data) { self.init(ELFBytes(data)) }

    private init?(_ bytes: ELFBytes) {
        self.bytes = bytes
        guard bytes.count >= Self.headerSize, bytes.read(0, 6) == Self.magic + [2, 1] else { return nil }
        let (start, size, count) = (bytes.uint64(32), bytes.uint16(54), bytes.uint16(56))
        let segments =
            size == Self.segmentSize
            ? (0..<count).compactMap { bytes.offset(start, plus: $0 * Self.segmentSize) } : []
        buildID = Self.buildID(bytes, segments)
        loaded = segments.filter { bytes.uint32($0) == Segment.loaded }.map {
            (bytes.uint64($0 + 8), bytes.uint64($0 + 32), bytes.uint64($0 + 16))
        }
        unwindTable = segments.first { bytes.uint32($0) == Segment.unwinding }.flatMap { segment in
            guard let start = bytes.offset(bytes.uint64(segment + 8), plus: 0),
                let end = bytes.offset(bytes.uint64(segment + 32), plus: start)
            else { return nil }
            return (start..<end, bytes.uint64(segment + 16))
        }
    }

    private enum Segment {
        static let loaded = 1
        static let notes = 4
        static let unwinding = 0x6474_e550
    }

    /// The address, in the file's own address space, of a byte that is loaded from the file.
    package func address(ofOffset offset: UInt64) -> UInt64? {
        loaded.first { offset >= $0.offset && offset - $0.offset < $0.size }
            .map { $0.address &+ (offset - $0.offset) }
    }

    /// The reverse of `address(ofOffset:)`.
    package func offset(ofAddress address: UInt64) -> UInt64? {
        loaded.first { address >= $0.address && address - $0.address < $0.size }
            .map { $0.offset &+ (address - $0.address) }
    }

    /// Fewer bytes if the file ends earlier.
    package func read(_ offset: Int, _ size: Int) -> [UInt8] { bytes.read(offset, size) }

    /// Four bytes at an offset, as a number; 0 if the file ends earlier.
    package func uint32(_ offset: Int) -> Int { bytes.uint32(offset) }

    /// Where variables are in a process that has the file loaded.
    ///
    /// - Parameter loaded: an offset in the file, and the address that this byte has in the process.
    /// - Returns: nil for a variable that the file does not name; nothing if it cannot be read.
    package static func addresses(
        ofVariables names: [String], inFile path: String, loaded: (offset: UInt64, at: UInt64)
    ) -> [UInt64?] {
        guard let file = ELFFile(path: path), let symbols = ELFSymbols(file),
            let own = file.address(ofOffset: loaded.offset)
        else { return [] }
        return symbols.addresses(ofVariables: names).map { $0.map { $0 &+ loaded.at &- own } }
    }

    private static func buildID(_ bytes: ELFBytes, _ segments: [Int]) -> String? {
        for segment in segments where bytes.uint32(segment) == Segment.notes {
            guard var note = bytes.offset(bytes.uint64(segment + 8), plus: 0),
                let end = bytes.offset(bytes.uint64(segment + 32), plus: note)
            else { continue }
            // A note is three numbers, a name and its contents. Name and contents are each padded to four
            // bytes.
            while end - note >= 12 {
                let (nameSize, size) = (bytes.uint32(note), bytes.uint32(note + 4))
                let content = note + 12 + (nameSize + 3) & ~3
                guard content <= end, size <= end - content else { break }
                let isBuildID = bytes.uint32(note + 8) == 3 && bytes.read(note + 12, 4) == Array("GNU\0".utf8)
                if isBuildID, size > 0, size <= 32 {
                    return bytes.read(content, size).map { byte in
                        (byte < 16 ? "0" : "") + String(byte, radix: 16)
                    }.joined()
                }
                note = content + (size + 3) & ~3
            }
        }
        return nil
    }
}
