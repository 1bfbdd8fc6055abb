import EventLog
import InspectorAnalysis
import InspectorTraces
import TestTraces
import Testing

@Suite("The parts of a task's lifetime")
struct TaskLifetimesTests {
    private let task = OperationID(1 << 40)
    private let header = LogHeader(process: "x", processID: 1, host: "h", start: 5, isClosed: true)

    private func trace(_ events: [(Int64, LogEvent.Body)]) -> Trace {
        Trace(
            EventLogContents(
                header: header, events: events.map { LogEvent(time: $0.0, thread: 4, $0.1) }))
    }

    @Test("the parts of a task are waits for executors, runs, and what was awaited between them")
    func parts() {
        let cache = QueueID(1)
        let trace = trace([
            (
                0,
                .taskCreated(
                    .init(task: task, kind: "load()", creation: .unstructured, priority: 21, isQueued: true))
            ),
            (0, .executorOpened(cache, .actor, name: "Cache")),
            (10, .runBegan(task, executor: nil, name: nil)),
            (30, .runEnded(task, .init(awaits: .sleep))),
            (70, .taskEnqueued(task, executor: nil, by: nil, after: .sleep)),
            (75, .runBegan(task, executor: nil, name: nil)),
            (80, .runEnded(task, .init(awaits: .executor, executor: cache))),
            (180, .runBegan(task, executor: cache, name: nil)),
            (200, .finished(task, .succeeded)),
        ])
        let parts = TaskLifetimes(trace.tasks).parts(of: 0)
        #expect(parts[.executor] == 10 + 5 && parts[.running] == 20 + 5 + 20)
        #expect(parts[.sleep] == 40 && parts[.actor] == 100 && parts.total == 200)
    }

    @Test("the parts of a task say what threads did during its runs only where switches are recorded")
    func runs() throws {
        let life: [(Int64, LogEvent.Body)] = [
            (0, .taskEnqueued(task, executor: nil, by: nil, after: .unknown)),
            (100, .runBegan(task, executor: nil, name: nil)),
            (400, .runEnded(task, .init(awaits: .sleep))),
            (600, .taskEnqueued(task, executor: nil, by: nil, after: .sleep)),
            (700, .runBegan(task, executor: nil, name: nil)),
        ]
        let switches: [(Int64, LogEvent.Body)] = [
            (750, .leftCPU(afterNanoseconds: 650, .preempted)),
            (850, .leftCPU(afterNanoseconds: 50, .blocked)),
        ]
        let end: [(Int64, LogEvent.Body)] = [(1_000, .finished(task, .succeeded))]
        let recorded = TraceTimings(trace(life + switches + end))
        let use = try #require(ProcessorUse(recorded))
        let lifetimes = TaskLifetimes(recorded.trace.tasks, use)
        let parts = try #require(lifetimes.runningParts(of: 0))
        #expect(parts == [.onCPU: 300 + 50 + 50, .waitingForCPU: 50, .unmeasured: 150])
        #expect(lifetimes.parts(of: 0)[.running] == parts.total)
        #expect(lifetimes.totalOfRunning == parts)
        let group = try #require(TaskGroup.all(lifetimes, by: .kind).first)
        #expect(group[.onCPU]?.total == 400 && group.isRunningExact == true)

        let unrecorded = TaskLifetimes(trace(life + end).tasks)
        #expect(unrecorded.runningParts(of: 0) == nil && unrecorded.totalOfRunning == nil)
        #expect(try #require(TaskGroup.all(unrecorded, by: .kind).first).isRunningExact == nil)
    }

    @Test(
        "the parts of a task sum up to it exactly, and none is negative, for any sequence of events",
        arguments: 1...200 as ClosedRange<UInt64>)
    func sums(seed: UInt64) {
        var random = RandomEvents(seed: seed)
        var generator = SplitMix64(seed: seed)
        var events = (0..<Int.random(in: 1...400, using: &generator)).map { _ in random.nextOfTask() }
        // Times may go back in a log of several threads.
        for index in events.indices where Int.random(in: 0..<5, using: &generator) == 0 {
            events[index].time = Int64.random(in: 0...1_000_000_000, using: &generator)
        }
        // Switches of some of the threads.
        let departures: [LogEvent.Departure] = [.unknown, .preempted, .blocked]
        for _ in 0..<50 {
            let length = Int64.random(in: 0...10_000_000, using: &generator)
            events.append(
                LogEvent(
                    time: Int64.random(in: 0...1_000_000_000, using: &generator),
                    thread: UInt64.random(in: 1...4, using: &generator),
                    .leftCPU(afterNanoseconds: length, departures[Int.random(in: 0...2, using: &generator)])))
        }
        let timings = TraceTimings(Trace(EventLogContents(header: header, events: events)))
        let lifetimes = TaskLifetimes(timings.trace.tasks, ProcessorUse(timings))
        for task in lifetimes.tasks.entries.indices {
            let range = lifetimes.range(of: task)
            let parts = lifetimes.parts(of: task)
            #expect(parts.total == range.upperBound - range.lowerBound)
            #expect(TaskPart.allCases.allSatisfy { parts[$0] >= 0 })
            let running = lifetimes.runningParts(of: task)
            #expect(running?.total == parts[.running])
            #expect(ExecutionParts.Part.allCases.allSatisfy { (running?[$0] ?? 0) >= 0 })
            var end = range.lowerBound
            lifetimes.forEach(of: task) { _, stretch, _ in
                #expect(stretch.lowerBound == end)
                end = stretch.upperBound
            }
            #expect(end == range.upperBound)
        }
    }
}
