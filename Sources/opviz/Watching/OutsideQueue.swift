import EventLog
import Inspector
import MemorySearch
import ProgramRecording

/// A queue of a process that writes no log, as a search of its memory found it.
struct OutsideQueue {
    private let queue: FoundQueue
    /// The threads that execute operations.
    private let executing: Set<Int32>
    private let unseen: String?

    /// How many started operations of a queue the text names, and how many waiting ones.
    private static let most = 5

    init(_ queue: FoundQueue, executing: Set<Int32>, unseen: String?) {
        (self.queue, self.executing, self.unseen) = (queue, executing, unseen)
    }

    // MARK: Text

    /// The queue, and its operations: those that have started, then the others, as they were added.
    var lines: [String] {
        let started = queue.operations.filter { $0.state == .started }
        let waiting = queue.operations.filter { $0.state == .waiting }
        var facts = [queue.limit.map { "limit \(Prose.grouped($0))" } ?? "no limit"]
        if queue.isSuspended { facts.append("suspended") }
        facts.append("\(Prose.grouped(started.count)) started")
        facts.append("\(Prose.grouped(waiting.count)) waiting")
        let name =
            queue.name.isEmpty ? "queue without a name" : TerminalText.shortened(queue.name, toColumns: 60)
        return ["  \(name): " + facts.joined(separator: ", ")] + lines(started) { claim($0) }
            + lines(waiting) { reason($0) }
    }

    private func lines(
        _ operations: [FoundOperation], _ sentence: (FoundOperation) -> String
    ) -> [String] {
        let left = operations.count - Self.most
        return operations.prefix(Self.most).map { "      \(Self.name($0)) \(sentence($0))" }
            + (left > 0 ? ["      and \(Prose.grouped(left)) more"] : [])
    }

    static func name(_ operation: FoundOperation) -> String {
        let kind = TerminalText.shortened(operation.kind, toColumns: 40)
        return operation.name.isEmpty
            ? kind : "\(TerminalText.shortened(operation.name, toColumns: 60)) (\(kind))"
    }

    /// The thread that executes an operation; nil if none does, as far as is known.
    private func thread(_ operation: FoundOperation) -> Int32? {
        operation.threads.first(where: executing.contains)
    }

    private func claim(_ operation: FoundOperation) -> String {
        if let thread = thread(operation) { return "is executing, on thread \(thread)" }
        let started = "has started, and no thread is in it"
        return FinishVerdicts.sentence(operation.verdict, unseen: unseen).map { "\(started); \($0)" }
            ?? started
    }

    private func reason(_ operation: FoundOperation) -> String {
        let cancelled = operation.isCancelled ? "is cancelled, and " : ""
        if queue.isSuspended { return cancelled + "waits: the queue is suspended" }
        guard let first = operation.dependencies.first else { return cancelled + "waits for a slot" }
        let name = TerminalText.shortened(first.name, toColumns: 60)
        let others = operation.dependencies.count - 1
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
                object.add("thread", thread(operation))
                switch operation.verdict {
                case .unknown: break
                case .unreachable: object.add("isLost", true)
                case .held(let holder):
                    object.add("isLost", false)
                    object.add("holder", holder)
                }
                return object
            })
        return object
    }
}
