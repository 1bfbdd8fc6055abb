/// Lets one test at a time record tasks: only one recorder can.
actor TaskTurns {
    static let shared = TaskTurns()

    /// Whether the current task is within such a recording.
    @TaskLocal static var isRecording = false

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        // The one that leaves passes the turn on.
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard !waiting.isEmpty else {
            isTaken = false
            return
        }
        waiting.removeFirst().resume()
    }
}

/// Swift tasks cannot be recorded: within another recording of tasks, under `opviz record`, on other
/// systems than Linux, and with a runtime that is linked statically or not known.
public struct UnobservableTasks: Error, CustomStringConvertible {
    /// What prevents it, in one sentence.
    public let description: String

    static let isNested = UnobservableTasks(
        description: "tasks are being recorded already: recorded(tasks: true) cannot contain another one")
    static let isImpossible = UnobservableTasks(
        description:
            "tasks cannot be recorded here: it needs Linux and a known Swift runtime, not under opviz record")
}
