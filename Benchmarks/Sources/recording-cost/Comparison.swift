import Foundation

/// The times of two ways to do the same, measured in one process in blocks of the order A B B A, so that what
/// drifts (the processor's speed, other programs) falls on both.
struct Comparison {
    /// Nanoseconds an item.
    let plain: Double
    let other: Double
    /// Of the paired differences, in nanoseconds an item: the median, and the interval that holds it with 95
    /// % confidence (order statistics by the binomial distribution: W. J. Conover, Practical Nonparametric
    /// Statistics).
    let difference: Double
    let interval: ClosedRange<Double>

    var ratio: Double { difference / plain }

    /// What a difference may be at most.
    enum Limit {
        case nanoseconds(Double)
        /// The other, as a multiple of the plain one.
        case times(Double)
    }

    /// Whether the limit holds with the confidence of the interval. Nil where the interval does not decide
    /// it.
    func holds(_ limit: Limit) -> Bool? {
        let largest =
            switch limit {
            case .nanoseconds(let nanoseconds): nanoseconds
            case .times(let times): (times - 1) * plain
            }
        if interval.upperBound <= largest { return true }
        return interval.lowerBound > largest ? false : nil
    }

    /// - Parameters:
    ///   - items: in a block.
    ///   - blocks: pairs of blocks; an even number.
    init(items: Int, blocks: Int = 80, plain: () -> Void, other: () -> Void) {
        self.init(items: items, blocks: blocks, plain: { Self.time(plain) }, other: { Self.time(other) })
    }

    /// As above, for blocks that say themselves how many nanoseconds they took.
    init(items: Int, blocks: Int = 80, plain: () -> Double, other: () -> Double) {
        _ = plain()
        _ = other()
        var pairs: [(plain: Double, other: Double)] = []
        for block in 0..<blocks {
            if block % 2 == 0 {
                let first = plain()
                pairs.append((first, other()))
            } else {
                let first = other()
                pairs.append((plain(), first))
            }
        }
        let count = Double(items)
        let differences = pairs.map { ($0.other - $0.plain) / count }.sorted()
        self.plain = Self.median(pairs.map { $0.plain / count }.sorted())
        self.other = Self.median(pairs.map { $0.other / count }.sorted())
        difference = Self.median(differences)
        let margin = 0.98 * Double(differences.count).squareRoot()
        let middle = Double(differences.count) / 2
        let low = max(0, Int((middle - margin).rounded(.down)))
        let high = min(differences.count - 1, Int((middle + margin).rounded(.up)))
        interval = differences[low]...differences[high]
    }

    /// Nanoseconds that `body` takes.
    static func time(_ body: () -> Void) -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        body()
        return Double(DispatchTime.now().uptimeNanoseconds - start)
    }

    private static func median(_ sorted: [Double]) -> Double {
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
