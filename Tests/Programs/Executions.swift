import Foundation

// Executes bodies that calculate, sleep and yield for 50 ms, and prints what each of them used, as its thread
// was told, with the process's number. Then ends in the way that its first argument names, or starts the
// program that its other arguments name.
//
//     Executions return|SIGKILL
//     Executions start PROGRAM [ARGUMENT ...]

func time(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

func until(_ end: Int, _ body: () -> Void) { while time(CLOCK_MONOTONIC) < end { body() } }

func calculate(until end: Int) {
    var value: UInt64 = 88_172_645_463_325_252
    until(end) {
        for _ in 0..<1_000 {
            value ^= value << 13
            value ^= value >> 7
            value ^= value << 17
        }
    }
    if value == 0 { print("never") }
}

func add(_ name: String, to queue: OperationQueue, _ body: @escaping @Sendable (_ end: Int) -> Void) {
    let operation = BlockOperation {
        let (start, used) = (time(CLOCK_MONOTONIC), time(CLOCK_THREAD_CPUTIME_ID))
        body(start + 50_000_000)
        let usage = time(CLOCK_THREAD_CPUTIME_ID) - used
        print(name, getpid(), start, time(CLOCK_MONOTONIC), usage)
        fflush(nil)
    }
    operation.name = name
    queue.addOperation(operation)
}

let queue = OperationQueue()
queue.maxConcurrentOperationCount = 2
for number in 0..<4 {
    add("calculates \(number)", to: queue) { calculate(until: $0) }
    add("sleeps \(number)", to: queue) { end in usleep(UInt32(end - time(CLOCK_MONOTONIC)) / 1_000) }
    add("yields \(number)", to: queue) { until($0) { sched_yield() } }
}
queue.waitUntilAllOperationsAreFinished()
let arguments = CommandLine.arguments
switch arguments[1] {
case "SIGKILL":
    queue.addOperation { calculate(until: .max) }
    usleep(200_000)
    kill(getpid(), SIGKILL)
case "start":
    let child = try Process.run(URL(filePath: arguments[2]), arguments: Array(arguments[3...]))
    child.waitUntilExit()
default: break
}
