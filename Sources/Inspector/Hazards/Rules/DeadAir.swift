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
        let order = context.orders
        let ends = order.ended.map { moment in
            MomentOrders.Moment(
                time: max(moment.time, context.enqueued.notAfter(moment.index)), index: moment.index)
        }
        let starts = order.started.map { moment in
            let index = moment.index
            let enqueued = context.enqueued.notAfter(index)
            let end = max(context.lastMoment(index), enqueued)
            return MomentOrders.Moment(
                time: min(max(context.executing.notBefore(index), enqueued), end), index: index)
        }
        var (open, executing) = (0, 0)
        var gaps: [Range<Int64>] = []
        var last: Int64?
        MomentOrders.merge([order.added, ends.sortedByDigits(\.time), starts.sortedByDigits(\.time)]) {
            list, moment in
            if let last, open > 0, executing == 0, last < moment.time {
                if let gap = gaps.last, gap.upperBound == last {
                    gaps[gaps.count - 1] = gap.lowerBound..<moment.time
                } else {
                    gaps.append(last..<moment.time)
                }
            }
            last = moment.time
            switch list {
            case 0: open += 1
            case 1:
                open -= 1
                if context.executing.isKnown(moment.index) { executing -= 1 }
            default: executing += 1
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
