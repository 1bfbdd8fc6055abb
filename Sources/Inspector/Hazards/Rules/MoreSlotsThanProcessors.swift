import EventLog
import InspectorColumns

/// A queue that executed more operations that calculate than there are processors.
enum MoreSlotsThanProcessors: HazardRule {
    static let name = "more-slots-than-processors"
    static let meaning = "more operations calculated at once than there are processors"

    /// Shorter waits for a processor are not reported: in nanoseconds 200 ms in total, and as a fraction of
    /// the time in which the operations could have run.
    private static let leastTime = 200_000_000.0
    private static let leastPart = 0.2
    /// Which fraction of the execution of a kind that calculates is not blocked.
    private static let leastCalculated = 0.5
    /// The smallest number of processors that is certain if the log does not say how many there are. The log
    /// of a machine with two, of which something else always has one, looks like that of a machine with one.
    private static let leastProcessors = 2

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        guard let use = context.processorUse, let contention = context.processorContention else {
            context.lackOfProcessorTimes(ifExecutedFor: Int64(leastTime)).map { findings.cannotDecide($0) }
            return
        }
        guard contention.isRecorded || contention.processors >= leastProcessors else { return }
        for queue in context.trace.queues.indices {
            let limits = context.queueLimits[queue]
            guard limits.contains(where: { $0 < 0 || $0 > contention.processors }) else { continue }
            let (operations, parts, own) = calculating(queue, use, contention, context)
            let runnable = Double(parts.onCPU) + Double(parts.waitingForCPU)
            guard own >= leastTime, own >= runnable * leastPart else { continue }
            findings.report(.note, .queue(queue)) {
                finding(queue, operations, own / runnable, contention.processors, context)
            }
        }
    }

    /// The operations of the queue whose kinds calculate, and how long they waited for each other.
    private static func calculating(
        _ queue: Int, _ use: ProcessorUse, _ contention: ProcessorContention, _ context: HazardContext
    ) -> (operations: [Int], parts: ExecutionParts, own: Double) {
        let members = context.members[queue]
        let kinds = context.trace.operations.store.columns.kinds
        var ofKinds: [Int32: ExecutionParts] = [:]
        for member in members {
            guard let parts = use.parts(of: member) else { continue }
            ofKinds[kinds[member]] = (ofKinds[kinds[member]] ?? ExecutionParts()) + parts
        }
        let calculating = ofKinds.filter { _, parts in
            Double(parts.onCPU.saturatingAdd(parts.waitingForCPU)) >= Double(parts.total) * leastCalculated
        }
        var operations: [Int] = []
        var own = 0.0
        for member in members where calculating[kinds[member]] != nil {
            let waited = contention.waits(use.stretches(of: member)).operations
            guard waited > 0 else { continue }
            operations.append(member)
            own += waited
        }
        return (operations, calculating.values.reduce(ExecutionParts(), +), own)
    }

    private static func finding(
        _ queue: Int, _ operations: [Int], _ share: Double, _ processors: Int, _ context: HazardContext
    ) -> HazardFinding {
        let quota = context.trace.processes.first?.processors?.quotaInThousandths
        let number =
            quota.map { "its quota of CPU time, \(ProcessorCount.text($0))" }
            ?? "the number of processors (ProcessInfo.processInfo.activeProcessorCount)"
        return HazardFinding(
            .note, Array(operations.prefix(20)),
            "\(Prose.counted(operations.count, "operation")) of \(context.queueName(queue)) waited for a CPU "
                + "for \(DurationFormat.percent(share)) of the time in which they could have run: "
                + "at most \(Prose.grouped(processors)) at once could run, and more had slots",
            evidence: operations.prefix(3).flatMap { context.events($0, .executing, .finished) },
            advice:
                "set maxConcurrentOperationCount to \(number): each operation then finishes sooner, and the "
                + "run takes no longer")
    }
}
