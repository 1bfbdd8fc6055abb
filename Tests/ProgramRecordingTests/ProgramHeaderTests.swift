import Testing

@testable import ProgramRecording

@Suite("A program's header says whether a library can be loaded into it")
struct ProgramHeaderTests {
    #if arch(x86_64)
        private static let (ownMachine, otherMachine): (UInt8, UInt8) = (62, 183)
    #else
        private static let (ownMachine, otherMachine): (UInt8, UInt8) = (183, 62)
    #endif

    /// An ELF header and program headers of those types.
    private func header(wordSize: UInt8 = 2, machine: UInt8 = ownMachine, parts: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 + 56 * parts.count)
        bytes.replaceSubrange(0..<5, with: [0x7f, 0x45, 0x4c, 0x46, wordSize])
        bytes[18] = machine
        bytes[32] = 64
        bytes[54] = 56
        bytes[56] = UInt8(parts.count)
        for (index, part) in parts.enumerated() { bytes[64 + 56 * index] = part }
        return bytes
    }

    @Test("a program with a dynamic linker has no obstacle")
    func dynamic() {
        #expect(ProgramHeader(header(parts: [6, 3, 1, 2])).obstacle == nil)
    }

    @Test("a program without a dynamic linker says so")
    func linkedStatically() throws {
        let obstacle = try #require(ProgramHeader(header(parts: [1, 1, 4])).obstacle)
        #expect(obstacle.reason.hasPrefix("has no dynamic linker"))
    }

    @Test("a program for another processor, or of 32 bits, says so")
    func foreign() throws {
        for bytes in [header(machine: Self.otherMachine, parts: [3]), header(wordSize: 1, parts: [3])] {
            let obstacle = try #require(ProgramHeader(bytes).obstacle)
            #expect(obstacle.reason.hasPrefix("is a program for another processor"))
        }
    }

    @Test("scripts and other files are refused", arguments: ["", "#!/bin/sh\n", "\u{7f}ELF"])
    func others(text: String) {
        #expect(ProgramHeader(Array(text.utf8)).obstacle == nil)
    }

    @Test("a header that is cut off or has wrong sizes does not trap")
    func damaged() {
        let whole = header(parts: [6, 3])
        for count in whole.indices { _ = ProgramHeader(Array(whole[..<count])).obstacle }
        for index in whole.indices {
            var bytes = whole
            bytes[index] = 0xff
            _ = ProgramHeader(bytes).obstacle
        }
    }
}
