import Foundation

/// Student's t distribution with a whole number of degrees of freedom.
///
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4: for whole degrees of
/// freedom the distribution is a finite sum. Cost: linear in the degrees of freedom.
struct StudentDistribution {
    let degreesOfFreedom: Int

    /// The probability that a value is at most `t`.
    func probability(ofAtMost t: Double) -> Double {
        guard t.isFinite else { return t > 0 ? 1 : 0 }
        let angle = atan(t / Double(degreesOfFreedom).squareRoot())
        let (sine, square) = (sin(angle), cos(angle) * cos(angle))
        let isOdd = !degreesOfFreedom.isMultiple(of: 2)
        var term = isOdd ? cos(angle) : 1
        var sum = degreesOfFreedom == 1 ? 0 : term
        for step in stride(from: isOdd ? 3 : 2, to: degreesOfFreedom, by: 2) {
            term *= square * Double(step - 1) / Double(step)
            sum += term
        }
        let between = isOdd ? 2 / .pi * (angle + sine * sum) : sine * sum
        return min(max((1 + between) / 2, 0), 1)
    }

    /// The value that is not exceeded with this probability.
    ///
    /// Halves an interval until its ends are adjacent numbers. Cost: about 60 to 100 sums.
    func quantile(_ probability: Double) -> Double {
        guard probability > 0, probability < 1 else { return probability > 0 ? .infinity : -.infinity }
        if probability < 0.5 { return -quantile(1 - probability) }
        var (low, high) = (0.0, 1.0)
        while self.probability(ofAtMost: high) < probability { (low, high) = (high, high * 2) }
        while true {
            let middle = low + (high - low) / 2
            guard middle > low, middle < high else { return high }
            if self.probability(ofAtMost: middle) < probability { low = middle } else { high = middle }
        }
    }
}
