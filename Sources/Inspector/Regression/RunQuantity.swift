extension TimingMetric {
    /// The quantities of whole runs, in the order of display. To add a metric to `check`, add a case, its
    /// label, and its value in a run.
    public enum RunQuantity: CaseIterable, Hashable, Sendable {
        /// First enqueue → last finish.
        case makespan
        /// How long the run would take with any number of slots.
        case criticalPathLength

        /// The printed name.
        public var label: String {
            switch self {
            case .makespan: "makespan"
            case .criticalPathLength: "critical path length"
            }
        }

        /// An alternative name for the command line.
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
