/// The Swift tasks of a trace, in a few lines.
struct TaskSummary {
    private let lifetimes: TaskLifetimes
    private var tasks: TraceTasks { lifetimes.tasks }

    /// Nil without tasks.
    init?(_ timings: TraceTimings) {
        let tasks = timings.trace.tasks
        guard !tasks.isEmpty else { return nil }
        lifetimes = TaskLifetimes(tasks, ProcessorUse(timings))
    }

    /// For a page: how many there are, and the rest.
    var figure: (value: String, note: String) {
        (
            Prose.grouped(tasks.entries.count),
            "\(endings.words), in \(Prose.counted(tasks.runs.count, "run"))"
        )
    }

    var lines: [(label: String, text: String)] {
        let parts = lifetimes.total
        let shown = TaskPart.allCases.filter { parts[$0] > 0 }.map {
            "\(DurationFormat.text(nanoseconds: parts[$0])) \($0.row.phrase)"
        }
        let running = lifetimes.totalOfRunning?.text.map { [("", "running: \($0)")] } ?? []
        return [
            ("tasks", "\(outcomes), in \(Prose.counted(tasks.runs.count, "run"))"),
            ("", Prose.list(shown)),
        ] + running
    }

    /// `45: 43 succeeded, 1 failed, 1 cancelled`.
    private var outcomes: String {
        let (words, areAll) = endings
        return "\(Prose.grouped(tasks.entries.count))\(areAll ? "," : ":") \(words)"
    }

    /// `43 succeeded, 1 failed, 1 cancelled`, or `all succeeded`.
    private var endings: (words: String, areAll: Bool) {
        var (succeeded, failed, cancelled, unfinished) = (0, 0, 0, 0)
        for task in tasks.entries {
            switch task.outcome {
            case .succeeded: succeeded += 1
            case .failed: failed += 1
            case .cancelled: cancelled += 1
            case nil: unfinished += 1
            }
        }
        if succeeded == tasks.entries.count { return ("all succeeded", true) }
        let parts = [
            (succeeded, "succeeded"), (failed, "failed"), (cancelled, "cancelled"),
            (unfinished, "not finished"),
        ]
        let shown = parts.filter { $0.0 > 0 }.map { "\(Prose.grouped($0.0)) \($0.1)" }
        return (shown.joined(separator: ", "), false)
    }
}
