import EventLog
import InspectorText
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression
@testable import InspectorTraces

/// Runs of four operations `Decode`, whose executions are long or short for one of several reasons.
@Suite("The CPU times of executions, as a second witness of a check")
struct CPUTimesTests {
    private let inTurn = CheckPolicy(isInterleaved: true)
    private let cpu = TimingMetric(kind: "Decode", .onCPU)

    /// Alternate runs, half a minute apart.
    ///
    /// - Parameters:
    ///   - onCPU: milliseconds of each operation, which vary by 1 %.
    ///   - blocked: how many milliseconds to add; nil for none.
    ///   - noise: how many milliseconds of waiting for a CPU to add at most.
    ///   - isMeasured: whether the runs have CPU times.
    private func side(
        onCPU: Double, blocked: Double = 0, noise: Double = 0, isMeasured: Bool = true,
        isCurrent: Bool = false,
        runs: Int = 12
    ) -> CheckSide {
        var generator = SplitMix64(seed: isCurrent ? 1 : 2)
        return CheckSide(
            runs: (0..<runs).map { index in
                let calculated = Int64(onCPU * Double.random(in: 0.995...1.005, using: &generator) * 1e6)
                let waited = Int64(Double.random(in: 0...max(noise, 0.000_001), using: &generator) * 1e6)
                let blocked = Int64(blocked * 1e6)
                let time = calculated + waited + blocked
                func four(_ time: Int64) -> TimingSamples? { TimingSamples(Array(repeating: time, count: 4)) }
                var kind = RunTimings.Kind(
                    name: "Decode", count: 4, samples: four(time).map { [.execution: $0] } ?? [:])
                if isMeasured {
                    kind.executionSamples[.onCPU] = four(calculated)
                    if waited > 0 { kind.executionSamples[.waitingForCPU] = four(waited) }
                    if blocked > 0 { kind.executionSamples[.blocked] = four(blocked) }
                }
                let minute = Double(index) / 2 + (isCurrent ? 0.2 : 0)
                let run = RunTimings(
                    process: "app", host: "box", start: 1_795_239_140_000_000_000 + Int64(minute * 60e9),
                    droppedEvents: 0, isClosed: true, failed: 0, cancelled: 0, unfinished: 0,
                    makespan: 4 * time, criticalPathLength: 4 * time, totals: [.execution: 4 * time],
                    kinds: [kind],
                    delays: [RunTimings.Delay(kind: "Decode", part: .execution, nanoseconds: 4 * time)],
                    path: ["Decode"])
                return TimedRun(name: "run\(index).json", timings: run)
            })
    }

    private func check(
        _ baseline: CheckSide, _ current: CheckSide, primary: [TimingMetric] = [.makespan]
    ) -> RegressionCheck {
        RegressionCheck(baseline: baseline, current: current, primary: primary, policy: inTurn)
    }

    @Test("a slower execution that calculates longer is said to use more CPU time")
    func calculates() {
        let check = check(side(onCPU: 100), side(onCPU: 120, isCurrent: true))
        let words = CheckWords(check: check)
        let sentence = words.explanations.first { $0.hasPrefix("Execution of Decode +") } ?? ""
        #expect(sentence.contains(" ms: it used ") && sentence.hasSuffix(" ms more CPU time."))
        // The makespan says it, and the kind's execution is its reason.
        #expect(words.headlines.count == 1)
        #expect(CheckMarkdown(check).text.contains("more CPU time"))
        #expect(CheckJUnit(check).text.contains("more CPU time"))
        #expect(CheckAnnotations(check).text.contains("more CPU time"))
        let json = String(decoding: CheckJSON(check).bytes, as: UTF8.self)
        #expect(json.contains("\"metric\": \"CPU of Decode\"") && json.contains("\"onCPUDifferenceNs\": "))
    }

    @Test("a slower execution that waits longer is said to be blocked, and to use the same CPU time")
    func blocks() {
        let check = check(side(onCPU: 100), side(onCPU: 100, blocked: 20, isCurrent: true, runs: 12))
        let words = CheckWords(check: check)
        let sentence = words.explanations.first { $0.hasPrefix("Execution of Decode +") } ?? ""
        #expect(sentence.contains(": it was blocked for 20.0 ms more; its CPU time did not change."))
        #expect(check.others.first { $0.metric == cpu }?.verdict == .unchanged)
    }

    @Test("the CPU time is the headline where it is conclusive and the wall clock is not")
    func headline() throws {
        let before = side(onCPU: 100, noise: 90)
        let check = check(before, side(onCPU: 120, noise: 90, isCurrent: true))
        #expect(check.verdict == .inconclusive)
        #expect(check.proven(.regressed).map(\.metric) == [cpu])
        let words = CheckWords(check: check)
        #expect(try #require(words.headlines.first).hasPrefix("regressed, not primary: CPU of Decode "))
        #expect(words.title == "inconclusive, CPU of Decode regressed")
        let asked = self.check(before, side(onCPU: 120, noise: 90, isCurrent: true), primary: [cpu])
        #expect(asked.verdict == .regressed)
    }

