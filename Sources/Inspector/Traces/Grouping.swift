/// Indices sorted by group, ascending within a group: two arrays, made by counting.
package struct Grouping: Sendable {
    /// Group g is `members[first[g]..<first[g + 1]]`.
    private var first: [Int32]
    package private(set) var members: [Int32]

    /// Linear in indices and groups.
    ///
    /// - Parameter groupOfIndex: the group of each index. A negative value, or one that is not below
    ///   `groups`, means no group.
    package init(_ groupOfIndex: some RandomAccessCollection<Int>, groups: Int) {
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
        self.members = members
    }

    package var count: Int { first.count - 1 }

    package subscript(group: Int) -> ArraySlice<Int32> { members[range(of: group)] }

    /// The range of the group's members in `members`.
    package func range(of group: Int) -> Range<Int> { Int(first[group])..<Int(first[group + 1]) }

    /// Replaces the grouped indices by those that they stand for.
    package mutating func renumber(_ index: (Int32) -> Int32) {
        for position in members.indices { members[position] = index(members[position]) }
    }

    /// Sorts the members of one group.
    package mutating func sort(_ group: Int, by areInOrder: (Int32, Int32) -> Bool) {
        members[range(of: group)].sort(by: areInOrder)
    }
}
