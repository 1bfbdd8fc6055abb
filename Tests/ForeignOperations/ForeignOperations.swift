public import Foundation

/// An operation of an ordinary module.
open class ForeignBase: Operation, @unchecked Sendable {
    /// How often its body ran.
    public private(set) var runs = 0

    public override init() { super.init() }

    open override func main() { runs += 1 }
}

/// The same for each of many types.
open class ForeignGeneric<Value>: Operation, @unchecked Sendable {
    /// How often its body ran.
    public private(set) var runs = 0

    public override init() { super.init() }

    open override func main() { runs += 1 }
}
