import InspectorColumns

/// Which runs share the conditions of their host: those of one session.
///
/// Runs of one host form a session if each begins at most ``longestPause`` after the end of the one before.
/// Common conditions of a session's runs (temperature, other programs, the layout of memory) are not averaged
/// out by more runs.
package enum RunSessions {
    /// Nanoseconds: 30 minutes.
    package static let longestPause: Int64 = 30 * 60 * 1_000_000_000

    /// Nanoseconds: 12 hours. A trace may state any makespan, and must not join several days.
    private static let longestRun: Int64 = 12 * 60 * 60 * 1_000_000_000

    /// The number of each run's session, counted from 0 in the order of the given runs.
    ///
    /// Cost: O(n log n).
    package static func numbers(_ runs: [RunTimings]) -> [Int] {
        var order = runs.indices.sorted {
            (runs[$0].host, runs[$0].start, $0) < (runs[$1].host, runs[$1].start, $1)
        }
        // The first run of each run's session.
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

    /// Whether the runs of two sides alternated, according to their starts: at no time in a session was one
    /// side more than two runs ahead. So changes during the session affected both sides.
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
