import EventLog
import InspectorTraces
import TestTraces
import Testing

@Suite("Causes in merged logs")
struct MergedEdgesTests {
    private func parents(_ merge: TraceMerge) -> [String: String] {
        let operations = Trace(merge.contents).operations
        var found: [String: String] = [:]
        for operation in operations {
            if let parent = operation.parent { found[operation.displayName] = operations[parent].displayName }
        }
        return found
    }

    @Test("causes are of another process only if they are in another log")
    func ownProcess() throws {
        var log = MadeUpLog("app", pid: 1)
        log.run(1, "outer", from: 0, to: 100)
        log.run(2, "other", from: 1, to: 90)
        log.send(1, at: 5)
        log.receive(log.traceparent(1), for: 3, at: 6)
        log.run(3, "inner", from: 7, to: 50, parent: 2)
        let merge = try merged(log)
        #expect(merge.crossings == 0 && merge.notes == [])
        #expect(parents(merge) == ["inner": "outer"])
    }

    /// Two processes, each of which says that it was caused by the other.
    private func circle(enqueued time: Int64) throws -> TraceMerge {
        var first = MadeUpLog("first", pid: 1, monotonic: 5_000)
        first.run(1, "a", from: 5, to: 100)
        first.run(2, "a child", from: 10, to: 100, parent: 1)
        var second = MadeUpLog("second", pid: 2, monotonic: 5_000)
        second.run(1, "b", from: time, to: 100)
        first.send(2, at: 1)
        second.send(1, at: 1)
        first.receive(second.traceparent(1), for: 1, at: 2)
        second.receive(first.traceparent(2), for: 1, at: 2)
        return try merged(first, second)
    }

    @Test("causes that their effects cause are left out, and counted")
    func circular() throws {
        let merge = try circle(enqueued: 20)
        #expect(merge.notes == ["1 cause was left out, because it is caused by its effect"])
        #expect(merge.crossings == 1)
        #expect(parents(merge) == ["a": "b", "a child": "a"])
    }

    @Test("causes never form a circle, not even through a parent within a process")
    func closedWithin() throws {
        let merge = try circle(enqueued: 6)
        #expect(merge.notes == ["1 cause was left out, because it is caused by its effect"])
        #expect(parents(merge) == ["a": "b", "b": "a child"])
    }

    @Test("causes that form a long chain from process to process are all kept")
    func chain() throws {
        var logs = (0..<2).map { MadeUpLog("\($0)", pid: Int32($0), monotonic: 5_000) }
        let length: UInt64 = 5_000
        for step in 0..<length {
            let own = Int(step % 2)
            let time = Int64(step) * 10
            if step > 0 { logs[own].receive(logs[1 - own].traceparent(step), for: step + 1, at: time) }
            logs[own].run(step + 1, "step", from: time + 1, to: 1_000_000)
            logs[own].send(step + 1, at: time + 2)
        }
        let merge = try merged(logs[0], logs[1])
        #expect(merge.crossings == Int(length) - 1 && merge.notes == [])
    }
}
