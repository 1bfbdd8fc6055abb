import Foundation

/// An operation and a group of tasks, in a library that a program loads while it runs.
@_cdecl("work")
public func work() {
    let queue = OperationQueue()
    queue.addOperation { print("an operation") }
    queue.waitUntilAllOperationsAreFinished()
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let sum = await withTaskGroup(of: Int.self) { group in
            for number in 1...3 { group.addTask { number } }
            return await group.reduce(0, +)
        }
        print(sum)
        done.signal()
    }
    done.wait()
}
