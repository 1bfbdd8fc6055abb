import EventLog
import InspectorAnalysis
import InspectorTraces
import TestTraces
import Testing

@Suite("The tasks of a trace")
struct TraceTasksTests {
    private let task = OperationID(1 << 40 + 1)
    private let other = OperationID(1 << 40 + 2)
    private let actor = QueueID(3)

    private func contents(_ bodies: [LogEvent.Body]) -> EventLogContents {
        let header = LogHeader(process: "x", processID: 1, host: "h", start: 5, isClosed: true)
        // One nanosecond after the other.
        let events = bodies.enumerated().map { LogEvent(time: Int64($0.offset), thread: 4, $0.element) }
        return EventLogContents(header: header, events: events)
    }

    private func trace(_ bodies: LogEvent.Body...) -> Trace { Trace(contents(bodies)) }

    private func created(_ task: OperationID) -> LogEvent.Body {
        .taskCreated(
            .init(task: task, kind: "load()", creation: .unstructured, priority: 21, isQueued: true))
    }

    private func began(on executor: QueueID? = nil) -> LogEvent.Body {
        .runBegan(task, executor: executor, name: nil)
    }

    private func ended(_ awaits: LogEvent.Awaited = .continuation, task awaited: OperationID? = nil)
        -> LogEvent.Body
    {
        .runEnded(task, .init(awaits: awaits, task: awaited))
    }

    @Test("tasks have their runs, what they awaited, and who resumed them")
    func sound() {
        let trace = trace(
            created(task), .executorOpened(actor, .actor, name: "Cache"), began(on: actor),
            ended(.task, task: other), .taskEnqueued(task, executor: actor, by: other, after: .unknown),
            began(on: actor), .taskCancelled(task, by: other), .taskCancelled(task, by: other),
            .finished(task, .cancelled))
        #expect(trace.losses == [])
        #expect(trace.tasks.kind(of: 0) == "load()")
        #expect(trace.tasks.entries[0].cancelled == 6 && trace.tasks.entries[0].finished == 8)
        let runs = trace.tasks.runs(of: 0)
        #expect(runs.map(\.start) == [2, 5] && runs.map(\.end) == [3, 8])
        #expect(runs.first?.awaits == .task && runs.first?.awaited == 1 && runs.first?.ready == 4)
        #expect(runs.first?.by == other.rawValue)
        #expect(trace.tasks.executors[Int(runs[0].executor)].name == "Cache")
    }

    @Test("tasks go on without being enqueued if they are resumed while they leave their thread")
    func resumedAtOnce() {
        let trace = trace(
            created(task), began(), ended(), .taskResumed(task, by: nil, after: .continuation), began(),
            .taskResumed(task, by: nil, after: .continuation), ended(.task, task: other),
            .taskEnqueued(task, executor: nil, by: other, after: .unknown), began(),
            .finished(task, .succeeded))
        #expect(trace.losses == [])
        #expect(trace.tasks.runs(of: 0).map(\.ready) == [3, 7, nil])
        #expect(TaskLifetimes(trace.tasks).parts(of: 0)[.unknown] == 0)
    }

