import Foundation
import Testing

@Suite("opviz trace.json")
struct GraphCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("opviz TRACE writes trace.svg beside the trace, prints a summary, and leaves nothing else")
    func defaults() throws {
        let run = try CommandRun("trace.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        for line in [
            "operations      101, all succeeded", "makespan", "critical path", "parallelism", "trace.svg",
        ] {
            #expect(run.text.contains(line))
        }
        #expect(try folder.names == ["trace.json", "trace.svg"])
        let svg = try XMLDocumentCheck(folder.read("trace.svg"))
        #expect(svg.isWellFormed)
        #expect(svg.count(of: "g", class: "node") == 101)
    }

    @Test("opviz TRACE gives the same bytes twice", arguments: ["a.svg", "a.png", "a.pdf", "a.dot"])
    func deterministic(name: String) throws {
        let first = try CommandRun("trace.json", "-o", name, in: folder)
        let picture = try folder.read(name)
        let second = try CommandRun("trace.json", "-o", name, in: folder)
        #expect(first.status == 0 && second.status == 0)
        #expect(first.output == second.output)
        #expect(try folder.read(name) == picture)
    }

    @Test(
        "opviz TRACE chooses the format by the output's name",
        arguments: [
            ("a.PNG", "PNG"), ("a.pdf", "PDF"), ("a.gv", "digraph"), ("a.mmd", "flowchart"),
            ("a.json", "opviz-graph"),
        ])
    func formats(name: String, mark: String) throws {
        #expect(try CommandRun("-o", name, "trace.json", in: folder).status == 0)
        let start = try folder.read(name).prefix(200)
        #expect(String(decoding: start, as: UTF8.self).contains(mark))
    }

    @Test("opviz TRACE writes the picture alone to standard output for -o -")
    func standardOutput() throws {
        let run = try CommandRun("trace.json", "-o", "-", "--format", "dot", in: folder)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("digraph"))
        #expect(try folder.names == ["trace.json"])
    }

    @Test("opviz TRACE ends quietly when the reader of its output has gone")
    func brokenPipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try CommandRun(
            "trace.json", "-o", "-", "--format", "svg", in: folder, output: pipe.fileHandleForWriting)
        #expect(run.status == 0)
        #expect(run.error == "")
    }

    @Test("opviz TRACE renders names that would break out of DOT, SVG or a terminal as text")
    func hostileNames() throws {
        let names = [
            #"\"];}\n"#, "<script>alert(1)</script>", "</text><b>", #"\\N \\G \\l"#,
            #"\u0000\u001b[31m\u007f"#, "🧑‍🚀 é 文",
            "&amp;", String(repeating: "x", count: 10_000), "]]>", "", #"\u202e"#, #"\ufffe\uffff"#,
        ]
        let events = names.enumerated().map { index, name in
            #"{"ph":"b","cat":"op","name":"\#(name)","id2":{"local":"0x\#(index + 1)"},"pid":1,"tid":1,"#
                + #""ts":\#(index),"#
                + #""args":{"event":"enqueued","name":"\#(name)","queue":"0x1"}}"#
        }
        try folder.write(log(events: events), to: "hostile.json")
        let run = try CommandRun("hostile.json", in: folder)
        #expect(run.status == 0)
        #expect(run.error == "")
        #expect(!run.text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        let svg = try XMLDocumentCheck(folder.read("hostile.svg"))
        #expect(svg.isWellFormed)
        #expect(svg.count(of: "script") == 0)
        #expect(svg.count(of: "g", class: "node") == names.count)
        #expect(svg.text.contains("<script>alert(1)</script>"))
        #expect(svg.text.contains(#"\N \G \l"#))
        #expect(try CommandRun("table", "hostile.json", "--by", "operation", in: folder).status == 0)
        #expect(try CommandRun("hostile.json", "-o", "hostile.png", in: folder).status == 0)
        for options in [
            ["--collapse", "kind"], ["--layout", "timeline"], ["--theme", "dark", "--color-by", "kind"],
            ["--color-by", "slack", "--label", "id", "--direction", "down"],
        ] {
            let run = try CommandRun(["hostile.json", "-o", "other.svg"] + options, in: folder)
            #expect(run.status == 0, "\(options): \(run.error)")
            #expect(try XMLDocumentCheck(folder.read("other.svg")).isWellFormed)
        }
    }

    @Test(
        "opviz TRACE arranges hundreds of operations without edges in the shape of a screen",
        arguments: ["right", "down"])
    func block(direction: String) throws {
        let events = (1...299).map {
            #"{"ph":"b","cat":"op","name":"Work","id2":{"local":"0x\#(String($0, radix: 16))"},"pid":1,"#
                + #""tid":1,"ts":\#($0),"#
                + #""args":{"event":"enqueued","name":"item \#($0)","queue":"0x1"}}"#
        }
        try folder.write(log(events: events), to: "plain.json")
        #expect(try CommandRun("plain.json", "--direction", direction, in: folder).status == 0)
        let svg = String(decoding: try folder.read("plain.svg"), as: UTF8.self)
        let size = try #require(svg.firstMatch(of: /<svg width="(\d+)pt" height="(\d+)pt"/))
        let (width, height) = (try #require(Double(size.1)), try #require(Double(size.2)))
        #expect(width > 1.1 * height && width < 3 * height, "\(width) × \(height)")
    }

    @Test("opviz TRACE --layout timeline places each operation by time")
    func timeline() throws {
        let run = try CommandRun("trace.json", "--layout", "timeline", "-o", "a.svg", in: folder)
        #expect(run.status == 0 && run.error == "")
        #expect(try XMLDocumentCheck(folder.read("a.svg")).isWellFormed)
        let svg = String(decoding: try folder.read("a.svg"), as: UTF8.self)
        // Waits, names and times are drawn beside.
        #expect(svg.matches(of: /<title>n\d+</).count == 101)
        #expect(try CommandRun("trace.json", "--layout", "timeline", "-o", "a.png", in: folder).status == 0)
    }

    @Test("opviz TRACE --collapse puts operations together, and says so on standard error")
    func collapse() throws {
        let run = try CommandRun("trace.json", "--collapse", "kind", in: folder)
        #expect(run.status == 0)
        #expect(run.error.hasPrefix("opviz: note: 101 operations are drawn as "))
        let svg = try XMLDocumentCheck(folder.read("trace.svg"))
        #expect(svg.count(of: "g", class: "node") < 20)
    }

    @Test("opviz TRACE --focus draws a part, and says what it leaves out")
    func part() throws {
        let focus = try CommandRun("trace.json", "--focus", "page 11", "--depth", "1", in: folder)
        #expect(focus.status == 0)
        #expect(focus.error.contains(" of 101 operations are drawn, within 1 step of page 11; "))
        let between = try CommandRun("--between", "page 11", "report", "trace.json", in: folder)
        #expect(between.status == 0)
        #expect(between.error.contains("between page 11 and report"))
        let window = try CommandRun(
            "trace.json", "--window", "..1us", "--kind", "ImportPage", "-o", "-", "-f", "json", in: folder)
        #expect(window.status == 0 || window.error.contains("no operation is"))
    }

    @Test(
        "opviz TRACE refuses a part that is not there, and leaves nothing",
        arguments: [
            ["--focus", "nobody"], ["--kind", "nothing"], ["--queue", "none"],
            ["--between", "page 11", "nobody"],
            ["--window", "1..2"], ["--depth", "3"], ["--between", "a"], ["--window", "999s..1000s"],
        ])
    func unknown(options: [String]) throws {
        let run = try CommandRun(["trace.json"] + options, in: folder)
        #expect(run.status == 64)
        #expect(!run.error.isEmpty)
        #expect(try folder.names == ["trace.json"])
    }

    @Test("opviz TRACE never takes the trace's own name for JSON")
    func ownName() throws {
        #expect(try CommandRun("trace.json", "--format", "json", in: folder).status == 0)
        #expect(try folder.names == ["trace.graph.json", "trace.json"])
    }
}

/// A log of those events, as the recorder would have closed it.
func log(version: Int = 1, isClosed: Bool = true, events: [String]) -> String {
    #"{"otherData":{"format":"opviz-trace","version":\#(version),"process":"app","pid":"1","host":"h","#
        + #""start":"0","#
        + #""closed":\#(isClosed),"dropped":"0","lastAlive":"9.000"},"traceEvents":["#
        + events.joined(separator: ",\n") + "]}"
}
