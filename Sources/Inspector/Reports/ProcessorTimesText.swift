import EventLog
import InspectorAnalysis

/// Where the times come from that executions spent on processors: the same sentence in all reports.
package struct ProcessorTimesText {
    package static let label = "CPU times"

    package let text: String

    /// - Parameter unmeasured: the share of the time in bodies that was not measured.
    package init(_ times: ProcessorTimes, unmeasured: Double? = nil) {
        let note = unmeasured.map { "; \(Self.percent($0)) unmeasured" } ?? ""
        text =
            switch times {
            case .switches: "context switches of the kernel" + note
            case .clocks:
                "thread clocks, of kinds that take "
                    + DurationFormat.text(nanoseconds: ProcessorTimes.longBody) + " and longer" + note
            case .off: "not recorded"
            }
    }

    /// Nil if the trace does not say. Linear in its operations if they come from clocks.
    init?(_ analysis: TraceAnalysis) {
        guard let times = analysis.trace.header.processorTimes else { return nil }
        var unmeasured: Double?
        if times == .clocks {
            // Without a single long body, nothing is measured.
            let parts = ProcessorUse(analysis.timings)?.parts(of: analysis.trace.operations.indices)
            let inBodies = parts.map { $0.total - $0.offThread } ?? 0
            unmeasured = parts.flatMap { inBodies > 0 ? Double($0.unmeasured) / Double(inBodies) : nil } ?? 1
        }
        self.init(times, unmeasured: unmeasured)
    }

    private static func percent(_ share: Double) -> String {
        let percent = (share * 100).rounded()
        if percent == 0, share > 0 { return "under 1 %" }
        return "\(Int(percent)) %"
    }
}
