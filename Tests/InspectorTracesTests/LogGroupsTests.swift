import EventLog
import InspectorTraces
import TestTraces
import Testing

@Suite("Logs that nothing connects")
struct LogGroupsTests {
    private func log(_ process: String, pid: Int32, start: Int64, lasting length: Int64 = 100) -> MadeUpLog {
        var log = MadeUpLog(process, pid: pid, start: start, monotonic: UInt64(5_000 + start))
        log.run(1, process, from: 0, to: length)
        return log
    }

    @Test("unconnected logs may be of several runs, with a note, if they follow each other")
    func runs() throws {
        var first = log("first", pid: 1, start: 0)
        first.send(1, at: 10)
        var child = log("child", pid: 2, start: 20)
        child.receive(first.traceparent(1), at: 0)
        let note =
            "these logs form 2 groups, one after the other, without connections between them (they begin "
            + "with first.optrace and second.optrace); if they belong to different runs, merge each run "
            + "separately"
        #expect(try merged(log("second", pid: 3, start: 500), child, first).notes == [note])
        let six = try TraceMerge(
            (0..<6).map { (path: "\($0)", contents: log("p", pid: $0, start: Int64($0) * 500).contents) })
        #expect(
            six.notes.first?.contains(
                "6 groups, one after the other, without connections between them (they begin with 0, 1, 2 "
                    + "and 3 more);") == true, "\(six.notes)")
    }

    @Test("unconnected logs are assumed to be of one run if they overlap")
    func overlap() throws {
        #expect(try merged(log("first", pid: 1, start: 0), log("second", pid: 2, start: 100)).notes == [])
    }

    @Test("unconnected logs are of one run if a cause connects them, at any distance in time")
    func connected() throws {
        var first = log("first", pid: 1, start: 0)
        first.send(1, at: 10)
        var second = log("second", pid: 2, start: 5_000)
        second.receive(first.traceparent(1), at: 0)
        #expect(try merged(first, second).notes == [])
    }
}
