import EventLog

extension WhyReport {
    private static let mostLines = 12

    /// At most a dozen lines, safe for a terminal.
    ///
    /// - Parameters:
    ///   - path: the trace's, for the commands.
    ///   - width: the columns, at which longer lines are broken; nil for no breaks.
    package func text(path: String, width: Int? = 80) -> String {
        var lines = [Prose.wrapped(heading, to: width)]
        if let conclusion { lines.append(Prose.wrapped(Self.capitalized(conclusion) + ".", to: width)) }
        let begun = lines.reduce(0) { $0 + $1.split(separator: "\n").count }
        // A line of each is the command.
        let linesOfSentence = causes.isEmpty ? 0 : max(1, (Self.mostLines - begun) / causes.count - 1)
        for (number, cause) in causes.enumerated() {
            let indent = String(repeating: " ", count: 3)
            var sentence = cause.text(ofRun: makespan)
            if let room = width.map({ max(20, $0 - indent.count) }) {
                var broken = Prose.wrapped(sentence, to: room).split(separator: "\n")
                if broken.count > linesOfSentence {
                    broken.removeSubrange(linesOfSentence...)
                    let cut = broken[linesOfSentence - 1].prefix(room - 2)
                    let end = broken[linesOfSentence - 1].count > room - 2 ? cut.lastIndex(of: " ") : nil
                    broken[linesOfSentence - 1] = cut[..<(end ?? cut.endIndex)] + " …"
                }
                sentence = broken.joined(separator: "\n")
            }
            lines.append("\(number + 1). " + sentence.replacing("\n", with: "\n" + indent))
            lines.append(indent + cause.commandLine(path, width: width.map { $0 - indent.count }))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func command(_ arguments: [String?], _ path: String) -> String {
        (["opviz"] + arguments.map { ShellText.quoted($0 ?? path) }).joined(separator: " ")
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// One object: see `Documentation/schemas/why.schema.json`. Sentences are safe for a terminal, times
    /// are whole nanoseconds.
    package func json(path: String) -> String {
        var object = JSONObject()
        object.add("format", "opviz-why")
        object.add("version", 1)
        object.add("process", process)
        object.add("summary", heading)
        object.add("makespanNs", makespan)
        object.add("conclusion", conclusion)
        var bytes = Array(object.closed.dropLast())
        let causes = causes.map { cause in
            var object = JSONObject()
            object.add("summary", cause.sentence)
            object.add("severity", cause.severity?.rawValue)
            object.add("rule", cause.rule)
            object.add("handle", cause.handle)
            object.add("costNs", cause.cost)
            object.add("operation", cause.operation.map { "\($0)" })
            object.add("commands", cause.commands.map { Self.command($0, path) })
            return object
        }
        JSONObject.append("causes", causes, to: &bytes)
        return String(decoding: bytes, as: UTF8.self) + "}\n"
    }
}

extension WhyReport.Cause {
    /// Its sentence after what it is: `warning (26 % of the run): queue network held …`.
    func text(ofRun makespan: Int64) -> String {
        let share = share(ofRun: makespan).map { " (\($0))" } ?? ""
        return (severity.map { $0.rawValue + share + ": " } ?? "") + sentence
    }

    /// `26 % of the run`.
    private func share(ofRun makespan: Int64) -> String? {
        guard let cost, makespan > 0, cost > 0 else { return nil }
        let percent = Prose.percent(cost, of: makespan)
        // A damaged trace may have any cost.
        return (1...100).contains(percent) ? "\(percent) % of the run" : nil
    }

    /// An arrow, and as many of the commands as fit beside it into a line; at least one.
    func commandLine(_ path: String, width: Int?) -> String {
        let shown = commands.map { WhyReport.command($0, path) }
        var text = "→ " + (shown.first ?? "")
        for command in shown.dropFirst() {
            let longer = text + "   " + command
            if TextWidth.columns(of: longer) > width ?? .max { break }
            text = longer
        }
        return text
    }
}

extension WhyReport {
    /// For the page, which has a place for what each first command shows.
    var pageObject: JSONObject {
        var object = JSONObject()
        object.add("conclusion", conclusion.map { MarkupText.visible($0) })
        object.add("areOfStandstill", causes.contains { Self.neverEnds.contains($0.rule ?? "") })
        object.add(
            "causes",
            causes.map { cause in
                var object = JSONObject()
                object.add("summary", MarkupText.visible(cause.sentence))
                object.add("severity", cause.severity?.rawValue)
                object.add("rule", cause.rule)
                object.add("command", cause.commands.first?.first ?? nil)
                return object
            })
        return object
    }
}

/// A report with the path of its trace, which the commands in it name.
package struct WhyOutput: Writable {
    private let report: WhyReport
    private let path: String

    package init(_ report: WhyReport, path: String) { (self.report, self.path) = (report, path) }

    package static var renderers: [Renderer<WhyOutput>] {
        [
            Renderer(.text, text: { $0.report.text(path: $0.path, width: $1.width ?? 80) }),
            Renderer(.json, text: { output, _ in output.report.json(path: output.path) }),
        ]
    }
}
