import InspectorColumns

/// How an operation ended in one run: as in pictures, plus whether an unfinished one had started.
package enum ExactEnding: String, CaseIterable, Sendable {
    case succeeded, failed, cancelled
    /// It had started.
    case neverFinished = "unfinished"
    case neverStarted

    package init(_ columns: borrowing OperationColumns, _ index: Int) {
        switch OperationEnding(columns, index) {
        case .succeeded: self = .succeeded
        case .failed: self = .failed
        case .cancelled: self = .cancelled
        case .unfinished, .unobserved:
            self = columns.executing.has(index) ? .neverFinished : .neverStarted
        }
    }

    package var label: String { self == .neverStarted ? "never started" : ending.label }

    /// The ending as shown in pictures.
    var ending: OperationEnding {
        switch self {
        case .succeeded: .succeeded
        case .failed: .failed
        case .cancelled: .cancelled
        case .neverFinished, .neverStarted: .unfinished
        }
    }

    /// Whether its times last until the end of the trace, and so do not show how long it takes.
    package var isUnfinished: Bool { ending == .unfinished }
}

/// How many operations ended in each way.
package struct EndingCounts: Equatable {
    package private(set) var succeeded = 0
    package private(set) var failed = 0
    package private(set) var cancelled = 0
    /// Includes those that never started.
    package private(set) var neverFinished = 0
    package private(set) var neverStarted = 0

    package init() {}

    package mutating func count(_ ending: ExactEnding) {
        switch ending {
        case .succeeded: succeeded += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .neverFinished: neverFinished += 1
        case .neverStarted:
            neverFinished += 1
            neverStarted += 1
        }
    }

    package static func + (lhs: EndingCounts, rhs: EndingCounts) -> EndingCounts {
        var sum = lhs
        sum.succeeded += rhs.succeeded
        sum.failed += rhs.failed
        sum.cancelled += rhs.cancelled
        sum.neverFinished += rhs.neverFinished
        sum.neverStarted += rhs.neverStarted
        return sum
    }

    /// `287 never finished, 37 of them never started`; `nil` if everything finished.
    package var unfinishedWords: String? {
        if neverFinished == 0 { return nil }
        let words = "\(Prose.grouped(neverFinished)) \(ExactEnding.neverFinished.label)"
        if neverStarted == 0 { return words }
        let share = neverStarted == neverFinished ? "all" : Prose.grouped(neverStarted)
        return words + ", \(share) of them \(ExactEnding.neverStarted.label)"
    }

    /// Whether the numbers of failed, cancelled, unfinished or unstarted operations differ. More successful
    /// ones do not matter.
    package func isUnlike(_ other: EndingCounts) -> Bool {
        var (own, others) = (self, other)
        own.succeeded = 0
        others.succeeded = 0
        return own != others
    }

    /// The counts that differ between two runs, with labels: `succeeded`, …, `of them never started`. Empty
    /// if they are equal.
    package static func changes(
        from before: EndingCounts, to after: EndingCounts
    ) -> [(label: String, before: Int, after: Int)] {
        guard before.isUnlike(after) else { return [] }
        let counts: [(String, KeyPath<EndingCounts, Int>)] = [
            ("succeeded", \.succeeded), ("failed", \.failed), ("cancelled", \.cancelled),
            ("never finished", \.neverFinished), ("of them never started", \.neverStarted),
        ]
        return counts.map { (label: $0, before: before[keyPath: $1], after: after[keyPath: $1]) }
            .filter { change in
                // A part of a count is listed only below that count.
                change.before != change.after
                    || change.label == "never finished" && before.neverStarted != after.neverStarted
            }
    }

    /// `succeeded 29 → 26, never finished 0 → 3`; `nil` if they are equal.
    package static func changeWords(from before: EndingCounts, to after: EndingCounts) -> String? {
        let changes = changes(from: before, to: after).map {
            "\($0.label) \(Prose.grouped($0.before)) → \(Prose.grouped($0.after))"
        }
        return changes.isEmpty ? nil : changes.joined(separator: ", ")
    }
}
