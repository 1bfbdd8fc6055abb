package import Foundation

/// Does what Tests/TestTraces/BarrierCases.swift lists, each with a queue of its own.
@main
struct Barriers {
    static func main() {
        for barrierCase in BarrierCase.all { barrierCase.run(on: OperationQueue()) }
        // An empty queue does not wait for barriers, and nothing shows when the recorder has seen the last.
        Thread.sleep(forTimeInterval: 0.5)
    }
}
