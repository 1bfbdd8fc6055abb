import EventLog
import InspectorTraces
import MemorySearch
import Testing

@testable import ProgramRecording

@Suite("What a search of memory found for the operations of a log")
struct FinishVerdictsTests {
    /// What the log gets of an operation that executes, `fetch` of class `Fetch`, and of one that waits.
    private func searches(
        _ operations: [FoundOperation], unseen: String? = nil, name: String? = "fetch", kind: String = "Fetch"
    ) -> [LogEvent.OperationSearch] {
        let events: [LogEvent.Body] = [
            .enqueued(.init(operation: OperationID(1), kind: kind, name: name, queue: QueueID(1))),
            .ready(OperationID(1)), .executing(OperationID(1)),
            .enqueued(.init(operation: OperationID(2), kind: kind, name: name, queue: QueueID(1))),
        ]
        let header = LogHeader(process: "x", processID: 1, host: "h", start: 5)
        let trace = Trace(
            EventLogContents(header: header, events: events.map { LogEvent(time: 1, thread: 1, $0) }))
        let queue = FoundQueue(name: "q", limit: nil, isSuspended: false, operations: operations)
        return FinishVerdicts([queue], unseen: unseen).searches(of: trace)
    }

    private func found(
        _ holder: String, unseen: String = ""
    ) -> [LogEvent.OperationSearch] {
        [.init(operation: OperationID(1), holder: holder, unseen: unseen)]
    }

    private func operation(
        _ verdict: ResumeSearch.Verdict, kind: String = "Fetch", state: FoundOperation.State = .started
    ) -> FoundOperation {
        FoundOperation(name: "fetch", kind: kind, state: state, verdict: verdict)
    }

    @Test("an operation of the log that executes is found by its name and the last part of its class")
    func matching() {
        let lost = [operation(.unreachable, kind: "Net.Fetch")]
        #expect(searches(lost) == found(""))
        #expect(searches(lost, name: nil) == [])
        #expect(searches(lost, kind: "Store") == [])
    }

    @Test("nothing is said where operations that look alike differ")
    func alike() {
        #expect(searches([operation(.unreachable), operation(.held(by: "a closure"))]) == [])
    }

    @Test(
        "nothing is said where the search found more or fewer than the log has of operations that look alike")
    func others() {
        #expect(searches([operation(.unreachable), operation(.unreachable)]) == [])
        #expect(searches([]) == [])
    }

    @Test("what holds an operation is named unless it is a thread")
    func held() {
        #expect(searches([operation(.held(by: "a closure"))], unseen: "its memory") == found("a closure"))
        #expect(searches([operation(.heldByThread("thread 7"))]) == [])
        #expect(
            FinishVerdicts.sentence(.held(by: "a closure"), unseen: nil) == "a closure may finish it")
        #expect(FinishVerdicts.sentence(.heldByThread("thread 7"), unseen: nil) == nil)
    }

    @Test("nothing is proven by a search that could not see everything")
    func unseen() {
        #expect(
            searches([operation(.unreachable)], unseen: "it uses io_uring")
                == found("", unseen: "it uses io_uring"))
        #expect(
            FinishVerdicts.sentence(.unreachable, unseen: "it uses io_uring")
                == "possibly nothing can finish it: only its queue leads to it, but it uses io_uring")
    }

    @Test("an operation that waits is not accused")
    func waiting() { #expect(searches([operation(.unknown, state: .waiting)]) == []) }
}
