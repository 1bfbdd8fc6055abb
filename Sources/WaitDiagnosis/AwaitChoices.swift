/// Which one to follow of several that a task awaits, any of which makes it go on.
///
/// If all are stuck, one through which the task is in a circle, or else one that leads to a circle with an
/// operation. If some may go on, the first of these, if all of them certainly wait for the same one: then the
/// task does, too.
struct AwaitChoices {
    /// For each task for which there is one.
    private(set) var all: [Int: Int] = [:]
    private let graph: WaitGraph
    private let hops: [WaitHop?]
    private let several: [Int: [Int]]
    private let isStuck: [Bool]
    private let components: StrongComponents
    /// For each component, whether the chains of its nodes end in a circle with an operation.
    private var leadsToOperation: [Bool]
    /// What each certainly waits for in the end; itself if that is not certain.
    private var ends: [Int]

    /// Linear in the graph.
    ///
    /// - Parameters:
    ///   - hops: of all that do not await several.
    ///   - isStuck: for each operation.
    init(_ graph: WaitGraph, _ links: WaitLinks, _ hops: [WaitHop?], isStuck: [Bool]) {
        let several = links.awaits.filter { hops[$0.key] == nil && $0.value.others.count > 1 }.mapValues(
            \.others)
        (self.graph, self.hops, self.several, self.isStuck) = (graph, hops, several, isStuck)
        components = StrongComponents(count: hops.count, from: several.keys.sorted()) {
            several[$0] ?? hops[$0].map { [$0.next] } ?? []
        }
        leadsToOperation = Array(repeating: false, count: components.all.count)
        ends = Array(hops.indices)
        for (number, members) in components.all.enumerated() {
            if isStuck[members[0]] { follow(number, members) } else { findEnds(number, members) }
        }
    }

    /// What is stuck waits only for what is stuck.
    private mutating func follow(_ component: Int, _ members: [Int]) {
        let operation = members.first { !graph.operations[$0].isTask }
        let exit = operation == nil ? exit(of: component, members) : nil
        leadsToOperation[component] = operation != nil && members.count > 1 || exit != nil
        if members.count > 1 {
            let next = components.ways(to: exit?.task ?? operation ?? members[0])
            for member in members where several[member] != nil { all[member] = next[member] }
        } else if let task = members.first, let others = several[task] {
            all[task] = others[0]
        } else if let hop = hops[members[0]] {
            // An operation may wait for its own queue.
            leadsToOperation[component] =
                operation == hop.next || leadsToOperation[components.ofNode[hop.next]]
        }
        if let exit { all[exit.task] = exit.other }
    }

    /// A task that awaits another one that leads to a circle with an operation.
    private func exit(of component: Int, _ members: [Int]) -> (task: Int, other: Int)? {
        for task in members {
            let other = several[task]?.first {
                components.ofNode[$0] != component && leadsToOperation[components.ofNode[$0]]
            }
            if let other { return (task, other) }
        }
        return nil
    }

    private mutating func findEnds(_ component: Int, _ members: [Int]) {
        let tasks = members.filter { several[$0] != nil }
        guard let task = tasks.first, tasks.count == 1 else {
            guard members.count == 1, let hop = hops[members[0]], graph.isCertain(hop) else { return }
            ends[members[0]] = ends[hop.next]
            return
        }
        guard members.allSatisfy({ hops[$0].map(graph.isCertain) ?? true }) else { return }
        let free = (several[task] ?? []).filter { !isStuck[$0] && components.ofNode[$0] != component }
        let ends = Set(free.map { self.ends[$0] })
        guard ends.count == 1, let end = ends.first else { return }
        all[task] = free[0]
        for member in members { self.ends[member] = end }
    }
}

extension WaitGraph {
    /// Whether an operation cannot go on before the other one does. It may not wait for its child, and get
    /// one of several slots from another.
    func isCertain(_ hop: WaitHop) -> Bool {
        switch hop.reason {
        case .child: false
        case .slot: queues[operations[hop.operation].queue].limit == 1
        default: true
        }
    }
}
