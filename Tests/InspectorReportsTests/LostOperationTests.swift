import EventLog
import InspectorHazards
import InspectorReports
import InspectorTraces
import TestTraces
import Testing

@Suite("An operation that a search of memory found")
struct LostOperationTests {
    private let upload = OperationID(1)
    private static let proof = "nothing in the process can finish it: only its queue leads to it"

    /// A log of an operation that executes without a thread for 400 ms, and what was searched for at its end.
    private func contents(_ searches: [LogEvent.OperationSearch], closed: Bool = false) -> EventLogContents {
        let queue = QueueID(1)
        let header = LogHeader(
            process: "x", processID: 1, host: "h", start: 5, isClosed: closed, lastAlive: ms(400))
        let bodies: [(Int64, LogEvent.Body)] =
            [
                (0, .queueOpened(queue, name: "q", limit: 1, isSuspended: false)),
                (0, .enqueued(.init(operation: upload, kind: "Upload", name: "upload", queue: queue))),
                (0, .ready(upload)), (0, .executing(upload)), (ms(1), .bodyEnded(upload)),
            ] + searches.map { (ms(400), .operationSearched($0)) }
        return EventLogContents(
            header: header, events: bodies.map { LogEvent(time: $0.0, thread: 1, $0.1) })
    }

    private func trace(_ holder: String, unseen: String = "") -> Trace {
        Trace(contents([.init(operation: upload, holder: holder, unseen: unseen)]))
    }

    @Test("an operation that nothing can finish is an error of lint, also in a log that was cut off")
    func lint() throws {
        let report = HazardReport(trace(""))
        #expect(report.groups.map(\.rule) == ["never-finished"])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(finding.severity == .error)
        #expect(
            finding.summary
                == "upload is still executing, 399 ms after its body returned; \(Self.proof)")
        #expect(finding.evidence.contains { $0.text == "a search for what could finish it found nothing" })
    }

    @Test("an operation that something may finish is a note of lint that names it")
    func held() throws {
        let finding = try #require(
            HazardReport(trace("an object of type\u{1b} Cache")).groups.first?.findings.first)
        #expect(finding.severity == .note)
        #expect(
            finding.summary
                == "upload was executing when the log was cut off, 400 ms after its start; "
                + "an object of type\\u{1b} Cache may finish it")
        let possible = try #require(
            HazardReport(trace("", unseen: "it uses io_uring")).groups.first?.findings.first)
        #expect(possible.severity == .note)
        #expect(
            possible.summary.hasSuffix(
                "; possibly nothing can finish it: only its queue leads to it, "
                    + "but it uses io_uring"))
    }

    @Test("the summary, the explanation and the lines of a deadline tell a lost operation with the proof")
    func reports() {
        let analysis = TraceAnalysis(trace(""))
        let summary = RunSummary(analysis).text(width: nil)
        #expect(summary.contains("upload is still executing, 399 ms after its body returned; \(Self.proof)"))
        #expect(Explanation(of: 0, in: analysis).text(width: nil).contains(Self.proof))
        #expect(StuckReport(trace("")).sentences.first?.hasSuffix("; \(Self.proof)") == true)
    }

    @Test("an operation is not accused if it finished, or if a later search found something")
    func later() {
        var finished = contents([.init(operation: upload, holder: "")])
        finished.events.append(LogEvent(time: ms(401), thread: 1, .finished(upload, .succeeded)))
        #expect(!Trace(finished).isProvenLost(0))
        let searches = ["", "a closure"].map { LogEvent.OperationSearch(operation: upload, holder: $0) }
        #expect(!Trace(contents(searches)).isProvenLost(0))
        #expect(Trace(contents(searches.reversed())).isProvenLost(0))
    }

    @Test("a search for an operation that is not in the log changes nothing")
    func unknown() {
        for number in [0, 2, 77, 1 << 40, .max] as [UInt64] {
            let other = contents([.init(operation: OperationID(number), holder: "")])
            let trace = Trace(other)
            #expect(trace.operations.count == 1 && trace.searches.isEmpty && trace.losses.isEmpty)
            #expect(StuckReport(trace).sentences == StuckReport(Trace(contents([]))).sentences)
        }
    }

    @Test("an operation is given what a search found, at the end of its trace")
    func take() {
        var trace = Trace(contents([]))
        trace.take([
            .init(operation: upload, holder: ""), .init(operation: OperationID(9), holder: "a closure"),
        ])
        #expect(trace.isProvenLost(0) && trace.searches.count == 1)
        #expect(trace.searches[0]?.time == ms(400))
    }
}
