import Foundation

// Loads four pages of a feed: tasks that await downloads by operations, and an actor that one page holds at a
// time. The sleeps stand for a server, the loop for a processor. It does not use this project.

/// A download, from a part of the program that is older than its tasks.
final class Fetch: Operation, @unchecked Sendable {
    private let page: Int
    private let isDone: @Sendable (Int) -> Void

    init(page: Int, isDone: @escaping @Sendable (Int) -> Void) {
        self.page = page
        self.isDone = isDone
        super.init()
        name = "fetch \(page)"
    }

    override func main() {
        Thread.sleep(forTimeInterval: 0.060 + 0.020 * Double(page))
        isDone(page * 100)
    }
}

/// The decoded pages.
actor Cache {
    private var pages: [Int: Int] = [:]

    /// Decodes for 50 ms. Everybody else waits for the actor meanwhile.
    func decode(_ bytes: Int, page: Int) {
        let end = ContinuousClock.now + .milliseconds(50)
        var sum = bytes
        while ContinuousClock.now < end { sum &+= 1 }
        pages[page] = sum
    }
}

actor Journal {
    private var lines = 0

    func note() { lines += 1 }
}

@main
enum Feed {
    private static let network: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "network"
        queue.maxConcurrentOperationCount = 2
        return queue
    }()
    private static let cache = Cache()
    private static let journal = Journal()

    static func fetch(page: Int) async -> Int {
        await withCheckedContinuation { continuation in
            network.addOperation(Fetch(page: page) { continuation.resume(returning: $0) })
        }
    }

    static func load(page: Int) async {
        let bytes = await fetch(page: page)
        await journal.note()
        await cache.decode(bytes, page: page)
    }

    static func main() async {
        await withTaskGroup { group in
            for page in 1...4 {
                group.addTask(name: "page \(page)") { await load(page: page) }
            }
        }
        print("4 pages")
    }
}
