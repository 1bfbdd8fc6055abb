import Foundation
import Inspector
import Ops
import Synchronization
import Testing

@Suite("Many threads make, cancel and drop operations")
struct SoakTests {
    /// `make soak` asks for a million.
    private static let operations =
        ProcessInfo.processInfo.environment["OPVIZ_OPERATIONS"].flatMap(Int.init) ?? 20_000
    private static let threads = 64
    @Test("the log of many threads has all events but reported drops, and no operation is alive afterwards")
    func soak() throws {
        let census = Census()
        let work = Work(census: census, rounds: max(1, Self.operations / Self.threads / Work.perRound))
        let contents = try log { recorder in
            let threads = DispatchGroup()
            for thread in 0..<Self.threads {
                threads.enter()
                Thread.detachNewThread {
                    work.run(thread, recorder)
                    threads.leave()
                }
            }
            #expect(threads.wait(timeout: .now() + 3_000) == .success, "a queue is stuck")
            // A sentinel, or the thread on which an operation finished, may hold it for a moment longer.
            #expect(soon { census.alive == 0 }, "\(census.alive) are alive")
        }
        let dropped = Int(contents.header.droppedEvents)
        #expect(contents.losses.count == min(dropped, 1))
        #expect(census.made == Self.threads * work.rounds * Work.perRound)
        expectWhole(contents.events, enqueued: Self.threads * work.rounds * Work.enqueuedPerRound, dropped)
        expectNames(contents.events, of: work, dropped)
    }

    /// Like `recordedEvents`, but a thread that waited too long for room in the log may have dropped and
    /// counted events. That happens when many threads ask for room at once.
    private func log(_ body: (Recorder) -> Void) throws -> EventLogContents {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        body(recorder)
        try? recorder.stop()
        let contents = try TraceReader(path: path).events()
        #expect(contents.header.isClosed)
        return contents
    }

    /// What the log says of one operation.
    private struct Account {
        var transitions: [UInt8] = []
        var outcome: Outcome?

        /// The first letters of all that happen to it.
        var expected: [UInt8] { Array((outcome == .cancelled ? "ercf" : "eref").utf8) }

        /// Whether what is there is in order, and nothing is there twice. Of one without a finish, any part.
        var isPart: Bool {
            ["ercf", "eref"].contains { whole in
                var rest = transitions[...]
                for letter in whole.utf8 where rest.first == letter { rest.removeFirst() }
                return rest.isEmpty
            }
        }
    }

    private func expectWhole(_ events: [LogEvent], enqueued: Int, _ dropped: Int) {
        var accounts: [OperationID: Account] = [:]
        for event in events {
            guard let operation = event.operation, let letter = event.transition?.utf8.first else { continue }
            // Bodies stand in the log of some only.
            guard letter != UInt8(ascii: "b") else { continue }
            accounts[operation, default: Account()].transitions.append(letter)
            if case .finished(_, let outcome) = event.body {
                accounts[operation, default: Account()].outcome = outcome
            }
        }
        let whole = accounts.values.filter { $0.transitions == $0.expected }
        #expect((enqueued - dropped...enqueued).contains(whole.count))
        let wrong = accounts.values.filter { !$0.isPart }.map {
            String(decoding: $0.transitions, as: UTF8.self)
        }
        #expect(Set(wrong) == [], "the first letters of transitions")
        let cancelled = whole.count { $0.outcome == .cancelled }
        let allCancelled = enqueued / Work.enqueuedPerRound
        #expect((allCancelled - dropped...allCancelled).contains(cancelled))
    }

    /// One operation in a round has a name of its own, and says it in its body; one is never enqueued.
    private func expectNames(_ events: [LogEvent], of work: Work, _ dropped: Int) {
        var names: [OperationID: String] = [:]
        var wrong: [String] = []
        var marked: Set<String> = []
        for event in events {
            switch event.body {
            case .enqueued(let enqueue): names[enqueue.operation] = enqueue.name
            case .marked(let text, let operation?):
                marked.insert(text)
                // The enqueue may have been dropped.
                if let name = names[operation], name != text { wrong.append("\(name), not \(text)") }
            case .marked(let text, nil):
                if Observation.isOfClasses { wrong.append(text) } else { marked.insert(text) }
            default: break
            }
        }
        #expect(wrong == [])
        let expected = work.names(threads: Self.threads)
        #expect(Set(names.values).isSubset(of: expected) && marked.isSubset(of: expected))
        #expect(Set(names.values).count == names.count && names.count >= expected.count - dropped)
        #expect(marked.count >= expected.count - dropped)
    }
}

