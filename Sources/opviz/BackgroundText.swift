import Dispatch
import Synchronization

/// A text that is made on another thread while this one does something else.
final class BackgroundText: Sendable {
    private let made = Mutex("")
    private let group = DispatchGroup()

    init(_ make: @escaping @Sendable () -> String) {
        DispatchQueue.global().async(group: group) {
            let text = make()
            self.made.withLock { $0 = text }
        }
    }

    /// Waits until it is there.
    var text: String {
        group.wait()
        return made.withLock { $0 }
    }
}
