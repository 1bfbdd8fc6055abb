/// Two runs' code compared, for a terminal: the functions that grew and shrank most, for each execution.
struct FlameComparisonText {
    private static let mostFunctions = 20

    let output: FlameComparisonOutput

    func text(_ style: WritingStyle) -> String {
        let comparison = output.comparison
        return style.fitting(rows: Self.mostFunctions) { style, rows in
            text(comparison, rows, width: style.width ?? 80)
        }
    }

    private func text(_ comparison: FlameComparison, _ rows: Int, width: Int) -> String {
        var text = Prose.wrapped(output.heading, to: width) + "\n"
        for note in output.notes + FlameComparisonOutput.kinds(comparison) {
            text += Prose.wrapped("note: \(note)", to: width, indent: 2) + "\n"
        }
        let proven = comparison.functions.filter(\.change.isProven)
        let grown = proven.filter { $0.change.difference > 0 }
        let shrunk = Array(proven.filter { $0.change.difference < 0 }.reversed())
        if proven.isEmpty {
            return text + "\nNo function changed by more than the samples' chance explains.\n"
        }
        for (title, functions) in [
            ("Functions that grew, for each execution of their kind", grown),
            ("Functions that shrank or vanished", shrunk),
        ] where !functions.isEmpty {
            text += "\n" + table(title, functions.prefix(rows)).text(width: width)
            text += WritingStyle.omission(functions.count - min(rows, functions.count), "more function")
        }
        return text
    }

    private func table(_ title: String, _ functions: some Sequence<FlameComparison.Function>) -> TextTable {
        var table = TextTable(
            title: title,
            columns: [
                .name("function"), .name("kind"), .number("before"), .number("after"), .number("change"),
                .number(""),
            ])
        for function in functions {
            let (change, count) = (function.change, Double(function.executions))
            table.rows.append([
                function.label.name, function.kind,
                DurationFormat.text(nanoseconds: change.before / count),
                DurationFormat.text(nanoseconds: Double(change.after) / count),
                ChangeText.duration(Int64(rounding: change.difference / count)),
                change.before == 0 ? "new" : change.after == 0 ? "gone" : change.percent,
            ])
        }
        return table
    }
}
