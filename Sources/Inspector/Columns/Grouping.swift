/// Indices sorted by group, ascending within a group: two arrays, made by counting.
public struct Grouping: Sendable {
    /// Group g is `members[first[g]..<first[g + 1]]`.
    @usableFromInline var first: [Int32]
    @usableFromInline var stored: [Int32]

    /// Group by group.
    @inlinable public var members: [Int32] { stored }

    /// Linear in indices and groups.
    ///
    /// - Parameter groupOfIndex: the group of each index. A negative value, or one that is not below
    ///   `groups`, means no group.
    @inlinable
    public init(_ groupOfIndex: some RandomAccessCollection<Int>, groups: Int) {
        var first = [Int32](repeating: 0, count: groups + 1)
        for group in groupOfIndex where group >= 0 && group < groups { first[group + 1] += 1 }
        for group in 0..<groups { first[group + 1] += first[group] }
        var members = [Int32](repeating: 0, count: Int(first[groups]))
        var next = first
        for (index, group) in groupOfIndex.enumerated() where group >= 0 && group < groups {
            members[Int(next[group])] = Int32(index)
            next[group] += 1
        }
        self.first = first
        stored = members
    }

    @inlinable public var count: Int { first.count - 1 }

    @inlinable public subscript(group: Int) -> ArraySlice<Int32> { stored[range(of: group)] }

    /// The range of the group's members in `members`.
    @inlinable
    public func range(of group: Int) -> Range<Int> { Int(first[group])..<Int(first[group + 1]) }

    /// Replaces the grouped indices by those that they stand for.
    @inlinable
    public mutating func renumber(_ index: (Int32) -> Int32) {
        for position in stored.indices { stored[position] = index(stored[position]) }
    }

    /// Sorts the members of one group.
    @inlinable
    public mutating func sort(_ group: Int, by areInOrder: (Int32, Int32) -> Bool) {
        stored[range(of: group)].sort(by: areInOrder)
    }
}
