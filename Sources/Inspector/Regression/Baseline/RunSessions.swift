import InspectorColumns

/// Which runs share the weather of their host: those of one session.
///
/// Runs of one host of which the next begins at most ``longestPause`` after the end of the one before are one
/// session. What a session's runs have in common (temperature, other programs, where things lie in memory) is
/// not averaged out by more of them.
package enum RunSessions {
    /// Nanoseconds: 30 minutes.
    package static let longestPause: Int64 = 30 * 60 * 1_000_000_000

    /// Nanoseconds: 12 hours. What a trace says of its makespan may be anything, and is not to join days.
    private static let longestRun: Int64 = 12 * 60 * 60 * 1_000_000_000

    /// By run the number of its session, counted from 0 in the order in which the runs are given.
    ///
    /// Cost: O(n log n).
    package static func numbers(_ runs: [RunTimings]) -> [Int] {
        var order = runs.indices.sorted {
            (runs[$0].host, runs[$0].start, $0) < (runs[$1].host, runs[$1].start, $1)
        }
        // The first run of its session, of each run.
        var first = Array(repeating: 0, count: runs.count)
        var session: [Int] = []
        func close() {
            let lowest = session.min() ?? 0
            for run in session { first[run] = lowest }
            session = []
        }
        for run in order {
            if let last = session.last, !areTogether(runs[last], runs[run]) { close() }
            session.append(run)
        }
        close()
        order = Array(Set(first)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(order, order.indices))
        return first.map { numbers[$0] ?? 0 }
    }

    /// Whether the runs of two sides were made in turn, as their starts have it: at no moment of a session
    /// one side was more than two runs ahead, so that what changed during the session did the same to both.
    ///
    /// Cost: O(n log n).
    package static func areInTurn(_ baseline: [RunTimings], _ current: [RunTimings]) -> Bool {
        let runs = baseline + current
        let sessions = numbers(runs)
        var lead: [Int: Int] = [:]
        for run in runs.indices.sorted(by: { (runs[$0].start, $0) < (runs[$1].start, $1) }) {
            lead[sessions[run], default: 0] += run < baseline.count ? 1 : -1
            if abs(lead[sessions[run]] ?? 0) > 2 { return false }
        }
        return lead.values.allSatisfy { abs($0) <= 1 }
    }

    private static func areTogether(_ run: RunTimings, _ next: RunTimings) -> Bool {
        let end = run.start.saturatingAdd(min(run.makespan, longestRun))
        let (pause, overflow) = next.start.subtractingReportingOverflow(end)
        return run.host == next.host && !overflow && pause <= longestPause
    }
}
