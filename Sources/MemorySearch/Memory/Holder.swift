/// What could still resume a task: the best that can be said of what has its address.
struct Holder {
    /// Of several, the first one in this order is named.
    private enum Rank: Comparable { case object, closure, kernel, variable, task, thread, memory }

    /// Such as `an object of type Cache`. It has names from the process.
    private let text: String
    private let rank: Rank

    private static let mostSteps = 8

    /// - Parameter referrers: as from ``ReachableMemory/references(to:most:)``.
    static func verdict(
        _ referrers: [UInt64], outside own: Set<UInt64>, _ memory: ReachableMemory, _ types: ObjectTypes
    ) -> ResumeSearch.Verdict {
        let holders = referrers.compactMap { Holder($0, outside: own, memory, types) }
        guard let best = holders.min(by: { $0.rank < $1.rank }) else {
            return .held(by: ResumeSearch.something)
        }
        return best.rank == .thread ? .heldByThread(best.text) : .held(by: best.text)
    }

    /// Nil for what belongs to the task itself.
    private init?(
        _ referrer: UInt64, outside own: Set<UInt64>, _ memory: ReachableMemory, _ types: ObjectTypes
    ) {
        var referrer = referrer
        var isClosure = false
        for step in 0..<Self.mostSteps {
            if let root = memory.root(referrer) {
                (text, rank) = Self.described(root, isClosure, memory)
                return
            }
            guard let number = memory.block(of: referrer) else { return nil }
            let block = memory.blocks[number]
            if own.contains(block.start) { return nil }
            switch types.object(block) {
            // A checked continuation has its task in an object of its own.
            case .instance("CheckedContinuationCanary"): break
            case .instance(let name):
                (text, rank) = ("an object of type \(name)", .object)
                return
            case .task:
                (text, rank) = isClosure ? ("a closure", .closure) : ("another task", .task)
                return
            case .captured: isClosure = true
            case .storage: break
            case .unknown:
                let type = memory.copy.word(block.start).flatMap(memory.copy.mapping)?.name ?? ""
                if type.contains("libdispatch") {
                    (text, rank) = ("a timer, a queue or a source of Dispatch", .closure)
                    return
                }
            }
            // What nothing reached yet leads nowhere.
            guard step + 1 < Self.mostSteps, memory.isReachable(number) else { break }
            referrer = memory.referrer(of: number)
        }
        (text, rank) = isClosure ? ("a closure", .closure) : ("its memory", .memory)
    }

    private static func described(
        _ root: RootHolder, _ isClosure: Bool, _ memory: ReachableMemory
    ) -> (String, Rank) {
        switch root {
        case .kernel(let what): return (what, .kernel)
        case .stack(let thread), .registers(let thread): return ("thread \(thread)", .thread)
        case .memory(let mapping):
            let name = memory.copy.mappings[mapping].name
            if name.contains("libdispatch") { return ("a timer, a queue or a source of Dispatch", .closure) }
            if name.hasPrefix("/") {
                return ("a variable of \(name.split(separator: "/").last ?? "")", .variable)
            }
            return isClosure ? ("a closure", .closure) : ("its memory", .memory)
        }
    }
}
