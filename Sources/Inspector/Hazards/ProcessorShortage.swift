import InspectorColumns

/// Who had the processors that executions waited for, and what to do about it. Findings and the critical path
/// take their words from here, so that they never contradict each other.
package enum ProcessorShortage: Sendable {
    /// Other operations of the program, or it is not known who.
    case ownOperations
    /// Threads of the program that run no operations.
    case ownThreads
    /// Something else: other processes; or, where the log does not say what they did, such threads.
    case others

    /// Decides for these operations. Cost: nearly linear in switches.
    package init(
        _ trace: Trace, _ use: ProcessorUse, _ outside: OutsideStretches, of operations: some Sequence<Int>
    ) {
        guard let contention = ProcessorContention(trace, use, outside) else {
            self = .ownOperations
            return
        }
        var (waited, threads, others): (Int64, Double, Double) = (0, 0, 0)
        for operation in operations {
            guard let parts = use.parts(of: operation), parts.waitingForCPU > 0 else { continue }
            waited = waited.saturatingAdd(parts.waitingForCPU)
            let waits = contention.waits(use.stretches(of: operation))
            threads += waits.threads
            others += waits.others
        }
        let half = Double(waited) / 2
        self = others > 0 && others >= half ? .others : threads > half ? .ownThreads : .ownOperations
    }

    /// What would shorten the run.
    package var conclusion: String {
        switch self {
        case .ownOperations: "fewer slots or more processors would help"
        case .ownThreads:
            "threads without operations had the CPUs; fewer of them or more processors would help"
        case .others: "something else had the CPUs; \(Self.measureAgain)"
        }
    }

    private static let measureAgain = "measure again on an idle machine"

    /// What a finding advises if something else had the processors.
    static let advice =
        "\(measureAgain), or with fewer threads beside the operations, before you change the operations"
}
