import Foundation
import Testing

@Suite("opviz trace.json")
struct GraphCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
    }

    @Test("writes trace.svg beside the trace, prints a summary, and leaves nothing else")
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

    @Test("gives the same bytes twice", arguments: ["a.svg", "a.png", "a.dot"])
    func deterministic(name: String) throws {
        let first = try CommandRun("trace.json", "-o", name, in: folder)
        let picture = try folder.read(name)
        let second = try CommandRun("trace.json", "-o", name, in: folder)
        #expect(first.status == 0 && second.status == 0)
        #expect(first.output == second.output)
        #expect(try folder.read(name) == picture)
    }

    @Test(
        "chooses the format by the output's name",
        arguments: [("a.PNG", "PNG"), ("a.pdf", "PDF"), ("a.gv", "digraph")])
    func formats(name: String, mark: String) throws {
        #expect(try CommandRun("-o", name, "trace.json", in: folder).status == 0)
        let start = try folder.read(name).prefix(8)
        #expect(String(decoding: start, as: UTF8.self).contains(mark))
    }

    @Test("writes the picture alone to standard output for -o -")
    func standardOutput() throws {
        let run = try CommandRun("trace.json", "-o", "-", "--format", "dot", in: folder)
        #expect(run.status == 0)
        #expect(run.text.hasPrefix("digraph"))
        #expect(try folder.names == ["trace.json"])
    }

    @Test("ends quietly when the reader of its output goes away")
    func brokenPipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let run = try CommandRun(
            "trace.json", "-o", "-", "--format", "svg", in: folder, output: pipe.fileHandleForWriting)
        #expect(run.status == 0)
        #expect(run.error == "")
    }

    @Test("renders names that would break out of DOT, SVG or a terminal as text")
    func hostileNames() throws {
        let names = [
            #"\"];}\n"#, "<script>alert(1)</script>", "</text><b>", #"\\N \\G \\l"#,
            #"\u0000\u001b[31m\u007f"#, "🧑‍🚀 é 文",
            "&amp;", String(repeating: "x", count: 10_000), "]]>", "", #"\u202e"#, #"\ufffe\uffff"#,
        ]
        let events = names.enumerated().map { index, name in
            #"{"ph":"b","cat":"op","name":"\#(name)","id2":{"local":"0x\#(index + 1)"},"pid":1,"tid":1,"ts":\#(index),"#
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
    }
}

/// A log of those events, as the recorder would have closed it.
func log(version: Int = 1, isClosed: Bool = true, events: [String]) -> String {
    #"{"otherData":{"format":"opviz-trace","version":\#(version),"process":"app","pid":"1","host":"h","start":"0","#
        + #""closed":\#(isClosed),"dropped":"0","lastAlive":"9.000"},"traceEvents":["#
        + events.joined(separator: ",\n") + "]}"
}
