import Foundation
import Testing

@testable import MemorySearch

/// Of each kind of operation. More in soak tests.
private let count = ProcessInfo.processInfo.environment["OPVIZ_STUCK_TASKS"].flatMap { Int($0) } ?? 100

@Suite(.serialized, .enabled(if: mayTrace, "needs permission to trace processes"))
struct QueueSearchTests {
    private func queues(_ count: Int) throws -> [FoundQueue] {
        let victim = try StuckVictim(count: count)
        return try ResumeSearch(process: victim.process, available: nil, findsQueues: true).queues
    }

    @Test func operationsThatNobodyCanFinishAreProvenAndNoneThatSomebodyCouldFinishIsAccused() throws {
        let fetches = try #require(try queues(count).first { $0.name == "fetches" })
        #expect(fetches.operations.count == 8 * count)
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
        let search = try ResumeSearch(process: victim.process, available: nil, findsQueues: true)
        let limited = try #require(search.queues.first { $0.name == "limited" })
        #expect(limited.limit == 1 && !limited.isSuspended)
        let (blocked, dependent) = (limited.operations[0], limited.operations[1])
        #expect(blocked.name == "blocked" && blocked.kind == "BlockOperation" && blocked.state == .started)
        #expect(dependent.name == "dependent with a name of more than fifteen bytes")
        #expect(dependent.state == .waiting && !dependent.isCancelled)
        #expect(dependent.dependencies == [.init(name: "blocked", isNeverAdded: false)])
        let thread = try ThreadStacks(process: victim.process).threads.first { $0.number == blocked.thread }
        #expect(thread.map { ThreadPlace($0.frames).called } == "DispatchSemaphore.wait()")
        let suspended = try #require(search.queues.first { $0.isSuspended })
        #expect(suspended.name.isEmpty && suspended.limit == nil)
        #expect(suspended.operations.map(\.isCancelled) == [true])
        #expect(suspended.operations[0].dependencies == [.init(name: "never", isNeverAdded: true)])
    }

    @Test func whatMayStillRunMayFinishOthers() throws {
        let queues = try queues(1)
        func operations(_ queue: String) throws -> [FoundOperation] {
            try #require(queues.first { $0.name == queue }).operations
        }
        // A dependency of the operation whose closure finishes it can still end.
        let later = try operations("later").first { $0.name == "finished later" }
        #expect(later?.verdict != .unreachable && later?.state == .started)
        // One whose closure would finish it waits for it.
        let circular = try operations("circular").first { $0.name == "awaited by its finisher" }
        #expect(circular?.verdict == .unreachable)
        // Its queue has a field with it.
        #expect(try operations("registry")[0].verdict != .unreachable)
        // Its queue of Dispatch is suspended.
        let underlying = try operations("underlying")[0]
        #expect(underlying.state == .dispatched && underlying.verdict == .unknown)
        // It says that it executes, but is only to be started.
        let announced = try operations("announced")[0]
        #expect(announced.state == .started && announced.verdict != .unreachable)
        // The thread executes the one that waits for the other.
        let nested = try operations("nested")
        #expect(nested.map(\.thread).filter { $0 != nil }.count == 1)
        #expect(nested.first { $0.name == "waits inside" }?.thread != nil)
    }
}
