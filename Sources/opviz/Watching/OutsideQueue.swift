import EventLog
import Inspector
import MemorySearch
import ProgramRecording

/// A queue of a process that writes no log, as a search of its memory found it.
struct OutsideQueue {
    private let queue: FoundQueue
    private let unseen: String?

    /// How many started operations of a queue the text names, and how many waiting ones. Those that look
    /// alike are one.
    private static let most = 5

    init(_ queue: FoundQueue, unseen: String?) { (self.queue, self.unseen) = (queue, unseen) }

    /// Queues with operations that nothing can finish come first, then those in which the most wait.
    var rank: (Int, Int) {
        (
            queue.operations.contains { $0.verdict == .unreachable } ? 0 : 1,
            -queue.operations.count { $0.state == .waiting }
        )
    }

    // MARK: Text

    /// The queue, and its operations: those that nothing can finish, the others that have started, and the
    /// others, as they were added.
    var lines: [String] {
        func operations(_ state: FoundOperation.State) -> [FoundOperation] {
            queue.operations.filter { $0.state == state }
        }
        let begun = operations(.started)
        let started =
            begun.filter { $0.verdict == .unreachable } + begun.filter { $0.verdict != .unreachable }
        let dispatched = operations(.dispatched)
        let waiting = operations(.waiting)
        var facts = [queue.limit.map { "limit \(Prose.grouped($0))" } ?? "no limit"]
        if queue.isSuspended { facts.append("suspended") }
        facts.append("\(Prose.grouped(started.count)) started")
        if !dispatched.isEmpty { facts.append("\(Prose.grouped(dispatched.count)) waiting for a thread") }
        facts.append("\(Prose.grouped(waiting.count)) waiting")
        let name =
            queue.name.isEmpty ? "queue without a name" : TerminalText.shortened(queue.name, toColumns: 60)
        let hasFreeSlot = queue.limit.map { started.count + dispatched.count < $0 } ?? true
        return ["  \(name): " + facts.joined(separator: ", ")] + lines(started) { claim($0) }
            + lines(dispatched) { _ in "has a slot, and no thread has begun it" }
            + lines(waiting) { reason($0, hasFreeSlot) }
    }

    private func lines(
        _ operations: [FoundOperation], _ sentence: (FoundOperation) -> String
    ) -> [String] {
        var counts: [String: Int] = [:]
        var texts: [String] = []
        for operation in operations {
            let text = "\(Self.name(operation)) \(sentence(operation))"
            if counts[text] == nil { texts.append(text) }
            counts[text, default: 0] += 1
        }
        let shown = texts.prefix(Self.most)
        let left = operations.count - shown.reduce(0) { $0 + (counts[$1] ?? 0) }
        return shown.map { text in
            let count = counts[text] ?? 1
            return "      " + (count > 1 ? "\(Prose.grouped(count)) × " : "") + text
        } + (left > 0 ? ["      and \(Prose.grouped(left)) more"] : [])
    }

    static func name(_ operation: FoundOperation) -> String {
        let kind = TerminalText.shortened(operation.kind, toColumns: 40)
        return operation.name.isEmpty
            ? kind : "\(TerminalText.shortened(operation.name, toColumns: 60)) (\(kind))"
    }

    private func claim(_ operation: FoundOperation) -> String {
        if let thread = operation.thread { return "is executing, on thread \(thread)" }
        let started = "has started, and no thread is in it"
        return FinishVerdicts.sentence(operation.verdict, unseen: unseen).map { "\(started); \($0)" }
            ?? started
    }

    private func reason(_ operation: FoundOperation, _ hasFreeSlot: Bool) -> String {
        let cancelled = operation.isCancelled ? "is cancelled, and " : ""
        if queue.isSuspended { return cancelled + "waits: the queue is suspended" }
        guard let first = operation.dependencies.first else {
            return cancelled + (hasFreeSlot ? "waits until it is ready" : "waits for a slot")
        }
        let name = TerminalText.shortened(first.name, toColumns: 60)
        let others = operation.dependencies.count + operation.moreDependencies - 1
        return cancelled + "waits for \(name)" + (first.isNeverAdded ? ", which is in no queue" : "")
            + (others > 0 ? " and \(Prose.counted(others, "more dependency", "more dependencies"))" : "")
    }

    // MARK: JSON

    var object: JSONObject {
        var object = JSONObject()
        object.add("queue", queue.name)
        object.add("limit", queue.limit)
        object.add("isSuspended", queue.isSuspended)
        object.add(
            "operations",
            queue.operations.map { operation in
                var object = JSONObject()
                object.add("name", operation.name)
                object.add("kind", operation.kind)
                object.add("state", "\(operation.state)")
                object.add("isCancelled", operation.isCancelled)
                object.add("waitsFor", operation.dependencies.map(\.name))
                object.add("waitsForMore", operation.moreDependencies)
                object.add("thread", operation.thread)
                operation.verdict.add(to: &object)
                return object
            })
        return object
    }
}
