import EventLog
import Foundation
import InspectorReports
import TestTraces
import Testing

@Suite struct RunSummaryTests {
    private func firstLine(_ trace: Trace) -> String {
        String(RunSummary(TraceAnalysis(trace)).text().prefix { $0 != "\n" })
    }

    @Test("the summary is as it was")
    func golden() throws {
        try Golden("summary.txt").expect(RunSummary(TraceAnalysis(quotes())).text())
    }

    @Test("the first line has the processors that the program could use")
    func processors() {
        func line(_ processors: ProcessorCount?) -> String {
            firstLine(
                trace { op("A", ready: 0, start: 1, finish: 2) }
                    .with { $0.header.processors = processors })
        }
        let unknown = line(nil)
        #expect(line(ProcessorCount(online: 2, usable: 2)) == unknown + " on 2 CPUs")
        #expect(line(ProcessorCount(online: 1, usable: 1)) == unknown + " on 1 CPU")
        #expect(line(ProcessorCount(online: 8, usable: 2)) == unknown + " on 2 of 8 CPUs")
        func limited(_ usable: Int, quota: Int, later: Int = 0) -> String {
            String(
                line(ProcessorCount(online: 8, usable: usable, quota: quota, later: later))
                    .dropFirst(unknown.count))
        }
        #expect(limited(8, quota: 1_500) == " on 8 CPUs with a quota of 1.5 CPUs")
        #expect(limited(2, quota: 1_000) == " on 2 of 8 CPUs with a quota of 1 CPU")
        #expect(limited(2, quota: 50, later: 4) == " on 2 of 8 CPUs, later 4, with a quota of 0.05 CPUs")
        #expect(limited(8, quota: 0, later: 1) == " on 8 CPUs, later 1")
        // No limit, and no change.
        #expect(limited(2, quota: 2_000, later: 2) == " on 2 of 8 CPUs")
        #expect(limited(2, quota: -1, later: -1) == " on 2 of 8 CPUs")
        for (online, usable) in [(0, 0), (2, 0), (2, 3), (-1, -1), (Int.max, Int.max)] {
            #expect(line(ProcessorCount(online: online, usable: usable)) == unknown)
        }
    }

    @Test("a trace without operations has a summary")
    func empty() throws {
        try Golden("summary-empty.txt").expect(RunSummary(TraceAnalysis(trace {})).text())
    }

