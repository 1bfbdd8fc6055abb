/// Moments by index, each a time or an interval. Most are exact: the start of an interval takes memory only
/// if there are intervals.
public struct MomentColumn: Sendable {
    /// A time that no moment has. A moment at that time is moved by a nanosecond.
    @inlinable public static var absent: Int64 { .min }

    @usableFromInline var ends = Column<Int64>(absent: Self.absent)
    @usableFromInline var starts = Column<Int64>(absent: Self.absent)

    /// An empty column.
    public init() {}

    /// Makes room for exact moments.
    public mutating func reserve(_ count: Int) { ends.reserve(count) }

    /// Whether the index has a moment.
    @inlinable
    public func has(_ index: Int) -> Bool { ends[index] != Self.absent }

    /// The end of the interval; `absent` without a moment.
    @inlinable
    public func notAfter(_ index: Int) -> Int64 { ends[index] }

    /// Both ends of the interval, which are equal for an exact moment. Nil without a moment.
    @inlinable @inline(__always)
    public func bounds(_ index: Int) -> (notBefore: Int64, notAfter: Int64)? {
        let end = ends[index]
        if end == Self.absent { return nil }
        let start = starts[index]
        return (start == Self.absent ? end : start, end)
    }

    /// Whether a moment is an interval: otherwise all are exact.
    @inlinable public var hasIntervals: Bool { !starts.values.isEmpty }

    /// Replaces the moment.
    @inlinable
    public mutating func set(_ index: Int, notBefore: Int64, notAfter: Int64) {
        ends[index] = max(notAfter, Self.absent + 1)
        if notBefore != notAfter {
            starts[index] = max(notBefore, Self.absent + 1)
        } else if index < starts.values.count {
            starts[index] = Self.absent
        }
    }

    /// Removes the moment.
    public mutating func remove(_ index: Int) {
        if index < ends.values.count { ends[index] = Self.absent }
        if index < starts.values.count { starts[index] = Self.absent }
    }

    /// The latest of all moments, or `absent`.
    public var last: Int64 { ends.values.reduce(Self.absent) { max($0, $1) } }
}
