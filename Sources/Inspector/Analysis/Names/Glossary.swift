/// What the words of pictures and pages mean, for tooltips. The document of the same name has each of them,
/// in the same words, which a test compares.
package enum Glossary {
    /// Words with their meaning, without a full stop; code is between backticks.
    package static let entries: [(word: String, meaning: String)] =
        LifetimeParts.Part.allCases.map { ($0.label, $0.row.meaning) }
        + ExecutionParts.Part.allCases.map { ($0.label, $0.row.meaning) }
        + TaskPart.allCases.filter { $0 != .unknown }.map { ($0.row.label, $0.row.meaning) }
        + OperationEnding.allCases.map { ($0.label, $0.meaning) } + run

    /// Nil for other words.
    package static func meaning(of word: String) -> String? {
        entries.first { $0.word == word }?.meaning
    }

    private static let run = [
        ("lifetime", "from enqueue to finish"),
        ("makespan", "from the first enqueue to the last finish"),
        ("work", "the sum of all execution times"),
        ("critical path", "the longest chain of dependent operations; more slots cannot make it shorter"),
        (
            "parallelism", "work ÷ critical path; the highest average concurrency that more slots can give"
        ),
        ("at once", "how many operations executed at the same time"),
        ("slack", "how much later an operation could finish without moving the end of the run"),
        ("limit", "how many operations of the queue may execute at once: its slots"),
        ("used", "the share of its slots that was used, from the queue's first enqueue to its last finish"),
    ]
}
