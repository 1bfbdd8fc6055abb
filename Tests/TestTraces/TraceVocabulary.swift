package import EventLog
package import InspectorAnalysis

/// A trace in the words of a test:
///
///     trace(limit: 1) {
///         op("A", enqueued: 0, ready: 0, start: 10, finish: 30)
///         op("B", enqueued: 0, ready: 30, start: 30, finish: 50).after("A")
///     }
///
/// Times are nanoseconds. All operations are on one queue. Names that `after` and `inside` use have to be
/// there.
package func trace(
    limit: Int = -1, limits: [(time: Int64, limit: Int)]? = nil, suspensions: [Range<Int64>] = [],
    lastAlive: Int64 = 0, dropped: UInt64 = 0, @Sketches _ sketches: () -> [OperationSketch]
) -> Trace {
    let sketches = sketches()
    var trace = Trace(
        header: LogHeader(
            process: "test", processID: 7, host: "box", start: 0, droppedEvents: dropped, isClosed: true,
            lastAlive: lastAlive))
    var queue = TracedQueue(id: QueueID(1), name: "main")
    queue.limits = limits ?? [(0, limit)]
    queue.suspensions = suspensions
    trace.queues = [queue]
    let indices = Dictionary(uniqueKeysWithValues: sketches.enumerated().map { ($0.element.name, $0.offset) })
    var operations: [OperationDraft] = []
    for (index, sketch) in sketches.enumerated() {
        var operation = sketch.operation
        operation.id = OperationID(UInt64(index + 1))
        operation.parent = sketch.parent.flatMap { indices[$0] }
        operations.append(operation)
        for predecessor in sketch.predecessors {
            guard let predecessor = indices[predecessor] else { continue }
            trace.edges.append(Trace.Edge(predecessor: predecessor, successor: index))
        }
    }
    trace.operations = TracedOperations(operations)
    return trace
}

/// An operation whose name is not its kind; a transition without a time is not in the trace.
package func op(
    _ name: String, kind: String = "Work", enqueued: Int64? = 0, ready: Int64? = nil, start: Int64? = nil,
    finish: Int64? = nil, outcome: Outcome = .succeeded
) -> OperationSketch {
    var operation = OperationDraft(id: OperationID(0), kind: kind)
    operation.name = name
    operation.queue = enqueued == nil ? nil : 0
    operation.enqueued = enqueued.map { TraceMoment($0) }
    operation.ready = ready.map { TraceMoment($0) }
    operation.executing = start.map { TraceMoment($0) }
    operation.finished = finish.map { TraceMoment($0) }
    operation.outcome = finish.map { _ in outcome }
    operation.thread = start.map { _ in 12 }
    return OperationSketch(name: name, operation: operation)
}

package struct OperationSketch {
    package let name: String
    package var operation: OperationDraft
    package var predecessors: [String] = []
    package var parent: String?

    package func after(_ predecessors: String...) -> OperationSketch {
        with { $0.predecessors += predecessors }
    }

    package func inside(_ parent: String) -> OperationSketch { with { $0.parent = parent } }

    /// The start is known only to lie in this interval.
    package func starting(within interval: ClosedRange<Int64>) -> OperationSketch {
        with { $0.operation.executing = TraceMoment(interval) }
    }

    /// The finish is known only to lie in this interval.
    package func finishing(within interval: ClosedRange<Int64>) -> OperationSketch {
        with { $0.operation.finished = TraceMoment(interval) }
    }

    private func with(_ change: (inout OperationSketch) -> Void) -> OperationSketch {
        var sketch = self
        change(&sketch)
        return sketch
    }
}

extension Trace {
    /// The same run with other operations: those that it has, changed by the function.
    package mutating func changeOperations(_ change: (inout [OperationDraft]) -> Void) {
        var drafts = operations.map(OperationDraft.init)
        change(&drafts)
        operations = TracedOperations(drafts)
    }
}

extension OperationDraft {
    package init(_ operation: TracedOperation) {
        self.init(id: operation.id, kind: operation.kind)
        name = operation.name
        queue = operation.queue
        parent = operation.parent
        priority = operation.priority
        enqueued = operation.enqueued
        ready = operation.ready
        executing = operation.executing
        bodyBegan = operation.bodyBegan
        bodyEnded = operation.bodyEnded
        cancelled = operation.cancelled
        finished = operation.finished
        unnotifiedFinish = operation.unnotifiedFinish
        outcome = operation.outcome
        thread = operation.thread
    }
}

extension TraceMoment {
    package init(_ interval: ClosedRange<Int64>) {
        self.init(notBefore: interval.lowerBound, notAfter: interval.upperBound)
    }
}

@resultBuilder
package enum Sketches {
    package static func buildExpression(_ sketch: OperationSketch) -> [OperationSketch] { [sketch] }
    package static func buildBlock(_ sketches: [OperationSketch]...) -> [OperationSketch] {
        sketches.flatMap { $0 }
    }
    package static func buildArray(_ sketches: [[OperationSketch]]) -> [OperationSketch] {
        sketches.flatMap { $0 }
    }
}

extension TraceAnalysis {
    /// The operation of that name, which has to be there.
    package func waits(of name: String) -> LifetimeParts? {
        trace.operations.firstIndex { $0.name == name }.flatMap { waits[$0] }
    }

    package var criticalNames: [String] { criticalPath.operations.map { trace.operations[$0].displayName } }
}
