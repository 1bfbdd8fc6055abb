import Foundation
import TestTraces
import Testing

@testable import InspectorComparison
@testable import InspectorTraces

@Suite("Closures are named by the files that their code is in")
struct CodeNamesTests {
    private static func enqueue(
        _ number: UInt64, name: String? = nil, kind: String = "BlockOperation", origin: String?
    )
        -> LogEvent
    {
        LogEvent(
            time: 0, thread: 1,
            .enqueued(
                .init(
                    operation: OperationID(number), kind: kind, name: name, queue: QueueID(1), origin: origin)
            ))
    }

    /// The file of `ELFSymbolsTests`, and what operations with closures in it are called when they are read.
    private func named(_ events: (String) -> [LogEvent], file: Data = ELFSymbolsTests.file()) throws
        -> [String]
    {
        let path = NSTemporaryDirectory() + "opviz-code-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try file.write(to: URL(filePath: path))
        let contents = EventLogContents(
            header: LogHeader(process: "p", processID: 1, host: "h", start: 0), events: events(path))
        let trace = Trace(contents)
        var same = contents
        var names = CodeNames()
        names.nameOperations(in: &same)
        let found = trace.operations.map { "\($0.kind): \($0.name ?? "")" }
        #expect(Trace(same).operations.map { "\($0.kind): \($0.name ?? "")" } == found)
        #expect(try passedOn(contents).events == same.events)
        return found
    }

    /// Named while the events are read.
    private func passedOn(_ contents: EventLogContents) throws -> EventLogContents {
        var encoder = CompactLogEncoder(header: contents.header)
        for event in contents.events { encoder.encode(event) }
        let bytes = encoder.finish()
        func read(into consumer: any EventConsumer) throws -> ReadLog {
            try CompactLogReader.read(bytes, into: consumer)
        }
        let survey = LogSurvey()
        _ = try read(into: survey)
        var names = CodeNames()
        names.learn(survey.codes)
        let collector = EventCollector()
        return collector.contents(try read(into: NamedEvents(names, before: collector)))
    }

    @Test("closures are named by the function at their address, if one function is there")
    func names() throws {
        let found = try named { path in
            [0x1004, 0x1000, 0x2000, 0x1800, 0x3000].enumerated().map { index, address in
                Self.enqueue(UInt64(index + 1), origin: "\(path)+0x\(String(address, radix: 16))@0abc")
            }
        }
        #expect(
            found == [
                "first: first", "first: first", "second: second", "BlockOperation: ", "BlockOperation: ",
            ])
    }

    @Test("closures are not named by a file of another build, nor by one without a build ID")
    func otherBuild() throws {
        for (file, origin) in [
            (ELFSymbolsTests.file(buildID: [0x0a, 0xbd]), "+0x1000@0abc"),
            (ELFSymbolsTests.file(buildID: nil), "+0x1000@0abc"),
            (ELFSymbolsTests.file(buildID: nil), "+0x1000"),
            (ELFSymbolsTests.file(buildID: nil), "+0x1000@"), (ELFSymbolsTests.file(), "+0x1000"),
            (ELFSymbolsTests.file(), "+0x1000@0ABC"), (Data(), "+0x1000@0abc"),
        ] {
            #expect(try named({ [Self.enqueue(1, origin: $0 + origin)] }, file: file) == ["BlockOperation: "])
        }
    }

    @Test("an operation's own name is kept, and so is the kind of another class")
    func ownNames() throws {
        let found = try named { path in
            [
                Self.enqueue(1, name: "own", origin: path + "+0x1000@0abc"),
                Self.enqueue(2, kind: "Decode", origin: path + "+0x1000@0abc"), Self.enqueue(3, origin: nil),
            ]
        }
        #expect(found == ["first: own", "Decode: ", "BlockOperation: "])
    }

    @Test("closures are named for any origin in the log")
    func damaged() throws {
        let origins = [
            "", "+", "nothing", "a+0xyz", "a+0x11223344556677889", "/dev/zero+0x10@00", "/no/such+0x1@00",
            "+0x1@00",
            "/+0x1@00", "a+0x1@@", "\0+0x1@00",
        ]
        let found = try named { _ in
            origins.enumerated().map { Self.enqueue(UInt64($0.offset + 1), origin: $0.element) }
        }
        #expect(found == origins.map { _ in "BlockOperation: " })
    }

    @Test("right after the run, closures are named by their address if nothing better is known")
    func places() {
        var contents = EventLogContents(
            header: LogHeader(process: "p", processID: 1, host: "h", start: 0),
            events: [
                Self.enqueue(1, origin: "/no/library.so+0x10@00"),
                Self.enqueue(2, origin: "/no/library.so+0x20"),
                Self.enqueue(3, origin: "nothing"),
                Self.enqueue(4, name: "own", origin: "/no/library.so+0x10"),
            ])
        var names = CodeNames()
        names.nameOperations(in: &contents, placesUnknown: true)
        #expect(
            Trace(contents).operations.map(\.name) == [
                // Tables cut names at their ends: the address stays.
                "closure at 0x10 in library.so", "closure at 0x20 in library.so", "nothing", "own",
            ])
    }

    @Test("a comparison finds closures again after an edit of their function, which shifts the ordinals")
    func ordinals() {
        func run(_ ordinals: [Int]) -> Trace {
            let events = ordinals.enumerated().map { index, ordinal in
                Self.enqueue(
                    UInt64(index + 1), name: "run() #\(ordinal) (app)", kind: "run()",
                    origin: "/no/app+0x1@00")
            }
            return Trace(
                EventLogContents(
                    header: LogHeader(process: "p", processID: 1, host: "h", start: 0), events: events))
        }
        let matching = OperationMatching(run([1, 1, 1]), run([1, 2, 2, 2]))
        #expect(matching.gone.isEmpty)
        #expect(matching.new.count == 1)
    }
}
