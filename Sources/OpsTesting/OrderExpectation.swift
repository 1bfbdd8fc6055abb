import Inspector

/// Which moments of operations come before which.
public enum OperationOrder: String, Sendable {
    /// Every one of the first had finished when any of the others started.
    case finishBeforeStart = "finished"
    /// Every one of the first had started when any of the others started.
    case startBeforeStart = "started"
}

extension RecordedRun {
    /// Expects an order of operations: by default, that every operation called `first` had finished before
    /// any called `second` started.
    ///
    /// - Parameters:
    ///   - first: a name or a kind; every operation that has it is meant, and there must be one.
    ///   - second: likewise.
    ///   - order: which moments are compared.
    public func expectOrder(
        _ first: String, before second: String, _ order: OperationOrder = .finishBeforeStart,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        guard let violation = OrderViolation(first, before: second, order, in: trace) else { return }
        fail(violation.sentence, at: CallSite(fileID, filePath, line, column))
    }
}

/// What contradicts an order, in a sentence with the times; or why it cannot be told.
struct OrderViolation {
    let sentence: String

    /// Nil where the order holds. Linear in operations.
    init?(_ first: String, before second: String, _ order: OperationOrder, in trace: Trace) {
        let (before, after) = (Self.operations(first, trace), Self.operations(second, trace))
        guard !before.isEmpty, !after.isEmpty else {
            let missing = before.isEmpty ? first : second
            sentence = MissingName.operation(missing, in: trace)
            return
        }
        // The earliest start of the one, and the last moment of the other, decide for all.
        let started = after.filter { $0.executing != nil && $0.enqueued != nil }
        guard let earliest = started.min(by: { Self.time($0.executing) < Self.time($1.executing) }) else {
            return nil
        }
        func moment(_ operation: TracedOperation) -> TraceMoment? {
            order == .finishBeforeStart ? operation.finished : operation.executing
        }
        // One that was cancelled before it started, say, has no start to compare.
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
        // Known as intervals only, either may have come first.
        let isCertain = end.notBefore > start.notAfter || end.isExact && start.isExact
        let lead = end.notBefore.subtractingReportingOverflow(start.notAfter).partialValue
        sentence =
            isCertain
            ? "\(Self.name(earliest)) started at \(Self.text(start)), "
                + "\(DurationFormat.text(nanoseconds: lead)) before \(Self.name(latest)) had "
                + "\(order.rawValue), at \(Self.text(end))"
            : "it cannot be told whether \(Self.name(latest)) had \(order.rawValue) before "
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
