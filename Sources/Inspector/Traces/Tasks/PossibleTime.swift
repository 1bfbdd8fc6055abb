/// A time in nanoseconds that may be unknown, in the room of one that is known.
@propertyWrapper
package struct PossibleTime: Sendable {
    /// Events' times are bounded, and later than that.
    private static var unknown: Int64 { .min }

    private var nanoseconds: Int64

    package init(wrappedValue: Int64?) { nanoseconds = wrappedValue ?? Self.unknown }

    package var wrappedValue: Int64? {
        get { nanoseconds == Self.unknown ? nil : nanoseconds }
        set { nanoseconds = newValue ?? Self.unknown }
    }
}
