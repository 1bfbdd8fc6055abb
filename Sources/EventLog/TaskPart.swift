/// A part of the lifetime of a Swift task. The parts of a task are its lifetime, exactly.
package enum TaskPart: Int, CaseIterable, Sendable {
    case executor, running, task, group, continuation, actor, sleep, unknown

    /// The part that a task is in after a run until it is enqueued again; nil if it then waits for an
    /// executor.
    package init?(_ awaited: LogEvent.Awaited) {
        switch awaited {
        case .task: self = .task
        case .group: self = .group
        case .continuation: self = .continuation
        case .sleep: self = .sleep
        case .unknown: self = .unknown
        case .executor, .yield: return nil
        }
    }
}
