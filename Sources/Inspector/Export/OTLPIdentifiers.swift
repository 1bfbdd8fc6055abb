/// Identifiers of OpenTelemetry for a run and its operations: the same for the same trace, others for another run.
struct OTLPIdentifiers {
    private static let digits = Array("0123456789abcdef".utf8)

    /// 32 hexadecimal digits.
    let trace: [UInt8]
    private let seed: UInt64

    /// Made of what tells runs apart: host, process, its number, and the start.
    init(_ header: LogHeader) {
        // FNV-1a (Fowler, Noll, Vo), 64 bits.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(header.host)\0\(header.process)\0\(header.processID)\0\(header.start)".utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        seed = Self.mixed(hash)
        trace = Self.hexadecimal(Self.nonzero(seed)) + Self.hexadecimal(Self.mixed(seed ^ hash))
    }

    /// 16 hexadecimal digits; of two operations never the same, because mixing is one to one.
    func span(_ operation: UInt64) -> [UInt8] {
        Self.hexadecimal(Self.nonzero(Self.mixed(operation &+ seed)))
    }

    /// All zeros mean that there is none.
    private static func nonzero(_ number: UInt64) -> UInt64 { number == 0 ? 1 : number }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    private static func hexadecimal(_ number: UInt64) -> [UInt8] {
        stride(from: 60, through: 0, by: -4).map { digits[Int(number >> UInt64($0) & 15)] }
    }
}
