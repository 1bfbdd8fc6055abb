import EventLog
import WaitDiagnosis

extension QueueSnapshot {
    private static let largestTree = 200

    /// Describes the queue in a line; then its deadlocks, with those that are possible because an operation
    /// may wait for a Swift task that it created; then a blocked pool of such tasks; then what executes and
    /// is ready, each with a tree of the operations that wait for it.
    ///
    ///     queue "import": 2 executing, 0 ready, 3 waiting; 2 slots
    ///     ● download 1 (DownloadPage), 3 wait for it
    ///       └ parse 1 (ParsePage)
    ///         └ store 1 (StorePage)
    public var description: String {
        let names = shownNames
        var lines = [heading] + deadlocks(names) + (blockedPool.map { [$0.description] } ?? [])
        var waiters: [Int: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            guard case .waiting(let predecessors) = entry.state else { continue }
            for predecessor in predecessors { waiters[predecessor, default: []].append(index) }
        }
        let counts = Dictionary(uniqueKeysWithValues: mostWaitedFor.map { ($0.entry, $0.count) })
        let roots = entries.indices.filter { if case .waiting = entries[$0].state { false } else { true } }
            .sorted { (counts[$0] ?? 0, $1) > (counts[$1] ?? 0, $0) }
        var shown: Set<Int> = []
        for root in roots { append(root, depth: 0, names, waiters, counts[root], &shown, &lines) }
        // A cycle has no root.
        for index in entries.indices where !shown.contains(index) && shown.count < Self.largestTree {
            append(index, depth: 0, names, waiters, nil, &shown, &lines)
        }
        let more = entries.count - shown.count
        if more > 0 { lines.append("… and \(Prose.grouped(more)) more") }
        return lines.joined(separator: "\n")
    }

    /// Names them as `opviz` does in a trace of the queue.
    private func deadlocks(_ names: [String]) -> [String] {
        let queueName = name.isEmpty ? "the queue" : "queue \(Self.printable(name))"
        let text = StandstillText(
            graph, name: { names.indices.contains($0) ? names[$0] : tasks?.names[$0] ?? "a task" },
            identity: { "#\($0 + 1)" }, queue: { $0 == 0 ? queueName : "the main queue" },
            executor: { tasks?.executors[$0] ?? LogEvent.ExecutorKind.unknownInProse })
        return Standstills(graph).all.filter { $0.isDeadlock || !$0.possibleCircle.isEmpty }.map { found in
            let waiting = found.waiting
            let isInBody = !asynchronous.contains(found.operation)
            return text.sentence(found) + text.possibleCircle(found, isInBody: isInBody)
                + (waiting == 0 ? "" : "; stuck behind it: \(Prose.counted(waiting, "operation"))")
        }
    }

    /// A name that several operations share also gets the operation's position among the entries.
    private var shownNames: [String] {
        let names = entries.map { Self.printable($0.name) }
        let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        return names.enumerated().map { index, name in
            counts[name] == 1 ? name : "\(name) #\(index + 1)"
        }
    }

    private var heading: String {
        var (executing, ready, waiting) = (0, 0, 0)
        for entry in entries where entry.isInQueue {
            switch entry.state {
            case .executing: executing += 1
            case .ready: ready += 1
            case .waiting: waiting += 1
            case .finished: break
            }
        }
        let title = name.isEmpty ? "queue" : "queue \"\(Self.printable(name))\""
        let slots = limit < 0 ? "" : "; \(Prose.counted(limit, "slot"))"
        return "\(title): \(Prose.grouped(executing)) executing, \(Prose.grouped(ready)) ready, "
            + "\(Prose.grouped(waiting)) waiting\(slots)" + (isSuspended ? "; suspended" : "")
    }

    private func append(
        _ root: Int, depth: Int, _ names: [String], _ waiters: [Int: [Int]], _ count: Int?,
        _ shown: inout Set<Int>,
        _ lines: inout [String]
    ) {
        // Without recursion, because a chain may be long.
        var pending = [(index: root, depth: depth)]
        while let (index, depth) = pending.popLast() {
            guard shown.count < Self.largestTree, shown.insert(index).inserted else { continue }
            let indent = depth == 0 ? "" : String(repeating: "  ", count: min(depth, 20)) + "└ "
            lines.append(indent + line(index, names[index], isRoot: depth == 0, index == root ? count : nil))
            for waiter in (waiters[index] ?? []).reversed() where !shown.contains(waiter) {
                pending.append((waiter, depth + 1))
            }
        }
    }

    private func line(_ index: Int, _ name: String, isRoot: Bool, _ count: Int?) -> String {
        let entry = entries[index]
        let mark =
            switch entry.state {
            case .executing: "● "
            case .ready: "○ "
            case .finished: entry.isUnnotified ? "● " : "✓ "
            case .waiting: isRoot ? "◌ " : ""
            }
        var text = mark + name
        if entry.kind != entry.name { text += " (\(Self.printable(entry.kind)))" }
        if !entry.isInQueue { text += ", in another queue or in none" }
        if entry.isCancelled { text += ", cancelled" }
        if entry.isUnnotified {
            text +=
                ", isFinished is true, but its queue was not notified: call willChangeValue and "
                + "didChangeValue for isFinished"
        }
        if case .waiting(let predecessors) = entry.state, predecessors.count > 1 {
            text += ", waits for \(Prose.grouped(predecessors.count))"
        }
        if let wait = entry.wait { text += ", \(Self.printable(wait))" }
        if let count { text += count == 1 ? ", 1 waits for it" : ", \(Prose.grouped(count)) wait for it" }
        return text
    }

    /// Removes terminal control sequences, and cuts the text to a line.
    static func printable(_ text: String) -> String {
        let cut = text.count > 80 ? text.prefix(79) + "…" : text[...]
        return String(
            cut.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: "\u{FFFD}"
                default: Character(scalar)
                }
            })
    }
}

extension InstrumentedQueue {
    /// Describes what the queue holds now: what executes, what waits, and for what. Print it when a program
    /// is stuck.
    ///
    /// Any thread, whether or not anything is recorded, but not in code that holds the lock of the queue or
    /// of the main queue, such as an override of an operation's `isReady`. Linear in the number of their
    /// operations and dependencies.
    ///
    /// If tasks are recorded (``Recorder/observeTasks()``) and a thread outside of operations is blocked
    /// until an operation has finished or a queue is empty, it also reads the log, for 1 s at most: the
    /// operation may wait for a task that waits for it. If as many threads are blocked in tasks as there
    /// are processors, it reads the log, too, waits 10 ms, and looks up the names of functions: see
    /// ``QueueSnapshot/blockedPool``.
    public func snapshot() -> QueueSnapshot { QueueSnapshot(of: self, recordedBy: recorder.writer) }
}
