import ArgumentParser
import Foundation

/// A stretch of time as somebody writes it: `1.2s..3.4s`, times since the start of the trace. Either end may be left out.
struct TimeWindow: ExpressibleByArgument {
    let range: Range<Int64>

    init?(argument: String) {
        guard let dots = argument.range(of: "..") else { return nil }
        let (from, to) = (argument[..<dots.lowerBound], argument[dots.upperBound...])
        if from.isEmpty && to.isEmpty { return nil }
        guard let start = from.isEmpty ? .min : Self.nanoseconds(from),
            let end = to.isEmpty ? .max : Self.nanoseconds(to), start < end
        else { return nil }
        range = start..<end
    }

    /// A decimal number and a unit.
    private static func nanoseconds(_ text: Substring) -> Int64? {
        let units: [(name: String, nanoseconds: Double)] = [
            ("ns", 1), ("µs", 1e3), ("us", 1e3), ("ms", 1e6), ("min", 6e10), ("s", 1e9), ("h", 3.6e12),
        ]
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(text.dropLast(unit.name.count).filter { $0 != " " }), number >= 0
        else { return nil }
        return Int64(exactly: (number * unit.nanoseconds).rounded())
    }
}
