public import Foundation

/// An operation of a module with library evolution, whose subclasses elsewhere get their tables while the
/// program runs.
open class ResilientBase: Operation, @unchecked Sendable {
    /// How often its body ran.
    public private(set) var runs = 0

    public override init() { super.init() }

    open override func main() { runs += 1 }
}

/// The same for each of many types.
open class ResilientGeneric<Value>: Operation, @unchecked Sendable {
    /// How often its body ran.
    public private(set) var runs = 0

    public override init() { super.init() }

    open override func main() { runs += 1 }
}
