import Foundation
import Inspector
import Ops
import Testing

@Suite("A recorder reads the clocks of threads around long bodies", .serialized)
struct ThreadClocksTests {
    /// Nanoseconds of processor time of this thread.
    private static var used: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func calculate(_ nanoseconds: Int64) {
        let start = used
        while used - start < nanoseconds {}
    }

    private struct Run {
        let trace: Trace
        let contents: EventLogContents

        init(_ body: (Recorder) throws -> Void) throws {
            contents = try recordedEvents(body)
            trace = Trace(contents)
        }

        func parts(_ name: String) throws -> ExecutionParts {
            let timings = TraceAnalysis(trace).timings
            let index = try #require(trace.operations.firstIndex { $0.name == name }, "\(name)")
            let parts = try #require(ProcessorUse(timings)?.parts(of: index))
            #expect(parts.total == timings.waits[index]?.execution, "\(name)")
            return parts
        }

        var uses: Int { Self.uses(contents.events[...]) }

        static func uses(_ events: ArraySlice<LogEvent>) -> Int {
            events.count { if case .bodyUsed = $0.body { true } else { false } }
        }

        /// The first sixteen of a kind are on trial, and those from 300 µs on pay for as many as take 2 %
        /// of their time, at 4 µs each. On a busy machine, short ones may take long.
        var allowedUses: Int {
            let lengths = TraceAnalysis(trace).waits.map { $0?.execution ?? 0 }
            return 16 + lengths.map { $0 < 290_000 ? 0 : Int($0 / 200_000) + 1 }.reduce(0, +)
        }
    }

    private func operations(_ body: @escaping @Sendable () -> Void) -> [Operation] {
        let closure = BlockOperation { body() }
        closure.name = "closure"
        let own = Own(name: "own") { body() }
        return [own] + (Observation.isOfClasses ? [closure, Foreign("foreign", body)] : [])
    }

    // Classes that no other test has: a class whose bodies were short is not measured at first.

    private final class Own: SynchronousOperation<Void>, @unchecked Sendable {}

    private final class Foreign: Operation, @unchecked Sendable {
        private let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.body = body
            super.init()
            self.name = name
        }

