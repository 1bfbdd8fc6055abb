import EventLog

/// Shared parts of sentences for a terminal.
extension Prose {
    /// An average count: `2,900`, `17`, `2.85`, `under 0.01`.
    package static func average(_ number: Double) -> String {
        if number >= 10 { return grouped(Int64(rounding: number)) }
        return number < 0.005 ? "under 0.01" : twoDecimals(number)
    }

    /// The average number of operations during the makespan: the sum of their times divided by it.
    package static func average(of total: Int64, in makespan: Int64) -> String {
        average(Double(total) / Double(max(1, makespan)))
    }

    /// Rounded; 0 counts as a whole of 1.
    package static func percent(_ part: Int64, of whole: Int64) -> Int {
        Int(Int64(rounding: Double(part) / Double(max(1, whole)) * 100))
    }

    /// Independent of the locale: `1.85`.
    package static func twoDecimals(_ value: Double) -> String {
        let hundredths = Int64(rounding: value * 100)
        let fraction = hundredths % 100
        return "\(grouped(hundredths / 100)).\(fraction < 10 ? "0" : "")\(fraction)"
    }

    /// Breaks lines at spaces, but not before a percent sign; a word that is wider than a line gets its own
    /// line. With a `nil` width, the result is one line. Linear.
    ///
    /// - Parameter indent: the number of spaces before each line after the first. The first line keeps its
    ///   own.
    package static func wrapped(_ text: String, to width: Int?, indent: Int = 0) -> String {
        guard let width else { return text }
        var lines = String(text.prefix { $0 == " " })
        var column = lines.count
        var isFirst = true
        for word in words(text.dropFirst(column)) {
            let columns = TextWidth.columns(of: word)
            if !isFirst, column + 1 + columns > width {
                lines += "\n" + String(repeating: " ", count: indent)
                column = indent
            } else if !isFirst {
                lines += " "
                column += 1
            }
            lines += word
            column += columns
            isFirst = false
        }
        return lines
    }

    /// The parts between spaces; a percent sign belongs to the number before it.
    private static func words(_ text: Substring) -> [Substring] {
        var words: [Substring] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if word.first == "%", let number = words.popLast() {
                words.append(text[number.startIndex..<word.endIndex])
            } else {
                words.append(word)
            }
        }
        return words
    }
}
