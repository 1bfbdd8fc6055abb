import InspectorColumns

/// What the executions of each group spent their time on.
package struct ExecutionSamples: Sendable {
    /// For each group and part, the nanoseconds of each operation that started.
    private var samples: [[[Int64]]]
    /// For each group, whether all are exact.
    private var areExact: [Bool]

    /// Nil if the trace does not say when threads were on processors. Linear in operations and switches.
    ///
    /// - Parameter isSelected: whether to count an operation; nil to count all.
    package init?(
        _ timings: TraceTimings, by grouping: OperationGrouping, only isSelected: ((Int) -> Bool)? = nil
    ) {
        guard let use = ProcessorUse(timings) else { return nil }
        let groups = timings.groupNumbers(by: grouping, only: isSelected)
        let none = Array(repeating: [Int64](), count: ExecutionParts.Part.allCases.count)
        samples = Array(repeating: none, count: groups.names.count)
        areExact = Array(repeating: true, count: groups.names.count)
        for index in timings.transitions.indices {
            let group = groups.number(index)
            guard samples.indices.contains(group), let parts = use.parts(of: index) else { continue }
            for part in ExecutionParts.Part.allCases {
                samples[group][part.rawValue].append(parts[part])
            }
            if !parts.isExact { areExact[group] = false }
        }
    }

    /// - Parameter group: `GroupTiming.number`.
    package func distribution(_ part: ExecutionParts.Part, of group: Int) -> Distribution {
        Distribution(samples[group][part.rawValue])
    }

    package func isExact(_ group: Int) -> Bool { areExact[group] }
}
