import Foundation

/// Stands for a network: it answers on a thread of its own, when its gate is open.
struct Network: Sendable {
    var gate: Gate?
    /// Opened by the first request.
    var asked: Gate?

    func get(_ page: String, completion: @escaping @Sendable (String) -> Void) {
        asked?.open()
        Thread.detachNewThread {
            gate?.pass()
            completion("the text of \(page)")
        }
    }

    func get(_ page: String) async -> String {
        await withCheckedContinuation { answered in get(page) { answered.resume(returning: $0) } }
    }
}