        override func main() { body() }
    }

    /// Can be started by hand, also if it is in a queue.
    private final class Inner: AsynchronousOperation, @unchecked Sendable {
        private let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
            super.init()
            name = "inner"
        }

        override func main() {
            body()
            finish()
        }
    }

    @Test("the clocks say how long each body was on a processor, and how long it was blocked")
    func bodies() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            let operations = operations {
                Self.calculate(3_000_000)
                usleep(4_000)
            }
            queue.addOperations(operations, waitUntilFinished: true)
        }
        #expect(run.contents.header.processorTimes == .clocks)
        let processors = try #require(run.contents.header.processors)
        // Swift's own count is that of the affinity mask on Linux.
        #expect(processors.usable == ProcessInfo.processInfo.activeProcessorCount)
        #expect(processors.online >= processors.usable)
        for name in ["own"] + (Observation.isOfClasses ? ["closure", "foreign"] : []) {
            let parts = try run.parts(name)
            #expect((2_900_000...5_000_000).contains(parts.onCPU), "\(name): \(parts)")
            #expect(parts.blocked >= 3_900_000, "\(name): \(parts)")
            #expect(parts.unmeasured == 0 && parts.isExact, "\(name): \(parts)")
        }
    }

    @Test(
        "an operation that another one starts in its body is in the times of both",
        .whereClassesAreObserved)
    func nested() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let inner = Inner { Self.calculate(3_000_000) }
            let other = InstrumentedQueue(recorder: recorder)
            other.isSuspended = true
            other.addOperation(inner)
            let outer = BlockOperation {
                Self.calculate(2_000_000)
                inner.start()
                usleep(2_000)
            }
            outer.name = "outer"
            queue.addOperations([outer], waitUntilFinished: true)
        }
        let (inner, outer) = (try run.parts("inner"), try run.parts("outer"))
        #expect((2_900_000...4_500_000).contains(inner.onCPU), "\(inner)")
        #expect(outer.onCPU >= inner.onCPU + 1_900_000 && outer.blocked >= 1_900_000, "\(outer)")
    }

    @Test("the clocks are not read around short bodies, except for the first sixteen of a kind")
    func short() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            for _ in 0..<1_000 { queue.addOperation {} }
            queue.waitUntilAllOperationsAreFinished()
        }
        #expect(run.uses <= run.allowedUses)
    }

    @Test(
        "the clocks are read once a kind of short bodies becomes long, until it is short again",
        .whereClassesAreObserved)
    func adapts() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            for (count, length) in [(1_000, Int64(1_000)), (50, 1_000_000), (1_000, 1_000)] {
                recorder.mark("\(length)")
                for _ in 0..<count { queue.addOperation(Lasting(length)) }
                queue.waitUntilAllOperationsAreFinished()
            }
        }
        let phases = run.contents.events.split { if case .marked = $0.body { true } else { false } }.suffix(3)
        let counts = phases.map(Run.uses)
        #expect(counts.count == 3 && (35...50).contains(counts[1]), "\(counts)")
        #expect(counts.reduce(0, +) <= run.allowedUses, "\(counts)")
    }

    @Test(
        "the clocks are read around short bodies of a kind whose rare long ones make most of its time",
        .whereClassesAreObserved)
    func mixed() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            for number in 0..<400 { queue.addOperation(Mixed(number % 20 == 10 ? 5_000_000 : 50_000)) }
            queue.waitUntilAllOperationsAreFinished()
        }
        let timings = TraceAnalysis(run.trace).timings
        let parts = try #require(ProcessorUse(timings)).parts(of: run.trace.operations.indices)
        #expect(Double(parts.unmeasured) <= 0.05 * Double(parts.total), "\(parts)")
    }

    private final class Mixed: Operation, @unchecked Sendable {
        private let nanoseconds: Int64
        init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }
        override func main() { ThreadClocksTests.calculate(nanoseconds) }
    }

    private final class Lasting: Operation, @unchecked Sendable {
        private let nanoseconds: Int64
        init(_ nanoseconds: Int64) { self.nanoseconds = nanoseconds }
        override func main() { ThreadClocksTests.calculate(nanoseconds) }
    }

    @Test("the clocks are not read if the recorder was told not to")
    func off() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path, readsThreadClocks: false)
        let queue = InstrumentedQueue(recorder: recorder)
        queue.addOperations(operations { usleep(2_000) }, waitUntilFinished: true)
        let late = Late()
        queue.isSuspended = true
        queue.addOperation(late)
        late.start()
        try recorder.stop()
        let contents = try TraceReader(path: path).events()
        #expect(contents.header.processorTimes == .off)
        // Who reads switches needs to know which thread was in the body when another one finished it.
        let ended = contents.events.last { if case .bodyEnded = $0.body { true } else { false } }
        let finished = contents.events.last { if case .finished = $0.body { true } else { false } }
        #expect(try #require(ended).time >= #require(finished).time && ended?.thread != finished?.thread)
        #expect(!contents.events.contains { if case .bodyUsed = $0.body { true } else { false } })
    }

    #if os(Linux)
        /// How many descriptors of this process are scheduler statistics.
        private static func descriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(name)")
                return target?.hasSuffix("/schedstat") == true
            }
        }

        @Test("reading the clocks leaves no descriptor behind when a thread ends")
        func threadEnd() throws {
            let before = try Self.descriptors()
            let during = Mutexed(0)
            _ = try Run { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                queue.isSuspended = true
                let operation = Inner {
                    during.withLock { $0 = (try? Self.descriptors()) ?? 0 }
                    Self.calculate(1_000_000)
                }
                queue.addOperation(operation)
                let ended = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    operation.start()
                    ended.signal()
                }
                ended.expectSignal()
            }
            #expect(during.withLock { $0 } > before)
            #expect(soon { (try? Self.descriptors()) == before })
        }
    #endif

    @Test(
        "the clocks give the time of a body on the thread where it began, if it finishes elsewhere",
        .whereClassesAreObserved)
    func finishedElsewhere() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperations([Elsewhere("elsewhere", isMain: false)], waitUntilFinished: true)
        }
        let parts = try run.parts("elsewhere")
        #expect((9_900_000...20_000_000).contains(parts.onCPU), "\(parts)")
        #expect(parts.offThread >= 2_900_000, "\(parts)")
        #expect(parts.unmeasured == 0, "\(parts)")
    }

    @Test("the clocks give the time of main, if start calls it on another thread", .whereClassesAreObserved)
    func mainElsewhere() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperations([Elsewhere("main", isMain: true)], waitUntilFinished: true)
        }
        let parts = try run.parts("main")
        // Neither what its start used nor the sum.
        #expect((900_000...9_000_000).contains(parts.onCPU), "\(parts)")
        #expect(parts.offThread >= 3_900_000, "\(parts)")
        #expect(run.trace.losses == [])
    }

    /// Starts it here, and expects that another thread finished it while this one was in its body.
    private func expectPartsBeforeFinish(_ operation: Operation, isNamed name: String) throws {
        operation.name = name
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            queue.addOperation(operation)
            operation.start()
        }
        let traced = try run.trace.operation(name)
        let (finished, ended) = (try #require(traced.finished), try #require(traced.bodyEnded))
        let after = ended.notAfter - finished.notAfter
        let parts = try run.parts(name)
        #expect(after >= 0 && run.uses == 1)
        #expect(parts.offThread == 0 && parts.unmeasured <= 2 * after, "\(parts)")
        #expect(parts.onCPU >= 9_900_000 - after, "\(parts)")
    }

    private static func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
        let hasReturned = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            body()
            hasReturned.signal()
        }
        hasReturned.expectSignal()
    }

    private final class Late: AsynchronousOperation, @unchecked Sendable {
        override func main() {
            ThreadClocksTests.calculate(10_000_000)
            ThreadClocksTests.onAnotherThread { self.finish() }
        }
    }

    @Test("the clocks give what a body used before another thread finished its operation")
    func finishedMeanwhile() throws { try expectPartsBeforeFinish(Late(), isNamed: "own") }

    @Test(
        "the clocks give what any class that overrides start used before another thread finished it",
        .whereClassesAreObserved)
    func finishedDuringStart() throws {
        try expectPartsBeforeFinish(FinishedElsewhere(), isNamed: "start")
    }

    /// Its subclasses override `start`.
    private class OwnStart: Operation, @unchecked Sendable {
        private let state = Mutexed((isExecuting: false, isFinished: false))

        override var isAsynchronous: Bool { true }
        override var isExecuting: Bool { state.withLock { $0.isExecuting } }
        override var isFinished: Bool { state.withLock { $0.isFinished } }

        func begin() {
            willChangeValue(forKey: "isExecuting")
            state.withLock { $0.isExecuting = true }
            didChangeValue(forKey: "isExecuting")
        }

        func end() {
            willChangeValue(forKey: "isFinished")
            state.withLock { $0 = (false, true) }
            didChangeValue(forKey: "isFinished")
        }
    }

    /// Another thread finishes it before its `start` returns.
    private final class FinishedElsewhere: OwnStart, @unchecked Sendable {
        override func start() {
            begin()
            ThreadClocksTests.calculate(10_000_000)
            ThreadClocksTests.onAnotherThread { [self] in
                end()
            }
        }
    }

    @Test(
        "the measured body is the main that Foundation calls, if another thread calls main meanwhile",
        .whereClassesAreObserved)
    func secondMain() throws {
        let run = try Run { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperations([Twice()], waitUntilFinished: true)
        }
        let traced = try run.trace.operation("twice")
        #expect(traced.bodyBegan == nil && traced.bodyEnded == nil && run.uses == 1)
        let parts = try run.parts("twice")
        #expect(parts.offThread == 0 && parts.unmeasured == 0, "\(parts)")
    }

    /// Calls its main on another thread, too. Not final: calls of its main would be direct.
    private class Twice: Operation, @unchecked Sendable {
        private let calls = Mutexed(0)

        override init() {
            super.init()
            name = "twice"
        }

        override func main() {
            let isFirst = calls.withLock { calls in
                calls += 1
                return calls == 1
            }
            if isFirst { ThreadClocksTests.onAnotherThread { self.main() } }
            ThreadClocksTests.calculate(1_000_000)
        }
    }

    /// Overrides `start` to go on elsewhere, after a calculation of 10 ms. It finishes long after that.
    /// Not final: calls of its main would be direct.
    private final class Elsewhere: OwnStart, @unchecked Sendable {
        private let isMain: Bool

        init(_ name: String, isMain: Bool) {
            self.isMain = isMain
            super.init()
            self.name = name
        }

        override func start() {
            begin()
            let returns = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
                returns.wait()
                usleep(10_000)
                if isMain { Self.callMain(self) }
                end()
            }
            ThreadClocksTests.calculate(10_000_000)
            returns.signal()
        }

        override func main() { ThreadClocksTests.calculate(1_000_000) }

        /// Through the class's table: the compiler does not know whose main it is.
        @inline(never) private static func callMain(_ operation: Operation) { operation.main() }
    }
}
