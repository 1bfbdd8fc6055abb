/// What the words of pictures and pages mean, for tooltips. The document of the same name has each of them,
/// in the same words, which a test compares.
package enum Glossary {
    /// Words with their meaning, without a full stop; code is between backticks.
    package static let entries: [(word: String, meaning: String)] =
        LifetimeParts.Part.allCases.map { ($0.label, $0.row.meaning) }
        + ExecutionParts.Part.allCases.map { ($0.label, $0.row.meaning) }
        + TaskPart.allCases.filter { $0 != .unknown }.map { ($0.row.label, $0.row.meaning) }
        + OperationEnding.allCases.map { ($0.label, $0.meaning) } + run + columns

    /// Nil for other words.
    package static func meaning(of word: String) -> String? {
        entries.first { $0.word == word }?.meaning
    }

    /// The word for operations and tasks that wait for each other.
    package static let circle = "circle of waits"

    private static let run = [
        ("lifetime", "from enqueue to finish"),
        ("makespan", "from the first enqueue to the last finish"),
        ("work", "the sum of all execution times"),
        ("critical path", "the longest chain of dependent operations; more slots cannot make it shorter"),
        (
            "parallelism", "work ÷ critical path; the highest average concurrency that more slots can give"
        ),
        ("at once", "how many operations executed at the same time"),
        (
            circle,
            "each waits for the next, and the last for the first: a deadlock, unless one only "
                + "`may hold up` another"
        ),
        ("slack", "how much later an operation could finish without moving the end of the run"),
        ("limit", "how many operations of the queue may execute at once: its slots"),
        ("used", "the share of its slots that was used, from the queue's first enqueue to its last finish"),
    ]

    /// What else figures and columns of tables are headed.
    private static let columns = [
        ("operation", "its name; … never finished, ✕ failed, ⊘ cancelled"),
        ("kind", "the class of an operation, or the function of a closure or task"),
        ("ending", "how it finished, or that it never did"),
        ("queue", "the `OperationQueue` to which operations were added"),
        ("executor", "the actor or pool of threads on which tasks run"),
        ("bound by", "what kept the queue from starting more operations at once"),
        ("operations", "how many operations the trace has, and how they finished"),
        ("tasks", "how many Swift tasks the trace has, and how they finished"),
        ("count", "how many there are"),
        ("runs", "how often threads ran them: a task that awaits runs several times"),
        ("unfinished", "how many had not finished when the trace ended"),
        ("executing", "the sum of all executions, also those that took place at once"),
        ("alive", "the sum of all lifetimes, from creation to end"),
        ("awaiting", "what its lifetime has besides running and waiting for executors and actors"),
        ("median", "half of them took at most this long"),
        ("95 %", "19 of 20 took at most this long"),
        ("longest", "the longest one took this long"),
        ("step", "its place in the chain, counted from the start"),
        ("took", "how long this step of the chain lasted"),
        ("added at", "when it was enqueued, since the start of the trace"),
        ("change", "what the later run does differently; what grew or is new comes first"),
        ("before", "of the earlier run"),
        ("after", "of the later run"),
        ("difference", "the later run minus the earlier one"),
        ("executed", "the time from start to finish; of a kind, the mean"),
        ("waited", "the time without execution and without waits for dependencies; of a kind, the mean"),
    ]
}