    @Test("tasks are created and finished once; what contradicts that is counted")
    func twice() {
        let trace = trace(
            created(task), created(task), began(), .finished(task, .succeeded), .finished(task, .cancelled),
            began())
        #expect(trace.tasks.entries[0].created == 0 && trace.tasks.entries[0].outcome == .succeeded)
        #expect(trace.tasks.runs.count == 1)
        #expect(
            trace.losses == [
                "3 events of tasks contradict earlier ones (a task created or finished twice, or a run that "
                    + "ended before it began) and were left out"
            ])
    }

    @Test("times of tasks that are impossible are moved to possible ones, as those of operations are")
    func impossibleTimes() {
        let bodies = [
            created(task), began(), ended(), .taskEnqueued(task, executor: nil, by: other, after: .unknown),
            began(), .taskMoved(task, executor: actor), .finished(task, .succeeded),
        ]
        let header = LogHeader(
            process: "x", processID: 1, host: "h", start: 5, isClosed: true, lastAlive: .max)
        for times in [[Int64.min, .min, 0, .max], [0, .min, .max, .max], [.max, 5, .max, .min]] {
            let events = bodies.enumerated().map { index, body in
                LogEvent(time: times[index * times.count / bodies.count], thread: 4, body)
            }
            let analysis = TraceAnalysis(
                Trace(EventLogContents(header: header, events: events)).withTasks())
            #expect(analysis.criticalPath.length >= 0)
            #expect(TaskLifetimes(analysis.trace.tasks).parts(of: 0).total >= 0)
        }
    }

    @Test("tasks do not end before they begin")
    func backwards() {
        let loss =
            "1 event of tasks contradicts an earlier one (a task created or finished twice, or a run that "
            + "ended before it began) and was left out"
        #expect(trace(created(task), ended(), began(), .finished(task, .succeeded)).losses == [loss])
        #expect(trace(.finished(task, .succeeded), created(task)).losses == [loss])
        #expect(trace(began(), .finished(task, .succeeded), created(task)).losses == [loss])
    }

    @Test("tasks may have run already when the log began")
    func earlier() {
        let trace = trace(ended(), began(), .finished(task, .succeeded))
        #expect(trace.losses == [] && trace.tasks.runs.count == 1)
    }

    @Test("tasks run on an unknown executor if the log does not describe it")
    func unopened() {
        let trace = trace(created(task), began(on: actor), .finished(task, .succeeded))
        #expect(trace.tasks.runs[0].executor == TraceTasks.none)
        #expect(
            trace.losses == ["1 executor is used but not described; runs on it have an unknown executor"])
    }

    @Test("tasks may run on an executor that another thread describes later")
    func openedLater() {
        let trace = trace(
            created(task), began(on: QueueID(9)), .executorOpened(actor, .actor, name: "Cache"),
            .executorOpened(QueueID(9), .custom, name: "Ledger"), .finished(task, .succeeded))
        #expect(trace.losses == [])
        #expect(trace.tasks.executors[Int(trace.tasks.runs[0].executor)].name == "Ledger")
    }

    @Test("tasks do not await themselves")
    func itself() {
        let trace = trace(
            created(task), began(), ended(.task, task: task), began(), .finished(task, .succeeded))
        #expect(trace.tasks.runs[0].awaits == .unknown && trace.tasks.runs[0].awaited == TraceTasks.none)
        #expect(trace.losses == ["1 task awaits itself; what it awaits is shown as unknown"])
    }

    @Test("tasks have a run of unknown length if its end says what this version does not know")
    func unknownWord() throws {
        let header = LogHeader(process: "x", processID: 1, host: "h", start: 5, isClosed: true)
        var encoder = JSONLogEncoder(header: header)
        var log = header.jsonPrologue()
        for event in contents([created(task), began(), ended(), began(), .finished(task, .succeeded)]).events
        {
            encoder.encode(event)
            log += encoder.takeBytes()
        }
        let text = String(decoding: log + JSONLogEncoder.epilogue, as: UTF8.self)
        let damaged = text.replacing(#""awaits":"continuation""#, with: #""awaits":"weather""#)
        #expect(damaged != text)
        let read = try read(Array(damaged.utf8))
        #expect(read.events.count == 4 && read.losses.count == 1)
        let trace = Trace(read)
        #expect(trace.tasks.runs.map(\.end) == [1, 4] && trace.tasks.runs[0].awaits == nil)
        #expect(
            trace.losses.last == "1 run of a task has no end, so its length is unknown"
                && trace.losses.count == 2)
    }

    @Test(
        "tasks are read from damaged records with a loss, and never crash",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func damagedRecords(seed: UInt64) throws {
        var random = RandomEvents(seed: seed)
        var generator = SplitMix64(seed: seed)
        var encoder = BinaryLogEncoder(
            header: LogHeader(process: "x", processID: 1, host: "h", start: 5, isClosed: true))
        for _ in 0..<300 { encoder.encode(random.nextOfTask()) }
        let whole = encoder.finish()
        for _ in 0..<40 {
            var bytes = whole
            let place = Int.random(in: 4096..<bytes.count, using: &generator)
            bytes[place] ^= UInt8.random(in: 1...255, using: &generator)
            let trace = Trace(try BinaryLogReader.read(bytes))
            #expect(trace.tasks.firstRuns.last == trace.tasks.runs.count)
        }
    }
}
