import Foundation
import InMemoryTracing
import Ops
import Testing
import Tracing

@testable import OpsTracing

/// Serialized: each test installs a global tracer.
@Suite("Operations are spans", .serialized)
enum TracingTests {}

/// A queue, and a tracer of its operations. Others may run at the same time.
struct TracedQueue {
    let queue = InstrumentedQueue(recorder: Recorder())
    let tracer = InMemoryTracer()
    private let name = "traced \(UUID().uuidString)"

    init() { queue.name = name }

    /// What `body` adds to the queue, as spans, by their operations' names.
    static func spans(
        now: @escaping @Sendable () -> DefaultTracerClock.Timestamp = { DefaultTracerClock.now },
        of body: (TracedQueue) async throws -> Void
    ) async rethrows -> [String: FinishedInMemorySpan] {
        let traced = TracedQueue()
        let registration = OperationObservers.install(OperationTracing(tracer: traced.tracer, now: now))
        defer { registration.remove() }
        try await body(traced)
        await traced.drained()
        return traced.spans
    }

    /// Another queue of the same name, whose operations are among the spans.
    func another() -> InstrumentedQueue {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.name = name
        return queue
    }

    func group() -> GroupOperation { GroupOperation(name: name, recorder: Recorder()) }

    /// Its operations have finished.
    func drained() async {
        await withCheckedContinuation { done in queue.addBarrierBlock { done.resume() } }
    }

    var groupName: String { name }

    private var spans: [String: FinishedInMemorySpan] {
        let own = tracer.finishedSpans.filter {
            $0.text("opviz.queue.name") == name && $0.operationName != "Barrier"
        }
        let named = own.map { span in
            let label = span.text("opviz.operation.name")
            // A group has its queue's name.
            return (label.flatMap { $0 == name ? nil : $0 } ?? span.operationName, span)
        }
        return Dictionary(named) { first, second in
            Issue.record("two spans of \(first.operationName)")
            return second
        }
    }
}

extension FinishedInMemorySpan {
    func text(_ attribute: String) -> String? {
        guard case .string(let text)? = attributes.get(attribute) else { return nil }
        return text
    }

    /// The identifiers of the spans that it is linked to.
    var linked: [String] { links.compactMap { $0.context.inMemorySpanContext?.spanID } }

    var eventNames: [String] { events.map(\.name) }
}

func operation(_ name: String, _ body: @escaping @Sendable () throws -> Void = {}) -> SynchronousOperation<
    Void
> {
    SynchronousOperation(name: name, body: body)
}

extension TracingTests {
    @Test("operations are spans with the words of the export") static func words() async throws {
        let spans = await TracedQueue.spans { traced in
            let urgent = operation("urgent")
            urgent.queuePriority = .high
            traced.queue.addOperation(urgent)
            await urgent.finished()
        }
        let span = try #require(spans["urgent"])
        #expect(span.operationName == "SynchronousOperation<()>")
        #expect(span.kind == .internal)
        #expect(span.text("opviz.operation.id")?.hasPrefix("0x") == true)
        #expect(span.text("opviz.queue.id")?.hasPrefix("0x") == true)
        #expect(span.text("opviz.operation.outcome") == "succeeded")
        #expect(span.attributes.get("opviz.operation.priority") == .int64(4))
        #expect(span.attributes.get("thread.id") != nil)
        #expect(span.status == nil && span.parentSpanID == nil)
        #expect(span.eventNames.filter { $0 != "queue wait" } == ["ready", "executing"])
    }

    @Test("the parent of a span is the operation that added it, or else what was current there")
    static func parents()
        async throws
    {
        let spans = await TracedQueue.spans { traced in
            let queue = traced.queue
            await traced.tracer.withSpan("request") { _ in
                let adding = operation("adding") {
                    queue.addOperation(operation("added"))
                    traced.tracer.withSpan("inner") { _ in queue.addOperation(operation("within")) }
                }
                queue.addOperation(adding)
                await traced.drained()
            }
        }
        let (adding, added, within) = try (
            #require(spans["adding"]), #require(spans["added"]), #require(spans["within"])
        )
        #expect(added.parentSpanID == adding.spanID)
        #expect(adding.parentSpanID != nil && within.traceID == adding.traceID)
        #expect(within.parentSpanID != adding.spanID && within.parentSpanID != adding.parentSpanID)
    }

