import Foundation
import Ops

extension HazardProgram {
    /// An operation that waits for an answer in its body keeps a slot and a thread, and does nothing. The
    /// requests behind it are sent later than they could be.
    static let slotHeldWhileBlocked = HazardProgram(
        id: "slot-held-while-blocked",
        summary: "downloads wait for their answers in their bodies, and others for their slots",
        wrong: {
            let server = SlowServer()
            let queue = InstrumentedQueue()
            queue.name = "downloads"
            queue.maxConcurrentOperationCount = 2
            for page in 1...6 {
                let download = BlockOperation {
                    let answered = Gate()
                    server.answer { answered.open() }
                    answered.pass()
                }
                download.name = "download \(page)"
                queue.addOperation(download)
            }
            _ = queue.isEmpty()
            return verdict(server)
        },
        right: {
            let server = SlowServer()
            let queue = InstrumentedQueue()
            queue.name = "downloads"
            for page in 1...6 {
                queue.addOperation(
                    TaskOperation(name: "download \(page)") {
                        await withCheckedContinuation { answered in server.answer { answered.resume() } }
                    })
            }
            _ = queue.isEmpty()
            return verdict(server)
        })

    private static func verdict(_ server: SlowServer) -> Verdict {
        let most = server.most
        return Verdict(
            most > 2, most > 2 ? "asked for more than two pages at once" : "two pages at once, not 6")
    }
}

/// A server that answers after a third of a second, however many ask.
private final class SlowServer: Sendable {
    private let asked = Shared((now: 0, most: 0))

    var most: Int { asked.value.most }

    func answer(_ completion: @escaping @Sendable () -> Void) {
        asked.update { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { [asked] in
            asked.update { $0.now -= 1 }
            completion()
        }
    }
}
