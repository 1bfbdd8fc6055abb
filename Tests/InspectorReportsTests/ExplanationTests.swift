import InspectorReports
import TestTraces
import Testing

@Suite struct ExplanationTests {
    private func explanation(_ name: String, in trace: Trace) -> String {
        let analysis = TraceAnalysis(trace)
        return OperationSearch(name, in: analysis).matches.first
            .map { Explanation(of: $0, in: analysis).text(width: nil) } ?? "none"
    }

    private func firstLine(_ name: String, in trace: Trace) -> String {
        String(explanation(name, in: trace).prefix { $0 != "\n" })
    }

    @Test("an explanation is as it was")
    func golden() throws {
        try Golden("explain-store.txt").expect(explanation("store 1", in: quotes()))
        try Golden("explain-group.txt").expect(explanation("all pages", in: quotes()))
    }

    @Test("the critical path in its two readings is as it was")
    func criticalPath() throws {
        try Golden("critical-path.txt").expect(CriticalPathReport(TraceAnalysis(quotes())).text(width: nil))
    }

    @Test("the first line says what most of the time was for")
    func answers() {
        let ms: Int64 = 1_000_000
        let slots = trace(limit: 1) {
            op("download", ready: 0, start: 0, finish: 1800 * ms)
            op("upload", ready: 0, start: 1800 * ms, finish: 1930 * ms)
        }
        #expect(
            firstLine("upload", in: slots)
                == "upload (Work, 0x2) took 1.93 s: 1.80 s of it waiting for a slot; download held one for "
                + "1.80 s of that."
        )
        let hung = trace(lastAlive: 5000 * ms) {
            op("store").after("page")
            op("page", ready: 0, start: 0)
        }
        #expect(
            firstLine("store", in: hung)
                == "store (Work, 0x1) has not finished after 5.00 s: 5.00 s of it waiting for page, which "
                + "has not finished. page is still executing, after 5.00 s on thread 12."
        )
        #expect(firstLine("lost", in: trace { op("lost", enqueued: nil) }).hasPrefix("lost was never added"))
    }

    @Test("marks belong to the story, and say what an operation waited for before its body")
    func marks() {
        var run = trace { op("save", ready: 0, start: 0, finish: 100) }
        run.changeOperations { $0[0].bodyBegan = TraceMoment(90) }
        run.marks = [TraceMark(time: 5, thread: 1, text: "waits for the key db\u{1b}[1m", operation: 0)]
        let text = explanation("save", in: run)
        #expect(
            text.hasPrefix(
                "save (Work, 0x1) took 100 ns: 90 ns of it between its start and its body, where it said: "
                    + "waits for the key db\\u{1b}[1m."
            ))
        #expect(text.contains("said: waits for the key db"))
        #expect(!text.contains("\u{1b}"))
    }

    @Test("a queue without a name is named by its identifier, once")
    func namelessQueue() {
        var run = trace { op("outer", ready: 0, start: 0, finish: 50) }
        run.queues = [TracedQueue(id: QueueID(5), name: "")]
        run.blockingWaits = [BlockingWait(target: .queue(0), operation: 0, thread: 1, start: 20)]
        let text = explanation("outer", in: run)
        #expect(text.contains("  added to queue 0x5\n"), "\(text)")
        #expect(text.contains("the end of every operation in queue 0x5\n"), "\(text)")
    }

    @Test("a deadlock is named in the second line")
    func deadlock() {
        var run = trace(limit: 1, lastAlive: 100) {
            op("outer", ready: 0, start: 0)
            op("inner", enqueued: 10, ready: 10).inside("outer")
        }
        run.blockingWaits = [BlockingWait(target: .operation(1), operation: 0, thread: 1, start: 20)]
        let text = explanation("outer", in: run)
        #expect(
            text.contains(
                "\nA circle of waits that never resolved: outer → inner → outer (each waits for the next).\n")
        )
        #expect(text.contains("\nWhat delayed it: a circle of waits that never resolved\n"))
        #expect(!text.contains("no step that took time"))
    }

    @Test("what waits for a circle without being in it is before it, and what is in it closes it")
    func behindDeadlock() {
        var run = trace(limit: 1, lastAlive: 100) {
            op("outer", ready: 0, start: 0)
            op("next", ready: 5)
            op("inner", enqueued: 10, ready: 10).inside("outer")
        }
        run.blockingWaits = [BlockingWait(target: .operation(2), operation: 0, thread: 1, start: 20)]
        #expect(
            explanation("next", in: run).contains(
                "\nA circle of waits that never resolved: next → outer → inner → outer "
                    + "(each waits for the next).\n"
            ))
    }

    @Test("a follow-up that an operation adds to its own queue is nothing that it waits for")
    func followUp() {
        let hung = trace(limit: 1, lastAlive: ms(3000)) {
            op("flush", ready: 0, start: 0)
            op("write", enqueued: ms(30), ready: ms(30)).inside("flush")
        }
        let stillRuns = explanation("flush", in: hung)
        #expect(
            stillRuns.hasPrefix(
                "flush (Work, 0x1) has not finished after 3.00 s: it is still executing, after 3.00 s on "
                    + "thread 12; it holds the only slot of queue main, for which write waits, which it "
                    + "added: a deadlock if it waits for that.\n"))
        for text in [
            stillRuns, explanation("write", in: hung),
            CriticalPathReport(TraceAnalysis(hung)).text(width: nil),
        ] {
            #expect(!text.contains("circle") && !text.contains("wait for each other"))
            #expect(!text.contains("child"))
        }
        let ended = trace(limit: 1) {
            op("flush", ready: 0, start: 0, finish: ms(3000))
            op("write", enqueued: ms(30), ready: ms(30), start: ms(3001), finish: ms(3010)).inside("flush")
        }
        #expect(
            firstLine("flush", in: ended) == "flush (Work, 0x1) took 3.00 s: 3.00 s of it executing.")
        #expect(TraceAnalysis(ended).work == ms(3009))
    }

    @Test("a circle of three blocked threads contains each operation once")
    func circleOfThree() throws {
        var run = trace(limit: 3, lastAlive: ms(100)) {
            for name in ["A", "B", "C"] { op(name, ready: 0, start: 0) }
        }
        run.blockingWaits = (0..<3).map {
            BlockingWait(target: .operation(($0 + 1) % 3), operation: $0, thread: 1, start: ms(3))
        }
        let chain = DelayChains(TraceAnalysis(run)).chain(endingIn: 0)
        #expect(chain.isCircular && chain.steps.map(\.operation) == [2, 1, 0])
        let text = explanation("A", in: run)
        #expect(
            text.contains("A circle of waits that never resolved: A → B → C → A (each waits for the next).\n")
        )
        #expect(text.contains("\nWhat it cost the run is unknown"))
    }

    @Test("a wait for a slot says how many slots there were")
    func slots() {
        func text(limit: Int) -> String {
            explanation(
                "late",
                in: trace(limit: limit) {
                    for index in 0..<limit { op("\(index)", ready: 0, start: 0, finish: 50) }
                    op("late", ready: 0, start: 50, finish: 60)
                })
        }
        #expect(text(limit: 1).contains("waited for the queue's only slot, taken by 0 (50 ns)"))
        #expect(text(limit: 4).contains("waited for one of 4 slots, taken by "))
        var changed = trace(limit: 1) {
            op("early", ready: 0, start: 0, finish: 50)
            op("late", ready: 0, start: 50, finish: 60)
        }
        changed.queues[0].limits.append((55, 4))
        #expect(explanation("late", in: changed).contains("waited for a slot, taken by "))
    }

    @Test("an operation is found by its ID, its name or its kind, the slowest first")
    func search() {
        let analysis = TraceAnalysis(quotes())
        #expect(OperationSearch("0x3", in: analysis).matches == [2])
        #expect(OperationSearch("page 1", in: analysis).matches == [1])
        #expect(OperationSearch("Download", in: analysis).matches == [2, 1])
        #expect(OperationSearch(nil, in: analysis).matches.first == 0)
        #expect(OperationSearch("PAGE", in: analysis).matches.isEmpty)
        #expect(
            MissingName.operation("PAGE", in: analysis.trace)
                == "no operation named 'PAGE'; did you mean 'all pages', 'page 1' or 'page 2'?")
    }

    @Test("no line is wider than a terminal of 80 columns")
    func width() {
        var unfinished = quotes()
        unfinished.changeOperations { $0[$0.count - 1].finished = nil }
        for run in [quotes(), unfinished] {
            let analysis = TraceAnalysis(run)
            let texts = run.operations.indices.map { Explanation(of: $0, in: analysis).text() }
            let reports = [
                CriticalPathReport(analysis).text(), WhatIfReport(analysis).text(),
                RunSummary(analysis).text(width: 80),
            ]
            for line in (texts + reports).joined().split(separator: "\n") {
                #expect(TextWidth.columns(of: line) <= 80, "\(line)")
            }
        }
    }

    @Test("an explanation shows the first and the last of many marks")
    func manyMarks() {
        var run = trace { op("a", ready: 0, start: 0, finish: 5000) }
        run.marks = (0..<1000).map { TraceMark(time: $0, thread: 1, text: "mark \($0)", operation: 0) }
        let explanation = Explanation(of: 0, in: TraceAnalysis(run))
        let text = explanation.text(width: nil)
        #expect(text.contains("said: mark 0\n") && text.contains("said: mark 999\n"))
        #expect(!text.contains("said: mark 500\n"))
        #expect(text.contains("963 more events (see them with --all)\n"), "\(text)")
        #expect(explanation.text(width: nil, all: true).contains("said: mark 500\n"))
    }

    @Test("what an operation said continues on further lines, and is never cut")
    func longMark() {
        let said = (1...60).map { "word\($0)" }.joined(separator: " ")
        var run = trace { op("a", ready: 0, start: 0, finish: 5000) }
        run.marks = [TraceMark(time: 10, thread: 1, text: said, operation: 0)]
        let text = Explanation(of: 0, in: TraceAnalysis(run)).text(width: 60)
        #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains("said: " + said))
        #expect(text.split(separator: "\n").allSatisfy { TextWidth.columns(of: $0) <= 60 })
    }

    @Test("an explanation reports that nothing took any time")
    func noTime() {
        let analysis = TraceAnalysis(trace { op("a", enqueued: 5, ready: 5, start: 5, finish: 5) })
        let text = Explanation(of: 0, in: analysis).text(width: nil)
        #expect(text.contains("back to the start: no step that took time\n"))
        let path = CriticalPathReport(analysis).text(width: nil)
        #expect(
            path.hasPrefix("The run took 0 ns. What delayed it, step by step: no step that took time."))
    }

    @Test("each operation of a nonsensical trace has an explanation", arguments: 0..<10)
    func senseless(block: Int) {
        for seed in block * 20..<(block + 1) * 20 {
            var generator = SplitMix64(seed: UInt64(seed))
            let analysis = TraceAnalysis(senselessTrace(&generator))
            for index in analysis.trace.operations.indices {
                #expect(!Explanation(of: index, in: analysis).text().isEmpty, "seed \(seed)")
            }
            #expect(!CriticalPathReport(analysis).text().isEmpty, "seed \(seed)")
            #expect(!RunSummary(analysis).text().isEmpty, "seed \(seed)")
            let scenarios = WhatIfReport(
                analysis,
                [.recorded, .limited(1), .unlimited].map {
                    ReplayScenario(slots: $0, scales: ["Work": 1000])
                }
            ).text()
            #expect(!scenarios.isEmpty, "seed \(seed)")
        }
    }

    /// Cycles, indices and times out of all bounds, operations that never finish, events that were dropped.
    private func senselessTrace(_ generator: inout SplitMix64) -> Trace {
        var run = randomGraph(&generator)
        func time() -> TraceMoment {
            TraceMoment(
                Int64.random(in: Bool.random(using: &generator) ? .min ... .max : -3...30, using: &generator))
        }
        var drafts = run.operations.map(OperationDraft.init)
        for index in drafts.indices {
            drafts[index].parent = Int.random(in: -1...9, using: &generator)
            drafts[index].queue = Int.random(in: -1...1, using: &generator)
            drafts[index].ready = time()
            drafts[index].executing = Bool.random(using: &generator) ? time() : nil
            drafts[index].finished = Bool.random(using: &generator) ? time() : nil
            for _ in 0..<2 {
                run.edges.append(
                    Trace.Edge(
                        predecessor: Int.random(in: -1...9, using: &generator),
                        successor: Int.random(in: -1...9, using: &generator)))
            }
            run.blockingWaits.append(
                BlockingWait(
                    target: .operation(Int.random(in: -1...9, using: &generator)),
                    operation: Int.random(in: -1...9, using: &generator), thread: 1, start: time().notAfter))
        }
        run.operations = TracedOperations(drafts)
        run.header.droppedEvents = UInt64.random(in: 0...1, using: &generator)
        run.queues[0].limits = [(.min, 1), (.max, .max)]
        run.queues[0].suspensions = [Int64.min..<Int64.max]
        return run
    }
}
