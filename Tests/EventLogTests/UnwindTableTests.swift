import Foundation
import Testing

@testable import EventLog

@Suite("Functions of stripped ELF files begin where exceptions look for them")
struct UnwindTableTests {
    /// A file that is loaded at 0x400000, with the functions at 0x401000 and 0x401080 in its table.
    private static func file(count: UInt32 = 2) -> Data {
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        func segment(_ type: UInt32, _ start: Int, _ size: Int, _ address: UInt64) -> [UInt8] {
            little(type) + little(UInt32(4)) + little(UInt64(start)) + little(address) + little(address)
                + little(UInt64(size)) + little(UInt64(size)) + little(UInt64(4))
        }
        let start = 64 + 2 * 56
        let table: [UInt8] =
            [1, 0x1b, 3, 0x3b] + little(UInt32(0)) + little(count)
            + little(Int32(0x1000 - start)) + little(UInt32(0)) + little(Int32(0x1080 - start))
            + little(UInt32(0))
        var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 57)
        header.replaceSubrange(32..<40, with: little(UInt64(64)))
        header.replaceSubrange(54..<56, with: little(UInt16(56)))
        header.replaceSubrange(56..<58, with: little(UInt16(2)))
        return Data(
            header + segment(1, 0, 0x2000, 0x400000)
                + segment(0x6474_e550, start, table.count, 0x400000 + UInt64(start)) + table)
    }

    @Test("a function of a stripped file begins at the last beginning that is not after an address")
    func starts() throws {
        let file = try #require(ELFFile(Self.file()))
        let table = try #require(UnwindTable(file))
        #expect(table.start(of: 0x400fff) == nil)
        #expect(table.start(of: 0x401000) == 0x401000)
        #expect(table.start(of: 0x40107f) == 0x401000)
        #expect(table.start(of: .max) == 0x401080)
        #expect(file.address(ofOffset: 0x1010) == 0x401010)
        #expect(file.address(ofOffset: 0x2000) == nil)
    }

    @Test("damaged unwind tables do not trap")
    func damaged() {
        let whole = Self.file(count: .max)
        let files =
            whole.indices.flatMap { index in
                [UInt8(0), 0x7f, 0xff].map { value in
                    var bytes = whole
                    bytes[index] = value
                    return bytes
                }
            } + (0..<whole.count).map { whole.prefix($0) }
        for bytes in files {
            guard let file = ELFFile(bytes) else { continue }
            _ = file.address(ofOffset: 0x1010)
            _ = UnwindTable(file)?.start(of: 0x401010)
        }
    }
}
