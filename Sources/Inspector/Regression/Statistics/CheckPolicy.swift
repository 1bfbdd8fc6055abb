/// How a check decides.
public struct CheckPolicy: Hashable, Sendable {
    /// Smaller relative changes are ignored: 0.05 is 5 % of the baseline.
    public var relativeThreshold: Double
    /// Nanoseconds; smaller changes are ignored. The larger of the two thresholds applies.
    public var absoluteThreshold: Int64
    /// How often a check of equally fast programs may report any of its metrics as regressed: 0.01 is one in
    /// a hundred.
    public var errorRate: Double
    /// How often the result is examined while runs are added; each look uses a part of the error rate.
    public var looks: Int
    /// The seed for the bootstrap: the same seed and the same runs give the same result.
    public var seed: UInt64
    /// Whether both sides ran alternately in the same sessions, so that differences between sessions affect
    /// both.
    public var isInterleaved: Bool
    /// The seed of the ``RunOrder`` in which they ran; nil if unknown.
    public var orderSeed: UInt64?
    /// The differences between sessions, from a history; used only if the sides are not interleaved.
    public var sessionSpread: SessionSpread?

    /// The defaults are those of `opviz check`.
    public init(
        relativeThreshold: Double = 0.05, absoluteThreshold: Int64 = 0, errorRate: Double = 0.01,
        looks: Int = 1,
        seed: UInt64 = 1, isInterleaved: Bool = false, orderSeed: UInt64? = nil,
        sessionSpread: SessionSpread? = nil
    ) {
        self.relativeThreshold = relativeThreshold
        self.absoluteThreshold = absoluteThreshold
        self.errorRate = errorRate
        self.looks = looks
        self.seed = seed
        self.isInterleaved = isInterleaved
        self.orderSeed = orderSeed
        self.sessionSpread = sessionSpread
    }
}
