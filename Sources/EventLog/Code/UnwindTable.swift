/// Where the functions of an ELF file begin, also of a stripped one: `.eh_frame_hdr`, as far as linkers write
/// it. Nothing in the file is trusted.
package struct UnwindTable {
    private static let headerSize = 12
    private static let entrySize = 8
    /// Version 1; a pointer in 4 bytes relative to itself, a count in 4 bytes, and entries of two numbers in
    /// 4 bytes, relative to the table.
    private static let usual: [UInt8] = [1, 0x1b, 0x03, 0x3b]

    private let bytes: ELFBytes
    private let start: Int
    private let count: Int
    private let address: UInt64

    package init?(_ file: ELFFile) {
        guard let table = file.unwindTable, table.bytes.count >= Self.headerSize,
            file.bytes.read(table.bytes.lowerBound, 4) == Self.usual
        else { return nil }
        bytes = file.bytes
        start = table.bytes.lowerBound + Self.headerSize
        count = min(
            bytes.uint32(table.bytes.lowerBound + 8), (table.bytes.count - Self.headerSize) / Self.entrySize)
        address = table.address
    }

    /// Where all functions begin.
    var starts: some Collection<UInt64> { (0..<count).lazy.map { start(at: $0) } }

    private func start(at index: Int) -> UInt64 {
        address &+ UInt64(bitPattern: Int64(bytes.int32(start + index * Self.entrySize)))
    }

    /// The function that contains an address: where it begins, and where it is described. Nil before the
    /// first function.
    package func entry(of wanted: UInt64) -> (start: UInt64, description: UInt64)? {
        let next = (0..<count).partitioningIndex { start(at: $0) > wanted }
        guard next > 0 else { return nil }
        let description = bytes.int32(start + (next - 1) * Self.entrySize + 4)
        return (start(at: next - 1), address &+ UInt64(bitPattern: Int64(description)))
    }

    /// Where the function begins that contains an address; nil before the first function.
    func start(of wanted: UInt64) -> UInt64? {
        entry(of: wanted)?.start
    }
}
