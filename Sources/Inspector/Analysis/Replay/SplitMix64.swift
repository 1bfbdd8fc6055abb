/// The SplitMix64 generator (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA
/// 2014): the same numbers for the same seed, on every platform and in every version of Swift.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// A separate generator for each text, so that adding a metric to a check does not change the other
    /// verdicts.
    package init(seed: UInt64, of text: String) {
        // FNV-1a (Fowler, Noll, Vo), started from the seed.
        state = text.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ seed) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Above 0 and below 1, in steps of 2⁻⁵².
    package mutating func uniform() -> Double { (Double(next() >> 12) + 0.5) * 0x1p-52 }

    /// One of `count` numbers, equally likely to within `count` in 2⁶⁴.
    package mutating func index(below count: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(count)).high)
    }
}
