/// The identifiers of a run and its operations for other programs: always the same for the same run, and
/// different for different runs. A recorder sends them in a `traceparent`, and exports use them.
package struct SpanIdentifiers: Sendable {
    private let traceHigh: UInt64
    private let traceLow: UInt64
    private let seed: UInt64

    /// Derived from what distinguishes runs: host, process, its number, and the start.
    ///
    /// - Parameter cause: what started the process. The run then belongs to the same trace.
    package init(
        host: String, process: String, processID: Int32, start: Int64, cause: TraceContext? = nil
    ) {
        // FNV-1a (Fowler, Noll, Vo), 64 bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(host)\0\(process)\0\(processID)\0\(start)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        seed = Self.mixed(hash)
        traceHigh = cause?.span.traceHigh ?? Self.nonzero(seed)
        traceLow = cause?.span.traceLow ?? Self.mixed(seed ^ hash)
    }

    /// Never the same for two operations, because the mixing is one to one.
    ///
    /// - Parameter operation: the operation's number from the recorder.
    package func span(_ operation: UInt64) -> TraceContext.Span {
        TraceContext.Span(
            traceHigh: traceHigh, traceLow: traceLow, span: Self.nonzero(Self.mixed(operation &+ seed)))
    }

    /// All zeros mean a missing identifier.
    private static func nonzero(_ number: UInt64) -> UInt64 { number == 0 ? 1 : number }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
