extension Int64 {
    /// The sum, clamped: a trace may contain any times.
    @inlinable
    public func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }
}
