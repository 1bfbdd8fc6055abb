import Dispatch
import Foundation

// Runs each kind of Swift task, with each way to be suspended, and prints the sum of what they return. It
// records nothing itself: `opviz record --tasks` does.

struct Refused: Error {}

/// Runs jobs one after the other on a queue of its own.
final class SerialQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "victim.serial")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}

actor Counter {
    private var count = 0

    func add(_ number: Int) -> Int {
        count += number
        return count
    }
}

/// An actor with an executor of its own.
actor Ledger {
    private let executor = SerialQueue()
    private var lines = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func write() -> Int {
        lines += 1
        return lines
    }
}

func grouped(_ counter: Counter) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for number in 1...4 {
            group.addTask(name: "child \(number)") {
                _ = await counter.add(number)
                return number
            }
        }
        return await group.reduce(0, +)
    }
}

func bound() async -> Int {
    async let five = slept(5)
    async let six = yielded(6)
    return await five + six
}

func slept(_ value: Int) async -> Int {
    try? await Task.sleep(for: .milliseconds(2))
    return value
}

func yielded(_ value: Int) async -> Int {
    for _ in 0..<3 { await Task.yield() }
    return value
}

/// Suspended until a thread without a task resumes it.
func continued(_ value: Int) async -> Int {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) {
            continuation.resume(returning: value)
        }
    }
}

func refused() async throws -> Int {
    try await Task.sleep(for: .milliseconds(1))
    throw Refused()
}

/// A detached task that sleeps until another one cancels it.
func cancelled() async -> Int {
    let sleeper = Task.detached {
        try await Task.sleep(for: .seconds(3_600))
        return 1_000
    }
    await slept(0) == 0 ? sleeper.cancel() : ()
    return (try? await sleeper.value) ?? 7
}

/// An operation whose block creates a task, and waits for it to have finished.
func inOperation() async -> Int {
    let queue = OperationQueue()
    queue.name = "operations"
    return await withCheckedContinuation { continuation in
        queue.addOperation {
            let done = DispatchSemaphore(value: 0)
            Task(name: "in an operation") {
                continuation.resume(returning: await slept(8))
                done.signal()
            }
            done.wait()
        }
    }
}

@main
struct TaskVictim {
    static func main() async {
        let counter = Counter()
        let ledger = Ledger()
        var sum = await grouped(counter)
        sum += await bound()
        sum += await continued(9)
        sum += (try? await Task { try await refused() }.value) ?? 10
        sum += await cancelled()
        sum += await ledger.write()
        sum += await Task.immediate { await slept(11) }.value
        sum += await inOperation()
        sum += await MainActor.run { 12 }
        print("sum \(sum)")
    }
}
