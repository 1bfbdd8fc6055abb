import EventLog
import Foundation
import Testing

@testable import ProgramRecording

@Suite("The line of what was recorded")
struct RecordedSourcesTests {
    private static func line(
        _ wish: RecordedSources.Wish = .init(), _ gaps: [RecordedSources.Gap] = [],
        _ bodies: [LogEvent.Body] = [], width: Int? = nil
    ) -> String {
        var sources = RecordedSources(wish, gaps: gaps)
        let events = bodies.map { LogEvent(time: 0, thread: 1, $0) }
        let header = LogHeader(process: "app", processID: 1, host: "host", start: 0, isClosed: true)
        sources.add(EventLogContents(header: header, events: events), gaps: [])
        return sources.line(width: width)
    }

    @Test("the line counts what was asked for, also if nothing came in, and what came in unasked")
    func counts() {
        #expect(Self.line() == "recorded        0 events of operations\n")
        #expect(
            Self.line(.init(tasks: true, switches: true, samples: true))
                == "recorded        0 events of operations, 0 of tasks, 0 of threads on CPUs, "
                + "0 samples of stacks\n")
        #expect(
            Self.line(
                .init(), [],
                [
                    .ready(OperationID(1)), .taskCancelled(OperationID(2), by: nil),
                    .sampled(stack: 1, .executing),
                ])
                == "recorded        1 event of operations, 1 of tasks, 1 sample of a stack\n")
    }

    @Test("the line names what is missing once for each reason")
    func gaps() {
        let line = Self.line(
            .init(), [("a", "x"), ("b", "y"), ("c", "x")].map { .init(what: $0, reason: $1) })
        #expect(line.hasSuffix("; missing: a and c, because x; b, because y\n"))
    }

    @Test("the line fits the terminal, below its label")
    func width() {
        let line = Self.line(.init(tasks: true, switches: true, samples: true), width: 50)
        let lines = line.split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 50 })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("                ") })
    }

    @Test(
        "the line says what a stripped program lacks, and one without frame pointers",
        .needsSwitches, .needsCompiler,
        .needs("strip"))
    func stripped() throws {
        let folder = try Folder()
        func missing(_ program: String, _ options: String...) throws -> String {
            let run = try ProgramRun(
                [CommandRun.program.path, "record"] + options + ["--", program], in: folder)
            let line = run.error.split(separator: "\n").filter { $0.hasPrefix("recorded ") }
            #expect(line.count == 1, "\(run.error)")
            return String(line.first ?? "")
        }
        let program = try TestProgram.queues.path()
        #expect(try !missing(program).contains("closures"))
        #expect(try ProgramRun(["strip", "-o", folder.path("stripped"), program]).status == 0)
        #expect(
            try missing(folder.path("stripped"))
                .contains("names of closures in stripped, because its symbols were stripped"))
    }
}
