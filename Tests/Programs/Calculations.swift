import Foundation

// Calculates in two functions, seven parts in one and three in the other, in operations of two kinds, and
// prints how much CPU time each took, as the threads were told. Then ends in the way that its second argument
// names, or calls the function `calculate` of the library that it names.
//
//     Calculations MILLISECONDS return|SIGKILL|LIBRARY

@inline(never)
func calculated(_ rounds: Int) -> UInt64 {
    var value: UInt64 = 88_172_645_463_325_252
    for _ in 0..<rounds {
        value ^= value << 13
        value ^= value >> 7
        value ^= value << 17
    }
    return value
}

@inline(never)
func often(_ rounds: Int) -> UInt64 { calculated(rounds * 7) &+ 1 }

@inline(never)
func seldom(_ rounds: Int) -> UInt64 { calculated(rounds * 3) &+ 2 }

func used() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// What operations print of themselves. Without a name of its own, an operation is of the kind of its class.
class Calculation: Operation, @unchecked Sendable {
    static let rounds = 100_000
    func calculate() -> UInt64 { 0 }

    override func main() {
        let start = used()
        if calculate() == 0 { print("never") }
        print(type(of: self), used() - start)
        fflush(nil)
    }
}

final class Often: Calculation, @unchecked Sendable {
    override func calculate() -> UInt64 { often(Self.rounds) }
}

final class Seldom: Calculation, @unchecked Sendable {
    override func calculate() -> UInt64 { seldom(Self.rounds) }
}

let arguments = CommandLine.arguments
let end = Date(timeIntervalSinceNow: (Double(arguments[1]) ?? 0) / 1_000)
let queue = OperationQueue()
queue.maxConcurrentOperationCount = 2
while Date() < end {
    queue.addOperations((0..<10).flatMap { _ in [Often(), Seldom()] }, waitUntilFinished: true)
}
switch arguments[2] {
case "return": break
case "SIGKILL":
    let operation = BlockOperation {
        if often(20_000_000) == 0 { print("never") }
        kill(getpid(), SIGKILL)
    }
    queue.addOperations([operation], waitUntilFinished: true)
default:
    guard let library = dlopen(arguments[2], RTLD_NOW), let symbol = dlsym(library, "calculate") else {
        fatalError(String(cString: dlerror()))
    }
    let calculate = unsafeBitCast(symbol, to: (@convention(c) (Int) -> UInt64).self)
    let operation = BlockOperation { if calculate(200_000_000) == 0 { print("never") } }
    queue.addOperations([operation], waitUntilFinished: true)
}
