package import Foundation

/// What can happen to a barrier, done with a queue of any class: the same cases, with the same expectations,
/// for `InstrumentedQueue` and for a program under `opviz record`, whose trackers have no code in common.
///
/// Tests/Programs/Barriers.swift is compiled with this file, so it imports nothing but Foundation.
package struct BarrierCase: Sendable {
    /// Of its queue, too.
    package let name: String
    /// The operations of the queue, as `Trace.barrierAccount(on:)` says it.
    package let expected: [String]
    private let use: @Sendable (OperationQueue) -> Void

    /// Uses `queue`, and returns when it is empty.
    package func run(on queue: OperationQueue) {
        queue.name = name
        use(queue)
        queue.waitUntilAllOperationsAreFinished()
    }

    package static func named(_ name: String) -> BarrierCase { all.first { $0.name == name }! }

    package static let all = [
        BarrierCase(name: "alone", expected: ["Barrier 1"]) { queue in
            let ran = DispatchSemaphore(value: 0)
            queue.addBarrierBlock { ran.signal() }
            ran.wait()
        },
        BarrierCase(name: "behind running work", expected: ["running", "Barrier 1 after running"]) { queue in
            let gate = Gate()
            queue.addOperation(step("running", gate.pass))
            gate.whilePassing { queue.addBarrierBlock {} }
        },
        BarrierCase(
            name: "suspended",
            expected: [
                "before 1", "before 2", "Barrier 1 after before 1, before 2", "behind after Barrier 1",
            ]
        ) { queue in
            queue.isSuspended = true
            queue.addOperation(step("before 1"))
            queue.addOperation(step("before 2"))
            queue.addBarrierBlock {}
            queue.addOperation(step("behind"))
            queue.isSuspended = false
        },
        BarrierCase(
            name: "two barriers",
            expected: [
                "before", "Barrier 1 after before", "Barrier 2 after before, Barrier 1",
                "behind after Barrier 1, Barrier 2",
            ]
        ) { queue in
            queue.isSuspended = true
            queue.addOperation(step("before"))
            queue.addBarrierBlock {}
            queue.addBarrierBlock {}
            queue.addOperation(step("behind"))
            queue.isSuspended = false
        },
        BarrierCase(
            name: "work between barriers",
            expected: [
                "before", "Barrier 1 after before", "between after Barrier 1",
                "Barrier 2 after before, Barrier 1, between", "behind after Barrier 1, Barrier 2",
            ]
        ) { queue in
            queue.isSuspended = true
            queue.addOperation(step("before"))
            queue.addBarrierBlock {}
            queue.addOperation(step("between"))
            queue.addBarrierBlock {}
            queue.addOperation(step("behind"))
            queue.isSuspended = false
        },
        BarrierCase(
            name: "a dependency of its own",
            expected: ["before", "Barrier 1 after before", "behind after before, Barrier 1"]
        ) { queue in
            queue.isSuspended = true
            let (before, behind) = (step("before"), step("behind"))
            behind.addDependency(before)
            queue.addOperation(before)
            queue.addBarrierBlock {}
            queue.addOperation(behind)
            queue.isSuspended = false
        },
        BarrierCase(
            name: "several added at once",
            expected: [
                "before", "Barrier 1 after before", "behind 1 after Barrier 1", "behind 2 after Barrier 1",
            ]
        ) { queue in
            queue.isSuspended = true
            queue.addOperation(step("before"))
            queue.addBarrierBlock {}
            queue.addOperations([step("behind 1"), step("behind 2")], waitUntilFinished: false)
            queue.isSuspended = false
        },
        BarrierCase(
            name: "added by another thread while it runs",
            expected: ["before", "Barrier 1 after before", "behind after Barrier 1"]
        ) { queue in
            let gate = Gate()
            queue.isSuspended = true
            queue.addOperation(step("before"))
            queue.addBarrierBlock(gate.pass)
            queue.isSuspended = false
            gate.whilePassing {
                let added = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    queue.addOperation(step("behind"))
                    added.signal()
                }
                added.wait()
            }
        },
        BarrierCase(
            name: "added by its closure",
            expected: ["before", "Barrier 1 after before", "added after Barrier 1 by Barrier 1"]
        ) { queue in
            let added = DispatchSemaphore(value: 0)
            queue.isSuspended = true
            queue.addOperation(step("before"))
            queue.addBarrierBlock {
                queue.addOperation(step("added"))
                added.signal()
            }
            queue.isSuspended = false
            added.wait()
        },
        BarrierCase(
            name: "added when it has finished", expected: ["before", "Barrier 1 after before", "later"]
        ) { queue in
            queue.isSuspended = true
            queue.addOperation(step("before"))
            queue.addBarrierBlock {}
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
            queue.addOperation(step("later"))
        },
        // Foundation reads freed memory where a cancelled barrier finishes before what it waits for.
        BarrierCase(
            name: "cancelled before it ran",
            expected: ["before", "Barrier 1 after before, cancelled unrun"]
        ) { queue in
            let gate = Gate()
            let before = step("before", gate.pass)
            queue.addOperation(before)
            gate.whilePassing {
                queue.addBarrierBlock {}
                queue.isSuspended = true
            }
            before.waitUntilFinished()
            queue.cancelAllOperations()
            queue.isSuspended = false
        },
    ]
}

private func step(_ name: String, _ body: @escaping @Sendable () -> Void = {}) -> Operation {
    let operation = BlockOperation(block: body)
    operation.name = name
    return operation
}

/// Where one thread waits while another does something.
private struct Gate: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let open = DispatchSemaphore(value: 0)

    var pass: @Sendable () -> Void {
        {
            entered.signal()
            open.wait()
        }
    }

    func whilePassing(_ body: () -> Void) {
        entered.wait()
        body()
        open.signal()
    }
}
