import CLogFormat

/// The threads of a running program that are blocked until an operation has finished or a queue is empty.
package struct LiveWaits: Sendable {
    package struct Wait: Sendable {
        package enum Target: Sendable {
            case operation(UInt64)
            case queue(UInt64)
        }

        package let target: Target
        /// The operation in whose body it waits; 0 for none.
        package let operation: UInt64
        /// Nanoseconds since the start of the log.
        package let start: Int64
    }

    /// For each thread, the waits that have not ended, the innermost last.
    package private(set) var all: [UInt64: [Wait]] = [:]

    package init() {}

    /// Ignores events that are not about waits. Cost: constant.
    package mutating func consume(_ event: EventFields) {
        switch event.type {
        case .waitForOperation: begin(.operation(event.subject), event)
        case .waitForQueue: begin(.queue(event.subject), event)
        case .waitEnded:
            _ = all[event.thread]?.popLast()
            if all[event.thread]?.isEmpty == true { all[event.thread] = nil }
        default: break
        }
    }

    private mutating func begin(_ target: Wait.Target, _ event: EventFields) {
        all[event.thread, default: []].append(
            Wait(target: target, operation: event.parent ?? 0, start: event.time))
    }

    /// Events were missed.
    package mutating func noteLoss() { all = [:] }
}
