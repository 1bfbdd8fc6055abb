import EventLog
import InspectorTraces
import TestTraces
import Testing

@Suite("A log that contradicts itself")
struct LogContradictionsTests {
    private func notes(_ build: (inout MadeUpLog) -> Void) throws -> [String] {
        var log = MadeUpLog("odd", pid: 1)
        build(&log)
        return try merged(log).notes
    }

    private static let earlier =
        "earlier ones (an operation enqueued, started or finished twice, or finished before it started)"

    @Test("a log that contradicts itself is named when it is merged, with the merged trace's number")
    func twice() throws {
        var log = MadeUpLog("odd", pid: 1)
        log.run(1, "X", from: 0, to: 10)
        log.run(1, "Y", from: 20, to: 30)
        let merge = try merged(log)
        #expect(merge.notes == ["odd.optrace: 4 events contradict \(Self.earlier)"])
        #expect(Trace(merge.contents).losses.contains { $0.hasPrefix("4 events contradict earlier ones") })
    }

    @Test("a log contradicts itself if it finished what had not started")
    func backwards() throws {
        let expected = ["odd.optrace: 1 event contradicts \(Self.earlier)"]
        #expect(try notes { $0.run(1, "X", from: 200, to: 100) } == expected)
    }

    @Test("a log does not contradict itself where a task is cancelled again")
    func cancelledAgain() throws {
        let task = OperationID(1 << 40)
        let found = try notes {
            $0.run(1, "X", from: 0, to: 10)
            $0.add(1, .taskCancelled(task, by: OperationID(1)))
            $0.add(2, .taskCancelled(task, by: nil))
            $0.add(3, .finished(task, .cancelled))
        }
        #expect(found == [])
    }

    @Test("a log contradicts itself if it ended a wait that had not begun")
    func waits() throws {
        let expected = ["odd.optrace: 1 event contradicts \(Self.earlier)"]
        let found = try notes {
            $0.run(1, "X", from: 0, to: 10)
            $0.add(1, .waitBegan(.operation(OperationID(1)), by: nil))
            $0.add(2, .waitEnded)
            $0.add(3, .waitEnded)
        }
        #expect(found == expected)
    }

    @Test("a log does not contradict itself where an operation is ready again, or its start noticed late")
    func sound() throws {
        let found = try notes {
            $0.run(1, "X", from: 0, to: 10)
            $0.run(2, "Y", enqueued: 1, from: 20, to: 30)
            $0.add(2, .ready(OperationID(2)))
            $0.add(3, .dependencyAdded(OperationID(2), predecessor: OperationID(1)))
            $0.events.append(LogEvent(time: 50, notBefore: 40, thread: 7, .executing(OperationID(3))))
            $0.add(45, .finished(OperationID(3), .succeeded))
        }
        #expect(found == [])
    }
}
