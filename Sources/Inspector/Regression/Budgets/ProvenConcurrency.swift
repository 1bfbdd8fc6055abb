import InspectorColumns

/// How many of some operations certainly executed at once. If the log knows a start or a finish only as an
/// interval, an operation counts from the end of the first to the beginning of the second. Unlike in
/// `Concurrency`, a parent counts while its children execute, because it takes a slot of its queue.
package enum ProvenConcurrency {
    /// - Parameter operations: indices into the trace's operations.
    package static func peak(of operations: [Int], in analysis: TraceAnalysis) -> Int {
        peak(operations.map(Int32.init(truncatingIfNeeded:)), analysis.timings.transitions)
    }

    /// Cost: linear in operations.
    static func peak(_ operations: [Int32], _ transitions: TraceTransitions) -> Int {
        var starts: [Int64] = []
        var ends: [Int64] = []
        for index in operations {
            guard let line = transitions[Int(index)], let executing = line.executing,
                executing.notAfter < line.finished.notBefore
            else { continue }
            starts.append(executing.notAfter)
            ends.append(line.finished.notBefore)
        }
        return Concurrency.peak(
            starts: starts.sortedByDigits { $0 }, ends: ends.sortedByDigits { $0 })
    }
}
