import Foundation
import Ops

extension HazardProgram {
    /// A path on which nobody resumes the continuation: the task waits for ever, and so does what awaits it.
    static let continuationNotResumed = HazardProgram(
        id: "continuation-not-resumed",
        summary: "a server forgets the answer when it is offline: the task that awaits it never goes on",
        wrong: { load(from: Server(answersOffline: false), within: quietTime) },
        right: { load(from: Server(answersOffline: true), within: longEnough) })

    private static func load(from server: Server, within seconds: Double) -> Verdict {
        let isLoaded = inTask(within: seconds) {
            await Task(name: "load page") { await page(from: server) }.value
        }
        return Verdict(isLoaded, isLoaded ? "offline, and said so" : "never went on: load page")
    }

    private static func page(from server: Server) async {
        await withUnsafeContinuation { answered in server.get { answered.resume() } }
    }
}

/// A server that is offline.
private struct Server {
    let answersOffline: Bool

    func get(_ completion: @escaping @Sendable () -> Void) {
        DispatchQueue.global().async { if answersOffline { completion() } }
    }
}
