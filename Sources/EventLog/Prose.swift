/// Formats numbers in sentences.
package enum Prose {
    /// `1,000,000 operations`, `1 operation`. Pass the plural if it needs more than an `s`.
    package static func counted(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
    }

    /// `the only slot`, `both slots` or `4 slots`.
    package static func slots(_ count: Int) -> String {
        switch count {
        case 1: "the only slot"
        case 2: "both slots"
        default: "\(grouped(count)) slots"
        }
    }

    /// `the only thread`, `both threads` or `all 4 threads`.
    package static func threads(_ count: Int) -> String {
        switch count {
        case 1: "the only thread"
        case 2: "both threads"
        default: "all \(grouped(count)) threads"
        }
    }

    /// What is left of a log that ends early: `2 whole events before that were kept`.
    package static func kept(_ count: some BinaryInteger) -> String {
        counted(count, "whole event before that was kept", "whole events before that were kept")
    }

    /// `a`, `a and b`, `a, b and c`.
    package static func list(_ words: [String]) -> String {
        guard words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + words[words.count - 1]
    }

    /// The first of `count` words: `a, b and 12 more`; all of them: `a, b and c`.
    package static func list(_ shown: some Collection<String>, of count: Int) -> String {
        let more = count - shown.count
        return list(Array(shown) + (more > 0 ? ["\(grouped(more)) more"] : []))
    }

    /// `1,000,000`.
    package static func grouped(_ count: some BinaryInteger) -> String {
        var result = ""
        let digits = String(count)
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { result += "," }
            result.append(digit)
        }
        return result
    }
}
