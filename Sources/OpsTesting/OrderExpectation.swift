import Inspector

/// Which events of two groups of operations are compared.
public enum OperationOrder: String, Sendable {
    /// Every operation of the first group had finished when any of the second started.
    case finishBeforeStart = "finished"
    /// Every operation of the first group had started when any of the second started.
    case startBeforeStart = "started"
}

extension RecordedRun {
    /// Expects an order of operations: by default, that every operation called `first` had finished before
    /// any called `second` started.
    ///
    /// - Parameters:
    ///   - first: a name or a kind. It stands for every operation that has it, and there must be at least
    ///     one.
    ///   - second: likewise.
    ///   - order: the events to compare.
    public func expectOrder(
        _ first: String, before second: String, _ order: OperationOrder = .finishBeforeStart,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        guard let violation = OrderViolation(first, before: second, order, in: trace) else { return }
        fail(violation.sentence, at: CallSite(fileID, filePath, line, column))
    }
}

/// What contradicts an order, in a sentence with the times; or why the order is unknown.
struct OrderViolation {
    let sentence: String

    /// Nil if the order holds. Linear in operations.
    init?(_ first: String, before second: String, _ order: OperationOrder, in trace: Trace) {
        let (before, after) = (Self.operations(first, trace), Self.operations(second, trace))
        guard !before.isEmpty, !after.isEmpty else {
            let missing = before.isEmpty ? first : second
            sentence = MissingName.operation(missing, in: trace)
            return
        }
        // The earliest start in one group, and the latest event in the other, decide for all.
        let started = after.filter { $0.executing != nil && $0.enqueued != nil }
        guard let earliest = started.min(by: { Self.time($0.executing) < Self.time($1.executing) }) else {
            return nil
        }
        func moment(_ operation: TracedOperation) -> TraceMoment? {
            order == .finishBeforeStart ? operation.finished : operation.executing
        }
        // For example, an operation that was cancelled before it started has no start to compare.
        let others = before.filter {
            $0.id != earliest.id && (order == .finishBeforeStart || $0.executing != nil || $0.finished == nil)
        }
        if let never = others.first(where: { moment($0) == nil }) {
            sentence =
                "\(Self.name(earliest)) started at \(Self.text(earliest.executing)), and \(Self.name(never)) "
                + "never \(order.rawValue)"
            return
        }
        guard let latest = others.max(by: { Self.time(moment($0)) < Self.time(moment($1)) }),
            let start = earliest.executing, let end = moment(latest), end.notAfter > start.notBefore
        else { return nil }
        // If times are known only as intervals, either may have come first.
        let isCertain = end.notBefore > start.notAfter || end.isExact && start.isExact
        let lead = end.notBefore.subtractingReportingOverflow(start.notAfter).partialValue
        sentence =
            isCertain
            ? "\(Self.name(earliest)) started at \(Self.text(start)), "
                + "\(DurationFormat.text(nanoseconds: lead)) before \(Self.name(latest)) had "
                + "\(order.rawValue), at \(Self.text(end))"
            : "it is unknown whether \(Self.name(latest)) had \(order.rawValue) before "
                + "\(Self.name(earliest)) started: the log knows these times only as intervals"
    }

    private static func operations(_ name: String, _ trace: Trace) -> [TracedOperation] {
        trace.operations.filter { $0.enqueued != nil && ($0.name == name || $0.kind == name) }
    }

    private static func time(_ moment: TraceMoment?) -> Int64 { moment?.notAfter ?? .max }

    private static func name(_ operation: TracedOperation) -> String { shortened(operation.displayName) }

    private static func text(_ moment: TraceMoment?) -> String {
        DurationFormat.text(nanoseconds: moment?.notAfter ?? 0)
    }

    private static func shortened(_ name: String) -> String { TerminalText.shortened(name, toColumns: 40) }
}
