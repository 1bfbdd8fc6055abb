import EventLog
import InspectorAnalysis
import InspectorTraces
import TestTraces
import Testing

@Suite("Paths through operations and Swift tasks")
struct TaskPathsTests {
    private let mixed = MixedTrace.trace

    @Test(
        "a task is an operation with its creator as parent, and what a task enqueued has the task as parent")
    func operations() throws {
        let trace = mixed
        #expect(
            trace.operations.map(\.id) == [
                MixedTrace.request, MixedTrace.fetch, MixedTrace.load, MixedTrace.other,
            ])
        #expect(trace.operations.map(\.parent) == [nil, 2, 0, nil])
        #expect(trace.operations[2].kind == "load()" && trace.operations[2].executing?.notAfter == 30)
        #expect((0..<4).map(trace.task) == [nil, nil, 0, 1])
        #expect(trace.queues.count == 1 && trace.operations[2].queue == nil)
        #expect(trace.withTasks().operations.count == 4)
        #expect(trace.tasks.finishers == [0: 0] && trace.tasks.enqueuers == [1: 0])
    }

    @Test("the chain of delays leads through the task that finished an operation, actors and continuations")
    func chain() {
        let chain = DelayChains(TraceAnalysis(mixed)).chain(endingIn: 0)
        #expect(chain.steps.map(\.operation) == [3, 2, 0])
        #expect(chain.steps.map(\.reason) == [.added, .actorHeld, .finisher])
        #expect(chain.steps.map(\.start) == [60, 120, 148])
        // Without the other task, the chain leads to the operation that resumed the continuation.
        let calm = DelayChains(TraceAnalysis(MixedTrace.withoutOtherTask)).chain(endingIn: 0)
        #expect(calm.steps.map(\.operation) == [0, 2, 1, 2, 0])
        #expect(calm.steps.map(\.reason) == [.added, .added, .added, .resumed, .finisher])
        #expect(calm.steps.map(\.start) == [0, 20, 35, 90, 148])
        #expect(calm.steps[3].taskParts?[.running] == 33 && calm.steps[3].taskParts?[.executor] == 5)
        #expect(calm.steps[3].taskParts?[.actor] == 20 && calm.steps[3].waits.total == 58)
    }

    @Test("the critical path leads through runs and continuations, without waits for executors and actors")
    func criticalPath() {
        // request for 10 until it creates load; 5 until that enqueues fetch; 40 until fetch resumes it; 10 in
        // its second run, and 25 in its third.
        let analysis = TraceAnalysis(mixed)
        #expect(analysis.criticalPath.length == 10 + 5 + 40 + 10 + 25)
        #expect(analysis.criticalPath.operations == [0, 2, 1])
        #expect(analysis.withTasks.criticalPath.length == 90)
        // Without tasks, it knows only that the request took so long.
        #expect(analysis.work == 10 + 50 + (10 + 10 + 25) + 40)
    }

    @Test("a task could finish later by what the actor's next task does not need of it")
    func slack() throws {
        let slack = Slack(TraceAnalysis(mixed))
        // The actor was handed over within 5: a later end of its holder moves the end of the run.
        #expect(slack.recorded == [2, 50, 0, 0])
        #expect(slack.throughDependencies[2] == 0 && slack.throughDependencies[3] == 50)
    }

    @Test("what waited for a task or operation is found, with the reason")
    func waiters() {
        let analysis = TraceAnalysis(mixed)
        let causes = DelayChains(analysis).causes
        func relations(_ index: Int) -> [String] {
            Waiters(of: index, analysis, causes).waiters.map { "\($0.operation) \($0.relation) \($0.waited)" }
        }
        #expect(relations(1) == ["2 resumed 50"])
        #expect(relations(2) == ["0 finished 128"])
        #expect(relations(3) == ["2 actorHeld 15"])
    }

    @Test(
        "no path is longer than the run, and chains have no gaps, for any sequence of events",
        arguments: 1...300 as ClosedRange<UInt64>)
    func anyEvents(seed: UInt64) {
        var random = RandomEvents(seed: seed)
        var events = (0..<400).map { _ in random.next() }
        for index in events.indices {
            events[index].thread = events[index].thread % 3 + 1
            events[index].renumber(
                operation: { $0 >= 1 << 40 ? 1 << 40 + $0 % 7 : $0 % 7 + 1 }, queue: { $0 % 4 + 1 })
        }
        let trace = Trace(EventLogContents(header: MixedTrace.header, events: events)).withTasks()
        let analysis = TraceAnalysis(trace)
        #expect(analysis.criticalPath.length <= analysis.makespan)
        let slack = Slack(analysis)
        let chains = DelayChains(analysis)
        for index in trace.operations.indices {
            #expect(slack.recorded[index] ?? 0 >= 0 && slack.throughDependencies[index] ?? 0 >= 0)
            if let waits = analysis.waits[index], let line = analysis.timings.transitions[index] {
                #expect(waits.total == line.end - line.enqueued)
            }
            let steps = chains.chain(endingIn: index).steps
            #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.end == $1.start })
            for step in steps {
                #expect(step.waits.total == step.end - step.start - step.beforeEnqueue)
                #expect(step.taskParts.map { $0.total == step.waits.total } ?? true)
            }
        }
    }
}
