/// Numbers that belong to each of many numbers, in two arrays: successors of operations, members of queues.
struct Adjacency {
    private let first: [Int]
    private let targets: [Int]

    /// Those of each owner in the order of the pairs. Pairs whose owner is out of range are left out. Linear.
    init(owners: Int, pairs: some Collection<(owner: Int, target: Int)>) {
        var first = Array(repeating: 0, count: owners + 1)
        for (owner, _) in pairs where owner >= 0 && owner < owners { first[owner + 1] += 1 }
        for owner in 0..<owners { first[owner + 1] += first[owner] }
        var next = first
        var targets = Array(repeating: 0, count: first[owners])
        for (owner, target) in pairs where owner >= 0 && owner < owners {
            targets[next[owner]] = target
            next[owner] += 1
        }
        self.first = first
        self.targets = targets
    }

    subscript(owner: Int) -> ArraySlice<Int> { targets[first[owner]..<first[owner + 1]] }
}
