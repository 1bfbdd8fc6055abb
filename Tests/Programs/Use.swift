import Foundation

// Executes bodies of random steps that calculate, sleep and yield. Prints what each of them used, as its
// thread was told at every step: the time on a processor, waiting for one, and in all, in nanoseconds.
//
//     Use COUNT

func time(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

struct Use {
    // The wait changes only when the thread leaves its processor, but takes longest to read. So it comes
    // first, except at the start.
    var waited = Use.waited()
    var onCPU = time(CLOCK_THREAD_CPUTIME_ID)
    var total = time(CLOCK_MONOTONIC)

    static func first() -> Use {
        let (total, onCPU) = (time(CLOCK_MONOTONIC), time(CLOCK_THREAD_CPUTIME_ID))
        var use = Use()
        (use.onCPU, use.total) = (onCPU, total)
        return use
    }

    static func waited() -> Int {
        let file = open("/proc/thread-self/schedstat", O_RDONLY)
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 64)
        let count = read(file, &text, text.count)
        let words = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }

    static func - (end: Use, start: Use) -> (Int, Int, Int) {
        (end.onCPU - start.onCPU, end.waited - start.waited, end.total - start.total)
    }
}

func calculate(_ nanoseconds: Int) {
    let end = time(CLOCK_THREAD_CPUTIME_ID) + nanoseconds
    var value: UInt64 = 88_172_645_463_325_252
    while time(CLOCK_THREAD_CPUTIME_ID) < end {
        for _ in 0..<1_000 {
            value ^= value << 13
            value ^= value >> 7
            value ^= value << 17
        }
    }
    if value == 0 { print("never") }
}

let count = Int(CommandLine.arguments[1])!
let queue = OperationQueue()
queue.maxConcurrentOperationCount = 4
// Printed at the end: that would take long between what a thread was told and the end of its body.
nonisolated(unsafe) let uses = UnsafeMutablePointer<(Int, Int, Int)>.allocate(capacity: count)
for number in 0..<count {
    let operation = BlockOperation {
        var before = Use.first()
        var random = SystemRandomNumberGenerator()
        var (onCPU, waited, total) = (0, 0, 0)
        for _ in 0..<Int.random(in: 4...16, using: &random) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: calculate(Int.random(in: 100_000...4_000_000, using: &random))
            case 1: usleep(UInt32.random(in: 100...4_000, using: &random))
            default: for _ in 0..<50 { sched_yield() }
            }
            let now = Use()
            let step = now - before
            (onCPU, waited, total) = (onCPU + step.0, waited + step.1, total + step.2)
            before = now
        }
        uses[number] = (onCPU, waited, total)
    }
    operation.name = "use \(number)"
    queue.addOperation(operation)
}
queue.waitUntilAllOperationsAreFinished()
for number in 0..<count { print("use", number, uses[number].0, uses[number].1, uses[number].2) }
