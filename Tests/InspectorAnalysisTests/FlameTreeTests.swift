import EventLog
import InspectorAnalysis
import InspectorTraces
import TestTraces
import Testing

@Suite("FlameTree")
struct FlameTreeTests {
    /// A line for each node: its level as spaces, its name, and its own and its whole time in milliseconds.
    private func lines(
        _ run: SampledRun, _ scope: FlameTree.Scope = .all, isBlocked: Bool = false
    ) throws -> [String] {
        Self.lines(FlameTree.of(try profile(run), scope, isBlocked: isBlocked).tree)
    }

    private static func lines(_ tree: FlameTree) -> [String] {
        tree.nodes.enumerated().map { index, node in
            let figures =
                tree.isTime
                ? [node.own, node.total].map { String($0 / 1_000_000) } : ["\(node.own)", "\(node.total)"]
            return String(repeating: " ", count: Int(node.level)) + tree.label(index).name
                + " \(figures.joined(separator: "/"))"
        }
    }

    private func profile(_ run: SampledRun) throws -> StackProfile {
        try #require(StackProfile(TraceTimings(run.trace)))
    }

    @Test("a flame tree merges equal stacks, and has the largest first")
    func merging() throws {
        var run = SampledRun()
        run.execute("Decode", 0..<20, thread: 7)
        run.execute("Store", 0..<20, thread: 8)
        run.sample(["decode", "inflate"], 3, at: 1, thread: 7)
        run.sample(["decode"], 2, at: 4, thread: 7)
        run.sample(["decode", "color"], 4, at: 6, thread: 7)
        run.sample(["decode", "inflate"], 2, at: 10, thread: 7)
        run.sample(["store"], 3, at: 5, thread: 8)
        #expect(
            try lines(run) == [
                "all operations 0/14", " Decode 0/11", "  decode 2/11", "   inflate 5/5", "   color 4/4",
                " Store 0/3", "  store 3/3",
            ])
    }

    @Test("a flame tree counts a sample from the start of a body until just before its end")
    func borders() throws {
        var run = SampledRun()
        run.execute("First", 10..<20, thread: 7)
        run.execute("Second", 20..<30, thread: 7)
        for time in [9, 10, 19, 20, 29, 30] as [Int64] { run.sample(["f"], at: time, thread: 7) }
        #expect(try lines(run) == ["all operations 0/4", " First 0/2", "  f 2/2", " Second 0/2", "  f 2/2"])
        #expect(try profile(run).counts(isBlocked: false) == (4, 2))
    }

    @Test("a flame tree gives a sample to the innermost operation, with the stack from that one's start")
    func nested() throws {
        var run = SampledRun()
        run.execute("Outer", 0..<30, thread: 7)
        run.execute("Inner", 10..<20, thread: 7)
        let outer = SampledRun.start + ["Outer.main()", "Outer.run()"]
        run.sample(outer + ["before"], 2, at: 1, thread: 7)
        run.sample(outer + ["Operation.start()@libFoundation.so", "Inner.main()"], 3, at: 10, thread: 7)
        run.sample(outer + ["after"], 1, at: 25, thread: 7)
        #expect(
            try lines(run) == [
                "all operations 0/6", " Inner 0/3", "  Inner.main() 3/3", " Outer 0/3",
                "  Outer.main() 0/3", "   Outer.run() 0/3", "    before 2/2", "    after 1/1",
            ])
    }

    @Test("a flame tree keeps the threads of several operations and processes apart")
    func threads() throws {
        var run = SampledRun()
        run.execute("One", 0..<10, thread: 7)
        run.execute("Other", 0..<10, thread: 8)
        run.sample(["f"], 2, at: 1, thread: 8)
        run.sample(["f"], 1, at: 1, thread: 9)
        #expect(try lines(run) == ["all operations 0/2", " Other 0/2", "  f 2/2"])

        // The same thread number in another process is another thread.
        var contents = run.contents
        contents.header.processes = [1, 2].map {
            LogProcess(LogHeader(process: "app", processID: $0, host: "box", start: 0, isClosed: true))
        }
        for index in contents.events.indices {
            if case .executing = contents.events[index].body { contents.events[index].process = 1 }
            if case .enqueued = contents.events[index].body { contents.events[index].process = 1 }
            if case .finished = contents.events[index].body { contents.events[index].process = 1 }
            if case .ready = contents.events[index].body { contents.events[index].process = 1 }
        }
        let merged = try #require(StackProfile(TraceTimings(Trace(contents))))
        #expect(merged.counts(isBlocked: false) == (0, 3))
    }

    @Test("a flame tree leaves out what only leads to the operation's body")
    func trimming() throws {
        var run = SampledRun()
        run.execute("Work", 0..<20, thread: 7)
        let start = SampledRun.start
        run.sample(
            start + ["BlockOperation.main()@libFoundation.so", "thunk for @escaping () -> ()", "work"],
            at: 1, thread: 7)
        // The program calls Foundation and libdispatch itself.
        run.sample(
            start + ["work", "Data.write()@libFoundation.so", "_dispatch_sync@libdispatch.so", "block"],
            at: 2, thread: 7)
        // The program's own frame is missing.
        run.sample(start + ["JSONDecoder.decode()@libFoundation.so"], at: 3, thread: 7)
        // Foundation's own work before the body, and a stack that begins in the program.
        run.sample(Array(start.dropLast()), at: 4, thread: 7)
        run.sample(["work"], at: 5, thread: 7)
        #expect(
            try lines(run, .kind(1)) == [
                "Work 0/5", " work 2/3", "  Data.write() 0/1", "   _dispatch_sync 0/1", "    block 1/1",
                " JSONDecoder.decode() 1/1", " OperationQueue._execute(_:) 1/1",
            ])
    }

    @Test("a flame tree leaves out the recorder's functions in a body, and gives their time to the caller")
    func recorder() throws {
        var run = SampledRun()
        run.execute("Work", 0..<20, thread: 7)
        let body = SampledRun.start + ["Work.main()"]
        run.sample(
            body + [
                "Queue.add()", "observed_add_dependency@libopviz-recorder.so",
                "record_edge@libopviz-recorder.so",
            ],
            at: 1, thread: 7)
        run.sample(body + ["recorder_begin_wait"], at: 2, thread: 7)
        run.sample(body + ["observed_run_body", "step"], at: 3, thread: 7)
        #expect(
            try lines(run, .kind(1)) == [
                "Work 0/3", " Work.main() 1/3", "  Queue.add() 1/1", "  step 1/1",
            ])
    }

    @Test("a flame tree leaves out what led to the main queue, and keeps an operation's own calls of start")
    func mainThread() throws {
        var run = SampledRun()
        run.execute("Work", 0..<20, thread: 7)
        let start = [
            "_start", "__libc_start_main@libc.so.6", "main", "App.run()", "RunLoop.run()@libFoundation.so",
            "OperationQueue._schedule() #1@libFoundation.so", "Operation.start()@libFoundation.so",
        ]
        run.sample(start + ["observed_run_body", "Work.main()"], at: 1, thread: 7)
        run.sample(start + ["Work.main()", "Operation.start()@libFoundation.so", "inner"], at: 2, thread: 7)
        #expect(
            try lines(run, .kind(1)) == [
                "Work 0/2", " Work.main() 1/2", "  Operation.start() 0/1", "   inner 1/1",
            ])
    }

    @Test("a flame tree keeps recursion")
    func recursion() throws {
        var run = SampledRun()
        run.execute("Work", 0..<20, thread: 7)
        run.sample(["f", "f", "f"], at: 1, thread: 7)
        #expect(try lines(run, .operation(0)) == ["Work 0/1", " f 0/1", "  f 0/1", "   f 1/1"])
    }

    @Test("a flame tree draws time on CPU without samples as the kernel's, if chance does not explain it")
    func kernel() throws {
        var run = SampledRun()
        run.execute("Write", 0..<100, thread: 7)
        run.execute("Read", 100..<200, thread: 7)
        run.sample(["write"], 40, at: 10, thread: 7)
        run.sample(["read"], 99, at: 100, thread: 7)
        run.leaveCPU(at: 200, after: 200, thread: 7)
        #expect(
            try lines(run) == [
                "all operations 0/200", " Read 0/100", "  read 99/99", "  in the kernel 1/1",
                " Write 0/100", "  in the kernel 60/60", "  write 40/40",
            ])
        // More samples than time on CPU: nothing is negative.
        var short = SampledRun()
        short.execute("Write", 0..<100, thread: 7)
        short.sample(["write"], 40, at: 10, thread: 7)
        short.leaveCPU(at: 20, after: 20, thread: 7)
        #expect(try lines(short, .kind(1)) == ["Write 0/40", " write 40/40"])
        // Samples of the kernel itself have callers.
        var sampled = SampledRun()
        sampled.execute("Write", 0..<10, thread: 7)
        sampled.sample(["write"], 3, at: 1, thread: 7, .inKernel)
        #expect(try lines(sampled, .kind(1)) == ["Write 0/3", " write 0/3", "  in the kernel 3/3"])
    }

    @Test("a flame tree gives the time on CPU of a nested operation to itself only")
    func nestedKernel() throws {
        var run = SampledRun()
        run.execute("Outer", 0..<100, thread: 7)
        run.execute("Inner", 20..<80, thread: 7)
        run.sample(["outer"], 20, at: 0, thread: 7)
        run.sample(["outer"], 20, at: 80, thread: 7)
        run.leaveCPU(at: 100, after: 100, thread: 7)
        #expect(
            try lines(run) == [
                "all operations 0/100", " Inner 0/60", "  in the kernel 60/60", " Outer 0/40",
                "  outer 40/40",
            ])
    }

    @Test("a flame tree of blocked threads has the time until they were back, within the operation")
    func blocked() throws {
        var run = SampledRun()
        run.execute("Wait", 0..<100, thread: 7)
        run.sample(["work"], 5, at: 0, thread: 7)
        run.sample(["sleep"], at: 10, thread: 7, .blocked)
        run.sample(["read"], at: 50, thread: 7, .blocked)
        run.sample(["taken"], at: 60, thread: 7, .blocked)
        run.leaveCPU(at: 10, after: 10, thread: 7)
        run.leaveCPU(at: 50, after: 20, thread: 7)
        run.leaveCPU(at: 60, after: 5, .preempted, thread: 7)
        run.leaveCPU(at: 90, after: 20, thread: 7)
        #expect(try lines(run, .kind(1), isBlocked: true) == ["Wait 0/25", " sleep 20/20", " read 5/5"])
        // Without the times of the threads, only the number of stacks is known.
        var counted = SampledRun()
        counted.execute("Wait", 0..<100, thread: 7)
        counted.sample(["sleep"], 3, at: 10, thread: 7, .blocked)
        #expect(try lines(counted, .kind(1), isBlocked: true) == ["Wait 0/3", " sleep 3/3"])
    }

    @Test("a flame tree counts samples if the log does not say how often they were taken")
    func withoutRate() throws {
        var run = SampledRun(rate: 0)
        run.execute("Work", 0..<10, thread: 7)
        run.sample(["f"], 3, at: 1, thread: 7)
        #expect(try lines(run, .kind(1)) == ["Work 0/3", " f 3/3"])
    }

    @Test("a flame tree keeps all time when it is pruned")
    func pruned() throws {
        var run = SampledRun()
        run.execute("Work", 0..<100, thread: 7)
        run.sample(["f", "g", "h"], 30, at: 1, thread: 7)
        run.sample(["f", "small"], 2, at: 31, thread: 7)
        run.sample(["f", "smaller"], 1, at: 33, thread: 7)
        let (tree, places) = FlameTree.of(try profile(run), .kind(1))
        let pruned = tree.pruned(most: 4, levels: 10, least: 0)
        #expect(
            Self.lines(pruned) == [
                "Work 0/33", " f 0/33", "  g 0/30", "   h 30/30",
                "  2 smaller functions 3/3",
            ])
        #expect(pruned.places.count == tree.nodes.count)
        #expect(pruned.label(Int(pruned.places[Int(places[32])])).name == "f")
        #expect(
            Self.lines(tree.pruned(most: 100, levels: 2, least: 3_000_000)) == [
                "Work 0/33", " f 0/33", "  3 smaller functions 33/33",
            ])
    }

    @Test("a flame tree is nothing without samples")
    func absent() {
        #expect(StackProfile(TraceTimings(trace { op("A", start: 0, finish: 10) })) == nil)
    }

    @Test(
        "a flame tree has the time of every sample in an operation once, whatever the log contains",
        arguments: 0..<40)
    func anything(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var run = SampledRun(rate: seed % 5 == 0 ? 0 : 1000)
        for _ in 0..<20 {
            let start = Int64.random(in: -10...100, using: &random)
            run.execute(
                "K\(Int.random(in: 0..<3, using: &random))",
                start..<start + Int64.random(in: 0...60, using: &random),
                thread: UInt64.random(in: 1...3, using: &random))
        }
        let functions = ["f", "g", "Operation.start()", "clone3@libc.so.6", "x@libFoundation.so", ""]
        for _ in 0..<200 {
            let stack = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                functions.randomElement(using: &random)!
            }
            run.sample(
                stack, at: Int64.random(in: -20...200, using: &random),
                thread: UInt64.random(in: 1...4, using: &random),
                [.executing, .inKernel, .blocked].randomElement(using: &random)!)
        }
        let profile = try profile(run)
        for isBlocked in [false, true] {
            let tree = FlameTree.of(profile, isBlocked: isBlocked).tree
            let expected = profile.attributed.reduce(Int64(0)) { sum, sample in
                sum + (sample.isBlocked == isBlocked && sample.operation != nil ? sample.weight : 0)
            }
            #expect(tree.total == expected)
            #expect(tree.nodes.reduce(0) { $0 + $1.own } == expected)
            let pruned = tree.pruned(most: 7, levels: 3, least: 2)
            #expect(pruned.total == expected && pruned.nodes.count <= 15)
        }
    }
}
