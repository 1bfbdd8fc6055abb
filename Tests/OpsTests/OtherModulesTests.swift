import CRecorder
import ForeignOperations
import Foundation
import Inspector
import ResilientOperations
import Testing

@testable import Ops

/// The superclass is in a module that was compiled without opviz. With library evolution, the subclass's
/// table is copied from the superclass's current table at its first use.
@Suite(
    "Operations of other modules are exact",
    .whereClassesAreObserved)
struct OtherModulesTests {
    /// What the log says of each operation, in the order of the enqueues.
    private func run(_ operations: [Operation]) throws -> [[LogEvent]] {
        let events = try recordedEvents { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            for operation in operations { queue.addOperation(operation) }
            queue.drain()
        }.events
        let identifiers = events.compactMap { event in
            if case .enqueued(let enqueue) = event.body { enqueue.operation } else { nil }
        }
        return identifiers.map { id in events.filter { $0.operation == id } }
    }

    /// Runs operations, and expects each transition of each to stand in the log once, with its time. The body
    /// is logged for classes with their own `start`. Under Foundation's, it is the execution.
    private func expectEachOnce(
        _ operations: Operation..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let logged = try run(operations)
        #expect(logged.count == operations.count, sourceLocation: sourceLocation)
        for (operation, events) in zip(operations, logged) {
            let startsPlainly = recorder_has_base(
                METHOD_START, ClassTable(of: type(of: operation)).metadata)
            let body = startsPlainly ? [] : ["body began", "body ended"]
            #expect(
                events.compactMap(\.transition) == ["enqueued", "ready", "executing"] + body + ["finished"],
                sourceLocation: sourceLocation)
            #expect(events.allSatisfy { $0.notBefore == nil }, sourceLocation: sourceLocation)
        }
    }

    @Test("operations are exact in logs, also those of an open class of another module, as it is")
    func ordinary() throws {
        let (base, generic) = (ForeignBase(), ForeignGeneric<Int>())
        try expectEachOnce(base, generic)
        #expect(base.runs == 1 && generic.runs == 1)
    }

    @Test("operations of another module's subclasses that override nothing, main or start are exact")
    func ordinarySubclasses() throws {
        final class Inheriting: ForeignBase, @unchecked Sendable {}
        final class WithMain: ForeignBase, @unchecked Sendable { override func main() { super.main() } }
        final class WithStart: ForeignBase, @unchecked Sendable { override func start() { super.start() } }
        final class Generic<Value>: ForeignGeneric<Value>, @unchecked Sendable {
            override func main() { super.main() }
        }
        let operations = [Inheriting(), WithMain(), WithStart()]
        let generic = Generic<String>()
        try expectEachOnce(operations[0], operations[1], operations[2], generic)
        #expect(operations.map(\.runs) == [1, 1, 1] && generic.runs == 1)
    }

    @Test("operations of an open class of a module with library evolution are exact")
    func resilient() throws {
        let (base, generic) = (ResilientBase(), ResilientGeneric<Int>())
        try expectEachOnce(base, generic)
        #expect(base.runs == 1 && generic.runs == 1)
    }

    @Test("operations of a resilient class's subclasses are exact before the class was seen itself")
    func resilientSubclasses() throws {
        // A superclass that no other test has.
        enum Own {}
        final class Inheriting: ResilientGeneric<Own>, @unchecked Sendable {}
        final class WithMain: ResilientGeneric<Own>, @unchecked Sendable {
            override func main() { super.main() }
        }
        final class WithStart: ResilientGeneric<Own>, @unchecked Sendable {
            override func start() { super.start() }
        }
        let operations = [Inheriting(), WithMain(), WithStart(), ResilientGeneric<Own>()]
        try expectEachOnce(operations[0], operations[1], operations[2], operations[3])
        #expect(operations.map(\.runs) == [1, 1, 1, 1])
    }

    @Test("operations of subclasses whose tables are copied from an observed class are exact")
    func subclassesOfObserved() throws {
        final class Inheriting: ResilientBase, @unchecked Sendable {}
        final class WithMain: ResilientBase, @unchecked Sendable { override func main() { super.main() } }
        final class WithStart: ResilientBase, @unchecked Sendable {
            override func start() { super.start() }
        }
        class Generic<Value>: ResilientGeneric<Value>, @unchecked Sendable {
            override func main() { super.main() }
        }
        final class Grandchild<Value>: Generic<Value>, @unchecked Sendable {
            override func start() { super.start() }
            override func main() { super.main() }
        }
        try expectEachOnce(ResilientBase(), ResilientGeneric<UInt8>())

        // From here on there are such classes: they begin with what their superclass holds.
        let main = ClassTable.slots(
            base: ResilientBase.self, plain: Inheriting.self, overriding: WithMain.self)
        #expect(main.count == 1, "of a table that was not copied, all replaced methods would differ")
        let operations = [Inheriting(), WithMain(), WithStart()]
        let generic = [Generic<UInt8>(), Grandchild<UInt8>()]
        try expectEachOnce(operations[0], operations[1], operations[2], generic[0], generic[1])
        #expect(operations.map(\.runs) == [1, 1, 1] && generic.map(\.runs) == [1, 1])
    }

    @Test("operations of other modules are exact when they are cancelled, and when edges come late")
    func cancelledAndLate() throws {
        final class Derived: ResilientBase, @unchecked Sendable {}
        let (first, second, cancelled) = (ForeignBase(), Derived(), ResilientBase())
        let trace = try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            queue.addOperations([first, second, cancelled], waitUntilFinished: false)
            second.addDependency(first)
            cancelled.cancel()
            queue.isSuspended = false
            queue.drain()
        }
        #expect(trace.edges == [Trace.Edge(predecessor: 0, successor: 1)])
        #expect(trace.operations.map(\.outcome) == [.succeeded, .succeeded, .cancelled])
        #expect(trace.operations.map { $0.executing?.isExact } == [true, true, nil])
        #expect(trace.operations[2].cancelled?.isExact == true && cancelled.runs == 0)
        let finished = try #require(trace.operations[0].finished).notAfter
        #expect(finished <= (trace.operations[1].ready?.notAfter ?? .min))
    }
}

extension LogEvent {
    /// The operation whose state it describes.
    var operation: OperationID? {
        switch body {
        case .enqueued(let enqueue): enqueue.operation
        case .ready(let id), .executing(let id), .cancelled(let id), .finished(let id, _), .bodyBegan(let id),
            .bodyEnded(let id):
            id
        default: nil
        }
    }

    /// Its name, if it describes an operation's state.
    var transition: String? {
        switch body {
        case .enqueued: "enqueued"
        case .ready: "ready"
        case .executing: "executing"
        case .cancelled: "cancelled"
        case .finished: "finished"
        case .bodyBegan: "body began"
        case .bodyEnded: "body ended"
        default: nil
        }
    }
}
