import Dispatch
import Foundation
import Ops
import Synchronization

// Creates Swift tasks of every kind, nested and at random, and writes down itself what happens in them: the
// truth that Tests/compare_tasks.py compares a recording with. With LOG it records itself.
// TaskStress SEED ROUNDS TASKS FILE [LOG]

/// Functions that Swift cannot import. Looked up by name, so that the optimizer knows nothing about them.
private let currentTask = unsafeBitCast(
    dlsym(nil, "swift_task_getCurrent"), to: (@convention(c) () -> UnsafeRawPointer?).self)
private let threadNumber = unsafeBitCast(dlsym(nil, "gettid"), to: (@convention(c) () -> Int32).self)

/// One line of the truth, as 40 bytes.
struct Fact {
    var time: Int64
    /// The task that it was written in; 0 for none.
    var task: UInt32
    var thread: UInt32
    /// The code of a letter; see `Facts.note`.
    var kind: UInt64
    var first: UInt64
    var second: UInt64
}

enum Facts {
    static let limit = 8_000_000
    nonisolated(unsafe) static let all = UnsafeMutablePointer<Fact>.allocate(capacity: limit)
    static let count = Atomic<Int>(0)

    /// Writes down that this task was created by another (`B`), created one (`C`), cancelled one (`K`), ends
    /// (`E`, 1 if it throws), awaits (`A`) and goes on (`R`), resumes a continuation (`W`), or is on an actor
    /// (`a`).
    @inline(never) static func note(_ kind: Character, _ first: UInt64 = 0, _ second: UInt64 = 0) {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let index = count.add(1, ordering: .relaxed).oldValue
        if index >= limit { return }
        all[index] = Fact(
            time: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec), task: UInt32(current),
            thread: UInt32(threadNumber()), kind: UInt64(kind.asciiValue ?? 0), first: first, second: second)
    }

    /// The runtime's number of the running task.
    @inline(never) static var current: UInt64 { currentTask().map(number) ?? 0 }

    static func number(_ task: UnsafeRawPointer) -> UInt64 {
        UInt64(task.load(fromByteOffset: 0x24, as: UInt32.self))
    }

    static func number<Value, Failure>(_ task: Task<Value, Failure>) -> UInt64 {
        number(UnsafeRawPointer(bitPattern: unsafeBitCast(task, to: UInt.self))!)
    }

    static func write(to path: String) throws {
        let size = min(count.load(ordering: .relaxed), limit) * MemoryLayout<Fact>.stride
        try Data(bytes: all, count: size).write(to: URL(filePath: path))
    }
}

struct Refused: Error {}

/// Deterministic: the linear congruential generator of Knuth's MMIX.
struct Draws {
    var state: UInt64

    mutating func callAsFunction(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}

final class SerialQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "stress.serial")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}

final class OwnPool: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        DispatchQueue.global().async { job.runSynchronously(on: executor) }
    }
}

let serial = SerialQueue()
let pool = OwnPool()

private func noteActor(_ actor: AnyObject) {
    Facts.note("a", UInt64(UInt(bitPattern: ObjectIdentifier(actor))))
}

actor OnQueue {
    nonisolated var unownedExecutor: UnownedSerialExecutor { serial.asUnownedSerialExecutor() }

    func go() -> Int {
        noteActor(serial)
        return 1
    }
}

actor Box {
    private var value = 0

    func busy() -> Int {
        noteActor(self)
        var sum = value
        for index in 0..<20_000 { sum = sum &* 31 &+ index }
        value = sum & 0xff
        return value
    }

    func add() -> Int {
        noteActor(self)
        value += 1
        return value
    }

    func slow() async -> Int {
        noteActor(self)
        Facts.note("A", 7)
        try? await Task.sleep(nanoseconds: 50_000)
        Facts.note("R", 7)
        noteActor(self)
        return value
    }
}

let boxes = (0..<4).map { _ in Box() }
let onQueue = OnQueue()
let operations = OperationQueue()

@MainActor func onMain() -> Int { 2 }

