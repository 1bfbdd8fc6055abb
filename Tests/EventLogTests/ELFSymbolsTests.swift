import Foundation
import TestTraces
import Testing

@testable import EventLog

@Suite("Functions are found in ELF files, and damaged files do not trap")
struct ELFSymbolsTests {
    /// A file with one symbol table: `first` at 0x1000, 16 bytes long, `second` at 0x2000, without a length,
    /// and two with the same address. Also a build ID, if given.
    static func file(tableType: UInt32 = 2, buildID: [UInt8]? = [0x0a, 0xbc]) -> Data {
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        let names = [UInt8]("\0first\0second\0same\0".utf8)
        func symbol(_ name: UInt32, _ address: UInt64, _ size: UInt64) -> [UInt8] {
            little(name) + [0x12, 0] + little(UInt16(1)) + little(address) + little(size)
        }
        let symbols =
            symbol(7, 0x2000, 0) + symbol(1, 0x1000, 16) + symbol(1, 0x3000, 16) + symbol(14, 0x3000, 16)
        let (symbolsStart, namesStart) = (64, 64 + symbols.count)
        let sectionsStart = namesStart + names.count
        func section(_ type: UInt32, _ start: Int, _ size: Int, link: UInt32) -> [UInt8] {
            little(UInt32(0)) + little(type) + little(UInt64(0)) + little(UInt64(0)) + little(UInt64(start))
                + little(UInt64(size)) + little(link) + little(UInt32(0)) + little(UInt64(8))
                + little(UInt64(24))
        }
        var header: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 57)
        header.replaceSubrange(40..<48, with: little(UInt64(sectionsStart)))
        header.replaceSubrange(58..<60, with: little(UInt16(64)))
        header.replaceSubrange(60..<62, with: little(UInt16(2)))
        let sections =
            section(tableType, symbolsStart, symbols.count, link: 1)
            + section(3, namesStart, names.count, link: 0)
        guard let buildID else { return Data(header + symbols + names + sections) }
        // Two notes in one segment: another, and the build ID.
        let note =
            little(UInt32(4)) + little(UInt32(4)) + little(UInt32(1)) + Array("GNU\0".utf8) + [1, 2, 3, 4]
            + little(UInt32(4)) + little(UInt32(buildID.count)) + little(UInt32(3)) + Array("GNU\0".utf8)
            + buildID
            + [UInt8](repeating: 0, count: (4 - buildID.count % 4) % 4)
        let segmentStart = sectionsStart + sections.count
        let segment =
            little(UInt32(4)) + little(UInt32(4)) + little(UInt64(segmentStart + 56)) + little(UInt64(0))
            + little(UInt64(0)) + little(UInt64(note.count)) + little(UInt64(note.count)) + little(UInt64(4))
        header.replaceSubrange(32..<40, with: little(UInt64(segmentStart)))
        header.replaceSubrange(54..<56, with: little(UInt16(56)))
        header.replaceSubrange(56..<58, with: little(UInt16(1)))
        return Data(header + symbols + names + sections + segment + note)
    }

    private func lookUp(_ bytes: Data) {
        guard let file = ELFFile(bytes) else { return }
        _ = file.address(ofOffset: 0x40)
        _ = UnwindTable(file)?.start(of: 0x1000)
        guard let symbols = ELFSymbols(file) else { return }
        _ = symbols.names(at: [0, 0x1008, 0x2000, .max])
    }

    @Test("functions are found in the whole table, and in the dynamic linker's", arguments: [UInt32(2), 11])
    func finds(tableType: UInt32) throws {
        let file = try #require(ELFFile(Self.file(tableType: tableType)))
        let symbols = try #require(ELFSymbols(file))
        let found = symbols.names(at: [0x2000, 0x100f, 0x1000, 0x3001, 0, 0xfff, 0x1010, 0x2001, .max])
        #expect(
            found == [0x1000: ["first"], 0x100f: ["first"], 0x2000: ["second"], 0x3001: ["first", "same"]])
        #expect(symbols.names(at: []).isEmpty)
        #expect(file.buildID == "0abc")
    }

    @Test("functions are found in a part of other data as well")
    func slice() throws {
        let bytes = (Data([1, 2, 3]) + Self.file()).dropFirst(3)
        #expect(
            try #require(ELFFile(bytes).flatMap(ELFSymbols.init)).names(at: [0x1000]) == [0x1000: ["first"]])
    }

    @Test("an ELF file that is cut off anywhere does not trap")
    func cut() {
        let whole = Self.file()
        for count in 0..<whole.count { lookUp(whole.prefix(count)) }
        #expect(ELFFile(whole.prefix(63)) == nil)
        #expect(ELFFile(Data()) == nil)
    }

    @Test("an ELF file with any byte, or any eight, changed to the worst does not trap")
    func damaged() {
        let whole = Self.file()
        for index in whole.indices {
            for value: UInt8 in [0, 0x7f, 0x80, 0xff] {
                var bytes = whole
                bytes[index] = value
                lookUp(bytes)
                for next in index..<min(index + 8, whole.count) { bytes[next] = value }
                lookUp(bytes)
            }
        }
    }
}
