import Foundation
import Ops

extension HazardProgram {
    /// Adding a dependency to an operation that has started has no effect, and reports no error.
    static let dependencyAddedLate = HazardProgram(
        id: "dependency-added-late",
        summary: "a dependency is added after the start: it has no effect",
        wrong: {
            let queue = InstrumentedQueue()
            queue.name = "pages"
            let (hasBegun, hasEdge, text, parsed) = (Gate(), Gate(), Shared(""), Shared(-1))
            let parse = HandWrittenParse {
                hasBegun.open()
                hasEdge.pass()
                parsed.value = text.value.count
            }
            let download = BlockOperation { text.value = "the text of page" }
            download.name = "download"
            // The queue starts it, as there is a slot and nothing to wait for yet.
            queue.addOperation(parse)
            hasBegun.pass()
            // Every operation in the queue should wait for the download, but does not.
            for operation in queue.operations { operation.addDependency(download) }
            hasEdge.open()
            let isParsed = soon { parsed.value >= 0 }
            queue.addOperation(download)
            let isDone = isParsed && queue.isEmpty()
            return withExtendedLifetime(parse) {
                Verdict(isDone && parsed.value > 0, "parsed \(parsed.value) characters")
            }
        },
        right: {
            let queue = InstrumentedQueue()
            queue.name = "pages"
            let download = SynchronousOperation(name: "download") { "the text of page" }
            let parse = download.then(name: "parse") { $0.count }
            // It has its dependency since its initialization, so the order of addition does not matter.
            queue.addOperation(parse)
            queue.addOperation(download)
            guard queue.isEmpty(), case .success(let count)? = parse.output else {
                return .wentWrong("parsed nothing")
            }
            return Verdict(count > 0, "parsed \(count) characters")
        })
}

private final class HandWrittenParse: Operation, @unchecked Sendable {
    private let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
        self.body = body
        super.init()
        name = "parse"
    }

    override func main() { body() }
}