    @Test("names of processes are shortened, but not their numbers; processes of one program are adjacent")
    func processes() throws {
        func summary(_ logs: [(String, Int32, String)]) throws -> String {
            let contents = logs.map { name, pid, host in
                var log = MadeUpLog(name, pid: pid, host: host)
                log.run(1, "work", from: 0, to: 10)
                return (path: "\(pid)", contents: log.contents)
            }
            let text = RunSummary(TraceAnalysis(Trace(try TraceMerge(contents).contents))).text()
            return String(text.prefix { $0 != "\n" })
        }
        let long = "a-program-with-a-very-long-name"
        #expect(
            try summary([(long, 2811, "box"), ("short", 7, "box")])
                == "processes       short (pid 7) and a-program-with-a-very-l… (pid 2811)")
        #expect(
            try summary([2811, 2818, 2820].map { (long, $0, "box") })
                == "processes       a-program-with-a-very-l… (pids 2811, 2818 and 2820)")
        #expect(
            try summary([2811, 2818, 2820, 2824].map { ("app", $0, "box") })
                == "processes       app (pids 2811, 2818 and 2 more)")
        #expect(
            try summary([("app", 1, "box"), ("app", 2, "other\u{1B}[31m")])
                == "processes       app (pid 1 on box) and app (pid 2 on other\\u{1b}[31m)")
    }

    @Test("the operations that delayed the run through its slots are counted by kind, in order or by time")
    func delaysThroughSlots() {
        func chain(_ trace: Trace) -> String? {
            let lines = RunSummary(TraceAnalysis(trace)).text().split(separator: "\n")
            let first = lines.firstIndex { $0.hasPrefix("delayed by") }
            return first.map { lines[$0 + 1].trimmingCharacters(in: .whitespaces) }
        }
        let inOrder = trace(limit: 1) {
            op("encode 1", kind: "Encode", ready: 0, start: 0, finish: 500)
            op("encode 2", kind: "Encode", ready: 0, start: 500, finish: 900)
            op("index", kind: "Index", ready: 0, start: 900, finish: 905)
            op("encode 3", kind: "Encode", ready: 0, start: 905, finish: 930)
            op("send", kind: "Send", ready: 0, start: 930, finish: 1_000)
        }
        #expect(chain(inOrder) == "3 × Encode (925 ns) → send (70 ns)")
        let alternating = trace(limit: 1) {
            for number in 0..<300 {
                let (kind, start) = (number.isMultiple(of: 2) ? "Read" : "Write", Int64(number) * 10)
                op("\(kind) \(number)", kind: kind, ready: 0, start: start, finish: start + 10)
            }
        }
        #expect(chain(alternating) == "150 × Read (1.50 µs), 150 × Write (1.50 µs)")
        let critical = trace {
            op("read", ready: 0, start: 0, finish: 500)
            op("write", ready: 500, start: 500, finish: 900).after("read")
        }
        #expect(chain(critical)?.hasPrefix("critical path") == true)
    }

    @Test("what never finished comes first, with what it waits for")
    func neverFinished() {
        let hung = trace(lastAlive: 5_000_000_000) {
            op("store").after("parse")
            op("parse").after("page")
            op("page", ready: 0, start: 0)
        }
        #expect(
            firstLine(hung)
                == "never finished  page is still executing, after 5.00 s on thread 12; 2 more never finished"
        )
    }

    @Test("a parent whose children never finished does not count, and the summary says so")
    func parents() {
        func text(childEnds end: Int64?, isGroup: Bool = true) -> String {
            let run = trace(limit: 1, lastAlive: 100) {
                op("busy", ready: 0, start: 0, finish: 10)
                op("parent", ready: 0, start: 10)
                op("child", enqueued: 20, ready: 20, start: 20, finish: end).inside("parent")
            }
            return RunSummary(TraceAnalysis(isGroup ? run.leavingBody("parent", at: 21) : run)).text()
        }
        let words = "work and concurrency: parents do not count while children are unfinished"
        #expect(text(childEnds: nil).contains(words))
        #expect(!text(childEnds: 30).contains(words))
        #expect(!text(childEnds: nil, isGroup: false).contains(words))
    }

    @Test("time before the chain of delays is told as that")
    func beforeChain() {
        let run = trace {
            op("first", ready: 0, start: 0, finish: 10)
            op("second", enqueued: 90, ready: 90, start: 90, finish: 100)
        }
        #expect(
            RunSummary(TraceAnalysis(run)).text().contains(
                "10 ns executing, 90 ns before the chain's first operation was added\n"))
    }

    @Test("a dependency that was never enqueued is named")
    func neverEnqueued() {
        let hung = trace {
            op("store").after("lost")
            op("lost", enqueued: nil)
        }
        #expect(
            firstLine(hung) == "never finished  lost was never added to a queue; 1 operation waits for it")
    }

    @Test("a circle of dependencies is named as one")
    func circle() {
        let hung = trace {
            op("A").after("B")
            op("B").after("A")
        }
        #expect(
            firstLine(hung)
                == "never finished  deadlock: A → B → A (each waits for the next)")
    }

    @Test("a suspended queue and taken slots are named")
    func queues() {
        let suspended = trace(suspensions: [0..<100]) { op("A", ready: 0) }
        #expect(
            firstLine(suspended)
                == "never finished  queue main has been suspended for 100 ns: 1 operation in it is stuck")
        let full = trace(limit: 1, lastAlive: 9) {
            op("waiting", ready: 0)
            op("running", ready: 0, start: 0)
        }
        #expect(
            firstLine(full)
                == "never finished  running is still executing, after 9 ns on thread 12; 1 more never "
                + "finished"
        )
    }

    @Test("a parent waits for its child once its body has returned, and not while it is in it")
    func child() {
        let hung = trace(lastAlive: 100) {
            op("group", ready: 0, start: 0)
            op("child", ready: 0, start: 0).inside("group")
        }
        #expect(firstLine(hung).hasPrefix("never finished  group is still executing"))
        #expect(
            firstLine(hung.leavingBody("group", at: 1)).hasPrefix("never finished  child is still executing"))
    }

    @Test("a body that waits for an operation of its own full queue is reported as a deadlock")
    func slotDeadlock() {
        var hung = trace(limit: 1, lastAlive: 100) {
            op("outer", ready: 0, start: 0)
            op("inner", ready: 5)
        }
        hung.blockingWaits = [BlockingWait(target: .operation(1), operation: 0, thread: 12, start: 6)]
        #expect(
            firstLine(hung)
                == "never finished  deadlock: outer blocks its thread until inner finishes, inner needs a "
                + "slot of queue main (limit 1), and outer has it"
        )
        hung.blockingWaits = [BlockingWait(target: .queue(0), operation: 0, thread: 12, start: 6)]
        #expect(
            firstLine(hung).contains("outer blocks its thread until queue main is empty, and inner is in it"))
    }

    @Test("what most others wait for is named, not what was added first")
    func mostBehind() {
        let hung = trace(lastAlive: 1_000_000_000) {
            op("heartbeat", ready: 0, start: 0)
            op("refresh token", ready: 0, start: 0)
            op("fetch 1").after("refresh token")
            op("fetch 2").after("refresh token")
        }
        #expect(
            firstLine(hung)
                == "never finished  refresh token is still executing, after 1.00 s on thread 12; 3 more "
                + "never finished, 2 of them behind it"
        )
    }

    @Test("a child that needs its parent's slot is not a deadlock if the parent does not wait")
    func childBehindParent() {
        let hung = trace(limit: 1, lastAlive: 100) {
            op("parent", ready: 0, start: 0)
            op("child", ready: 5).inside("parent")
        }
        #expect(
            firstLine(hung)
                == "never finished  parent is still executing, after 100 ns on thread 12; it holds the only "
                + "slot of queue main, for which child waits, which it added: a deadlock if it waits for "
                + "that; 1 more never finished"
        )
    }

    @Test("a wait is not a deadlock while one of two slots may still become free")
    func twoSlots() {
        var hung = trace(limit: 2, lastAlive: 100) {
            op("outer", ready: 0, start: 0)
            op("other", ready: 0, start: 0)
            op("inner", ready: 5)
        }
        hung.blockingWaits = [BlockingWait(target: .operation(2), operation: 0, thread: 12, start: 6)]
        #expect(
            firstLine(hung)
                == "never finished  other is still executing, after 100 ns on thread 12; 2 more never "
                + "finished"
        )
    }

    @Test("the summary reports a thread that waits for a working operation")
    func blocked() {
        var hung = trace(lastAlive: 100) {
            op("outer", ready: 0, start: 0)
            op("inner", ready: 5, start: 7)
        }
        hung.blockingWaits = [BlockingWait(target: .operation(1), operation: 0, thread: 12, start: 6)]
        #expect(
            firstLine(hung)
                == "never finished  inner is still executing, after 93 ns on thread 12; 1 more never finished"
        )
    }

    @Test("lines that are longer than the terminal are broken, and continue below their text")
    func width() {
        let names = "abcde".map { String(repeating: $0, count: 24) }
        let chain = trace {
            for (index, name) in names.enumerated() {
                let start = Int64(index) * 10
                let step = op(name, ready: start, start: start, finish: start + 10)
                index == 0 ? step : step.after(names[index - 1])
            }
        }
        let summary = RunSummary(TraceAnalysis(chain))
        let lines = summary.text(width: 80).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        #expect(
            lines.contains(Substring(String(repeating: " ", count: 16) + "\(names[2]) → \(names[3]) →")))
        #expect(summary.text().split(separator: "\n").contains { $0.count > 80 })
    }

    @Test("a hostile name stays within its line")
    func hostile() {
        let text = RunSummary(
            TraceAnalysis(trace { op("a\n\u{1B}]0;x\u{7}", ready: 0, start: 0, finish: 5) })
        ).text()
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("a\\n\\u{1b}]0;x"))
    }
}
