import Foundation
import Ops

/// Records the Swift tasks of this program from now on, and runs `body` in one. Waits until it has ended.
///
/// - Parameter seconds: how long it waits. What has not ended then goes on.
/// - Returns: whether it has ended.
@discardableResult
func inTask(within seconds: Double = longEnough, _ body: @escaping @Sendable () async -> Void) -> Bool {
    Recorder.shared.observeTasks()
    let ended = Gate()
    Task(name: "the program") {
        await body()
        ended.open()
    }
    return ended.pass(within: seconds)
}

extension Gate {
    /// Passes without keeping a thread of the pool of Swift tasks.
    func opened() async {
        await withCheckedContinuation { opened in
            DispatchQueue.global().async {
                self.pass()
                opened.resume()
            }
        }
    }
}
