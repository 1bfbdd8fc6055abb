import EventLog

/// The sentences about a standstill, for snapshots, for the screen of a running program, and for traces.
package struct StandstillText {
    package static let longestCircle = 6

    /// The name of an operation. Like all names here, it must be safe for the output.
    private let name: (Int) -> String
    /// An identifier that distinguishes operations with the same name.
    private let identity: (Int) -> String
    /// `queue import`
    private let queue: (Int) -> String
    private let limits: [Int]
    private let queues: [Int]
    private let threadTargets: [WaitGraph.Target?]
    /// `is still executing, after 3.2 s on thread 17`.
    private let execution: (Int) -> String
    /// `has been suspended for 3.2 s`.
    private let suspension: (Int) -> String
    /// What may keep a ready operation from starting, as the beginning of a sentence: `poll 1 has been
    /// calculating for 3.2 s, and may hold every thread: `. Empty if nothing is known.
    private let threads: (Int) -> String
    /// The executor that a task waits for: `the main actor`.
    private let executor: (Int) -> String

    package init(
        _ graph: WaitGraph, name: @escaping (Int) -> String, identity: @escaping (Int) -> String,
        queue: @escaping (Int) -> String,
        execution: @escaping (Int) -> String = { _ in "is still executing" },
        suspension: @escaping (Int) -> String = { _ in "is suspended" },
        threads: @escaping (Int) -> String = { _ in "" },
        executor: @escaping (Int) -> String = { _ in "its executor" }
    ) {
        (self.name, self.identity, self.queue) = (name, identity, queue)
        (self.execution, self.suspension, self.threads) = (execution, suspension, threads)
        self.executor = executor
        limits = graph.queues.map(\.limit)
        threadTargets = graph.queues.map(\.threadTarget)
        queues = graph.operations.map(\.queue)
    }

    /// The cause, without a full stop: `page 1 is still executing`. Leaves out what waits for it.
    ///
    /// - Parameter followsName: whether it follows the name of the operation, so that it says "it".
    package func sentence(_ standstill: Standstill, followsName: Bool = false) -> String {
        let name = followsName ? "it" : name(standstill.operation)
        return switch standstill.cause {
        case .deadlock(let hops): "deadlock: " + circle(hops)
        case .executing: "\(name) \(execution(standstill.operation))"
        case .unnotified: "\(name) is finished, but never notified its queue"
        case .suspended(let queue): "\(self.queue(queue)) \(suspension(queue))"
        case .cancelled: "\(name) was cancelled before its start, and never finished"
        case .notAdded: "\(name) was never added to a queue"
        case .notReady: "\(name) is not ready, for an unknown reason"
        case .full(let queue):
            "\(name) is ready, but every slot of \(self.queue(queue)) is taken "
                + "(limit \(Prose.grouped(limits[queue])))"
        case .notStarted:
            "\(threads(standstill.operation))\(name) is ready, but nothing has started it"
        }
    }

    /// What to change: a sentence without a full stop.
    ///
    /// - Parameter isInBody: whether the body of the operation has not returned. Then no `finish()` is due.
    package static func advice(_ cause: Standstill.Cause, isInBody: Bool = false) -> String {
        switch cause {
        case .deadlock(let hops) where hops.allSatisfy({ $0.reason == .dependency }):
            "remove one of these dependencies; addDependency does not look for circles"
        case .deadlock(let hops) where hops.contains(where: \.isOfTask): taskAdvice
        case .deadlock(let hops) where hops.contains { $0.reason == .blockedThread }:
            "do not block the main thread until an operation finishes that needs it: go on in a completion "
                + "block, in an operation of OperationQueue.main that depends on it, or let the run loop "
                + "run meanwhile"
        case .deadlock:
            "do not wait inside an operation: add dependencies, "
                + "or use a GroupOperation, which has a queue of its own"
        case .executing where isInBody:
            "find out what its body waits for or calculates, or give it a timeout"
        case .executing:
            "make sure that every path through it ends in finish(), also after failures and cancellation, "
                + "or give it a timeout"
        case .unnotified:
            "call willChangeValue and didChangeValue for isFinished around the change; if isFinished is "
                + "computed from other values, around their changes"
        case .suspended: "set isSuspended of the queue to false"
        case .cancelled: "make start() finish an operation that was cancelled before its start"
        case .notAdded: "add it to a queue, or remove the dependency on it"
        case .notReady: "an override of isReady must notify its queue when it becomes true"
        case .full:
            "raise maxConcurrentOperationCount, "
                + "or find out why the operations that have the slots do not finish"
        case .notStarted: "find out whether other operations block every thread"
        }
    }

    /// What to change about a circle that includes a Swift task.
    package static let taskAdvice =
        "do not block the thread of a task until an operation finishes: await a continuation that the "
        + "operation's completion block resumes, so that the task gives up its executor meanwhile"

    /// `A → B → A (each waits for the next)`.
    ///
    /// - Parameter circle: each depends on the next, and the last on the first.
    package static func dependencyCircle(_ circle: [Int], _ name: (Int) -> String) -> String {
        let isWhole = circle.count <= longestCircle
        let end = isWhole ? circle.first.map(name) ?? "" : "…"
        let shown = circle.prefix(longestCircle).map(name) + [end]
        return shown.joined(separator: " → ") + " (each waits for the next"
            + (isWhole ? ")" : "; \(Prose.grouped(circle.count)) operations in all)")
    }

    private func circle(_ hops: [WaitHop]) -> String {
        // Names that several operations share get an identifier.
        let names = Dictionary(grouping: hops.map(\.operation), by: self.name)
        func name(_ operation: Int) -> String {
            let name = self.name(operation)
            return names[name]?.count ?? 0 > 1 ? "\(name) (\(identity(operation)))" : name
        }
        if hops.allSatisfy({ $0.reason == .dependency }) {
            return Self.dependencyCircle(hops.map(\.operation), name)
        }
        let rest =
            hops.count > Self.longestCircle
            ? ", and so on, \(Prose.grouped(hops.count)) operations "
                + "\(hops.contains(where: \.isOfTask) ? "and tasks " : "")in all" : ""
        return hops.prefix(Self.longestCircle).map { step($0, name) }.joined(separator: ", ") + rest
    }

    /// The circle of an operation that may wait for a task that it created, to follow a sentence about it:
    /// `; it created task B, B needs the main actor, which C has, C blocks its thread until A finishes: a
    /// deadlock if A waits for B`. Empty without such a circle.
    ///
    /// - Parameter isInBody: whether its body has not returned. Otherwise the task may have to finish it.
    package func possibleCircle(_ standstill: Standstill, isInBody: Bool = true) -> String {
        guard let first = standstill.possibleCircle.first else { return "" }
        let hops = standstill.possibleCircle.dropFirst()
        let steps = hops.prefix(Self.longestCircle).map { step($0, name) }
        let rest = hops.count > Self.longestCircle ? ", and so on" : ""
        return "; it created task \(name(first.next)), \(steps.joined(separator: ", "))\(rest): "
            + (isInBody
                ? "a deadlock if \(name(first.operation)) waits for \(name(first.next))"
                : "a deadlock if \(name(first.next)) has to finish \(name(first.operation))")
    }

    private func step(_ hop: WaitHop, _ name: (Int) -> String) -> String {
        let (one, other) = (name(hop.operation), name(hop.next))
        return switch hop.reason {
        case .wait: "\(one) blocks its thread until \(other) finishes"
        case .queueWait where hop.next == hop.operation:
            "\(one) blocks its thread until \(queue(of: hop.next)) is empty, and is in that queue itself"
        case .queueWait:
            "\(one) blocks its thread until \(queue(of: hop.next)) is empty, and \(other) is in it"
        case .key: "\(one) waits for a key behind \(other)"
        case .dependency: "\(one) depends on \(other)"
        case .child: "\(one) waits for its child \(other)"
        case .slot:
            "\(one) needs a slot of \(queue(of: hop.operation)) (limit "
                + "\(Prose.grouped(limits[queues[hop.operation]]))), and \(other) has "
                + "\(limits[queues[hop.operation]] == 1 ? "it" : "one")"
        case .awaited: "\(one) awaits \(other)"
        case .executor: "\(one) needs \(executor(hop.operation)), which \(other) has"
        // Only main queues have a single thread.
        case .thread: "\(one) needs the main thread, which \(other) has"
        case .blockedThread:
            "\(one) needs the main thread, which is blocked until " + blockedThread(hop, other)
        case .created: "\(one) created \(other)"
        }
    }

    private func blockedThread(_ hop: WaitHop, _ other: String) -> String {
        let isSame = hop.operation == hop.next
        guard case .queue(let queue) = threadTargets[queues[hop.operation]] else {
            return isSame ? "it has finished" : "\(other) finishes"
        }
        return "\(self.queue(queue)) is empty, and \(isSame ? "it" : other) is in it"
    }

    private func queue(of operation: Int) -> String {
        queues[operation] < 0 ? "its queue" : queue(queues[operation])
    }
}

extension WaitHop {
    /// Whether only a Swift task can be at one of its ends.
    fileprivate var isOfTask: Bool {
        switch reason {
        case .awaited, .executor, .thread, .created: true
        case .wait, .queueWait, .key, .dependency, .child, .slot, .blockedThread: false
        }
    }
}