/// What each thread does, over and over.
private struct Work: Sendable {
    static let perRound = 10
    static let enqueuedPerRound = 9

    let census: Census
    let rounds: Int

    func name(_ thread: Int, _ round: Int) -> String { "\(thread).\(round)" }

    func names(threads: Int) -> Set<String> {
        Set((0..<threads).flatMap { thread in (0..<rounds).map { name(thread, $0) } })
    }

    func run(_ thread: Int, _ recorder: Recorder) {
        let lasting = InstrumentedQueue(recorder: recorder)
        for round in 0..<rounds {
            // All that a round makes is let go of, and the next one gets its memory.
            useAndDrop(lasting, name(thread, round), recorder)
            // Or operations would be made faster than they run.
            if round % 16 == 15 { lasting.waitUntilAllOperationsAreFinished() }
        }
        lasting.waitUntilAllOperationsAreFinished()
    }

    private func useAndDrop(_ lasting: InstrumentedQueue, _ name: String, _ recorder: Recorder) {
        let passing = InstrumentedQueue(recorder: recorder)
        let named = Foreign(census) { recorder.mark(name) }
        named.name = name
        let (first, second) = (Foreign(census), Own(census))
        second.addDependency(first)
        passing.addOperations([named, second, Sealed(census), first], waitUntilFinished: false)
        lasting.addOperation(Generic<Int>(census))
        lasting.addOperation(Generic<String>(census))
        lasting.addOperation(Own(census))
        lasting.addOperation(Block(census))
        cancelWhilePending(recorder)
        let unused = Foreign(census)
        unused.name = "never enqueued"
        passing.waitUntilAllOperationsAreFinished()
    }

    /// Nobody but the queue holds the operation any more when it is cancelled.
    private func cancelWhilePending(_ recorder: Recorder) {
        let suspended = InstrumentedQueue(recorder: recorder)
        suspended.isSuspended = true
        suspended.addOperation(Foreign(census))
        suspended.cancelAllOperations()
        suspended.isSuspended = false
        suspended.waitUntilAllOperationsAreFinished()
    }
}

/// How many operations were made, and how many are gone.
private final class Census: Sendable {
    private let births = Atomic(0)
    private let deaths = Atomic(0)

    var made: Int { births.load(ordering: .sequentiallyConsistent) }
    var alive: Int { made - deaths.load(ordering: .sequentiallyConsistent) }

    /// Counts for as long as it is held.
    final class Member: Sendable {
        private let census: Census

        init(_ census: Census) {
            self.census = census
            census.births.add(1, ordering: .relaxed)
        }

        deinit { census.deaths.add(1, ordering: .relaxed) }
    }
}

private class Foreign: Operation, @unchecked Sendable {
    private let member: Census.Member
    private let work: @Sendable () -> Void

    init(_ census: Census, work: @escaping @Sendable () -> Void = {}) {
        member = Census.Member(census)
        self.work = work
    }

    override func main() { work() }
}

private final class Sealed: Operation, @unchecked Sendable {
    private let member: Census.Member

    init(_ census: Census) { member = Census.Member(census) }

    override func start() { super.start() }
}

private final class Generic<Value>: Foreign, @unchecked Sendable {
    private var value: Value?

    override func main() {
        value = nil
        super.main()
    }
}

private final class Block: BlockOperation, @unchecked Sendable {
    private let member: Census.Member

    init(_ census: Census) {
        member = Census.Member(census)
        super.init()
        addExecutionBlock {}
    }
}

private final class Own: AsynchronousOperation, @unchecked Sendable {
    private let member: Census.Member

    init(_ census: Census) { member = Census.Member(census) }

    override func main() { finish() }
}
