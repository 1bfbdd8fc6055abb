import EventLog
import InspectorColumns

/// Groups logs that causes connect: these belong to one run. Unconnected logs may belong to different runs.
struct LogGroups {
    /// Unconnected logs that are further apart than this belong to different runs. A day in nanoseconds.
    private static let largestGap: Int64 = 86_400_000_000_000
    private static let shownLogs = 4

    /// The first log of each group that begins after the end of all earlier groups.
    private var apart: [String] = []

    /// Nearly linear in logs and messages.
    ///
    /// - Parameter inputs: in the order of their starts.
    /// - Throws: `TraceError` for logs of different days that nothing connects.
    init(
        _ inputs: [MergedInput], _ alignment: ClockAlignment, _ messages: [ClockAlignment.Message]
    ) throws(TraceError) {
        // For each log, the first log that it is connected to.
        var first = Array(inputs.indices)
        func root(_ log: Int) -> Int {
            var log = log
            while first[log] != log {
                first[log] = first[first[log]]
                log = first[log]
            }
            return log
        }
        for message in messages {
            let (one, other) = (root(message.from), root(message.to))
            first[max(one, other)] = min(one, other)
        }
        var ends = inputs.indices.map { alignment.starts[$0].saturatingAdd(inputs[$0].end) }
        for log in inputs.indices { ends[root(log)] = max(ends[root(log)], ends[log]) }
        var last: (end: Int64, log: Int)?
        for log in inputs.indices where root(log) == log {
            let gap = last.map { alignment.starts[log] - $0.end }
            if let last, let gap, gap > Self.largestGap {
                throw TraceError(
                    .cannotBeMerged, path: inputs[log].path,
                    reason:
                        "began \(DurationFormat.text(nanoseconds: gap)) after the end of "
                        + "\(inputs[last.log].path), and nothing connects them: they belong to different runs"
                )
            }
            if gap ?? 1 > 0 { apart.append(inputs[log].path) }
            if ends[log] > last?.end ?? .min { last = (ends[log], log) }
        }
    }

    /// A note if groups ran one after the other. Two runs in one folder look like that, but so do two
    /// programs of one script.
    var notes: [String] {
        guard apart.count > 1 else { return [] }
        let shown = apart.count > Self.shownLogs ? Self.shownLogs - 1 : apart.count
        return [
            "these logs form \(Prose.grouped(apart.count)) groups, one after the other, without connections "
                + "between them (they begin with \(Prose.list(apart.prefix(shown), of: apart.count))); "
                + "if they belong to different runs, merge each run separately"
        ]
    }
}
