import Foundation
import Testing

@testable import MemorySearch

/// Of each kind of operation. More in soak tests.
private let count = ProcessInfo.processInfo.environment["OPVIZ_STUCK_TASKS"].flatMap { Int($0) } ?? 100

@Suite(.serialized, .enabled(if: mayTrace, "needs permission to trace processes"))
struct QueueSearchTests {
    private func queues(_ count: Int) throws -> [FoundQueue] {
        let victim = try StuckVictim(count: count)
        return try ResumeSearch(process: victim.process, available: nil, listsAll: true).queues
    }

    @Test func operationsThatNobodyCanFinishAreProvenAndNoneThatSomebodyCouldFinishIsAccused() throws {
        let fetches = try #require(try queues(count).first { $0.name == "fetches" })
        #expect(fetches.operations.count == 7 * count)
        var proven = 0
        for operation in fetches.operations {
            #expect(operation.state == .started && operation.kind == "Fetch")
            if operation.name.hasPrefix("kept") {
                #expect(operation.verdict != .unreachable, "\(operation.name)")
            } else if operation.verdict == .unreachable {
                proven += 1
            }
        }
        // What was left in memory can look like a reference.
        #expect(proven * 50 >= 3 * count * 49, "\(proven)")
        if count > 100 {
            print("\(proven) of \(3 * count) operations that are lost are proven, none accused")
        }
        let holders = Set(
            fetches.operations.compactMap { operation -> String? in
                guard operation.name == "kept-connection", case .held(let holder) = operation.verdict else {
                    return nil
                }
                return holder
            })
        #expect(
            holders.contains("an object of type Connection") || holders.contains("a closure"), "\(holders)")
    }

    @Test func aThreadThatOnlyWaitsForTheEndOfOperationsCannotFinishThem() throws {
        let waited = try #require(try queues(1).first { $0.name == "waited" })
        #expect(waited.operations.count == 40)
        // What was left on a stack can look like a reference to one of them.
        #expect(waited.operations.count { $0.verdict == .unreachable } >= 35)
    }

    @Test func whatAnOperationWaitsForAndWhichThreadExecutesItIsFound() throws {
        let victim = try StuckVictim(count: 1)
        let search = try ResumeSearch(process: victim.process, available: nil, listsAll: true)
        let limited = try #require(search.queues.first { $0.name == "limited" })
        #expect(limited.limit == 1 && !limited.isSuspended)
        let (blocked, dependent) = (limited.operations[0], limited.operations[1])
        #expect(blocked.name == "blocked" && blocked.kind == "BlockOperation" && blocked.state == .started)
        #expect(dependent.name == "dependent with a name of more than fifteen bytes")
        #expect(dependent.state == .waiting && !dependent.isCancelled)
        #expect(dependent.dependencies == [.init(name: "blocked", isNeverAdded: false)])
        let executing = try ThreadStacks(process: victim.process).threads.filter { thread in
            blocked.threads.contains(thread.number) && ThreadPlace(thread.frames).work == .operation
        }
        #expect(executing.map { ThreadPlace($0.frames).called } == ["DispatchSemaphore.wait()"])
        let suspended = try #require(search.queues.first { $0.isSuspended })
        #expect(suspended.name.isEmpty && suspended.limit == nil)
        #expect(suspended.operations.map(\.isCancelled) == [true])
        #expect(suspended.operations[0].dependencies == [.init(name: "never", isNeverAdded: true)])
    }
}
