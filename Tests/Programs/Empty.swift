import Foundation

// As many empty operations on a plain queue as its argument says; none, and it does nothing but start.
let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 0
if count > 0 {
    let queue = OperationQueue()
    for _ in 0..<count { queue.addOperation(BlockOperation {}) }
    queue.waitUntilAllOperationsAreFinished()
}
