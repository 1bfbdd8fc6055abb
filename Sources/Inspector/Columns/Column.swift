/// One value for each index, `absent` if it was never set. It takes memory up to the last index that was set:
/// a property that no operation of a trace has takes none.
public struct Column<Value: Sendable>: Sendable {
    /// The value at an index that was never set.
    public let absent: Value
    @usableFromInline var stored: [Value] = []

    /// The values up to the last index that was set.
    @inlinable public var values: [Value] { stored }

    @inlinable
    public init(absent: Value) { self.absent = absent }

    /// Makes room for values up to this many, which takes memory only when they are set.
    public mutating func reserve(_ count: Int) { stored.reserveCapacity(count) }

    public subscript(index: Int) -> Value {
        @inlinable get { index < stored.count ? stored[index] : absent }
        @inlinable set {
            if index < stored.count {
                stored[index] = newValue
            } else {
                append(newValue, at: index)
            }
        }
    }

    /// Sets a value behind the last one that was set.
    @inlinable
    mutating func append(_ value: Value, at index: Int) {
        if index > stored.count {
            stored.append(contentsOf: repeatElement(absent, count: index - stored.count))
        }
        stored.append(value)
    }
}
