import Foundation
import Inspector
import Testing

@Suite("What opviz prints can be given to opviz again")
struct HandleCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        let traces = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/faults")
        for name in ["long-before-short", "priority", "circle", "never-added"] {
            try FileManager.default.copyItem(
                at: traces.appending(path: "\(name).optrace"),
                to: folder.url.appending(path: "\(name).optrace"))
        }
    }

    private static let traces = [
        "trace.json", "long-before-short.optrace", "priority.optrace", "circle.optrace",
        "never-added.optrace",
    ]

    private func text(_ arguments: String...) throws -> String {
        let run = try CommandRun(arguments, in: folder)
        #expect(run.status == 0, "\(run.error)")
        return run.text
    }

    /// The lines of the first table, without its heading.
    private func rows(_ text: String, after heading: String) -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.firstIndex { $0.contains(heading) } ?? lines.endIndex - 1
        return lines[(first + 1)...].prefix { !$0.isEmpty }.filter { !$0.contains("…") }
    }

    @Test(
        "every ID, kind, queue, operation, finding and step that default outputs name is a valid handle",
        arguments: traces)
    func everything(trace: String) throws {
        var handles: Set<String> = []
        var outputs = ""
        for command in ["why", "lint", "explain", "critical-path", "table"] {
            outputs += try text(command, trace) + "\n"
        }
        for found in outputs.matches(of: /\b(?:finding:\d+|0x[0-9a-f]+)\b/) {
            handles.insert(String(found.output))
        }
        for row in rows(try text("critical-path", trace), after: "step   ") {
            let number = row.split(separator: " ")[0]
            if Int(number) != nil { handles.insert("step:\(number)") }
        }
        let name = #/^ *(.+?) {2}/#
        for (grouping, form) in [("kind", "kind:"), ("queue", "queue:"), ("operation", "")] {
            let table = try text("table", trace, "--by", grouping)
            let heading = grouping == "operation" ? "name  " : "\(grouping) "
            for row in rows(table, after: heading) {
                if let found = row.firstMatch(of: name) { handles.insert(form + found.1) }
            }
        }
        #expect(handles.contains("step:1") && handles.count > 6, "\(handles)")
        let analysis = TraceAnalysis(try TraceReader(path: folder.path(trace)).read())
        for handle in handles.sorted() {
            #expect(throws: Never.self, "\(handle)") { try HandleSearch(handle, in: analysis) }
        }
    }

    @Test(
        "each command that selects operations takes each form",
        arguments: [
            "0x1", "thumbnail 1", "kind:Work", "queue:media", "outcome:succeeded", "finding:1", "step:1",
        ])
    func commands(handle: String) throws {
        let trace = "long-before-short.optrace"
        for arguments in [
            ["explain", trace, handle], ["timeline", trace, "--operation", handle],
            ["graph", trace, "--operation", handle, "-o", "-", "-f", "dot"],
            ["graph", trace, "--focus", handle, "-o", "-", "-f", "dot"],
        ] {
            let run = try CommandRun(arguments, in: folder)
            #expect(run.status == 0 && run.text.count > 40, "\(arguments): \(run.error)")
        }
    }

    @Test("each command says in one sentence that a handle names nothing, and exits with 64")
    func unknown() throws {
        for arguments in [
            ["explain", "trace.json", "kind:StorPage"],
            ["timeline", "trace.json", "--operation", "kind:StorPage"],
            ["graph", "trace.json", "--focus", "kind:StorPage"],
            ["graph", "trace.json", "--kind", "kind:StorPage"],
            ["flame", "trace.json", "--operation", "kind:StorPage"],
        ] {
            let run = try CommandRun(arguments, in: folder)
            #expect(run.status == 64)
            #expect(
                run.error
                    == "opviz: trace.json: no operation of kind 'StorPage'; did you mean 'StorePage'?\n")
        }
    }

    @Test("explain says which operation of a group it explains, and how to name others")
    func group() throws {
        let group = try CommandRun("explain", "trace.json", "queue:page 11", in: folder)
        #expect(
            group.error.hasPrefix("opviz: note: 4 operations match 'queue:page 11'; this is the one with the")
        )
        let finding = try CommandRun("explain", "long-before-short.optrace", "finding:2", in: folder)
        #expect(finding.error.contains("'finding:2' lists 6 operations; this is the first, 0x1"))
    }

    @Test("--kind and --queue take a name with or without the form")
    func options() throws {
        for (option, name) in [("--kind", "StorePage"), ("--queue", "page 11")] {
            let form = option.dropFirst(2) + ":"
            #expect(
                try text("timeline", "trace.json", option, name)
                    == text("timeline", "trace.json", option, form + name))
        }
    }

    @Test("whatif's --scale and --slots take a name with or without the form")
    func replay() throws {
        for (option, name, form) in [
            ("--scale", "StorePage=0.5", "kind:"), ("--slots", "page 11=4", "queue:"),
        ] {
            #expect(
                try text("whatif", "trace.json", option, name)
                    == text("whatif", "trace.json", option, form + name))
        }
    }

    @Test("lint prints one finding in full, with the IDs of its operations, and no other")
    func finding() throws {
        let all = try text("lint", "priority.optrace")
        #expect(all.contains("finding:1]") && all.contains("finding:2]"))
        let one = try text("lint", "priority.optrace", "finding:2")
        #expect(one.contains("finding:2]") && !one.contains("finding:1]"))
        #expect(one.contains("\n    about   ") && one.contains("(0x"))
        let unknown = try CommandRun("lint", "priority.optrace", "finding:9", in: folder)
        #expect(
            unknown.status == 64 && unknown.error.contains("no finding '9'; the findings are finding:1 to"))
        let other = try CommandRun("lint", "priority.optrace", "kind:Work", in: folder)
        #expect(other.status == 64 && other.error.contains("'kind:Work' is not a finding"))
    }

    @Test("a finding keeps its number under --rule and --severity, and why names the same")
    func numbers() throws {
        let one = try text("lint", "priority.optrace", "--rule", "blocked-slot")
        #expect(one.contains("[blocked-slot, finding:2]"))
        let why = try text("why", "priority.optrace")
        #expect(why.contains("opviz lint priority.optrace finding:1"))
        #expect(why.contains("opviz lint priority.optrace finding:2"))
        let notes = try text("lint", "priority.optrace", "--severity", "warning")
        #expect(notes.contains("finding:1]") && !notes.contains("finding:2]"))
    }
}
