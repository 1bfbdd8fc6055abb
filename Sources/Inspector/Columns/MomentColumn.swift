/// Moments by index, each a time or an interval. Most are exact: the start of an interval takes room only
/// where there are intervals.
public struct MomentColumn: Sendable {
    /// A time that no moment has: one that is as early becomes a nanosecond later.
    @inlinable public static var absent: Int64 { .min }

    @usableFromInline var ends = Column<Int64>(absent: Self.absent)
    @usableFromInline var starts = Column<Int64>(absent: Self.absent)

    /// Without any moment.
    public init() {}

    /// Whether there is a moment.
    @inlinable
    public func has(_ index: Int) -> Bool { ends[index] != Self.absent }

    /// The end of the interval, `absent` if there is no moment.
    @inlinable
    public func notAfter(_ index: Int) -> Int64 { ends[index] }

    /// Both ends of the interval, the same for an exact moment.
    @inlinable @inline(__always)
    public func bounds(_ index: Int) -> (notBefore: Int64, notAfter: Int64)? {
        let end = ends[index]
        if end == Self.absent { return nil }
        let start = starts[index]
        return (start == Self.absent ? end : start, end)
    }

    /// Replaces what was there.
    public mutating func set(_ index: Int, notBefore: Int64, notAfter: Int64) {
        ends[index] = max(notAfter, Self.absent + 1)
        if notBefore != notAfter {
            starts[index] = max(notBefore, Self.absent + 1)
        } else if index < starts.values.count {
            starts[index] = Self.absent
        }
    }

    /// Takes the moment away.
    public mutating func remove(_ index: Int) {
        if index < ends.values.count { ends[index] = Self.absent }
        if index < starts.values.count { starts[index] = Self.absent }
    }

    /// The last of all moments, or `absent`.
    public var last: Int64 { ends.values.reduce(Self.absent) { max($0, $1) } }
}
