import Foundation
import InspectorText

/// When `opviz record` ends a program that does not end by itself: after a time, or once it has done nothing
/// for a time.
package struct Deadline {
    /// Why the program is ended.
    package enum Reason {
        /// Nanoseconds.
        case passed(Int64)
        case idle(Int64)

        /// Follows the program's name.
        var text: String {
            switch self {
            case .passed(let time): "was ended at its deadline of \(DurationFormat.text(nanoseconds: time))"
            case .idle(let time):
                "was ended because it did nothing for \(DurationFormat.text(nanoseconds: time))"
            }
        }
    }

    /// A program that uses less than this part of a processor does nothing.
    private static let leastUse = 0.005
    /// How exactly the kernel counts times on processors, for each look. Nanoseconds; two ticks.
    private static let exactness: Int64 = 20_000_000
    /// From SIGTERM to SIGKILL. Nanoseconds.
    private static let grace: Int64 = 2_000_000_000

    private let time: Int64?
    private let idleTime: Int64?
    private let begin = Self.now
    /// The time on processors when the program was last busy, and that moment.
    private var lastBusy: (timeOnCPU: Int64, at: Int64)?
    /// What SIGTERM was sent to, and when SIGKILL follows.
    private var ended: (tree: ProcessTree, kill: Int64)?
    /// Whether it may end the program.
    package var isSet: Bool { time != nil || idleTime != nil }
    /// Why the program was ended; nil as long as it was not.
    package private(set) var reason: Reason?

    /// - Parameters:
    ///   - time: after how many nanoseconds it ends a program; nil for never.
    ///   - idle: after how many without work; nil for never.
    package init(after time: Int64? = nil, idle: Int64? = nil) { (self.time, idleTime) = (time, idle) }

    /// The present time of a clock that never goes back, in nanoseconds.
    private static var now: Int64 { Int64(clamping: DispatchTime.now().uptimeNanoseconds) }

    /// Milliseconds until the next look is needed; -1 for never.
    var timeout: Int32 {
        if let ended { return Self.milliseconds(ended.kill - Self.now) }
        var next = time.map { begin + $0 } ?? Int64.max
        if let idleTime { next = min(next, Self.now + max(idleTime / 8, 50_000_000)) }
        return next == .max ? -1 : Self.milliseconds(next - Self.now)
    }

    private static func milliseconds(_ nanoseconds: Int64) -> Int32 {
        Int32(clamping: max(0, nanoseconds) / 1_000_000 + 1)
    }

    /// Why the program has to be ended now; nil if it has not, or was asked to end before.
    mutating func newReason(_ program: pid_t) -> Reason? {
        guard reason == nil else { return nil }
        let now = Self.now
        if let time, now - begin >= time {
            reason = .passed(time)
        } else if let idleTime, isIdle(program, for: idleTime, now) {
            reason = .idle(idleTime)
        }
        return reason
    }

    private mutating func isIdle(_ program: pid_t, for time: Int64, _ now: Int64) -> Bool {
        let timeOnCPU = ProcessTree(of: program).timeOnCPU
        guard let last = lastBusy else {
            lastBusy = (timeOnCPU, now)
            return false
        }
        let used = timeOnCPU - last.timeOnCPU
        let allowed = Self.exactness + Int64(Double(now - last.at) * Self.leastUse)
        // A child that ended takes the times of its own children along if nobody waited for it.
        if used < 0 || used > allowed { lastBusy = (timeOnCPU, now) }
        return lastBusy.map { now - $0.at >= time } ?? false
    }

    /// Asks the program and everything that it started to end.
    mutating func end(_ program: pid_t) {
        let tree = ProcessTree(of: program)
        tree.signal(SIGTERM)
        // A stopped process takes no notice before.
        tree.signal(SIGCONT)
        ended = (tree, Self.now + Self.grace)
    }

    /// Kills what has not ended in time.
    mutating func killIfDue() {
        guard let ended, Self.now >= ended.kill else { return }
        ended.tree.signal(SIGKILL)
        self.ended?.kill = Self.now + Self.grace
    }

    /// Returns when everything that was asked to end has ended: at the latest when it was killed.
    package mutating func waitForTheRest() {
        guard let ended else { return }
        while ended.tree.isAlive, Self.now < ended.kill { usleep(10_000) }
        ended.tree.signal(SIGKILL)
        self.ended = nil
    }
}
