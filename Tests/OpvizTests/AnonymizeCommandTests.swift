import EventLog
import Foundation
import Inspector
import TestTraces
import Testing

@Suite("opviz anonymize")
struct AnonymizeCommandTests {

    /// The traces of the guides and of the tests, and those of other programs.
    static let traces: [String] = [
        "Documentation/traces", "Documentation/sample", "Tests/OpvizTests/Traces",
        "Tests/InspectorTracesTests/Imported",
    ].flatMap { folder -> [String] in
        let names =
            FileManager.default.enumerator(atPath: Repository.url.appending(path: folder).path)?
            .compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".json") || $0.hasSuffix(".optrace") }.map { "\(folder)/\($0)" }
    }
    // Baselines of runs are in these folders, too.
    .filter { (try? TraceReader(path: Repository.url.appending(path: $0).path).events()) != nil }.sorted()

    private static let outputs: [[String]] = [
        ["convert", "NAME", "-o", "-"], ["table", "NAME", "--by", "operation", "--format", "json"],
        ["report", "NAME", "-o", "-"], ["export", "NAME", "--format", "chrome", "-o", "-"],
        ["why", "NAME"],
    ]

    /// Words of three letters or more, in lower case.
    private static func words(_ text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter }.map(String.init).filter { $0.count > 2 })
    }

    private static func allOutputs(of name: String, in folder: Folder) throws -> [String] {
        try outputs.map { arguments in
            let run = try CommandRun(arguments.map { $0 == "NAME" ? name : $0 }, in: folder)
            #expect(run.status == 0, "\(arguments): \(run.error)")
            return run.text
        }
    }

    /// What opviz itself writes: the outputs of a trace without any word, and the words of this command.
    private static let vocabulary: Set<String> = {
        let folder = try! Folder()
        var events = MixedTrace.events
        for index in events.indices { events[index].replaceTexts { _, _ in "-" } }
        try! folder.write(EventLogContents(header: MixedTrace.header, events: events), to: "x.json")
        let made =
            "program host kind operation task queue executor message mark context function thunk module "
            + "holder obstacle key waits for the key comes first runs regardless"
        let texts = try! allOutputs(of: "x.json", in: folder) + [made] + KeptTexts.all
        return texts.reduce(into: []) { $0.formUnion(words($1)) }
    }()

    private static func texts(_ contents: EventLogContents) -> Set<String> {
        var texts: Set = [contents.header.process, contents.header.host]
        for process in contents.header.processes { texts.formUnion([process.process, process.host]) }
        for var event in contents.events {
            event.replaceTexts { text, _ in
                texts.insert(text)
                return text
            }
        }
        return texts
    }

    @Test(
        "opviz anonymize leaves no word of the original, in the trace or in what commands make of it",
        arguments: traces)
    func noWord(trace: String) throws {
        let folder = try Folder()
        let path = Repository.url.appending(path: trace).path
        let binary = path.hasSuffix(".optrace")
        let run = try CommandRun("anonymize", path, in: folder)
        let name = binary ? "anonymous.optrace" : "anonymous.json"
        try #require(run.status == 0, "\(run.error)")
        #expect(run.text.hasPrefix("\(name): "))
        #expect(try folder.names == [name])

        let original = try Self.texts(TraceReader(path: path).events())
        let words = original.reduce(into: Set<String>()) { $0.formUnion(Self.words($1)) }
            .subtracting(Self.vocabulary)
        let raw = String(decoding: try folder.read(name), as: UTF8.self)
        for output in try [raw] + Self.allOutputs(of: name, in: folder) {
            #expect(Self.words(output).intersection(words) == [])
        }
        // In parts of words, too, but for those that are parts of other words.
        let vocabulary = Self.vocabulary.joined(separator: " ")
        for word in words where word.count > 4 && !vocabulary.contains(word) {
            #expect(!raw.lowercased().contains(word), "\(word)")
        }
    }

    @Test("opviz anonymize keeps the numbers of tables, the causes, and the graph", arguments: traces)
    func numbers(trace: String) throws {
        let folder = try Folder()
        let path = Repository.url.appending(path: trace).path
        #expect(try CommandRun("anonymize", path, "-o", "a.json", in: folder).status == 0)
        #expect(try CommandRun("convert", path, "-o", "b.json", in: folder).status == 0)
        for name in ["a.json", "b.json"] {
            #expect(try CommandRun("graph", name, "-o", "graph-\(name)", in: folder).status == 0)
        }
        func json(_ name: String, _ arguments: String...) throws -> Any {
            let run = try CommandRun([arguments[0], name] + arguments.dropFirst(), in: folder)
            return try JSONSerialization.jsonObject(with: run.output)
        }
        func all(_ name: String) throws -> [Any] {
            [
                try json(name, "table", "--by", "operation", "--format", "json"),
                try json(name, "why", "--format", "json"),
                try JSONSerialization.jsonObject(with: folder.read("graph-\(name)")),
            ]
        }
        let (anonymous, original) = (try all("a.json"), try all("b.json"))
        for (new, old) in zip(anonymous, original) {
            #expect(Self.numbersOfValues(new) == Self.numbersOfValues(old))
        }
        for key in ["nodes", "arrows", "clusters"] {
            let counts = [anonymous, original].map { (($0[2] as? [String: Any])?[key] as? [Any])?.count }
            #expect(counts[0] == counts[1], "\(key)")
            #expect(counts[0] != nil, "\(key)")
        }
        let times = try ["a.json", "b.json"].map { name in
            let words = try CommandRun("why", name, in: folder).text.split { $0.isWhitespace }
            return words.joined(separator: " ").matches(of: /[\d.,]+ (ns|µs|ms|s|%)/)
                .map { String($0.output.0) }
        }
        #expect(times[0] == times[1])
        let findings = try ["a.json", "b.json"].map { name in
            let report = try json(name, "lint", "--format", "json") as? [String: Any]
            return (report?["findings"] as? [[String: Any]] ?? []).map { finding in
                ["rule", "severity", "costNs"].map { "\(finding[$0] ?? "")" }
            }
        }
        #expect(findings[0] == findings[1])
    }

    /// All numbers in it, apart from those in texts, sorted: rows that are alike may be in another order.
    private static func numbersOfValues(_ json: Any) -> [Double] {
        func all(_ value: Any) -> [Double] {
            switch value {
            case let list as [Any]: list.flatMap(all)
            case let object as [String: Any]: object.values.flatMap(all)
            case let number as NSNumber: [number.doubleValue]
            default: []
            }
        }
        return all(json).sorted()
    }

    @Test("opviz anonymize says what it replaced and kept, and writes to standard output for -")
    func summary() throws {
        let folder = try Folder()
        let path = Repository.url.appending(path: "Documentation/traces/tasks.json").path
        let run = try CommandRun("anonymize", path, "-o", "a.optrace", in: folder)
        #expect(
            run.text == """
                a.optrace: 23 texts replaced; the date is 2000-01-01
                kept: times, numbers, who waits for whom
                kept: async main, global executor, main actor

                """)
        let json = try CommandRun("anonymize", path, "-o", "-", in: folder)
        #expect(json.text.hasPrefix(#"{"otherData":{"format":"opviz-trace""#))
        #expect(json.text.contains(#""start":"946684800000000000""#))
        #expect(!json.text.contains(#""boot":"#))
        #expect(json.error.contains("kept: async main, global executor, main actor"))
    }

    @Test("opviz anonymize reads compact traces, and refuses what convert refuses")
    func refusals() throws {
        let folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        #expect(try CommandRun("compact", "trace.json", "-o", "small.optrace", in: folder).status == 0)
        #expect(try CommandRun("anonymize", "small.optrace", "-o", "a.json", in: folder).status == 0)
        #expect(try CommandRun("anonymize", "trace.json", "-o", "b.json", in: folder).status == 0)
        #expect(try folder.read("a.json") == folder.read("b.json"))
        try folder.write("no trace", to: "text")
        #expect(try CommandRun("anonymize", "text", in: folder).status == 65)
        #expect(try CommandRun("anonymize", "missing", in: folder).status == 66)
        #expect(try CommandRun("anonymize", "trace.json", "-o", "a.txt", in: folder).status == 64)
        #expect(try CommandRun("anonymize", "trace.json", "-o", "trace.json", in: folder).status == 64)
    }
}
