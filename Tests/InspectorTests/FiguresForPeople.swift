import InspectorHazards
import InspectorText
import InspectorTraces

@testable import InspectorAnalysis
@testable import InspectorReports

/// The figures of a run in each output for people.
extension FigureLedger {
    mutating func readForPeople(_ analysis: TraceAnalysis, _ hazards: HazardReport, _ turn: Int?) throws {
        readSummary(RunSummary(analysis).facts.map { ($0.label, $0.text) }, in: "summary")
        if Self.isRead(0, turn) { readTables(analysis) }
        if Self.isRead(3, turn) { try readPage(analysis, hazards) }
        if Self.isRead(2, turn) { readMarkdown(MarkdownSummary(try DrawnGraph(analysis)).text) }
        if Self.isRead(3, turn) {
            readHeadings(analysis)
            readHazards(hazards)
        }
    }

    private mutating func readSummary(_ facts: [(label: String, text: String)], in output: String) {
        for (label, text) in facts {
            switch label {
            case "operations": readEndings(text, in: output)
            case "edges", "queues", "makespan": add(label, text, in: output)
            case "critical path":
                let pieces = text.split(separator: ", ").map(String.init)
                add(label, pieces[0], in: output)
                readPath(pieces.dropFirst().joined(separator: ", "), in: output)
            case "parallelism":
                guard let match = text.wholeMatch(of: /at most (\S+) × .* \(this run: (\S+) ×\)/) else {
                    add(label, "unreadable: \(text)", in: output)
                    continue
                }
                add(label, String(match.1), in: output)
                add("parallelism of this run", String(match.2), in: output)
            case "concurrency":
                guard let match = text.firstMatch(of: /average (\S+), peak (\S+)/) else { continue }
                add("average concurrency", String(match.1), in: output)
                add("peak concurrency", String(match.2), in: output)
            case "executing": add("parts of executions", text, in: output)
            case "never finished":
                // The first of them is named; a circle has several.
                if let more = text.firstMatch(of: /; (\S+) never finished/), !text.contains("more never") {
                    add("unfinished", String(more.1), in: output)
                }
            default: continue
            }
        }
    }

    private mutating func readMarkdown(_ text: String) {
        var (facts, findings) = ([(label: String, text: String)](), 0)
        for line in text.split(separator: "\n") {
            if line.hasPrefix("<details>") { break }
            if line.hasPrefix("- **") { findings += 1 }
            if let more = line.wholeMatch(of: /- … (\S+) findings? more: `opviz lint`/) {
                findings += Int(more.1) ?? 0
            }
            guard let row = line.wholeMatch(of: /\| (.*?) \| (.*) \|/) else { continue }
            facts.append((String(row.1), String(row.2.replacing("\\", with: ""))))
        }
        readSummary(facts, in: "summary.md")
        add("findings", findings, in: "summary.md")
    }

    /// `45: 43 succeeded, 1 failed, 1 cancelled`.
    private mutating func readEndings(_ text: String, in output: String) {
        if text == "none" { return add("operations", 0, in: output) }
        if let match = text.wholeMatch(of: /(\S+), all succeeded/) {
            add("operations", String(match.1), in: output)
            return add("succeeded", String(match.1), in: output)
        }
        let pieces = text.split(separator: ": ").flatMap { $0.split(separator: ", ") }.map(String.init)
        add("operations", pieces[0], in: output)
        var counts = Dictionary(uniqueKeysWithValues: Self.endings.map { ($0, "0") })
        for piece in pieces.dropFirst() {
            let words = piece.split(separator: " ", maxSplits: 1).map(String.init)
            counts[words[1] == "never finished" ? "unfinished" : words[1]] = words[0]
        }
        for (ending, count) in counts { add(ending, count, in: output) }
    }

    /// `99 % of the makespan, 3 operations`.
    private mutating func readPath(_ text: String, in output: String) {
        guard let match = text.wholeMatch(of: /(?:(\S+) % of the makespan, )?(\S+) operations?/) else {
            return
        }
        add("critical operations", String(match.2), in: output)
        if let share = match.1 { add("critical share", String(share), in: output) }
    }

    private mutating func readPage(_ analysis: TraceAnalysis, _ hazards: HazardReport) throws {
        var object = JSONObject()
        let delays = DelayChains(analysis).ofRun
        let unfinished = UnfinishedReport(analysis)
        PageSummary(
            analysis: analysis, whole: analysis, unfinished: unfinished,
            stillSince: unfinished.stillSince, why: WhyReport(analysis), delaying: delays
        ).add(to: &object)
        let tables = PageTables(analysis: analysis, whole: analysis)
        let kinds = tables.kinds
        object.add("kinds", tables.kindObjects(kinds))
        object.add("queues", tables.queueObjects)
        object.add("lint", PageFindings(report: hazards).object(PageSelection(analysis, first: [])))
        let page = try ReadObject(object.closed)
        add("makespan", nanoseconds: page.number("makespan"), in: "page")
        for figure in page.list("figures") {
            let (label, value) = (figure.text("label") ?? "", figure.text("value") ?? "")
            let note = figure.text("note") ?? ""
            switch label {
            case "at once":
                add("average concurrency", value, in: "page")
                add("peak concurrency", note.replacing("on average; peak ", with: ""), in: "page")
            case "executing": add("parts of executions", "\(value): \(note)", in: "page")
            case "critical path":
                add(label, value, in: "page")
                readPath(note, in: "page")
            case "operations":
                guard let match = note.wholeMatch(of: /(?:(.*); )?(\S+) edges?, (\S+) queues?/) else {
                    continue
                }
                add(label, value, in: "page")
                add("edges", String(match.2), in: "page")
                add("queues", String(match.3), in: "page")
            default: add(label, value, in: "page")
            }
        }
        for row in page.list("kinds") { readGroup(row, "kind") }
        for row in page.list("queues") where row.count("count") ?? 0 > 0 { readGroup(row, "queue") }
        let lint = page["lint"]
        add("findings", lint.list("findings").count + (lint.count("omitted") ?? 0), in: "page")
        add(
            "findings by severity", (lint.members["counts"] as? [String] ?? []).joined(separator: ", "),
            in: "page")
    }

