import Inspector
import ProgramRecording

/// What can be recorded on this machine, and of a program.
struct SetupReport {
    struct Group {
        /// `This machine`, or the path of a program.
        let title: String
        let checks: [SetupCheck]
    }

    let groups: [Group]

    /// Whether nothing prevents that operations are recorded.
    var recordsOperations: Bool {
        groups.flatMap(\.checks).allSatisfy {
            $0.isPossible != false || ![SetupCheck.library, SetupCheck.operations].contains($0.what)
        }
    }
}

extension SetupReport: Writable {
    static var renderers: [Renderer<SetupReport>] {
        [
            Renderer(.text, text: { $0.text(width: $1.width) }),
            Renderer(.json, text: { report, _ in report.json }),
        ]
    }

    private static let answerWidth = 5

    /// Safe for a terminal.
    private func text(width: Int?) -> String {
        let nameWidth = groups.flatMap(\.checks).reduce(0) { max($0, $1.what.count) } + 2
        let indent = 2 + nameWidth + Self.answerWidth
        return groups.map { group in
            TerminalText.escaped(group.title) + "\n"
                + group.checks.map { check in
                    let answer = check.isPossible.map { $0 ? "yes" : "no" } ?? "?"
                    let lines = [check.reason, check.remedy.map { "→ " + $0 }].compactMap(\.self)
                    let wrapped = lines.map {
                        Prose.wrapped(TerminalText.escaped($0), to: width.map { max(20, $0 - indent) })
                            .replacing("\n", with: "\n" + String(repeating: " ", count: indent))
                    }
                    let text = wrapped.joined(separator: "\n" + String(repeating: " ", count: indent))
                    let line =
                        "  " + Self.pad(check.what, nameWidth) + Self.pad(answer, Self.answerWidth) + text
                    return line.trimmed + "\n"
                }.joined()
        }.joined(separator: "\n")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private var json: String {
        var object = JSONObject()
        object.add("format", "opviz-doctor")
        object.add("version", 1)
        object.add("recordsOperations", recordsOperations)
        var bytes = Array(object.closed.dropLast())
        let checks = groups.enumerated().flatMap { index, group in
            group.checks.map { check in
                var object = JSONObject()
                object.add("program", index == 0 ? nil : group.title)
                object.add("what", check.what)
                if let isPossible = check.isPossible { object.add("isPossible", isPossible) }
                object.add(check.isPossible == true ? "note" : "reason", check.reason)
                object.add("remedy", check.remedy)
                return object
            }
        }
        JSONObject.append("checks", checks, to: &bytes)
        return String(decoding: bytes, as: UTF8.self) + "}\n"
    }
}

extension String {
    /// Without spaces at the end.
    fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
