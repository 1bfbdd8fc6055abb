import Foundation
import Inspector
import Ops
import Synchronization
import Testing

/// What operations noted of their own bodies, against what was recorded of them, in real time: `make soak`
/// asks for it.
@Suite("The recorded execution contains what the operation itself saw")
struct WitnessTests {
    private static let operations =
        ProcessInfo.processInfo.environment["OPVIZ_WITNESSES"].flatMap { Int($0) } ?? 0
    /// Nanoseconds by which two readings of two clocks may be taken for the same: they are tied together only
    /// once.
    private static let tie: Int64 = 1_000
    /// Nanoseconds.
    private static let latestStart: Int64 = 20_000

    @Test(
        "an operation's own times lie inside the recorded ones, which start at most 20 µs earlier at p99",
        .enabled(if: operations > 0))
    func witness() throws {
        let notes = Mutex([(begin: Int64, end: Int64)](repeating: (0, 0), count: Self.operations))
        var ties: [(before: Int64, after: Int64)] = []
        let trace = try recorded { recorder in
            func tie() {
                for _ in 0..<100 {
                    let before = Self.clock()
                    recorder.mark("tie")
                    ties.append((before, Self.clock()))
                }
            }
            tie()
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = 1
            for index in 0..<Self.operations {
                let operation = BlockOperation {
                    let begin = Self.clock()
                    usleep(1_000)
                    let end = Self.clock()
                    notes.withLock { $0[index] = (begin, end) }
                }
                operation.name = "\(index)"
                queue.addOperation(operation)
            }
            queue.drain()
            tie()
        }
        let marks = trace.marks.filter { $0.text == "tie" }
        #expect(marks.count == ties.count)
        // The difference between the trace's time and a noted time: each mark gives bounds for it.
        let least = zip(marks, ties).map { $0.time - $1.after }.max() ?? 0
        let most = zip(marks, ties).map { $0.time - $1.before }.min() ?? 0
        #expect(most >= least - Self.tie)

        var late: [Int64] = []
        for operation in trace.operations {
            let note = notes.withLock { $0[Int(operation.name ?? "") ?? 0] }
            let start = try #require(operation.executing)
            let finish = try #require(operation.finished)
            #expect(note.begin + most + Self.tie >= start.notAfter)
            #expect(note.end + least - Self.tie <= finish.notBefore)
            late.append(note.begin + least - start.notBefore)
        }
        late.sort()
        #expect(late.count == Self.operations)
        let p99 = late[(late.count - 1) * 99 / 100]
        #expect(p99 <= Self.latestStart)
        print("start before the body: p50 \(late[late.count / 2]) ns, p99 \(p99) ns")
    }

    private static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
