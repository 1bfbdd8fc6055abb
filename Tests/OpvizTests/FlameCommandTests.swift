import EventLog
import Foundation
import TestTraces
import Testing

@Suite("opviz flame trace.json")
struct FlameCommandTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try Self.write(Self.run(), to: "trace.json", in: folder)
    }

    /// Two kinds on two threads.
    static func run(slower: Int64 = 0) -> SampledRun {
        var run = SampledRun()
        for index in 0..<6 as Range<Int64> {
            let start = index * 100
            run.execute("Resize", name: "resize \(index)", start..<start + 90, thread: 7)
            let stack = SampledRun.start + ["Resize.main()", "scaled(_:)"]
            run.sample(stack + ["blend(_:)"], 50 + slower, at: start, thread: 7)
            run.sample(stack, 10, at: start + 50 + slower, thread: 7)
            run.execute("Store", name: "store \(index)", start..<start + 50, thread: 8)
            run.sample(
                SampledRun.start + ["Store.main()", "<b>&\"write"], 3 * (index % 2), at: start, thread: 8)
        }
        return run
    }

    static func write(_ run: SampledRun, to name: String, in folder: Folder) throws {
        try folder.write(run.contents, to: name)
    }

    @Test("opviz flame prints the hottest functions by kind")
    func text() throws {
        let run = try CommandRun("flame", "trace.json", in: folder)
        #expect(run.status == 0 && run.error == "")
        #expect(
            run.text.hasPrefix("app: what operations calculate\n369 samples at 1,000 Hz: 369 ms on CPU\n"))
        #expect(run.text.contains("Resize  blend(_:)"))
        #expect(try folder.names == ["trace.json"])
    }

    @Test(
        "opviz flame chooses the format by the output's name",
        arguments: [
            ("f.svg", "<?xml"), ("f.speedscope.json", "{\"$schema\""), ("f.folded", "Resize;"),
            ("f.txt", "app:"),
        ])
    func formats(name: String, beginning: String) throws {
        let run = try CommandRun("flame", "trace.json", "-o", name, in: folder)
        #expect(run.status == 0 && run.text == "")
        let data = try folder.read(name)
        #expect(String(decoding: data, as: UTF8.self).hasPrefix(beginning))
        if name == "f.svg" {
            let svg = XMLDocumentCheck(data)
            #expect(svg.isWellFormed)
            #expect(svg.count(of: "g", class: "box") == 8)
        }
    }

    @Test("opviz flame shows one kind, or one operation by name or ID")
    func scopes() throws {
        let kind = try CommandRun("flame", "trace.json", "--kind", "Store", "-f", "folded", in: folder)
        #expect(kind.text == "Store;Store.main();<b>&\"write 9\n")
        let operation = try CommandRun(
            "flame", "trace.json", "--operation", "resize 2", "-f", "folded", in: folder)
        #expect(operation.text.contains("resize 2;Resize.main();scaled(_:);blend(_:) 50\n"))
        let id = try CommandRun("flame", "trace.json", "--operation", "0x5", "-f", "folded", in: folder)
        #expect(id.text == operation.text)
        let silent = try CommandRun("flame", "trace.json", "--operation", "store 2", in: folder)
        #expect(silent.status == 0 && silent.text.contains("no sample is in these operations"))
    }

    @Test("opviz flame exits with 64 for unknown names and options, and with 65 without samples")
    func errors() throws {
        for arguments in [
            ["--kind", "Rezise"], ["--operation", "nobody"], ["--kind", "A", "--operation", "B"],
        ] {
            #expect(try CommandRun(["flame", "trace.json"] + arguments, in: folder).status == 64)
        }
        #expect(
            try CommandRun("flame", "trace.json", "--kind", "Rezise", in: folder).error
                == "opviz: trace.json: no operation of kind 'Rezise'; did you mean 'Resize'?\n")
        try recordedTrace().write(to: URL(filePath: folder.path("quotes.json")))
        let run = try CommandRun("flame", "quotes.json", in: folder)
        #expect(run.status == 65)
        #expect(
            run.error
                == "opviz: quotes.json: the trace has no samples of the code; "
                + "record one with opviz record --profile\n"
        )
        let blocked = try CommandRun("flame", "trace.json", "--blocked", in: folder)
        #expect(blocked.status == 0 && blocked.text.contains("kernel.perf_event_paranoid"))
    }

    @Test("opviz diff --flame shows what grew, as text and as a picture")
    func comparison() throws {
        try Self.write(Self.run(slower: 25), to: "after.json", in: folder)
        let text = try CommandRun("diff", "--flame", "trace.json", "after.json", in: folder)
        #expect(text.status == 0 && text.error == "")
        #expect(text.text.contains("blend(_:)  Resize  50.0 ms  75.0 ms  +25.0 ms  +50 %"))
        let same = try CommandRun("diff", "--flame", "trace.json", "trace.json", in: folder)
        #expect(same.text.contains("No function changed by more"))
        let picture = try CommandRun(
            "diff", "--flame", "trace.json", "after.json", "-o", "d.svg", in: folder)
        #expect(picture.status == 0)
        #expect(XMLDocumentCheck(try folder.read("d.svg")).isWellFormed)
        for output in ["d.md", "d.json", "trace.json"] {
            let run = try CommandRun("diff", "--flame", "trace.json", "after.json", "-o", output, in: folder)
            #expect(run.status == 64)
        }
    }
}