    private mutating func readGroup(_ row: ReadObject, _ grouping: String) {
        let subject = "\(grouping) \(row.text("name") ?? "missing")"
        add("\(subject): operations", row.count("count"), in: "page")
        for ending in ["failed", "cancelled", "unfinished"] {
            add("\(subject): \(ending)", row.count(ending), in: "page")
        }
        for (name, column) in [("total", "total"), ("p50", "median"), ("p95", "p95"), ("max", "max")] {
            add("\(subject): \(name) execution", nanoseconds: row.number(column), in: "page")
        }
        for part in ["dependency", "suspended", "slot", "dispatch"] {
            add("\(subject): mean \(part)", nanoseconds: row.number(part), in: "page")
        }
        add("\(subject): executing on average", row.text("executing") ?? "missing", in: "page")
    }

    private mutating func readTables(_ analysis: TraceAnalysis) {
        for grouping in OperationGrouping.allCases {
            let output = "table --by \(grouping).md"
            let text = TimingTable(analysis.timings, by: .groups(grouping)).markdown()
            var (headings, title) = ([String](), "")
            for line in text.split(separator: "\n") {
                if line.hasPrefix("### ") { (title, headings) = (String(line), []) }
                guard line.hasPrefix("| "), !line.hasPrefix("| ---") else { continue }
                let cells = line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
                if headings.isEmpty {
                    headings = cells
                    continue
                }
                let subject = "\(grouping) \(cells[0].replacing("\\", with: ""))"
                let isWait = title.hasPrefix("### Waits")
                for (heading, cell) in zip(headings, cells).dropFirst() {
                    switch heading {
                    case "count": add("\(subject): operations", cell, in: output)
                    case "executing": add("\(subject): executing on average", cell, in: output)
                    case "failed", "cancelled": add("\(subject): \(heading)", cell, in: output)
                    case "never finished": add("\(subject): unfinished", cell, in: output)
                    case "mean", "p50", "p95", "max":
                        if title.hasPrefix("### Where") { continue }
                        add("\(subject): \(heading) \(isWait ? cells[1] : "execution")", cell, in: output)
                    default: continue
                    }
                }
            }
        }
    }

    private mutating func readHeadings(_ analysis: TraceAnalysis) {
        let figures = PictureHeading(analysis).figures
        if let match = figures[0].wholeMatch(of: /(\S+) operations?(?: and (\S+) not observed)?/) {
            add("operations", String(match.1), in: "a picture's heading")
            add("not observed", match.2.map(String.init) ?? "0", in: "a picture's heading")
        }
        add("makespan", figures[1].replacing("makespan ", with: ""), in: "a picture's heading")
        for figure in figures.dropFirst(2) {
            if let match = figure.wholeMatch(of: /critical path (.*) \((\S+) operations?\)/) {
                add("critical path", String(match.1), in: "a picture's heading")
                add("critical operations", String(match.2), in: "a picture's heading")
            } else {
                let value = figure.replacing("parallelism ", with: "")
                add("parallelism", value, in: "a picture's heading")
            }
        }
        let path = CriticalPathReport(analysis).text(width: nil)
        if let match = path.firstMatch(of: /Through dependencies only \((.*?)[,)](?: (\S+) % of the run)?/) {
            add("critical path", String(match.1), in: "critical-path")
            if let share = match.2 { add("critical share", String(share), in: "critical-path") }
        }
        if let match = path.firstMatch(of: /^The run (?:took|had not finished after) (.*?)[.:]( |$)/) {
            add("makespan", String(match.1), in: "critical-path")
        }
    }

    private mutating func readHazards(_ report: HazardReport) {
        let lines = HazardText(report).text(width: 10_000).split(separator: "\n")
        let last = lines.last { $0.contains(" rules checked") || $0.contains("(1 rule checked") }
        let match = last?.firstMatch(
            of: /^(.*) in (\S+) operations?(?:, of which (\S+) never finished)? \(/)
        guard let match else { return add("operations", "missing", in: "lint") }
        add("operations", String(match.2), in: "lint")
        if let unfinished = match.3 { add("unfinished", String(unfinished), in: "lint") }
        let found = match.1 == "No problems found" ? "" : String(match.1)
        add("findings by severity", found, in: "lint")
    }
}
