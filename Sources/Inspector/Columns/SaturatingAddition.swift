extension Int64 {
    /// The sum, or the nearest number that fits: a trace may hold any times at all.
    @inlinable
    public func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
