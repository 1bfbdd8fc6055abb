package import Foundation

/// Does what Tests/TestTraces/BarrierCases.swift lists, each with a queue of its own.
@main
struct Barriers {
    static func main() {
        for barrierCase in BarrierCase.all { barrierCase.run(on: OperationQueue()) }
    }
}
