/// Maps each identifier of a log to an index, assigned in the order of first use.
///
/// Identifiers in logs of this project count up from 1, and are looked up in an array; others in a
/// dictionary. Takes at most 32 bytes an identifier.
struct IndexTable {
    private static let none: Int32 = -1

    private var dense: [Int32] = []
    private var sparse: [UInt64: Int32] = [:]
    private var count: Int32 = 0

    /// Makes room for identifiers that count up from 1.
    mutating func reserve(_ count: Int) { dense.reserveCapacity(count + 1) }

    /// The index of the identifier, and whether it is a new one.
    @inline(__always)
    mutating func index(of identifier: UInt64) -> (index: Int, isNew: Bool) {
        if identifier < UInt64(dense.count) {
            let index = dense[Int(identifier)]
            if index != Self.none { return (Int(index), false) }
        }
        return sparseIndex(of: identifier)
    }

    /// The index of an identifier; nil if it was not used yet.
    func existingIndex(of identifier: UInt64) -> Int? {
        if identifier < UInt64(dense.count), dense[Int(identifier)] != Self.none {
            return Int(dense[Int(identifier)])
        }
        return sparse[identifier].map { Int($0) }
    }

    /// The same for an identifier that is not in `dense`.
    private mutating func sparseIndex(of identifier: UInt64) -> (index: Int, isNew: Bool) {
        if !sparse.isEmpty, let index = sparse[identifier] { return (Int(index), false) }
        let index = count
        count += 1
        if identifier == UInt64(dense.count) {
            dense.append(index)
        } else if identifier < 1024 + 4 * UInt64(count) {
            if identifier > UInt64(dense.count) {
                dense.append(
                    contentsOf: repeatElement(Self.none, count: Int(identifier) + 1 - dense.count))
            }
            dense[Int(identifier)] = index
        } else {
            sparse[identifier] = index
        }
        return (Int(index), true)
    }
}
