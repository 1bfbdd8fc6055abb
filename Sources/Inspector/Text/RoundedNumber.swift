extension Int64 {
    /// The nearest number: a very large one for what is larger, or not a number.
    package init(rounding value: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero) {
        self = Int64(exactly: value.rounded(rule)) ?? (value < 0 ? .min : .max)
    }
}
