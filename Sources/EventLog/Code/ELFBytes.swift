import Foundation

/// An ELF file, read in pieces. A mapped file would end the process if somebody truncated it.
final class ELFBytes {
    private let descriptor: Int32
    private let data: Data
    let count: Int
    /// When the file was changed last, or renamed, in seconds since 1970.
    let changed: Int

    init?(path: String) {
        // Opens without waiting for a writer, because the name comes from a trace.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        data = Data()
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        count = isFile ? Int(status.st_size) : 0
        #if os(Linux)
            changed = status.st_ctim.tv_sec
        #else
            changed = status.st_ctimespec.tv_sec
        #endif
        if !isFile { return nil }
    }

    init(_ data: Data) {
        descriptor = -1
        self.data = data
        count = data.count
        changed = 0
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

    func int32(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: number(offset, 4))) }

    func uint16(_ offset: Int) -> Int { Int(number(offset, 2)) }

    func uint32(_ offset: Int) -> Int { Int(number(offset, 4)) }

    func uint64(_ offset: Int) -> UInt64 { number(offset, 8) }

    /// Nil if that is not within the file.
    func offset(_ start: UInt64, plus more: Int) -> Int? {
        guard start <= UInt64(count), more <= count - Int(start) else { return nil }
        return Int(start) + more
    }
}
