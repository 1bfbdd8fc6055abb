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

        print("| what | first, ns | second, ns | difference, ns | 95 % | difference ÷ first |")
        print("|---|---|---|---|---|---|")
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
        report(
            "closure, recorder off",
            Comparison(items: operations) {
                closures(OperationQueue(), operations)
            } other: {
                closures(InstrumentedQueue(recorder: off), operations)
            })
        let events = 1_000_000
        report(
            "clock_gettime, and one event",
            Comparison(items: events) {
                for _ in 0..<events { readClock() }
            } other: {
                recorder.appendTransitions(events)
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
    private static func report(_ name: String, _ comparison: @autoclosure () -> Comparison) {
        let wanted = CommandLine.arguments.dropFirst()
        guard wanted.isEmpty || wanted.contains(where: name.contains) else { return }
        let comparison = comparison()
        func text(_ number: Double) -> String { String(format: "%.0f", number) }
        let cells = [
            name, text(comparison.plain), text(comparison.other), text(comparison.difference),
            "\(text(comparison.interval.lowerBound)) to \(text(comparison.interval.upperBound))",
            String(format: "%.1f %%", comparison.ratio * 100),
        ]
        print("| " + cells.joined(separator: " | ") + " |")
        fflush(nil)
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