    @Test("the parent of a span is the group of a child, and the retry of an attempt or delay")
    static func groups()
        async throws
    {
        struct Broken: Error {}
        let spans = await TracedQueue.spans { traced in
            let group = traced.group()
            group.add(operation("child"))
            let retry = RetryOperation(
                name: traced.groupName, policy: RetryPolicy(maximumAttempts: 2, delay: .constant(.zero)),
                recorder: Recorder()
            ) { attempt in
                operation("attempt \(attempt)") { if attempt == 1 { throw Broken() } }
            }
            group.add(retry)
            traced.another().addOperation(group)
            await group.finished()
        }
        let (group, child) = try (#require(spans["GroupOperation"]), #require(spans["child"]))
        let retry = try #require(spans["RetryOperation<()>"])
        #expect(child.parentSpanID == group.spanID && retry.parentSpanID == group.spanID)
        for (attempt, outcome) in [("attempt 1", "failed"), ("attempt 2", "succeeded")] {
            let span = try #require(spans[attempt])
            #expect(span.parentSpanID == retry.spanID && span.text("opviz.operation.outcome") == outcome)
        }
    }

    @Test("spans are linked to their dependencies, also in other queues, and also if added later")
    static func links() async throws {
        let spans = await TracedQueue.spans { traced in
            let other = traced.another()
            other.isSuspended = true
            let operations = ["first", "later", "lone", "late", "last"].map { operation($0) }
            let last = operations[4]
            for predecessor in operations.prefix(3) { last.addDependency(predecessor) }
            traced.queue.addOperation(operations[0])
            await operations[0].finished()
            other.addOperation(last)
            operations[2].start()
            last.addDependency(operations[3])
            traced.queue.addOperation(operations[1])
            traced.queue.addOperation(operations[3])
            other.isSuspended = false
            await last.finished()
        }
        let last = try #require(spans["last"])
        let expected = try ["first", "late", "later"].map { try #require(spans[$0]).spanID }
        #expect(Set(last.linked) == Set(expected) && last.links.count == 3)
        #expect(spans["lone"] == nil)
    }

    @Test("operations are spans that end in error if the operation failed, but not if it was cancelled")
    static func outcomes()
        async throws
    {
        struct Broken: Error, CustomStringConvertible { var description: String { "the cable is broken" } }
        let spans = await TracedQueue.spans { traced in
            let queue = traced.queue
            let failing = operation("failing") { throw Broken() }
            let depending = operation("depending")
            depending.addDependency(failing)
            queue.addOperations([failing, depending])
            await depending.finished()
            queue.isSuspended = true
            let (before, during) = (
                operation("before"), TaskOperation(name: "during") { try await forever() }
            )
            queue.addOperations([before, during])
            before.cancel()
            queue.isSuspended = false
            await before.finished()
            await started(during)
            during.cancel()
            await during.finished()
        }
        let failing = try #require(spans["failing"])
        #expect(failing.status == SpanStatus(code: .error, message: "the cable is broken"))
        #expect(failing.errors.count == 1 && failing.errors.first?.error is Broken)
        #expect(failing.text("error.type")?.contains("Broken") == true)
        #expect(spans["depending"]?.status?.message?.contains("the cable is broken") == true)
        let (before, during) = try (#require(spans["before"]), #require(spans["during"]))
        for span in [before, during] {
            #expect(span.status == nil && span.text("opviz.operation.outcome") == "cancelled")
            #expect(span.eventNames.count { $0 == "cancelled" } == 1)
        }
        #expect(!before.eventNames.contains("executing") && during.eventNames.contains("executing"))
    }

    @Test(
        "operations are spans whose context is current in the body, and in its task after a suspension")
    static func context()
        async throws
    {
        let spans = await TracedQueue.spans { traced in
            let tracer = traced.tracer
            let task = TaskOperation(name: "task") {
                await Task.yield()
                tracer.withSpan("in the task") { $0.attributes["opviz.queue.name"] = traced.groupName }
            }
            let body = operation("body") {
                tracer.withSpan("in the body") { $0.attributes["opviz.queue.name"] = traced.groupName }
            }
            traced.queue.addOperations([task, body])
            await task.finished()
        }
        #expect(try #require(spans["in the task"]).parentSpanID == spans["task"]?.spanID)
        #expect(try #require(spans["in the body"]).parentSpanID == spans["body"]?.spanID)
        #expect(ServiceContext.current == nil)
    }

    @Test(
        "a span's context is current in the bodies of classes that know nothing of this",
        .enabled(if: ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] != "passive"))
    static func foreignContext() async throws {
        final class Foreign: Operation, @unchecked Sendable {
            let work: @Sendable () -> Void
            init(_ work: @escaping @Sendable () -> Void) { self.work = work }
            override func main() { work() }
        }
        let spans = await TracedQueue.spans { traced in
            let work = { @Sendable (name: String) in
                traced.tracer.withSpan("in \(name)") { $0.attributes["opviz.queue.name"] = traced.groupName }
            }
            let operations = [Foreign { work("foreign") }, BlockOperation { work("block") }]
            for (operation, name) in zip(operations, ["foreign", "block"]) { operation.name = name }
            traced.queue.addOperations(operations)
            await traced.drained()
        }
        for name in ["foreign", "block"] {
            let span = try #require(spans[name])
            #expect(try #require(spans["in \(name)"]).parentSpanID == span.spanID)
            #expect(span.text("opviz.operation.outcome") == "succeeded")
        }
    }

    @Test(
        "operations are spans with its waits as events, at their beginnings and with their lengths")
    static func waits()
        async throws
    {
        let clock = SteppingClock()
        let spans = await TracedQueue.spans(now: clock.now) { traced in
            let (first, second) = (operation("first"), operation("second"))
            second.addDependency(first)
            traced.queue.isSuspended = true
            traced.queue.addOperation(second)
            clock.advance(by: 1_000)
            traced.queue.addOperation(first)
            clock.advance(by: 500)
            traced.queue.isSuspended = false
            await second.finished()
        }
        let (first, second) = try (#require(spans["first"]), #require(spans["second"]))
        let queueWait = try #require(first.events.first { $0.name == "queue wait" })
        #expect(queueWait.nanosecondsSinceEpoch == 1_000)
        #expect(queueWait.attributes.get("opviz.wait.duration_ns") == .int64(500))
        let dependencyWait = try #require(second.events.first { $0.name == "dependency wait" })
        #expect(dependencyWait.nanosecondsSinceEpoch == 0)
        #expect(dependencyWait.attributes.get("opviz.wait.duration_ns") == .int64(1_500))
        #expect(
            second.startInstant.nanosecondsSinceEpoch == 0 && second.endInstant.nanosecondsSinceEpoch == 1_500
        )
        #expect(!first.eventNames.contains("dependency wait"))
    }

    @Test("operations are spans with the wait for a dependency that was added after the enqueue, once")
    static func lateDependency()
        async throws
    {
        let clock = SteppingClock()
        let spans = await TracedQueue.spans(now: clock.now) { traced in
            let (first, second) = (operation("first"), operation("second"))
            traced.queue.isSuspended = true
            traced.queue.addOperation(second)
            second.addDependency(first)
            clock.advance(by: 1_000)
            traced.queue.addOperation(first)
            traced.queue.isSuspended = false
            await second.finished()
        }
        let waits = try #require(spans["second"]).events.filter { $0.name == "dependency wait" }
        #expect(waits.map(\.nanosecondsSinceEpoch) == [0])
        #expect(waits.map { $0.attributes.get("opviz.wait.duration_ns") } == [.int64(1_000)])
    }

    @Test("operations are spans of the tracer that is current at the addition, unless another is given")
    static func currentTracer()
        async
    {
        let traced = TracedQueue()
        let registration = OperationTracing.start()
        defer { registration.remove() }
        await withTracer(traced.tracer) {
            let one = operation("one")
            traced.queue.addOperation(one)
            await one.finished()
        }
        let another = operation("another")
        traced.queue.addOperation(another)
        await another.finished()
        #expect(traced.tracer.finishedSpans.compactMap { $0.text("opviz.operation.name") } == ["one"])
    }
}

extension OperationQueue {
    /// Callable from asynchronous functions.
    func addOperations(_ operations: [Operation]) { addOperations(operations, waitUntilFinished: false) }
}

/// Until the task is cancelled.
func forever() async throws {
    try await Task.sleep(for: .seconds(3_600))
}

func started(_ operation: Operation) async {
    while !operation.isExecuting { await Task.yield() }
}

/// A clock that only the test advances.
final class SteppingClock: Sendable {
    private let time = NSLockedNumber()

    var now: @Sendable () -> DefaultTracerClock.Timestamp {
        { .init(nanosecondsSinceEpoch: self.time.value) }
    }

    func advance(by nanoseconds: UInt64) { time.add(nanoseconds) }
}