/// The body of every task.
func work(_ seed: UInt64, _ depth: Int, child parent: UInt64) async throws -> Int {
    Facts.note("B", parent)
    var draws = Draws(state: seed)
    var sum = 0
    do {
        for _ in 0..<(1 + draws(3)) { sum += try await step(&draws, depth) }
        if draws(12) == 0 { throw Refused() }
    } catch {
        Facts.note("E", 1)
        throw error
    }
    Facts.note("E", 0)
    return sum
}

private func awaiting<Value>(_ kind: UInt64, _ body: () async throws -> Value) async rethrows -> Value {
    Facts.note("A", kind)
    defer { Facts.note("R", kind) }
    return try await body()
}

private func result(of task: Task<Int, any Error>, cancels: Bool = false) async -> Int {
    let number = Facts.number(task)
    Facts.note("C", number)
    if cancels {
        Facts.note("K", number)
        task.cancel()
    }
    Facts.note("A", 5, number)
    let result = await task.result
    Facts.note("R", 5, number)
    return (try? result.get()) ?? 0
}

func step(_ draws: inout Draws, _ depth: Int) async throws -> Int {
    let seed = UInt64(draws(1 << 30))
    let own = Facts.current
    let box = boxes[draws(4)]
    switch draws(depth > 0 ? 14 : 7) {
    case 0:
        await awaiting(1) { await Task.yield() }
        return 1
    case 1: return await awaiting(2) { await box.add() }
    case 2:
        let time = UInt64(draws(200_000))
        await awaiting(7) { try? await Task.sleep(nanoseconds: time) }
        return 1
    case 3:
        return await awaiting(3) {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    Facts.note("W", own)
                    continuation.resume(returning: 3)
                }
            }
        }
    case 4:
        return draws(8) == 0 ? await awaiting(4) { await onMain() } : await awaiting(2) { await box.slow() }
    case 5:
        return draws(2) == 0
            ? await awaiting(2) { await box.busy() } : await awaiting(10) { await onQueue.go() }
    case 6:
        return await awaiting(3) {
            await withCheckedContinuation { continuation in
                operations.addOperation {
                    Facts.note("W", own)
                    continuation.resume(returning: 3)
                }
            }
        }
    case 7:
        return await result(
            of: Task.immediate(name: "now \(seed)") { try await work(seed, depth - 1, child: 0) })
    case 8:
        return await result(of: Task(executorPreference: pool) { try await work(seed, depth - 1, child: 0) })
    case 9: return await result(of: Task(name: "T\(seed)") { try await work(seed, depth - 1, child: 0) })
    case 10:
        return await result(
            of: Task.detached { try await work(seed, depth - 1, child: 0) }, cancels: draws(2) == 0)
    case 11:
        async let left = work(seed, depth - 1, child: own)
        async let right = work(seed &+ 1, depth - 1, child: own)
        Facts.note("A", 6)
        defer { Facts.note("R", 6) }
        return (try? await left + right) ?? 0
    case 12:
        await awaiting(8) {
            await withDiscardingTaskGroup { group in
                for index in 0..<3 {
                    group.addTask { _ = try? await work(seed &+ UInt64(index), depth - 1, child: own) }
                }
            }
        }
        return 1
    default:
        let count = 1 + draws(4)
        return await awaiting(8) {
            await withTaskGroup(of: Int.self) { group in
                for index in 0..<count {
                    group.addTask { (try? await work(seed &+ UInt64(index), depth - 1, child: own)) ?? 0 }
                }
                if seed % 5 == 0 { group.cancelAll() }
                return await group.reduce(0, +)
            }
        }
    }
}

@main struct TaskStress {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5 || arguments.count == 6, let seed = UInt64(arguments[1]),
            let rounds = Int(arguments[2]),
            let tasks = Int(arguments[3])
        else { exit(64) }
        if arguments.count == 6 {
            try Recorder.shared.start(writingTo: arguments[5])
            precondition(Recorder.shared.observeTasks())
        }
        var draws = Draws(state: seed)
        for _ in 0..<rounds {
            let seeds = (0..<tasks).map { _ in UInt64(draws(1 << 30)) }
            let own = Facts.current
            await awaiting(8) {
                await withTaskGroup(of: Void.self) { group in
                    for seed in seeds { group.addTask { _ = try? await work(seed, 2, child: own) } }
                }
            }
        }
        if arguments.count == 6 { try Recorder.shared.stop() }
        try Facts.write(to: arguments[4])
    }
}
