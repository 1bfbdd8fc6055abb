import Foundation

// Does what a seed says, in operations that calculate and sleep: the same on any number of processors, so
// that the replay of a run can be held against another one.
//
//     Plans SEED pool     queues of 1 to 6 slots on libdispatch's pool, dependencies, nested operations
//     Plans SEED lanes    four queues of one slot, each with a thread of its own

/// Vigna's SplitMix64.
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// About as long on a processor of 2020.
@inline(never) func calculate(milliseconds: Double) {
    var value: UInt64 = 88_172_645_463_325_252
    for _ in 0..<Int(milliseconds * 600_000) {
        value ^= value << 13
        value ^= value >> 7
        value ^= value << 17
    }
    if value == 0 { print("never") }
}

let lanes = (0..<4).map { DispatchQueue(label: "lane \($0)") }
var random = Seeded(state: UInt64(CommandLine.arguments[1]) ?? 0)
let hasLanes = CommandLine.arguments[2] == "lanes"

/// Calculates, sleeps and calculates again.
func body(_ random: inout Seeded) -> @Sendable () -> Void {
    let (first, last) = (Double.random(in: 0..<8, using: &random), Double.random(in: 0..<8, using: &random))
    let sleeps = Int.random(in: 0..<4, using: &random) > 0
    let pause = sleeps ? UInt32.random(in: 0..<12_000, using: &random) : 0
    return {
        calculate(milliseconds: first)
        if pause > 0 { usleep(pause) }
        calculate(milliseconds: last)
    }
}

func queue(_ name: String, slots: Int, on lane: DispatchQueue? = nil) -> OperationQueue {
    let queue = OperationQueue()
    queue.name = name
    queue.maxConcurrentOperationCount = slots
    queue.underlyingQueue = lane
    queue.isSuspended = true
    return queue
}

let queues =
    hasLanes
    ? lanes.map { queue($0.label, slots: 1, on: $0) }
    : (0..<Int.random(in: 1...2, using: &random)).map {
        queue("queue \($0)", slots: Int.random(in: 1...6, using: &random))
    }
let inner = queue("inner", slots: 2)
// With more slots, operations that wait could take all threads of the pool. A timer decides what is then.
let isWaiting = queues.count == 1 && queues[0].maxConcurrentOperationCount == 1
inner.isSuspended = false
var operations: [Operation] = []
for number in 0..<60 {
    let operation: BlockOperation
    if !hasLanes, Int.random(in: 0..<10, using: &random) == 0 {
        let (before, child, after) = (body(&random), body(&random), body(&random))
        operation = BlockOperation {
            before()
            let operation = BlockOperation(block: child)
            inner.addOperation(operation)
            if isWaiting { operation.waitUntilFinished() }
            after()
        }
    } else {
        operation = BlockOperation(block: body(&random))
    }
    operation.name = "\(number)"
    if !hasLanes {
        for other in max(0, number - 8)..<number where Int.random(in: 0..<16, using: &random) == 0 {
            operation.addDependency(operations[other])
        }
    }
    operations.append(operation)
    queues[number % queues.count].addOperation(operation)
}
for queue in queues { queue.isSuspended = false }
for queue in queues + [inner] { queue.waitUntilAllOperationsAreFinished() }
