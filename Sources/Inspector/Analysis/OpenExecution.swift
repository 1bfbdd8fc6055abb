import InspectorColumns

/// An operation that has started and not finished, at one moment: what it does, as far as that is known.
package struct OpenExecution: Sendable {
    /// What its thread does in its body.
    package enum Activity: Hashable, Sendable {
        /// Without a break until now, for so many nanoseconds.
        case blocked(Int64)
        /// With breaks, for so many nanoseconds altogether.
        case mostlyBlocked(Int64)
        /// On a processor, or waiting for one, all the time.
        case calculating
    }

    /// How long other operations of its kind executed.
    package struct Usual: Hashable, Sendable {
        /// Nanoseconds.
        package let longest: Int64
        /// How many operations this is based on.
        package let count: Int

        /// With fewer operations than this, nothing is usual.
        package static let fewest = 5
        /// It takes unusually long if it takes more than so many times as long as any other.
        package static let factor: Int64 = 2

        package init(longest: Int64, count: Int) { (self.longest, self.count) = (longest, count) }
    }

    /// Nanoseconds since its start.
    package var executed: Int64
    /// Nanoseconds since its body returned; nil if it has not, or if that is not known.
    package var returned: Int64?
    package var thread: UInt64?
    /// Nil if that is not known.
    package var activity: Activity?
    /// Nil if too few of its kind have finished.
    package var usual: Usual?

    package init(
        executed: Int64, returned: Int64? = nil, thread: UInt64? = nil, activity: Activity? = nil,
        usual: Usual? = nil
    ) {
        (self.executed, self.returned, self.thread) = (executed, returned, thread)
        (self.activity, self.usual) = (activity, usual)
    }

    /// Whether it takes unusually long for its kind.
    package var isUnusual: Bool {
        usual.map { executed / Usual.factor > $0.longest } ?? false
    }

    package var isBlocked: Bool {
        switch activity {
        case .blocked, .mostlyBlocked: true
        case .calculating, nil: false
        }
    }

    /// What follows its name in a sentence: `has been blocked in its body for 1.94 s, on thread 7 (11 others
    /// of its kind took at most 24.0 ms)`.
    package var predicate: String {
        let place = thread.map { " on thread \($0)" } ?? ""
        let doing =
            if let returned {
                "is still executing, \(Self.text(returned)) after its body returned"
            } else {
                switch activity {
                case .blocked(let time): "has been blocked in its body for \(Self.text(time))\(place)"
                case .mostlyBlocked(let time):
                    "is still executing, after \(Self.text(executed))\(place), blocked for "
                        + "\(Self.text(time)) of that"
                case .calculating: "has been calculating for \(Self.text(executed))\(place)"
                case nil: "is still executing, after \(Self.text(executed))\(place)"
                }
            }
        guard isUnusual, let usual else { return doing }
        return doing
            + " (\(Prose.grouped(usual.count)) others of its kind took at most \(Self.text(usual.longest)))"
    }

    private static func text(_ time: Int64) -> String { DurationFormat.text(nanoseconds: time) }
}

/// The open executions at the end of a trace.
final class OpenExecutions {
    /// Of the time since its start, the part in percent that makes an operation one that is blocked, or that
    /// calculates.
    private static let most: Int64 = 90

    private let trace: Trace
    private let waits: OperationWaits
    private let end: Int64
    private let use: () -> ProcessorUse?
    private lazy var processorUse = use()
    private let usual: ((Int) -> OpenExecution.Usual?)?
    private lazy var usualInTrace = usualTimes()

    /// Cost: constant. The first look at an operation is linear in operations, and calls `use`.
    ///
    /// - Parameters:
    ///   - end: the last time that the trace covers.
    ///   - use: what the threads of the trace did, if that is known.
    ///   - usual: how long others of the kind of an operation took; nil to ask the trace.
    init(
        _ trace: Trace, _ waits: OperationWaits, end: Int64, use: @escaping () -> ProcessorUse?,
        usual: ((Int) -> OpenExecution.Usual?)?
    ) {
        (self.trace, self.waits, self.end, self.use, self.usual) = (trace, waits, end, use, usual)
    }

    /// - Parameter index: of an operation that has started and not finished.
    subscript(index: Int) -> OpenExecution {
        let operation = trace.operations[index]
        let last = trace.lastMoment(of: index, end: end)
        let executed = max(0, (waits[index]?.execution ?? 0) - (end - last))
        return OpenExecution(
            executed: executed,
            returned: operation.bodyEnded.map { max(0, last - TraceMoment.bounded($0.notAfter)) },
            thread: operation.thread, activity: activity(of: index, executed),
            usual: usual.map { $0(index) }
                ?? usualInTrace[Int(trace.operations.store.columns.kinds[index])])
    }

    private func activity(of index: Int, _ executed: Int64) -> OpenExecution.Activity? {
        guard executed > 0, let parts = processorUse?.parts(of: index) else { return nil }
        func isMost(_ time: Int64) -> Bool { time / Self.most >= executed / 100 }
        if isMost(parts.blocked) {
            let last = processorUse?.stretches(of: index).last
            let isNow = last?.part == .blocked
            let time = last.map { $0.end - $0.start } ?? 0
            return isNow && isMost(time) ? .blocked(time) : .mostlyBlocked(parts.blocked)
        }
        return isMost(parts.onCPU.saturatingAdd(parts.waitingForCPU)) ? .calculating : nil
    }

    /// By kind.
    private func usualTimes() -> [Int: OpenExecution.Usual] {
        let columns = trace.operations.store.columns
        var (longest, counts): ([Int: Int64], [Int: Int]) = ([:], [:])
        for index in trace.operations.indices
        where columns.executing.has(index) && columns.finished.has(index) {
            let kind = Int(columns.kinds[index])
            longest[kind] = max(longest[kind] ?? 0, waits[index]?.execution ?? 0)
            counts[kind, default: 0] += 1
        }
        return counts.filter { $0.value >= OpenExecution.Usual.fewest }.reduce(into: [:]) {
            $0[$1.key] = OpenExecution.Usual(longest: longest[$1.key] ?? 0, count: $1.value)
        }
    }
}
