import Foundation
import Inspector
import Ops
import Testing

/// A program that does nothing but sleep: operations with dependencies and priorities, all added at once to a
/// queue that is resumed after that. Two of them that sleep at once do not slow each other down, so that a
/// replay can be held against another run.
struct SleepingProgram {
    private let microseconds: [UInt32]
    private let priorities: [Operation.QueuePriority]
    private let dependencies: [[Int]]

    /// 16 operations for each slot, of 63 to 120 ms each: more than a second altogether.
    init(seed: UInt64, slots: Int) {
        var generator = SplitMix64(seed: seed)
        let count = 16 * slots
        microseconds = (0..<count).map { _ in UInt32.random(in: 63_000...120_000, using: &generator) }
        priorities = (0..<count).map { _ in
            [.veryLow, .normal, .normal, .normal, .veryHigh].randomElement(using: &generator) ?? .normal
        }
        dependencies = (0..<count).map { index in
            (max(0, index - 12)..<index).filter { _ in Int.random(in: 0..<12, using: &generator) == 0 }
        }
    }

    func run(slots: Int) throws -> Trace {
        try recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.maxConcurrentOperationCount = slots
            queue.isSuspended = true
            var operations: [Operation] = []
            for (index, microseconds) in microseconds.enumerated() {
                let operation = BlockOperation { usleep(microseconds) }
                operation.name = "\(index)"
                operation.queuePriority = priorities[index]
                for dependency in dependencies[index] { operation.addDependency(operations[dependency]) }
                operations.append(operation)
            }
            for operation in operations { queue.addOperation(operation) }
            queue.isSuspended = false
            queue.drain()
        }
    }
}
