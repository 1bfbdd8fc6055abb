import Foundation

/// The functions of a program or library, from the symbol table of its ELF file. Nothing in the file is
/// trusted.
package struct ELFSymbols {
    /// The first bytes of an ELF file.
    package static let magic: [UInt8] = [0x7f, 0x45, 0x4c, 0x46]
    private static let symbolSize = 24
    private static let symbolsInARow = 65_536
    private static let longestName = 4_096

    /// In hexadecimal digits. Nil if the file has no build ID.
    let buildID: String?
    private let bytes: ELFBytes
    /// The offset of the symbols in the file, and their number.
    private let symbols: (start: Int, count: Int)
    private let names: Int

    /// Nil if the file does not exist or is not a 64-bit ELF file.
    init?(path: String) {
        guard let bytes = ELFBytes(path: path) else { return nil }
        self.init(bytes)
    }

    init?(_ data: Data) { self.init(ELFBytes(data)) }

    private init?(_ bytes: ELFBytes) {
        self.bytes = bytes
        guard bytes.read(0, 6) == Self.magic + [2, 1] else { return nil }
        buildID = Self.buildID(bytes)
        let (sections, size, count) = (bytes.uint64(40), bytes.uint16(58), bytes.uint16(60))
        guard size == 64 else { return nil }
        let headers = (0..<count).compactMap { index -> Int? in
            guard let start = bytes.offset(sections, plus: index * 64), start + 64 <= bytes.count else {
                return nil
            }
            return start
        }
        // The full table if the file was not stripped, otherwise the dynamic linker's table.
        let (whole, dynamic) = (2, 11)
        guard
            let table = headers.first(where: { bytes.uint32($0 + 4) == whole })
                ?? headers.first(where: { bytes.uint32($0 + 4) == dynamic }),
            let start = bytes.offset(bytes.uint64(table + 24), plus: 0),
            headers.indices.contains(bytes.uint32(table + 40)),
            let names = bytes.offset(bytes.uint64(headers[bytes.uint32(table + 40)] + 24), plus: 0)
        else { return nil }
        let room = max(0, bytes.count - start) / Self.symbolSize
        symbols = (start, min(room, Int(clamping: bytes.uint64(table + 32) / UInt64(Self.symbolSize))))
        self.names = names
    }

    /// The linked names of the functions at those addresses, in the order of the file. Reads the table once.
    func names(at addresses: [UInt64]) -> [UInt64: [String]] {
        let wanted = addresses.sorted()
        guard let least = wanted.first, let most = wanted.last else { return [:] }
        var found: [UInt64: [String]] = [:]
        var next = 0
        while next < symbols.count {
            let count = min(Self.symbolsInARow, symbols.count - next)
            let table = bytes.read(symbols.start + next * Self.symbolSize, count * Self.symbolSize)
            guard table.count == count * Self.symbolSize else { return found }
            next += count
            table.withUnsafeBytes { raw in
                // Uses the pointer, not the buffer: an unoptimized program may read its own table at its end.
                guard let words = raw.bindMemory(to: UInt64.self).baseAddress else { return }
                var index = 0
                while index < count * 3 {
                    // In the first word: the name in 32 bits, its kind in four, and the section in the upper
                    // 16.
                    let (entry, start, size) = (words[index], words[index + 1], words[index + 2])
                    index += 3
                    guard start <= most, entry >> 32 & 15 == 2, entry >> 48 != 0 else { continue }
                    let (sum, isCut) = start.addingReportingOverflow(max(size, 1) - 1)
                    let end = isCut ? .max : sum
                    guard least <= end else { continue }
                    for address in wanted[wanted.partitioningIndex { $0 >= start }...] {
                        guard address <= end else { break }
                        guard let name = name(Int(entry & 0xffff_ffff)),
                            found[address]?.contains(name) != true
                        else { continue }
                        found[address, default: []].append(name)
                    }
                }
            }
        }
        return found
    }

    private func name(_ offset: Int) -> String? {
        guard let start = bytes.offset(UInt64(offset), plus: names) else { return nil }
        let text = bytes.read(start, min(Self.longestName, bytes.count - start)).prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private static func buildID(_ bytes: ELFBytes) -> String? {
        let (segments, size, count) = (bytes.uint64(32), bytes.uint16(54), bytes.uint16(56))
        guard size == 56 else { return nil }
        for index in 0..<count {
            guard let segment = bytes.offset(segments, plus: index * size), bytes.uint32(segment) == 4,
                var note = bytes.offset(bytes.uint64(segment + 8), plus: 0),
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

/// An ELF file, read in pieces. A mapped file would end the process if somebody truncated it.
private final class ELFBytes {
    private let descriptor: Int32
    private let data: Data
    let count: Int

    init?(path: String) {
        // Opens without waiting for a writer, because the name comes from a trace.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        data = Data()
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        count = isFile ? Int(status.st_size) : 0
        if !isFile { return nil }
    }

    init(_ data: Data) {
        descriptor = -1
        self.data = data
        count = data.count
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Fewer bytes if the file ends earlier.
    func read(_ offset: Int, _ size: Int) -> [UInt8] {
        guard offset >= 0, size > 0, offset < count else { return [] }
        let wanted = min(size, count - offset)
        guard descriptor >= 0 else {
            let start = data.startIndex + offset
            return [UInt8](data[start..<start + wanted])
        }
        return WholeBytes.read(descriptor, at: offset, count: wanted).bytes
    }

    /// A number; 0 if the file ends earlier.
    private func number(_ offset: Int, _ size: Int) -> UInt64 {
        guard offset >= 0, offset <= count - size else { return 0 }
        return read(offset, size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func uint16(_ offset: Int) -> Int { Int(number(offset, 2)) }

    func uint32(_ offset: Int) -> Int { Int(number(offset, 4)) }

    func uint64(_ offset: Int) -> UInt64 { number(offset, 8) }

    /// Nil if that is not within the file.
    func offset(_ start: UInt64, plus more: Int) -> Int? {
        guard start <= UInt64(count), more <= count - Int(start) else { return nil }
        return Int(start) + more
    }
}
