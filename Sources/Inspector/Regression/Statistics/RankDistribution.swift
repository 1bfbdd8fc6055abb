/// The exact distribution of rank sums under chance alone, by counting all possible orders.
enum RankDistribution {
    /// The probability that Mann and Whitney's U of `first` values against `second` is at most `u`, if no two
    /// values are equal and all orders are equally likely.
    ///
    /// The number of orders with U = u is the coefficient of qᵘ in the Gaussian binomial coefficient, the
    /// product of (1 − q^(second + i)) ÷ (1 − qⁱ) for i from 1 to `first` (Andrews, The Theory of Partitions,
    /// theorem 3.1). Each partial product is also a Gaussian binomial coefficient, so rounding errors do not
    /// grow. Coefficients beyond qᵘ are not needed. Cost: min(first, second) · min(u, first · second − u).
    static func probability(ofAtMost u: Int, _ first: Int, _ second: Int) -> Double {
        let most = first * second
        if u < 0 { return 0 }
        if u >= most { return 1 }
        // The distribution is symmetric; the shorter half is summed.
        if u > most - u - 1 { return 1 - probability(ofAtMost: most - u - 1, first, second) }
        var ways = [Double](repeating: 0, count: u + 1)
        ways[0] = 1
        let (fewer, others) = (min(first, second), max(first, second))
        ways.withUnsafeMutableBufferPointer { ways in
            for i in 1...fewer {
                let factor = others + i
                var at = u
                while at >= factor {
                    ways[at] -= ways[at - factor]
                    at -= 1
                }
                at = i
                while at <= u {
                    ways[at] += ways[at - i]
                    at += 1
                }
            }
        }
        return min(ways.reduce(0, +) / combinations(first + second, fewer), 1)
    }

    /// The probability that `count` of these ranks, drawn without replacement, have a sum of at most `sum`.
    ///
    /// - Parameters:
    ///   - ranks: doubled, so that the mean ranks of equal values are whole numbers.
    ///   - sum: doubled as well.
    ///
    /// Counts subsets by size and sum. Cost: count · ranks · sum.
    static func probability(ofAtMost sum: Int, drawing count: Int, from ranks: [Int]) -> Double {
        guard sum >= 0 else { return 0 }
        let width = min(sum, ranks.reduce(0, +)) + 1
        var ways = [Double](repeating: 0, count: (count + 1) * width)
        ways[0] = 1
        ways.withUnsafeMutableBufferPointer { ways in
            for (drawn, rank) in ranks.enumerated() where rank < width {
                for size in stride(from: min(count, drawn + 1), to: 0, by: -1) {
                    let (row, below) = (size * width, (size - 1) * width - rank)
                    var at = width - 1
                    while at >= rank {
                        ways[row + at] += ways[below + at]
                        at -= 1
                    }
                }
            }
        }
        return min(ways.suffix(width).reduce(0, +) / combinations(ranks.count, count), 1)
    }

    /// The number of subsets with `count` of `things` elements; infinite from about 10³⁰⁸ on.
    static func combinations(_ things: Int, _ count: Int) -> Double {
        (0..<min(count, things - count)).reduce(1.0) { ($0 * Double(things - $1) / Double($1 + 1)).rounded() }
    }
}
