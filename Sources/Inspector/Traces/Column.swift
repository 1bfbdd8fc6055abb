/// One value for each index. Values that were never set are `absent`. Takes memory up to the last index that
/// was set, so an unused column takes none.
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

/// Moments by index, most of which are exact. The start of an interval takes memory only if there are
/// intervals.
package struct MomentColumn: Sendable {
    /// A time that no moment has. A moment at that time is moved by a nanosecond.
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

    /// `absent` without a moment.
    package func notAfter(_ index: Int) -> Int64 { ends[index] }

    /// The latest of all moments, or `absent`.
    package var last: Int64 { ends.values.reduce(Self.absent) { max($0, $1) } }
}
