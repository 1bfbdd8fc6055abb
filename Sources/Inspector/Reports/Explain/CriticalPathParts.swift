import InspectorColumns

/// What the executions on the critical path spent their time on, and what that means for a shorter run.
struct CriticalPathParts {
    /// A part decides what helps from this share of the executions on.
    private static let decisiveShare = 0.5
    /// More processors are worth a sentence from this share of waits for them on.
    private static let noticeableWait = 0.1

    let parts: ExecutionParts
    private var shortage = ProcessorShortage.ownOperations
    /// What threads without operations did meanwhile; nil if that is not known.
    private var delegated: Int64?

    /// Nil if the trace does not say when threads were on processors, or if nothing on the path executed.
    ///
    /// - Parameter outside: if the caller has it already.
    init?(_ analysis: TraceAnalysis, _ use: ProcessorUse?, _ outside: OutsideStretches? = nil) {
        guard let use else { return nil }
        let path = analysis.criticalPath.operations
        let parts = use.parts(of: path)
        if parts.total == 0 { return nil }
        self.init(parts)
        if waitsNoticeably {
            shortage = ProcessorShortage(
                analysis.trace, use, outside ?? OutsideStretches(use), of: path)
        } else if waitsForSomething {
            delegated = Self.delegated(use, outside ?? OutsideStretches(use), path)
        }
    }

    /// Nanoseconds on processors that may have been work of these operations.
    private static func delegated(
        _ use: ProcessorUse, _ outside: OutsideStretches, _ path: [Int]
    ) -> Int64? {
        guard outside.isComplete else { return nil }
        let work = DelegatedWork(use, outside)
        return Int64(path.reduce(0.0) { $0 + work.share(of: $1, use).work })
    }

    init(_ parts: ExecutionParts) { self.parts = parts }

    private var waitsNoticeably: Bool { share(parts.waitingForCPU) >= Self.noticeableWait }

    /// `371 ms blocked, 38.0 ms on CPU: more processors will not help`.
    var text: String {
        let total = DurationFormat.text(nanoseconds: parts.total)
        guard let text = parts.text else { return "\(total) unmeasured" }
        return text + (conclusion.map { ": \($0)" } ?? "")
    }

    /// Nil if too little was measured, or if no part decides.
    var conclusion: String? {
        if share(parts.unmeasured) >= Self.decisiveShare { return nil }
        if waitsNoticeably { return shortage.conclusion }
        if let delegated, waitsForSomething {
            return share(delegated) < Self.noticeableWait
                ? "more processors will not help"
                : "threads without operations calculated for \(DurationFormat.text(nanoseconds: delegated)) "
                    + "meanwhile"
        }
        if share(parts.blocked) >= Self.decisiveShare { return "more processors will not help" }
        if waitsForSomething {
            return "the log does not show whether the time off thread was spent calculating"
        }
        return share(parts.onCPU) >= Self.decisiveShare
            ? "only faster code or smaller operations will help" : nil
    }

    /// Whether no thread of theirs calculated for most of the time.
    private var waitsForSomething: Bool {
        share(parts.blocked.saturatingAdd(parts.offThread)) >= Self.decisiveShare
    }

    private func share(_ time: Int64) -> Double { Double(time) / Double(parts.total) }
}
