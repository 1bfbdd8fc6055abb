/// The identifiers that a run and its operations have for others: the same for the same run, others for
/// another one. What a recorder sends in a `traceparent` and what exports call an operation is made here.
package struct SpanIdentifiers: Sendable {
    private let traceHigh: UInt64
    private let traceLow: UInt64
    private let seed: UInt64

    /// Made of what tells runs apart: host, process, its number, and the start.
    ///
    /// - Parameter cause: what the process was started by: it goes on with that trace.
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

    /// Of two operations never the same, because mixing is one to one.
    ///
    /// - Parameter operation: as the recorder numbered it.
    package func span(_ operation: UInt64) -> TraceContext.Span {
        TraceContext.Span(
            traceHigh: traceHigh, traceLow: traceLow, span: Self.nonzero(Self.mixed(operation &+ seed)))
    }

    /// All zeros stand for no identifier.
    private static func nonzero(_ number: UInt64) -> UInt64 { number == 0 ? 1 : number }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
