/// Which side runs first in each pair of runs: each side in half of the pairs, in random order.
///
/// With a fixed order, a disturbance with the same period would always affect the same side: for A B B A, a
/// disturbance of every fourth run. A coin toss for each pair could put one side first in nearly all of them,
/// and a drift of the machine would then look like a change. So the pairs come in blocks of ten, with five
/// pairs of each order. Whenever the runs end after ten pairs or more, each side was first in at least a
/// quarter of them, which `PairedRuns` requires.
public struct RunOrder: Sendable {
    /// The number of pairs in a block: at least `PairedRuns.least`, so that the first block is balanced when
    /// pairs are first examined.
    static let block = PairedRuns.least

    /// Pass it to ``CheckPolicy/orderSeed``, and print it, so that the order can be repeated.
    public let seed: UInt64
    private let pairs: Int

    /// - Parameters:
    ///   - pairs: the largest number of pairs. Each side is first in half of these.
    ///   - seed: the same seed gives the same order.
    public init(pairs: Int, seed: UInt64) {
        self.pairs = pairs
        self.seed = seed
    }

    /// Short enough to type.
    public static func randomSeed() -> UInt64 { UInt64.random(in: 0..<1_000_000) }

    /// Whether the run with that number, from 0, is one of the current side. Cost: that of shuffling a block.
    public func isCurrent(_ run: Int) -> Bool {
        let pair = run / 2
        let start = pair / Self.block * Self.block
        // The last block contains the remaining pairs. Beyond it, where no run should be, blocks are complete
        // again.
        let count = pairs > start ? min(Self.block, pairs - start) : Self.block
        let isCurrentFirst = Self.block(of: count, using: SplitMix64(seed: seed, of: "pairs from \(start)"))
        return isCurrentFirst[min(pair - start, count - 1)] == run.isMultiple(of: 2)
    }

    /// For each pair, whether the current side is first. For an odd number, a coin toss decides which side is
    /// first one more time.
    private static func block(of count: Int, using generator: SplitMix64) -> [Bool] {
        var generator = generator
        let currentFirst = count.isMultiple(of: 2) ? count / 2 : count / 2 + generator.index(below: 2)
        var order = (0..<count).map { $0 < currentFirst }
        // R. Durstenfeld, Algorithm 235: Random permutation, Communications of the ACM 7 (1964).
        for last in stride(from: count - 1, to: 0, by: -1) {
            order.swapAt(last, generator.index(below: last + 1))
        }
        return order
    }
}
