import InspectorColumns

/// A run whose operations waited for processors that something else had.
enum BusyMachine: HazardRule {
    static let name = "busy-machine"
    static let meaning = "operations waited for processors that other processes had"

    /// Shorter waits are not reported: in nanoseconds 200 ms in total, and as a fraction of all executions.
    private static let leastTime = 200_000_000.0
    private static let leastPart = 0.1

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        guard let use = context.processorUse, let contention = context.processorContention else {
            context.lackOfProcessorTimes(ifExecutedFor: Int64(leastTime)).map { findings.cannotDecide($0) }
            return
        }
        var (executed, waited) = (0.0, 0.0)
        var longest: (operation: Int, time: Double)?
        for operation in 0..<context.count {
            guard let parts = use.parts(of: operation) else { continue }
            executed += Double(parts.onCPU) + Double(parts.waitingForCPU) + Double(parts.blocked)
            guard parts.waitingForCPU > 0 else { continue }
            let others = contention.waits(use.stretches(of: operation)).others
            waited += others
            if others > longest?.time ?? 0 { longest = (operation, others) }
        }
        guard let longest, waited >= leastTime, waited >= executed * leastPart else { return }
        findings.report(.note, context.kind(longest.operation)) {
            let others =
                contention.knowsOtherThreads
                ? "other processes" : "other processes, or threads of this program without operations,"
            return HazardFinding(
                .note, [longest.operation],
                "\(others) had the CPUs: operations waited for one for "
                    + "\(DurationFormat.text(nanoseconds: waited)), "
                    + "\(DurationFormat.percent(waited / executed)) of their executions",
                evidence: context.events(longest.operation, .executing, .finished),
                advice: ProcessorShortage.advice)
        }
    }
}
