import EventLog

/// The identifier of a run, whatever its file is called (``ExportedTrace/identifier``).
enum RunIdentifier {
    /// Cost: linear in operations and edges if the trace names no machine.
    static func text(_ analysis: TraceAnalysis, run: String) -> String {
        let processes = analysis.trace.processes
        let first = processes[0]
        var parts =
            [first.process]
            + processes.dropFirst().map { "\($0.host)\0\($0.process)\0\($0.processID)\0\($0.start)" }
        if first.host.isEmpty { parts += [run, String(contentHash(analysis))] }
        let identifiers = SpanIdentifiers(
            host: first.host, process: parts.joined(separator: "\0"), processID: first.processID,
            start: first.start)
        return identifiers.span(0).traceText
    }

    /// A hash of kinds, times and edges, to distinguish traces with the same name and without a machine.
    private static func contentHash(_ analysis: TraceAnalysis) -> UInt64 {
        // FNV-1a (Fowler, Noll, Vo), a number at a time. The shift mixes high bits into low ones.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ number: Int64) {
            hash = (hash ^ UInt64(bitPattern: number)) &* 0x100_0000_01B3
            hash ^= hash >> 32
        }
        for kind in analysis.trace.kinds {
            for byte in kind.utf8 { take(Int64(byte)) }
            take(-1)
        }
        for line in analysis.timings.transitions {
            take(line?.enqueued ?? .min)
            take(line?.start ?? .min)
            take(line?.end ?? .min)
        }
        for edge in analysis.trace.edges {
            take(Int64(edge.predecessor))
            take(Int64(edge.successor))
        }
        return hash
    }
}