    @Test("runs without CPU times decide nothing about them, and everything else as before")
    func absent() {
        let old = side(onCPU: 100, isMeasured: false)
        let new = side(onCPU: 120, isCurrent: true)
        let usual = check(old, new)
        #expect(usual.verdict == .regressed && usual.obstacle == nil)
        #expect(!usual.others.contains { $0.metric == cpu })
        #expect(!CheckWords(check: usual).explanations.contains { $0.hasPrefix("Execution of") })
        let asked = check(old, new, primary: [cpu])
        #expect(asked.verdict == .inconclusive)
        #expect(asked.obstacle == "one side has no CPU times of Decode; record its runs with opviz record")
        let nameless = check(old, new, primary: [TimingMetric(kind: "Fetch", .onCPU)])
        #expect(nameless.obstacle == "one side has no operations of the kind Fetch")
    }

    @Test("a kind that hardly calculates has no CPU time metric: it would only be noise")
    func idle() {
        let check = check(side(onCPU: 1, blocked: 99), side(onCPU: 1, blocked: 120, isCurrent: true))
        #expect(!check.others.contains { $0.metric == cpu })
        #expect(
            CheckWords(check: check).explanations.contains {
                $0.hasPrefix("Execution of Decode +") && $0.hasSuffix(": it was blocked for 21.0 ms more.")
            })
    }

    @Test("the CPU time metric is named as it is printed, and only a kind has it")
    func names() {
        #expect(TimingMetric(named: cpu.label) == cpu)
        #expect(TimingMetric(named: "cpu of Decode") == cpu)
        #expect(TimingMetric(named: "CPU") == nil)
        #expect(TimingMetric.unknown("CPU of Decod", kinds: ["Decode"]).contains("CPU of Decode"))
        #expect(TimingMetric(kind: "Decode", .part(.execution)) < cpu)
        #expect(cpu < TimingMetric(kind: "Decode", .part(.unknown)))
    }

    @Test("a baseline keeps CPU times, and one without them is still read")
    func baseline() throws {
        let runs = side(onCPU: 100, blocked: 5, runs: 2).runs.map(\.timings)
        let written = Baseline(runs: runs)
        let text = String(decoding: written.bytes, as: UTF8.self)
        #expect(text.contains("\"onCPUNs\": [") && !text.contains("offThread"))
        let reader = BaselineReader(path: "b.json")
        #expect(try reader.read(written.bytes) == written)
        // As a baseline of an earlier version has it.
        let earlier = text.replacing(/, "(onCPU|waitingForCPU|blocked)Ns": \[[^\]]*\]/, with: "")
        #expect(try reader.read(Array(earlier.utf8)).runs.allSatisfy { $0.kinds[0].executionSamples.isEmpty })
        let broken = text.replacing(/"onCPUNs": \[/, with: "\"onCPUNs\": [-1, ", maxReplacements: 1)
        #expect(throws: TraceError.self) { try reader.read(Array(broken.utf8)) }
    }

    @Test("a trace gives CPU times for kinds most of whose executions were measured")
    func trace() {
        func log(measured: Int) -> RunTimings {
            var events = [
                LogEvent(time: 0, thread: 1, .queueOpened(QueueID(1), name: "", limit: 1, isSuspended: false))
            ]
            for number in 0..<4 {
                let (id, start) = (OperationID(UInt64(number + 1)), Int64(number) * 1_000)
                let thread = UInt64(10 + number)
                events += [
                    LogEvent(
                        time: start, thread: 1,
                        .enqueued(LogEvent.Enqueue(operation: id, kind: "Decode", queue: QueueID(1)))),
                    LogEvent(time: start, thread: 1, .ready(id)),
                    LogEvent(time: start + 100, thread: thread, .executing(id)),
                ]
                if number < measured {
                    events.append(
                        LogEvent(time: start + 500, thread: thread, .leftCPU(afterNanoseconds: 450, .blocked))
                    )
                }
                events.append(LogEvent(time: start + 900, thread: thread, .finished(id, .succeeded)))
            }
            let header = LogHeader(
                process: "app", processID: 1, host: "host", start: 0, isClosed: true, lastAlive: 4_000)
            return RunTimings(TraceAnalysis(Trace(EventLogContents(header: header, events: events))))
        }
        let samples = log(measured: 2).kinds[0].executionSamples
        #expect(samples[.onCPU]?.values == [400, 400])
        #expect(samples[.blocked]?.values == [400, 400])
        #expect(samples[.offThread] == nil)
        #expect(log(measured: 1).kinds[0].executionSamples.isEmpty)
        #expect(log(measured: 0).kinds[0].executionSamples.isEmpty)
    }
}
