import Testing

@testable import WaitDiagnosis

@Suite("The diagnosis of operations that do not finish")
struct StandstillsTests {
    /// `executing`, `ready` and so on, all in queue 0.
    private func graph(_ states: WaitGraph.State..., limit: Int = -1, isSuspended: Bool = false) -> WaitGraph
    {
        var graph = WaitGraph()
        graph.operations = states.map { WaitGraph.Operation($0, queue: $0 == .notAdded ? -1 : 0) }
        graph.queues = [WaitGraph.Queue(limit: limit, isSuspended: isSuspended)]
        return graph
    }

    private func said(of graph: WaitGraph) -> [String] {
        let text = StandstillText(
            graph, name: { "op \($0)" }, identity: { "#\($0)" }, queue: { "queue \($0)" })
        return Standstills(graph).all.map { "\(text.sentence($0)) \($0.others)" }
    }

    @Test("the diagnosis finds nothing if nothing is open")
    func nothing() {
        #expect(said(of: graph(.finished, .finished)).isEmpty)
        #expect(said(of: WaitGraph()).isEmpty)
    }

    @Test("the diagnosis names one deadlock once, with its circle, and counts what waits for it")
    func deadlock() {
        var stuck = graph(.executing, .ready, .executing, .ready, limit: 2)
        stuck.waits = [(0, .operation(1)), (2, .operation(3))]
        #expect(
            said(of: stuck) == [
                "deadlock: op 0 blocks its thread until op 1 finishes, op 1 needs a slot of queue 0 (limit "
                    + "2), and op 0 has one [1, 2, 3]"
            ])
        // With a third slot, nothing is proven.
        stuck.queues[0].limit = 3
        #expect(Standstills(stuck).all.allSatisfy { !$0.isDeadlock })
    }

    @Test("proves no deadlock while the holder of a slot may finish, or a parent may not wait")
    func noDeadlock() {
        var busy = graph(.executing, .ready, .executing, limit: 2)
        busy.waits = [(0, .operation(1))]
        #expect(said(of: busy) == ["op 2 is still executing [0, 1]"])
        var parent = graph(.executing, .ready, limit: 1)
        parent.children = [(1, 0)]
        #expect(said(of: parent) == ["op 0 is still executing [1]"])
    }

    @Test("the diagnosis tells dependencies in a circle as one, and says which waits for which")
    func dependencies() {
        var stuck = graph(.pending, .pending, .pending, .pending)
        stuck.dependencies = [(2, 0), (0, 1), (1, 2), (2, 3)]
        #expect(
            said(of: stuck) == [
                "deadlock: op 0 → op 2 → op 1 → op 0 (each waits for the next) [1, 2, 3]"
            ])
    }

    @Test("the diagnosis follows waits for a queue, and for a key")
    func queueAndKey() {
        var own = graph(.executing)
        own.waits = [(0, .queue(0))]
        #expect(
            said(of: own) == [
                "deadlock: op 0 blocks its thread until queue 0 is empty, and is in that queue itself []"
            ])
        var ring = graph(.executing, .executing)
        ring.waits = [(0, .operation(1))]
        ring.keys = [(1, 0)]
        #expect(
            said(of: ring) == [
                "deadlock: op 0 blocks its thread until op 1 finishes, op 1 waits for a key behind op 0 [1]"
            ])
    }

    @Test("the diagnosis calls a suspended queue suspended, and nothing else")
    func suspended() {
        var idle = graph(.ready, .ready, .pending, .pending, limit: 1, isSuspended: true)
        idle.dependencies = [(0, 2)]
        #expect(said(of: idle) == ["queue 0 is suspended [1, 2, 3]"])
        #expect(Standstills(idle).all[0].waiting == 4)
        #expect(StandstillText.advice(.suspended(queue: 0)) == "set isSuspended of the queue to false")
    }

    @Test(
        "names the root: executing, not added, cancelled before start, not notified, not ready, not started"
    )
    func roots() {
        var chain = graph(.executing, .pending, .pending)
        chain.dependencies = [(0, 1), (1, 2)]
        #expect(said(of: chain) == ["op 0 is still executing [1, 2]"])
        chain.operations[0].isUnnotified = true
        #expect(said(of: chain) == ["op 0 is finished, but never notified its queue [1, 2]"])
        chain.operations[0] = WaitGraph.Operation(.notAdded)
        #expect(said(of: chain) == ["op 0 was never added to a queue [1, 2]"])
        chain.operations[0] = WaitGraph.Operation(.ready, queue: 0, isCancelled: true)
        #expect(said(of: chain) == ["op 0 was cancelled before its start, and never finished [1, 2]"])
        #expect(said(of: graph(.pending)) == ["op 0 is not ready, for an unknown reason []"])
        #expect(said(of: graph(.ready)) == ["op 0 is ready, but nothing has started it []"])
    }

    @Test("the diagnosis distinguishes operations of the same name")
    func sameNames() {
        var stuck = graph(.executing, .ready, limit: 1)
        stuck.waits = [(0, .operation(1))]
        let text = StandstillText(
            stuck, name: { _ in "BlockOperation" }, identity: { "#\($0 + 1)" }, queue: { "queue \($0)" })
        #expect(
            Standstills(stuck).all.map { text.sentence($0) } == [
                "deadlock: BlockOperation (#1) blocks its thread until BlockOperation (#2) finishes, "
                    + "BlockOperation (#2) needs a slot of queue 0 (limit 1), and BlockOperation (#1) has it"
            ])
    }

    @Test("the diagnosis takes linear time for any shape", .timeLimit(.minutes(1)))
    func size() {
        let count = 20_000
        var chain = WaitGraph()
        chain.operations = (0..<count).map { WaitGraph.Operation($0 == 0 ? .executing : .pending, queue: 0) }
        chain.queues = [WaitGraph.Queue(limit: 1)]
        chain.dependencies = (1..<count).map { ($0 - 1, $0) }
        #expect(Standstills(chain).all.map(\.others.count) == [count - 1])
        chain.operations[0].state = .pending
        chain.dependencies.append((count - 1, 0))
        #expect(said(of: chain)[0].contains("(each waits for the next; 20,000 operations in all)"))
    }
}
