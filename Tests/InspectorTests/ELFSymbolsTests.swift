import Foundation
import Testing

@testable import Inspector

@Suite("Functions are found in ELF files, and damaged files are no trap")
struct ELFSymbolsTests {
    /// A file with one table of symbols: `first` at 0x1000, 16 bytes long, and `second` at 0x2000, of no length.
    static func file(tableType: UInt32 = 2) -> Data {
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        let names = [UInt8]("\0first\0second\0".utf8)
        func symbol(_ name: UInt32, _ address: UInt64, _ size: UInt64) -> [UInt8] {
            little(name) + [0x12, 0] + little(UInt16(1)) + little(address) + little(size)
        }
        let symbols = symbol(7, 0x2000, 0) + symbol(1, 0x1000, 16)
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
        return Data(header + symbols + names + sections)
    }

    private func lookUp(_ bytes: Data) {
        guard let symbols = ELFSymbols(bytes) else { return }
        for address: UInt64 in [0, 0x1008, 0x2000, .max] { _ = symbols.name(at: address) }
    }

    @Test("in the whole table, and in the dynamic linker's", arguments: [UInt32(2), 11])
    func finds(tableType: UInt32) throws {
        let symbols = try #require(ELFSymbols(Self.file(tableType: tableType)))
        #expect(symbols.name(at: 0x1000) == "first")
        #expect(symbols.name(at: 0x100f) == "first")
        #expect(symbols.name(at: 0x2000) == "second")
        for address: UInt64 in [0, 0xfff, 0x1010, 0x2001, .max] { #expect(symbols.name(at: address) == nil) }
    }

    @Test("in a part of other data as well")
    func slice() throws {
        let bytes = (Data([1, 2, 3]) + Self.file()).dropFirst(3)
        #expect(try #require(ELFSymbols(bytes)).name(at: 0x1000) == "first")
    }

    @Test("a file that is cut off anywhere")
    func cut() {
        let whole = Self.file()
        for count in 0..<whole.count { lookUp(whole.prefix(count)) }
        #expect(ELFSymbols(whole.prefix(63)) == nil)
        #expect(ELFSymbols(Data()) == nil)
    }

    @Test("a file with any byte, or any eight, changed to the worst")
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

@Suite("Closures are named by the files that their code is in")
struct CodeNamesTests {
    @Test("by the function there; else by the file and the offset; else as the trace says")
    func names() throws {
        let path = NSTemporaryDirectory() + "opviz-code-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try ELFSymbolsTests.file().write(to: URL(filePath: path))
        let file = (path as NSString).lastPathComponent
        var names = CodeNames()
        #expect(names.name(of: path + "+0x1004") == "first")
        #expect(names.name(of: path + "+0x1800") == "closure in \(file)+0x1800")
        #expect(names.name(of: "/no/such/library.so+0x10") == "closure in library.so+0x10")
        #expect(names.name(of: "/dev/zero+0x10") == "closure in zero+0x10")
        for origin in ["", "+", "nothing", "a+0xyz", "a+0x11223344556677889"] {
            #expect(names.name(of: origin) == origin)
        }
    }

    @Test("an operation's own name stands")
    func ownNames() {
        func enqueue(_ number: UInt64, name: String?, origin: String?) -> LogEvent {
            LogEvent(
                time: 0, thread: 1,
                .enqueued(
                    .init(
                        operation: OperationID(number), kind: "BlockOperation", name: name, queue: QueueID(1),
                        origin: origin)))
        }
        let events = [
            enqueue(1, name: "own", origin: "/no/library.so+0x1"),
            enqueue(2, name: nil, origin: "/no/library.so+0x1"), enqueue(3, name: nil, origin: nil),
        ]
        var contents = EventLogContents(
            header: LogHeader(process: "p", processID: 1, host: "h", start: 0), events: events)
        var names = CodeNames()
        names.nameOperations(in: &contents)
        let found = Trace(contents).operations.map(\.name)
        #expect(found == ["own", "closure in library.so+0x1", nil])
    }
}
