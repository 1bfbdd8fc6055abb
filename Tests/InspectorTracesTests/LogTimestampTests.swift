import TestTraces
import Testing

@testable import InspectorTraces

@Suite("Times in a JSON log")
struct LogTimestampTests {
    @Test(
        "times are decimal microseconds, read to the nanosecond",
        arguments: [
            ("0", 0), ("1", 1_000), ("1.5", 1_500), ("1.234", 1_234), ("0.001", 1), ("12.0", 12_000),
            ("-1.002", -1_002),
            ("1.2349", 1_234), ("9007199254740993.001", 9_007_199_254_740_993_001),
        ])
    func values(text: String, nanoseconds: Int64) {
        #expect(read(text) == nanoseconds)
    }

    @Test("times that do not fit become the nearest that does")
    func overflow() {
        #expect(read("99999999999999999999") == .max)
        #expect(read("-99999999999999999999") == -.max)
    }

    static let extremes: [(String, Int64)] = [
        ("9223372036854775.806", Int64.max - 1), ("9223372036854775.807", Int64.max),
        ("9223372036854775.808", Int64.max), ("9223372036854775.8079", Int64.max),
        ("9223372036854776", Int64.max), ("922337203685477580.7", Int64.max),
        ("9223372036854775807", Int64.max), ("-9223372036854775.807", -Int64.max),
        ("-9223372036854775.808", -Int64.max), ("-0", 0), ("-0.0004", 0), ("00000000000000000001.5", 1_500),
        ("0." + String(repeating: "0", count: 99), 0),
    ]

    @Test("times are exact up to the ends of the range, and stay there beyond them", arguments: extremes)
    func ends(text: String, nanoseconds: Int64) {
        #expect(read(text) == nanoseconds)
    }

    @Test(
        "times are only decimal numbers: anything else is refused",
        arguments: ["", "-", ".", ".5", "1e3", "+1", "0x1", "1.2.3", " 1", "1-", "٣"])
    func refused(text: String) {
        #expect(read(text) == nil)
    }

    /// As both parsers read it.
    private func read(_ text: String) -> Int64? {
        let any = LogTimestamp.decimalNanoseconds(text.utf8)
        let bytes = Array(text.utf8).withUnsafeBytes { LogTimestamp.nanoseconds(ofMicroseconds: $0) }
        #expect(bytes == any)
        return bytes
    }
}
