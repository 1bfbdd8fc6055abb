import Foundation
import Testing

@testable import EventLog
@testable import MemorySearch

@Suite struct CallFrameRulesTests {
    /// A program of the system, which is stripped.
    private static let program = "/bin/sh"

    #if os(Linux) && arch(x86_64)
        @Test func atTheStartOfAFunctionItsCallersStackIsEightBytesAbove() throws {
            let file = try #require(ELFFile(path: Self.program))
            let table = try #require(UnwindTable(file))
            var (usual, other) = (0, 0)
            for start in table.starts {
                let rules = CallFrameRules(at: start, in: file, table)
                if let rules, rules.base == (7, 8), rules.saved == [16: -8], !rules.isComputed {
                    usual += 1
                } else {
                    other += 1
                }
            }
            #expect(usual > 100)
            // Tables of jumps to libraries, and where the program begins.
            #expect(other <= 8)
        }
    #endif

    @Test func descriptionsThatSomebodyDamagedAreReadWithoutHarm() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: Self.program))
        let file = try #require(ELFFile(whole))
        let range = try #require(file.unwindTable).bytes
        let starts = Array(try #require(UnwindTable(file)).starts.prefix(400))
        var generator = Numbers(state: 7)
        var read = 0
        for _ in 0..<40 {
            var damaged = whole
            for _ in 0..<2_000 {
                // The descriptions follow their table.
                let place = Int.random(in: range.lowerBound..<range.upperBound + 20_000, using: &generator)
                if place < damaged.count { damaged[place] = UInt8.random(in: 0...255, using: &generator) }
            }
            guard let file = ELFFile(damaged), let table = UnwindTable(file) else { continue }
            for start in starts where CallFrameRules(at: start &+ 5, in: file, table) != nil { read += 1 }
        }
        // Some are still whole, so that the reading was reached.
        #expect(read > 0)
    }

    @Test func numbersOfAnyLengthEndWithTheBytes() {
        var bytes = DescriptionBytes([0x80, 0x80])
        #expect(bytes.unsigned() == 0)
        #expect(bytes.isOver)
        var negative = DescriptionBytes([0x7f, 0xff, 0x7e])
        #expect(negative.signed() == -1)
        #expect(negative.signed() == -129)
        #expect(negative.isAtEnd && !negative.isOver)
        var long = DescriptionBytes([UInt8](repeating: 0xff, count: 40))
        _ = long.signed()
        #expect(!long.isAtEnd)
    }
}

/// Always the same numbers: SplitMix64 of Steele, Lea and Flood, 2014.
private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var number = state
        number = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        return number ^ number >> 31
    }
}
