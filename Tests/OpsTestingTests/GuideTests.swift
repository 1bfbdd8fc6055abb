import Foundation
import Ops
import OpsTesting
import Testing

// The tests of Documentation/TestOperations.md, which Tests/guides.py compares with it.

private func parsePages() {}
private func storePages() {}
private func oldImport(_ queue: OperationQueue) { queue.addOperation {} }
private func newImport(_ queue: OperationQueue) { queue.addOperation {} }

private actor PageCache {
    private var pages: Set<Int> = []
    func load(_ page: Int) { pages.insert(page) }
}

private func loadPages(_ pages: ClosedRange<Int>) async throws {
    let cache = PageCache()
    await withTaskGroup { group in for page in pages { group.addTask { await cache.load(page) } } }
}

@Suite("The guide to tests")
struct GuideTests {
    @Test func pagesAreStoredOnceTheyAreParsed() async throws {
        let run = try await recorded { queue in  // an InstrumentedQueue; the recording ends when it is empty
            queue.maxConcurrentOperationCount = 4
            let parse = BlockOperation { parsePages() }
            let store = BlockOperation { storePages() }
            (parse.name, store.name) = ("parse", "store")
            store.addDependency(parse)
            queue.addOperation(parse)
            queue.addOperation(store)
        }
        run.expectOrder("parse", before: "store")  // names, or kinds
        run.expectConcurrency(atMost: 4)  // or of a kind, or of a queue
        run.expectNoHazards()  // no errors or warnings of opviz lint
        run.expectWithinBudget("makespan: 2s")  // or (file: "budgets.yml")
    }

    #if os(Linux)
        @Test func pagesAreLoadedOnceAndNothingIsLeftBehind() async throws {
            let run = try await recorded(tasks: true) { _ in
                try await loadPages(1...20)
            }
            run.expectNoTaskOutlives()  // a forgotten Task, or a continuation that nobody resumed
            run.expectConcurrency(atMost: 1, executor: "PageCache")  // on all actors of that type
            run.expectWithinBudget("{executor: PageCache, count: 20}")
        }
    #endif

    /// Compiled only: how long nothing takes is not tested.
    func importGotNoSlower() async throws {
        let both = try await measureInterleaved(runs: 10...40) { queue in
            oldImport(queue)
        } current: { queue in
            newImport(queue)
        }
        both.expectNoRegression(threshold: 0.1)  // equal sides fail at most once in a hundred times
    }
}
