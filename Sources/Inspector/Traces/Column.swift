/// One value for each index; those that were never set are `absent`. Takes room up to the last index that was
/// set, so that what no operation of a trace has takes none.
package struct Column<Value: Sendable>: Sendable {
    package let absent: Value
    package private(set) var values: [Value] = []

    init(absent: Value) { self.absent = absent }

    package subscript(index: Int) -> Value {
        get { index < values.count ? values[index] : absent }
        set {
            if index == values.count {
                values.append(newValue)
                return
            }
            if index > values.count {
                values.append(contentsOf: repeatElement(absent, count: index + 1 - values.count))
            }
            values[index] = newValue
        }
    }
}

/// Moments by index, of which most are exact: an interval's start takes room only where there are intervals.
package struct MomentColumn: Sendable {
    /// A time that no moment has: one that is as early becomes a nanosecond later.
    package static let absent = Int64.min

    private var ends = Column<Int64>(absent: Self.absent)
    private var starts = Column<Int64>(absent: Self.absent)

    package subscript(index: Int) -> TraceMoment? {
        get {
            let end = ends[index]
            if end == Self.absent { return nil }
            let start = starts[index]
            return TraceMoment(notBefore: start == Self.absent ? end : start, notAfter: end)
        }
        set {
            guard let moment = newValue else {
                if index < ends.values.count { ends[index] = Self.absent }
                if index < starts.values.count { starts[index] = Self.absent }
                return
            }
            ends[index] = max(moment.notAfter, Self.absent + 1)
            if !moment.isExact {
                starts[index] = max(moment.notBefore, Self.absent + 1)
            } else if index < starts.values.count {
                starts[index] = Self.absent
            }
        }
    }

    package func has(_ index: Int) -> Bool { ends[index] != Self.absent }

    /// `absent` where there is no moment.
    package func notAfter(_ index: Int) -> Int64 { ends[index] }

    /// The last moment of all, or `absent`.
    package var last: Int64 { ends.values.reduce(Self.absent) { max($0, $1) } }
}
