import EventLog
import Foundation
import Inspector
import Ops
import Testing

@Suite("A log that keeps the latest events")
struct RingLogTests {
    /// As small as it may be: 15 segments.
    private let smallest = LogLimit(bytes: 1 << 20, policy: .keepLatest)

    private func recorded(
        limit: LogLimit, _ body: (Recorder) -> Void
    ) throws -> (contents: EventLogContents, dropped: UInt64) {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path, limit: limit)
        body(recorder)
        try? recorder.stop()
        let contents = try TraceReader(path: path).events()
        return (contents, contents.header.droppedEvents)
    }

    private func lostNames(_ contents: EventLogContents) -> Int {
        contents.losses.lazy.compactMap { loss in
            loss.contains("overwritten or damaged") ? Int(loss.prefix { $0.isNumber }) : nil
        }.first ?? 0
    }

    @Test("a ring log continues for any number of names, and never confuses them")
    func manyNames() throws {
        let count = 200_000
        let (contents, dropped) = try recorded(limit: smallest) { recorder in
            for number in 0..<count { recorder.mark("request number \(number) of the day") }
        }
        #expect(dropped == 0)
        let names = contents.events.compactMap { event -> String? in
            if case .marked(let text, _) = event.body { text } else { nil }
        }
        // One thread, so they are in order, and the last mark is the last one made.
        let last = count - names.count
        for (index, name) in names.enumerated() where name != "?" {
            guard name == "request number \(last + index) of the day" else {
                Issue.record("\(last + index) is called \(name)")
                break
            }
        }
        #expect(names.last == "request number \(count - 1) of the day")
        let lost = names.count { $0 == "?" }
        #expect(lost == lostNames(contents))
        #expect(names.count > 3_000 && lost * 10 < names.count, "\(lost) of \(names.count)")
    }

    @Test("a ring log keeps the kinds of operations, which are stored again before they are overwritten")
    func kinds() throws {
        let (contents, dropped) = try recorded(limit: smallest) { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            for round in 0..<200 {
                for number in 0..<100 {
                    if number % 2 == 0 {
                        queue.addOperation(ClosureOperation("item \(round * 100 + number)"))
                    } else {
                        queue.addOperation {}
                    }
                }
                queue.drain()
            }
        }
        #expect(dropped == 0)
        let kinds = contents.events.compactMap { event -> String? in
            if case .enqueued(let enqueue) = event.body { enqueue.kind } else { nil }
        }
        #expect(kinds.count > 1_000)
        #expect(Set(kinds) == ["ClosureOperation", closureKind("RingLogTests.kinds()")])
    }

    #if os(Linux)
        @Test(
            "a ring log with more threads than segments drops at once what has no room: no thread waits",
            .disabled(if: Sanitizer.isThread), arguments: [LogLimit.Policy.dropNewest, .keepLatest])
        func manyThreads(policy: LogLimit.Policy) throws {
            let (threads, marks) = (40, 200)
            let waits = Mutexed<[Int]>([])
            let (contents, dropped) = try recorded(limit: LogLimit(bytes: 1 << 20, policy: policy)) {
                recorder in
                let started = DispatchGroup()
                let ended = DispatchGroup()
                let (go, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
                for _ in 0..<threads {
                    started.enter()
                    ended.enter()
                    Thread.detachNewThread {
                        recorder.mark("begins")
                        started.leave()
                        go.wait()
                        let before = sleeps()
                        for _ in 0..<marks { recorder.mark("mark") }
                        let slept = sleeps() - before
                        waits.withLock { $0.append(slept) }
                        started.leave()
                        end.wait()
                        ended.leave()
                    }
                }
                started.wait()
                for _ in 0..<threads { started.enter() }
                for _ in 0..<threads { go.signal() }
                started.wait()
                for _ in 0..<threads { end.signal() }
                ended.wait()
            }
            // Nothing is lost uncounted. A text that finds no room counts beside the event that names it.
            #expect(contents.events.count + Int(dropped) >= threads * (marks + 1))
            #expect(dropped > 0)
            // Locks make one wait for another now and then. Each mark that waited for room would sleep.
            let most = waits.withLock { $0.max() } ?? 0
            #expect(most < marks / 2, "a thread went to sleep \(most) times for \(marks) marks")
        }

        @Test("a ring log has room again for others when a thread that held some ends")
        func threadsThatEnd() throws {
            let (contents, _) = try recorded(limit: smallest) { recorder in
                let ended = DispatchGroup()
                for number in 0..<60 {
                    ended.enter()
                    Thread.detachNewThread {
                        recorder.mark("\(number)")
                        ended.leave()
                    }
                }
                ended.wait()
                for _ in 0..<100_000 { recorder.mark("main") }
            }
            #expect(contents.header.droppedEvents < 1_000)
            #expect(contents.events.last?.body == .marked("main", by: nil))
        }

        /// How often this thread went to sleep.
        private func sleeps() -> Int {
            var usage = rusage()
            // RUSAGE_THREAD, which Swift does not see.
            getrusage(1, &usage)
            return usage.ru_nvcsw
        }
    #endif
}
