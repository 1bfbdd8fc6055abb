import Foundation
import InMemoryTracing
@_spi(Measuring) import Ops
import Tracing

/// What recording costs, beside the same without it.
@main
struct RecordingCost {
    static func main() throws {
        let path = NSTemporaryDirectory() + "recording-cost-\(getpid()).optrace"
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        defer { unlink(path) }
        let off = Recorder()

        print(
            "| what | first, ns | second, ns | difference, ns | 95 % | difference ÷ first | limit | holds |")
        print("|---|---|---|---|---|---|---|---|")
        let operations = 5_000
        report(
            "closure",
            Comparison(items: operations) {
                closures(OperationQueue(), operations)
            } other: {
                closures(InstrumentedQueue(recorder: recorder), operations)
            })
        report(
            "AsynchronousOperation",
            Comparison(items: operations) {
                objects(OperationQueue(), operations) { Own() }
            } other: {
                objects(InstrumentedQueue(recorder: recorder), operations) { Own() }
            })
        report(
            "BlockOperation",
            Comparison(items: operations) {
                objects(OperationQueue(), operations) { BlockOperation {} }
            } other: {
                objects(InstrumentedQueue(recorder: recorder), operations) { BlockOperation {} }
            })
        report(
            "another class",
            Comparison(items: operations) {
                objects(OperationQueue(), operations) { Foreign() }
            } other: {
                objects(InstrumentedQueue(recorder: recorder), operations) { Foreign() }
            })
        report(
            "chain of 2,000 BlockOperations",
            Comparison(items: 2_000, blocks: 8) {
                chain(OperationQueue(), 2_000)
            } other: {
                chain(InstrumentedQueue(recorder: recorder), 2_000)
            })
        let added = 200
        report(
            "closure added to a suspended queue, recorder off", limit: .nanoseconds(20),
            Comparison(items: added, blocks: 4_000) {
                addingSuspended(OperationQueue(), added)
            } other: {
                addingSuspended(InstrumentedQueue(recorder: off), added)
            })
        let events = 1_000_000
        report(
            "clock_gettime, and one event", limit: .times(2.5),
            Comparison(items: events) {
                readClock(events)
            } other: {
                recorder.appendTransitions(events)
            })
        // Bursts that the log has room for: two threads that did nothing else would outrun any disk.
        let burst = 50_000
        report(
            "clock_gettime, and one event, on two threads at once", limit: .times(2.5),
            Comparison(items: burst, blocks: 400) {
                TwoThreads.time { readClock(burst) }
            } other: {
                TwoThreads.time { recorder.appendTransitions(burst) }
            })
        let withoutClocks = Recorder()
        try withoutClocks.start(writingTo: path + ".off.optrace", readsThreadClocks: false)
        defer { unlink(path + ".off.optrace") }
        report(
            "operation of 500 µs, without and with its thread's clocks", limit: .times(1.02),
            Comparison(items: 100, blocks: 200) {
                calculating(InstrumentedQueue(recorder: withoutClocks), 100)
            } other: {
                calculating(InstrumentedQueue(recorder: recorder), 100)
            })
        let tracer = InMemoryTracer()
        report(
            "one span in memory, and the four events of an operation",
            Comparison(items: 10_000) {
                for _ in 0..<10_000 { tracer.withSpan("s") { _ in } }
                tracer.clearAll()
            } other: {
                recorder.appendTransitions(40_000)
            })
        do { try recorder.stop() } catch { print(error) }
    }

    /// - Parameter comparison: is only made when the row is asked for: `recording-cost NAME`.
    private static func report(
        _ name: String, limit: Comparison.Limit? = nil, _ comparison: @autoclosure () -> Comparison
    ) {
        let wanted = CommandLine.arguments.dropFirst()
        guard wanted.isEmpty || wanted.contains(where: name.contains) else { return }
        let comparison = comparison()
        // Below 100 ns a tenth is worth showing.
        let format = comparison.plain < 100 ? "%.1f" : "%.0f"
        func text(_ number: Double) -> String { String(format: format, number) }
        let cells = [
            name, text(comparison.plain), text(comparison.other), text(comparison.difference),
            "\(text(comparison.interval.lowerBound)) to \(text(comparison.interval.upperBound))",
            String(format: "%.1f %%", comparison.ratio * 100), limit.map(describe) ?? "",
            limit.map { comparison.holds($0).map { $0 ? "yes" : "NO" } ?? "undecided" } ?? "",
        ]
        print("| " + cells.joined(separator: " | ") + " |")
        fflush(nil)
    }

    private static func describe(_ limit: Comparison.Limit) -> String {
        switch limit {
        case .nanoseconds(let nanoseconds): String(format: "difference %g ns", nanoseconds)
        case .times(let times): String(format: "second ÷ first %g", times)
        }
    }

    private static func closures(_ queue: OperationQueue, _ count: Int) {
        for _ in 0..<count { queue.addOperation {} }
        queue.waitUntilAllOperationsAreFinished()
    }

    private static func objects(_ queue: OperationQueue, _ count: Int, _ make: () -> Operation) {
        for _ in 0..<count { queue.addOperation(make()) }
        queue.waitUntilAllOperationsAreFinished()
    }

    private static func chain(_ queue: OperationQueue, _ count: Int) {
        var previous: Operation?
        queue.isSuspended = true
        for _ in 0..<count {
            let operation = BlockOperation {}
            if let previous { operation.addDependency(previous) }
            queue.addOperation(operation)
            previous = operation
        }
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
    }

    /// Adds only: no other thread takes part, so that a few nanoseconds show. Nothing is timed but that.
    private static func addingSuspended(_ queue: OperationQueue, _ count: Int) -> Double {
        queue.isSuspended = true
        let time = Comparison.time { for _ in 0..<count { queue.addOperation {} } }
        queue.cancelAllOperations()
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        return time
    }

    /// The CPU time of the process, because it depends less on other programs.
    private static func calculating(_ queue: OperationQueue, _ count: Int) -> Double {
        queue.maxConcurrentOperationCount = 1
        let start = cpuTime()
        for _ in 0..<count { queue.addOperation { calculate() } }
        queue.waitUntilAllOperationsAreFinished()
        return cpuTime() - start
    }

    /// As many steps as take about 500 µs.
    private static let steps: Int = {
        calculate(1_000_000)
        let time = Comparison.time { calculate(1_000_000) }
        return Int(500_000 / time * 1_000_000)
    }()

    @inline(never)
    private static func calculate(_ count: Int = steps) {
        var value: UInt64 = 88_172_645_463_325_252
        for _ in 0..<count {
            value ^= value << 13
            value ^= value >> 7
            value ^= value << 17
        }
        if value == 0 { print("never") }
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    private static func readClock(_ count: Int) {
        for _ in 0..<count { readClock() }
    }

    @inline(never)
    private static func readClock() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
    }
}

private final class Own: AsynchronousOperation, @unchecked Sendable {
    override func main() { finish() }
}

private final class Foreign: Operation, @unchecked Sendable {
    override func main() {}
}
