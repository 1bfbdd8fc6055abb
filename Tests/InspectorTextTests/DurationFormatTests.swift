import TestTraces
import Testing

@testable import InspectorText

@Suite struct DurationFormatTests {
    @Test(
        "durations are read if they are finite and fit",
        arguments: [
            ("1.5s", 1_500_000_000), ("1e3 ms", 1_000_000_000), ("0h", 0),
            ("9223372036s", 9_223_372_036_000_000_000),
            ("9223372037s", nil), ("1e400s", nil), ("1e19ns", nil), ("nans", nil), ("infs", nil),
            ("-1s", nil),
            ("0x10s", nil), ("1", nil), ("s", nil), ("1 parsec", nil), ("½s", nil),
        ] as [(String, Int64?)])
    func read(text: String, nanoseconds: Int64?) {
        #expect(DurationFormat.nanoseconds(text) == nanoseconds)
    }

    @Test(
        "durations have three significant digits and the unit that fits",
        arguments: [
            (0, "0 ns"), (850, "850 ns"), (999, "999 ns"), (1000, "1.00 µs"), (12_345, "12.3 µs"),
            (12_350, "12.4 µs"), (999_499, "999 µs"), (999_500, "1.00 ms"), (4_560_000, "4.56 ms"),
            (1_234_000_000, "1.23 s"), (9_995_000_000, "10.0 s"), (59_940_000_000, "59.9 s"),
            (59_960_000_000, "1 min 0 s"), (123_000_000_000, "2 min 3 s"), (3_599_600_000_000, "1 h 0 min"),
            (3_900_000_000_000, "1 h 5 min"), (-1500, "-1.50 µs"),
        ] as [(Int64, String)])
    func text(nanoseconds: Int64, expected: String) {
        #expect(DurationFormat.text(nanoseconds: nanoseconds) == expected)
    }

    @Test("the largest and smallest numbers, and missing ones, are written too")
    func extremes() {
        #expect(DurationFormat.text(nanoseconds: Int64.max) == "2,562,047 h 47 min")
        #expect(DurationFormat.text(nanoseconds: Int64.min) == "-2,562,047 h 47 min")
        #expect(DurationFormat.text(nanoseconds: Double.infinity) == "2,562,047 h 47 min")
        #expect(DurationFormat.text(nanoseconds: Double.nan) == "0 ns")
    }
}
