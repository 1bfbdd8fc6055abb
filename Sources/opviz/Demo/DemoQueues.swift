import Foundation
import Ops

/// The queues of the workloads that `opviz demo` records, and their operations.
struct DemoQueues {
    let recorder: Recorder
    /// Downloads: the server accepts two connections.
    let network: InstrumentedQueue
    /// Decodes and resizes pictures.
    let processor: InstrumentedQueue
    /// Uploads: one at a time.
    let uploads: InstrumentedQueue

    init(_ recorder: Recorder) {
        func queue(_ name: String, slots: Int) -> InstrumentedQueue {
            let queue = InstrumentedQueue(recorder: recorder)
            queue.name = name
            queue.maxConcurrentOperationCount = slots
            return queue
        }
        self.recorder = recorder
        network = queue("network", slots: 2)
        processor = queue("processor", slots: 2)
        uploads = queue("uploads", slots: 1)
    }
}

/// An operation of a workload.
typealias DemoOperation = OutputOperation<Void>

extension OutputOperation<Void> {
    /// Waits without a thread, as for a server.
    static func waiting(_ kind: String, _ name: String, milliseconds: Int) -> DemoOperation {
        TaskOperation(name: name, kind: kind) { try await Task.sleep(for: .milliseconds(milliseconds)) }
    }

    /// Computes.
    static func computing(_ kind: String, _ name: String, milliseconds: Int) -> DemoOperation {
        SynchronousOperation(name: name, kind: kind) { DemoComputation.run(milliseconds: milliseconds) }
    }

    /// Fails after a moment.
    static func failing(_ kind: String, _ name: String, _ failure: DemoFailure) -> DemoOperation {
        SynchronousOperation(name: name, kind: kind) {
            DemoComputation.run(milliseconds: 5)
            throw failure
        }
    }

    /// Blocks its thread.
    static func blocking(_ kind: String, _ name: String, _ body: @escaping @Sendable () -> Void)
        -> DemoOperation
    {
        SynchronousOperation(name: name, kind: kind, body: body)
    }
}

/// What goes wrong in a workload.
enum DemoFailure: Error, CustomStringConvertible {
    case connectionLost
    case damagedFile

    var description: String {
        switch self {
        case .connectionLost: "the connection was lost"
        case .damagedFile: "the file is damaged"
        }
    }
}

/// Keeps a CPU busy.
private enum DemoComputation {
    static func run(milliseconds: Int) {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {}
    }
}
