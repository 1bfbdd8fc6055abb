/// How a check decides.
public struct CheckPolicy: Hashable, Sendable {
    /// Smaller relative changes are ignored: 0.05 is 5 % of the baseline.
    public var relativeThreshold: Double
    /// Nanoseconds; smaller changes are ignored. The greater of the two thresholds holds.
    public var absoluteThreshold: Int64
    /// How often a check of equally fast programs may call any of its metrics regressed: 0.01 is once in a
    /// hundred.
    public var errorRate: Double
    /// How often the check is looked at while runs are added; each look spends its part of the error rate.
    public var looks: Int
    /// Of the random numbers of the bootstrap: the same seed and the same runs give the same answer.
    public var seed: UInt64
    /// Both sides ran in turn in the same sessions, so that what sessions differ by is the same for both.
    public var isInterleaved: Bool
    /// Of the ``RunOrder`` in which they ran; nil where that is not known.
    public var orderSeed: UInt64?
    /// What sessions differ by, from a history; only asked where the sides are not interleaved.
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
