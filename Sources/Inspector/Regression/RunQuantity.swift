extension TimingMetric {
    /// What only a whole run has, in the order in which it is shown. To add a metric of `check`, add a case:
    /// what it is called, and where a run has it.
    public enum RunQuantity: CaseIterable, Hashable, Sendable {
        /// First enqueue → last finish.
        case makespan
        /// What the run would take with any number of slots.
        case criticalPathLength

        /// As it is printed.
        public var label: String {
            switch self {
            case .makespan: "makespan"
            case .criticalPathLength: "critical path length"
            }
        }

        /// As it may be written on the command line, beside its label.
        var alias: String? {
            switch self {
            case .makespan: nil
            case .criticalPathLength: "critical path"
            }
        }

        /// Nanoseconds.
        func time(of run: RunTimings) -> Int64 {
            switch self {
            case .makespan: run.makespan
            case .criticalPathLength: run.criticalPathLength
            }
        }
    }
}
