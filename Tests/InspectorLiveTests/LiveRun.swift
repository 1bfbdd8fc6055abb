import EventLog
import TestTraces

@testable import InspectorLive

/// A running program of a test: a state that takes events, and the texts that they name.
struct LiveRun {
    let state = LiveState()
    private(set) var texts = InternedTexts()
    private var fields = EventFields()
    private(set) var end: Int64 = 0

    init(_ events: LogEvent...) { take(events) }

    mutating func take(_ events: [LogEvent]) {
        for event in events {
            fields.take(event, &texts)
            state.consume(fields)
            end = max(end, event.time)
        }
    }

    mutating func take(_ events: LogEvent...) { take(events) }

    func header(at time: Int64? = nil) -> LogHeader {
        LogHeader(process: "thumbnails", processID: 4711, host: "box", start: 0, lastAlive: time ?? end)
    }

    func findings(at time: Int64? = nil, missed: UInt64 = 0) -> LiveFindings {
        LiveFindings(state, header(at: time), missed: missed) { [texts] in
            texts[LiveTexts.plain($0)]
        }
    }

    func origins(at time: Int64? = nil) -> [LiveFindings.Origin] {
        LiveFindings.shown(findings(at: time).origins())
    }

    func hazards(at time: Int64? = nil, missed: UInt64 = 0) -> [LiveFindings.Hazard] {
        let findings = findings(at: time, missed: missed)
        let found = findings.ruleHazards()
        return findings.stuckHazards(findings.origins(), besides: found) + found
    }

    /// With what everything is waiting for, and the hazards.
    func picture(at time: Int64? = nil, rows: Int = 50, threads: LiveThreads = LiveThreads()) -> LivePicture {
        var picture = LivePictureMaking(state: state, header: header(at: time)) { [texts] in texts[$0] }
            .picture(rows: rows)
        picture.moment = findings(at: time).moment
        picture.origins = origins(at: time)
        var hazards = LiveHazards()
        hazards.take(self.hazards(at: time), at: time ?? end)
        picture.hazards = hazards.entries
        picture.hazardCount = hazards.count
        picture.threads = threads.uses
        picture.kinds = LiveKind.all(findings(at: time).moment, threads)
        return picture
    }
}

/// Milliseconds, as events of tests count them.
func at(_ milliseconds: Int64, thread: UInt64 = 1, _ body: LogEvent.Body) -> LogEvent {
    LogEvent(time: milliseconds * 1_000_000, thread: thread, body)
}

extension LogEvent.Body {
    static func opened(_ queue: UInt64, _ name: String, limit: Int = -1, suspended: Bool = false) -> Self {
        .queueOpened(QueueID(queue), name: name, limit: limit, isSuspended: suspended)
    }

    static func enqueued(
        _ id: UInt64, _ name: String, kind: String = "Work", on queue: UInt64 = 1,
        after predecessors: [UInt64] = [],
        parent: UInt64? = nil
    ) -> Self {
        .enqueued(
            .init(
                operation: OperationID(id), kind: kind, name: name, queue: QueueID(queue),
                parent: parent.map { OperationID($0) }, dependencies: predecessors.map { OperationID($0) }))
    }

    static func ready(_ id: UInt64) -> Self { .ready(OperationID(id)) }
    static func executing(_ id: UInt64) -> Self { .executing(OperationID(id)) }
    static func used(_ id: UInt64, onCPU: Int64, waited: Int64?) -> Self {
        .bodyUsed(
            OperationID(id), onCPU: onCPU * 1_000_000, waitedForCPU: waited.map { $0 * 1_000_000 })
    }
    static func cancelled(_ id: UInt64) -> Self { .cancelled(OperationID(id)) }
    static func bodyEnded(_ id: UInt64) -> Self { .bodyEnded(OperationID(id)) }
    static func finished(_ id: UInt64, _ outcome: Outcome = .succeeded) -> Self {
        .finished(OperationID(id), outcome)
    }
}

extension LiveRun {
    /// A service in trouble: a deadlock, a chain behind a download that hangs, a suspended queue, full slots,
    /// a failure.
    static func inTrouble() -> LiveRun {
        var run = LiveRun(
            at(0, .opened(1, "images", limit: 3)), at(0, .opened(2, "net")),
            at(0, .opened(3, "mail", limit: 1, suspended: true)), at(0, .opened(4, "serial", limit: 1)))
        // Two a millisecond for three seconds, on the queue of images.
        for number in 0..<UInt64(6_000) {
            let (time, id) = (Int64(number / 2), 1_000 + number)
            run.take(
                at(time, .enqueued(id, "tile \(number)", kind: "Decode")), at(time, .ready(id)),
                at(time, thread: 11 + number % 2, .executing(id)),
                at(
                    time, thread: 11 + number % 2,
                    .finished(id, number % 997 == 0 ? .failed(message: "no data") : .succeeded)))
        }
        for id in 1...UInt64(5) {
            run.take(at(3_000, .enqueued(id, "picture \(id)", kind: "Decode")), at(3_000, .ready(id)))
            if id <= 3 { run.take(at(3_001, thread: 10 + id, .executing(id))) }
        }
        run.take(
            at(900, .enqueued(10, "fetch index", kind: "Download", on: 2)), at(900, .ready(10)),
            at(901, thread: 20, .executing(10)),
            at(900, .enqueued(11, "parse", kind: "Parse", on: 2, after: [10])),
            at(900, .enqueued(12, "store", kind: "Store", on: 2, after: [11])),
            at(900, .enqueued(13, "report", kind: "Report", on: 2, after: [11, 12])),
            at(1_200, .enqueued(20, "welcome", kind: "Mail", on: 3)), at(1_200, .ready(20)),
            at(2_000, .enqueued(30, "outer", kind: "Update", on: 4)), at(2_000, .ready(30)),
            at(2_000, thread: 30, .executing(30)),
            at(2_001, thread: 30, .enqueued(31, "inner", kind: "Update", on: 4, parent: 30)),
            at(2_001, thread: 30, .ready(31)),
            at(2_002, thread: 30, .waitBegan(.operation(OperationID(31)), by: OperationID(30))))
        run.take(at(12_000, thread: 99, .marked("tick", by: nil)))
        return run
    }
}
