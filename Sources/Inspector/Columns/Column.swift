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

    public subscript(index: Int) -> Value {
        @inlinable get { index < stored.count ? stored[index] : absent }
        @inlinable set {
            if index == stored.count {
                stored.append(newValue)
                return
            }
            if index > stored.count {
                stored.append(contentsOf: repeatElement(absent, count: index + 1 - stored.count))
            }
            stored[index] = newValue
        }
    }
}
