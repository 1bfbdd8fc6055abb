/// Identifies an operation to another process: the `traceparent` header of [W3C Trace
/// Context](https://www.w3.org/TR/trace-context/). A child process gets it in its environment as
/// `TRACEPARENT`.
public struct TraceContext: Hashable, Sendable {
    /// The operation, and the run that it belongs to. Neither is ever 0.
    public struct Span: Hashable, Sendable {
        /// The first 64 bits of the run's identifier. Not 0 together with `traceLow`.
        public var traceHigh: UInt64
        /// The last 64 bits of the run's identifier.
        public var traceLow: UInt64
        /// The operation's identifier within the run. Never 0.
        public var span: UInt64

        /// Does not check for zeros, which receivers reject.
        public init(traceHigh: UInt64, traceLow: UInt64, span: UInt64) {
            self.traceHigh = traceHigh
            self.traceLow = traceLow
            self.span = span
        }
    }

    /// The operation of the sender.
    public var span: Span
    /// Bit 0 means that the sender records.
    public var flags: UInt8

    /// The context of an operation; by default, it says that the sender records.
    public init(_ span: Span, flags: UInt8 = 1) {
        self.span = span
        self.flags = flags
    }

    /// Nil for a text that is not a `traceparent` by the specification's rules (section 3.2.2), which must be
    /// ignored.
    ///
    /// From a version after 00, reads the parts that 00 has.
    public init?(traceparent: String) {
        let bytes = Array(traceparent.utf8)
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            version == 0 ? bytes.count == 55 : bytes.count == 55 || bytes[55] == UInt8(ascii: "-"),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]), high | low != 0,
            let span = Self.number(bytes[36..<52]), span != 0, let flags = Self.number(bytes[53..<55])
        else { return nil }
        self.init(
            Span(traceHigh: high, traceLow: low, span: span), flags: UInt8(truncatingIfNeeded: flags))
    }

    /// `00-`, 32 digits of the trace, 16 of the span, and the flags.
    public var traceparent: String {
        let parts = ["00", span.traceText, span.spanText, Self.text(UInt64(flags), digits: 2)]
        return parts.joined(separator: "-")
    }

    /// Accepts only lower-case hexadecimal digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - 0x30)
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - 0x57)
            default: return nil
            }
        }
        return number
    }

    fileprivate static func text(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension TraceContext.Span {
    /// 32 hexadecimal digits.
    package var traceText: String {
        TraceContext.text(traceHigh, digits: 16) + TraceContext.text(traceLow, digits: 16)
    }

    /// 16 hexadecimal digits.
    package var spanText: String { TraceContext.text(span, digits: 16) }
}
