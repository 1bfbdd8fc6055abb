package import EventLog

/// How long the parts of a lifetime took, in nanoseconds.
package struct TaskParts: Hashable, Sendable {
    private var values = SIMD8<Int64>()

    package init() {}

    package subscript(part: TaskPart) -> Int64 {
        get { values[part.rawValue] }
        set { values[part.rawValue] = newValue }
    }

    package var total: Int64 { values.wrappedSum() }

    /// The part that took longest, the first of several.
    package var longest: TaskPart {
        TaskPart.allCases.reduce(.executor) { self[$1] > self[$0] ? $1 : $0 }
    }

    package static func += (sum: inout Self, parts: Self) { sum.values &+= parts.values }
}

extension TaskParts {
    package static func + (lhs: Self, rhs: Self) -> Self {
        var sum = lhs
        sum += rhs
        return sum
    }

    /// Each part divided by a count.
    package static func / (parts: Self, count: Int64) -> Self {
        var mean = parts
        for part in TaskPart.allCases { mean[part] /= max(1, count) }
        return mean
    }
}

extension LifetimeParts {
    /// The parts of a task as those of an operation, for sums over both: its executor is its queue, and an
    /// actor is a slot; what it awaits is a dependency. Sleeping and what is not known are unknown.
    package init(_ task: TaskParts) {
        self = [
            .dependency: task[.task] + task[.group] + task[.continuation], .slot: task[.actor],
            .dispatch: task[.executor], .execution: task[.running],
            .unknown: task[.sleep] + task[.unknown],
        ]
    }
}
