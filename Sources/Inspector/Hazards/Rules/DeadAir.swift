import InspectorColumns

/// Time within the makespan in which operations were in queues but none executed.
enum DeadAir: HazardRule {
    static let name = "dead-air"
    static let meaning = "operations were queued, but for a while none executed"

    /// Shorter gaps are not reported, in nanoseconds. 500 ms, and a tenth of the makespan.
    private static let leastTime: Int64 = 500_000_000
    private static let leastPart: Int64 = 10

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let least = max(leastTime, context.makespan / leastPart)
        for gap in gaps(context) where gap.upperBound - gap.lowerBound >= least {
            guard let next = next(after: gap, context), let reason = reason(next, gap, context) else {
                continue
            }
            let cost = gap.upperBound - gap.lowerBound
            findings.report(.note, context.kind(next), cost: cost) {
                HazardFinding(
                    .note, [next],
                    "for \(DurationFormat.text(nanoseconds: cost)) nothing executed although operations "
                        + "were queued, until \(context.name(next)) started: \(reason)",
                    evidence: [.init(gap.lowerBound, "nothing executes any more")]
                        + context.events(next, .enqueued, .ready, .executing), cost: cost,
                    advice: "find out what held it up, and start it earlier")
            }
        }
    }

    /// Intervals in which at least one operation was enqueued and unfinished but none executed, up to the
    /// last start.
    private static func gaps(_ context: HazardContext) -> [Range<Int64>] {
        var changes: [(time: Int64, open: Int32, executing: Int32)] = []
        changes.reserveCapacity(context.count * 4)
        for index in 0..<context.count where context.enqueued.isKnown(index) {
            let enqueued = context.enqueued.notAfter(index)
            let end = max(context.lastMoment(index), enqueued)
            changes.append((enqueued, 1, 0))
            changes.append((end, -1, 0))
            guard context.executing.isKnown(index) else { continue }
            let start = min(max(context.executing.notBefore(index), enqueued), end)
            changes.append((start, 0, 1))
            changes.append((end, 0, -1))
        }
        changes = changes.sortedByDigits(\.time)
        var (open, executing): (Int32, Int32) = (0, 0)
        var gaps: [Range<Int64>] = []
        for (index, change) in changes.enumerated() {
            open += change.open
            executing += change.executing
            guard index + 1 < changes.count, open > 0, executing == 0, change.time < changes[index + 1].time
            else {
                continue
            }
            let gap = change.time..<changes[index + 1].time
            if let last = gaps.last, last.upperBound == gap.lowerBound {
                gaps[gaps.count - 1] = last.lowerBound..<gap.upperBound
            } else {
                gaps.append(gap)
            }
        }
        return gaps
    }

    /// The first operation to start when the gap ended. Linear; there are few long gaps.
    private static func next(after gap: Range<Int64>, _ context: HazardContext) -> Int? {
        (0..<context.count).first {
            context.executing.isKnown($0)
                && max(context.executing.notBefore($0), context.enqueued[$0] ?? .max) == gap.upperBound
        }
    }

    /// Nil if it only waited for a thread: the machine was busy, or had just started.
    private static func reason(_ operation: Int, _ gap: Range<Int64>, _ context: HazardContext) -> String? {
        if context.enqueued.notAfter(operation) > gap.lowerBound
            && context.enqueued.notAfter(operation) - gap.lowerBound > (gap.upperBound - gap.lowerBound) / 2
        {
            return "it was enqueued only then"
        }
        guard let waits = context.waits[operation] else { return "the log does not say why" }
        guard let longest = LifetimeParts.Part.waits.max(by: { waits[$0] < waits[$1] }), waits[longest] > 0
        else {
            return "the log does not say why"
        }
        switch longest {
        case .suspended: return "\(context.queueName(context.queue[operation])) was suspended"
        case .slot: return "it waited for a slot"
        case .dispatch: return nil
        case .dependency, .execution, .unknown: return "what it depends on had not finished"
        }
    }
}
