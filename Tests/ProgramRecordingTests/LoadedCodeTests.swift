import Testing

@testable import ProgramRecording

@Suite("The code of a process is what was loaded last at an address")
struct LoadedCodeTests {
    private func loaded(_ ranges: (Range<UInt64>, offset: UInt64, file: Int)...) -> LoadedCode {
        var code = LoadedCode()
        for (addresses, offset, file) in ranges {
            code.load(
                .init(start: addresses.lowerBound, end: addresses.upperBound, offset: offset, file: file))
        }
        return code
    }

    private func place(_ address: UInt64, _ code: LoadedCode) -> [UInt64]? {
        code.place(of: address).map { [UInt64($0.file), $0.offset] }
    }

    @Test("an address has the offset in its file")
    func offsets() {
        let code = loaded((0x2000..<0x3000, 0x100, 1), (0x1000..<0x2000, 0, 0))
        #expect(place(0x1fff, code) == [0, 0xfff])
        #expect(place(0x2000, code) == [1, 0x100])
        #expect(place(0x3000, code) == nil && place(0xfff, code) == nil && place(.max, code) == nil)
        #expect(code.replacements == 0)
    }

    @Test("a library in the middle of another leaves the rest of it")
    func middle() {
        let code = loaded((0x1000..<0x4000, 0, 0), (0x2000..<0x3000, 0x50, 1))
        #expect(place(0x1fff, code) == [0, 0xfff])
        #expect(place(0x2001, code) == [1, 0x51])
        #expect(place(0x3001, code) == [0, 0x2001])
        #expect(code.replacements == 1)
    }

    @Test("the same code again replaces nothing")
    func again() {
        let code = loaded((0x1000..<0x4000, 0, 0), (0x2000..<0x3000, 0x1000, 0), (0x1000..<0x4000, 0, 0))
        #expect(place(0x2001, code) == [0, 0x1001])
        #expect(code.replacements == 0)
        #expect(code.ranges.count == 1)
    }

    @Test("a library over the ends of two others shortens them, and empty ones are ignored")
    func ends() {
        let code = loaded(
            (0x1000..<0x2000, 0, 0), (0x2000..<0x3000, 0, 1), (0x1800..<0x2800, 0, 2), (0x1000..<0x1000, 0, 3)
        )
        #expect(place(0x17ff, code) == [0, 0x7ff])
        #expect(place(0x1800, code) == [2, 0])
        #expect(place(0x2800, code) == [1, 0x800])
    }
}
