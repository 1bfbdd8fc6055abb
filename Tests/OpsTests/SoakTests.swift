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
    private static let isPassive = ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] == "passive"

    @Test("afterwards all are in the log, each whole and under its own name, and none is alive")
    func soak() throws {
        let census = Census()
        let work = Work(census: census, rounds: max(1, Self.operations / Self.threads / Work.perRound))
        let contents = try recordedEvents { recorder in
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
        #expect(contents.losses == [] && contents.header.droppedEvents == 0)
        let enqueued = Self.threads * work.rounds * Work.enqueuedPerRound
        #expect(census.made == Self.threads * work.rounds * Work.perRound)
        expectWhole(contents.events, enqueued: enqueued, cancelled: Self.threads * work.rounds)
        expectNames(contents.events, of: work)
    }

    /// What the log says of one operation.
    private struct Account {
        var transitions: [UInt8] = []
        var outcome: Outcome?
    }

    private func expectWhole(_ events: [LogEvent], enqueued: Int, cancelled: Int) {
        var accounts: [OperationID: Account] = [:]
        for event in events {
            guard let operation = event.operation, let letter = event.transition?.utf8.first else { continue }
            accounts[operation, default: Account()].transitions.append(letter)
            if case .finished(_, let outcome) = event.body {
                accounts[operation, default: Account()].outcome = outcome
            }
        }
        #expect(accounts.count == enqueued)
        var wrong: [String: Int] = [:]
        for account in accounts.values where !isWhole(account) {
            wrong[String(decoding: account.transitions, as: UTF8.self), default: 0] += 1
        }
        #expect(wrong == [:], "the first letters of transitions")
        #expect(accounts.values.count { $0.outcome == .cancelled } == cancelled)
        #expect(accounts.values.count { $0.outcome == .succeeded } == enqueued - cancelled)
    }

    private func isWhole(_ account: Account) -> Bool {
        // Bodies stand in the log of some only.
        let transitions = account.transitions.filter { $0 != UInt8(ascii: "b") }
        return transitions == Array((account.outcome == .cancelled ? "ercf" : "eref").utf8)
    }

    /// One operation in a round has a name of its own, and says it in its body; one is never enqueued.
    private func expectNames(_ events: [LogEvent], of work: Work) {
        var names: [OperationID: String] = [:]
        var wrong: [String] = []
        var marked: Set<String> = []
        for event in events {
            switch event.body {
            case .enqueued(let enqueue): names[enqueue.operation] = enqueue.name
            case .marked(let text, let operation?):
                marked.insert(text)
                if names[operation] != text { wrong.append("\(names[operation] ?? "none"), not \(text)") }
            case .marked(let text, nil): if Self.isPassive { marked.insert(text) } else { wrong.append(text) }
            default: break
            }
        }
        #expect(wrong == [])
        let expected = work.names(threads: Self.threads)
        #expect(names.count == expected.count && Set(names.values) == expected)
        #expect(marked == expected)
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
