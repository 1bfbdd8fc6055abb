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

    @Test("the diagnosis proves no deadlock while a slot's holder may finish, or a parent may not wait")
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

    /// One task, which has the only thread of queue 0, after the operations.
    private func withTask(_ graph: WaitGraph) -> WaitGraph {
        var graph = graph
        graph.queues[0].threadHolder = graph.operations.count
        graph.operations.append(.task)
        return graph
    }

    @Test("the diagnosis finds a circle of an operation and the task that has its queue's thread")
    func heldThread() {
        var stuck = withTask(graph(.ready, .ready, .pending))
        stuck.dependencies = [(1, 2)]
        stuck.waits = [(3, .operation(0))]
        #expect(
            said(of: stuck) == [
                "deadlock: op 0 needs the main thread, which op 3 has, op 3 blocks its thread until "
                    + "op 0 finishes [1, 2, 3]"
            ])
        #expect(Standstills(stuck).all[0].waiting == 2)
        // The task waits for another queue, whose operation may finish.
        stuck.queues.append(WaitGraph.Queue())
        stuck.operations[0].queue = 1
        stuck.operations[0].state = .executing
        #expect(
            said(of: stuck) == [
                "op 1 is ready, but nothing has started it [2]", "op 0 is still executing []",
            ])
    }

    @Test("the diagnosis finds what the blocked thread of a queue waits for, and a circle through it")
    func blockedThread() {
        var waiting = graph(.ready, .executing)
        waiting.queues.append(WaitGraph.Queue())
        waiting.operations[1].queue = 1
        waiting.queues[0].threadTarget = .operation(1)
        #expect(said(of: waiting) == ["op 1 is still executing [0]"])
        waiting.queues[0].threadTarget = .operation(0)
        #expect(
            said(of: waiting) == [
                "deadlock: op 0 needs the main thread, which is blocked until it has finished []",
                "op 1 is still executing []",
            ])
        waiting.queues[0].threadTarget = .queue(0)
        #expect(
            said(of: waiting).first
                == "deadlock: op 0 needs the main thread, which is blocked until queue 0 is "
                + "empty, and it is in it []")
        // What the thread waits for has finished.
        waiting.queues[0].threadTarget = .operation(1)
        waiting.operations[1].state = .finished
        #expect(said(of: waiting) == ["op 0 is ready, but nothing has started it []"])
    }

    @Test("a task goes on when one of those goes on that it awaits, and tasks alone are not told")
    func awaits() {
        var tasks = withTask(graph(.ready))
        tasks.operations += [.task, .task]
        tasks.awaits = [(1, .awaited, [2, 3]), (2, .awaited, [1])]
        #expect(said(of: tasks) == ["op 0 is ready, but nothing has started it []"])
        tasks.awaits.append((3, .executor, [1]))
        #expect(said(of: tasks) == ["op 0 is ready, but nothing has started it []"])
        tasks.waits = [(3, .operation(0))]
        tasks.awaits = [(1, .awaited, [3])]
        #expect(
            said(of: tasks) == [
                "deadlock: op 0 needs the main thread, which op 1 has, op 1 awaits op 3, op 3 blocks "
                    + "its thread until op 0 finishes [1, 3]"
            ])
    }

    /// Task 1 has the thread of operation 0 and awaits 2 and 3; 2 and 4 await each other.
    private var group: WaitGraph {
        var group = withTask(graph(.ready))
        group.operations += [.task, .task, .task]
        group.awaits = [(1, .awaited, [2, 3]), (2, .awaited, [4]), (4, .awaited, [2])]
        group.waits = [(3, .operation(0))]
        return group
    }

    @Test("a circle is found through whichever of several awaited tasks is in it")
    func anyOfSeveral() {
        var group = self.group
        let circle =
            "deadlock: op 0 needs the main thread, which op 1 has, op 1 awaits op 3, op 3 blocks its "
            + "thread until op 0 finishes"
        #expect(said(of: group) == ["\(circle) [1, 3]"])
        // Operation 5 waits for that circle through a task that is in another one, of tasks only.
        group.queues.append(WaitGraph.Queue())
        group.operations += [WaitGraph.Operation(.ready, queue: 1), .task, .task]
        group.queues[1].threadHolder = 6
        group.awaits += [(6, .awaited, [7, 1]), (7, .awaited, [6])]
        #expect(said(of: group) == ["\(circle) [1, 3, 5]"])
        #expect(Standstills(group).hops[6]?.next == 1)
    }

    @Test("a task that awaits several waits for what all of them certainly wait for, unless they are stuck")
    func allOfSeveral() {
        /// Operation 0 created 1, which awaits `awaited`; 2 to 4 are blocked until operation 0 finishes, and
        /// 5 and 6 await each other.
        func circle(_ awaited: [Int], _ change: (inout WaitGraph) -> Void = { _ in }) -> [Int] {
            var graph = graph(.executing)
            graph.operations += Array(repeating: .task, count: 6)
            graph.created = [(1, 0)]
            graph.waits = [(4, .operation(0))]
            graph.awaits = [
                (1, .awaited, awaited), (2, .executor, [4]), (3, .awaited, [2, 4]), (5, .awaited, [6]),
                (6, .awaited, [5]),
            ]
            change(&graph)
            return Standstills(graph).all[0].possibleCircle.map(\.operation)
        }
        #expect(circle([2, 4]) == [0, 1, 2, 4])
        #expect(circle([3, 2]) == [0, 1, 3, 2, 4])
        #expect(circle([5, 2]) == [0, 1, 2, 4])
        #expect(circle([2, 3]) { $0.awaits.removeAll { $0.task == 2 } }.isEmpty)
        // It may get another slot of operation 0's queue.
        #expect(
            circle([2, 4]) {
                $0.queues[0].limit = 2
                $0.operations += [.init(.executing, queue: 0), .init(.ready, queue: 0)]
                $0.waits = [(2, .operation(8)), (4, .operation(0))]
                $0.awaits.remove(at: 1)
            }.isEmpty)
        // They wait for different ones, which wait for each other, but perhaps not for long.
        #expect(
            circle([2, 4]) {
                $0.queues[0].limit = 2
                $0.operations += [.init(.ready, queue: 0), .init(.executing, queue: 0)]
                $0.children = [(7, 0)]
                $0.waits = [(2, .operation(0)), (4, .operation(7)), (8, .operation(0))]
                $0.awaits.remove(at: 1)
            }.isEmpty)
    }

    @Test("a task that awaits several waits for an operation that waits for its own queue")
    func ownQueue() {
        var graph = withTask(graph(.executing))
        graph.operations += [.task, .task, .task]
        graph.waits = [(0, .queue(0)), (3, .operation(0))]
        graph.awaits = [(1, .awaited, [2, 3]), (2, .awaited, [4]), (4, .awaited, [2])]
        #expect(Standstills(graph).hops[1]?.next == 3)
    }

    @Test("a circle through a task that an operation created is possible, not proven")
    func created() throws {
        var graph = graph(.executing, .ready)
        graph.queues[0].limit = 1
        graph.operations += [.task, .task]
        graph.created = [(2, 0)]
        graph.awaits = [(2, .executor, [3])]
        graph.waits = [(3, .queue(0))]
        let standstill = try #require(Standstills(graph).all.first)
        #expect(standstill.cause == .executing)
        #expect((standstill.others, standstill.waiting) == ([1], 1))
        #expect(standstill.tasks(in: graph) == [2, 3])
        let text = StandstillText(
            graph, name: { "op \($0)" }, identity: { "#\($0)" }, queue: { "queue \($0)" },
            executor: { _ in "actor Cache" })
        #expect(
            text.possibleCircle(standstill)
                == "; it created task op 2, op 2 needs actor Cache, which op 3 has, op 3 blocks its thread "
                + "until queue 0 is empty, and op 0 is in it: a deadlock if op 0 waits for op 2")
        #expect(
            text.possibleCircle(standstill, isInBody: false).hasSuffix(
                ": a deadlock if op 2 has to finish op 0"))
        // Another slot may become free, and a parent may not wait for its child.
        var uncertain = graph
        uncertain.queues.append(WaitGraph.Queue())
        uncertain.queues[1].limit = 2
        uncertain.operations[0].queue = 1
        uncertain.operations[1].queue = 1
        uncertain.waits = [(3, .operation(1))]
        for limit in [1, 2] {
            uncertain.queues[1].limit = limit
            #expect(Standstills(uncertain).all.contains { !$0.possibleCircle.isEmpty } == (limit == 1))
        }
        uncertain.operations[1].state = .executing
        uncertain.children = [(0, 1)]
        #expect(Standstills(uncertain).all.allSatisfy { $0.possibleCircle.isEmpty })
        // The task may get the actor.
        graph.awaits = [(2, .executor, [3]), (3, .awaited, [2])]
        graph.waits = []
        #expect(Standstills(graph).all[0].possibleCircle.isEmpty)
        graph.awaits = []
        #expect(Standstills(graph).all[0].possibleCircle.isEmpty)
    }

    @Test("the diagnosis calls a suspended queue suspended, and nothing else")
    func suspended() {
        var idle = graph(.ready, .ready, .pending, .pending, limit: 1, isSuspended: true)
        idle.dependencies = [(0, 2)]
        #expect(said(of: idle) == ["queue 0 is suspended [1, 2, 3]"])
        #expect(Standstills(idle).all[0].waiting == 4)
        #expect(StandstillText.advice(.suspended(queue: 0)) == "set isSuspended of the queue to false")
    }

    @Test("the diagnosis names the root: executing, cancelled early, not added, notified, ready or started")
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
        // Each task awaits the next two.
        var tasks = group
        tasks.operations += Array(repeating: .task, count: count)
        tasks.awaits += (5..<count).map { ($0, .awaited, [$0 + 1, $0 + 2]) }
        tasks.awaits += [(count, .awaited, [1]), (count + 1, .awaited, [count])]
        #expect(Standstills(tasks).all.map(\.others) == [[1, 3]])
    }
}
