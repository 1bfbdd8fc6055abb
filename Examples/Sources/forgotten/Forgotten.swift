import Foundation

// Loads two pages of a feed that never come: the connection keeps the reply to one of them for a server that
// does not answer, and has dropped the reply to the other. It does not use this project.

/// Requests that wait for their replies.
final class Connection: @unchecked Sendable {
    private let lock = NSLock()
    private var replies: [Int: UnsafeContinuation<String, Never>] = [:]

    func send(page: Int, reply: UnsafeContinuation<String, Never>) {
        // The mistake: nobody gets an answer for what is not sent.
        guard page != 2 else { return }
        lock.withLock { replies[page] = reply }
    }
}

let connection = Connection()

func load(page: Int) async -> String {
    await withUnsafeContinuation { connection.send(page: page, reply: $0) }
}

func show(page: Int) async {
    let text = await load(page: page)
    print(text)
}

@main
struct Forgotten {
    static func main() async {
        async let first: Void = show(page: 1)
        async let second: Void = show(page: 2)
        _ = await (first, second)
    }
}
