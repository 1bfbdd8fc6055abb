import Foundation
import Ops
import OpsTesting
import Testing

@Test func pagesAreStoredOnceTheyAreParsed() async throws {
    let run = try await recorded { queue in
        addImport(to: queue)
    }
    run.expectOrder("Parse", before: "Store")
    run.expectConcurrency(atMost: 2)
    run.expectNoHazards()
    run.expectWithinBudget(
        """
        - makespan: 10s
        - no failures
        - no unfinished
        """)
}

@Test func theImportDoesNotGetSlower() async throws {
    let both = try await measureInterleaved(runs: 10...12) { queue in
        addImport(to: queue)
    } current: { queue in
        addImport(to: queue)
    }
    both.expectNoRegression(threshold: 0.1)
}

/// What the program does: parses four pages, two at a time, and stores what it found.
func addImport(to queue: OperationQueue) {
    queue.maxConcurrentOperationCount = 2
    let pages = (1...4).map { number in
        SynchronousOperation(name: "parse \(number)", kind: "Parse") { "page \(number)" }
    }
    let store = SynchronousOperation(name: "store", kind: "Store") {
        try pages.map { page in try page.get() }.joined(separator: "\n")
    }
    for page in pages { store.addDependency(page) }
    for operation in pages as [Operation] + [store] { queue.addOperation(operation) }
}
