import Foundation
import Inspector
import Ops
import Testing

@testable import downloads

@Suite("Files are joined", .timeLimit(.minutes(2)))
struct JoinFilesTests {
    private static let chunkSize = 10
    /// Four chunks and one.
    private static let parts = [Data(repeating: 1, count: 35), Data(repeating: 2, count: 5)]
    private static let chunkCount = 5
    private static let former = Data("the former file".utf8)
    private static var joined: Data { parts.reduce(Data(), +) }

    /// Operations that give the parts, which lie in the folder.
    private func parts(in depot: Depot) throws -> [SynchronousOperation<URL>] {
        try Self.parts.enumerated().map { index, data in
            let url = depot.url(of: "part-\(index)")
            try data.write(to: url)
            return SynchronousOperation(name: "part-\(index)") { url }
        }
    }

    private func write(_ data: Data, to depot: Depot) throws {
        try data.write(to: depot.url(of: "film"))
    }

    @Test("when both are there, in the order that was asked for")
    func joins() async throws {
        let trace = try await withDepot { depot async throws in
            let parts = try parts(in: depot)
            let join = JoinFiles(parts, to: depot.url(of: "film"), name: "join", chunkSize: Self.chunkSize)
            // The last first, and each in a queue of its own.
            depot.queue("joins", slots: 1).addOperation(join)
            for part in parts.reversed() { depot.queue("parts", slots: 1).addOperation(part) }
            #expect(try await join.value == depot.url(of: "film"))
            try depot.check("film", holds: Self.joined)
            #expect(try depot.contents() == ["film", "part-0", "part-1"])
        }
        let start = try #require(trace["join"]?.executing)
        for part in ["part-0", "part-1"] {
            let end = try #require(trace[part]?.finished)
            #expect(end.notAfter <= start.notBefore)
        }
        #expect(trace.edges.count == 2)
    }

    @Test("or not at all: cancelled after any chunk, nothing is left", arguments: 1...chunkCount)
    func cancelled(chunk: Int) async throws {
        let trace = try await withDepot { depot async throws in
            try write(Self.former, to: depot)
            let parts = try parts(in: depot)
            let join = JoinFiles(
                parts, to: depot.url(of: "film"), name: "join", chunkSize: Self.chunkSize
            ) { join, count in
                if count == chunk { join.cancel() }
            }
            await run(parts + [join], depot)
            #expect(join.output?.isCancellation == true)
            try depot.check("film", holds: Self.former)
            #expect(try depot.contents() == ["film", "part-0", "part-1"])
        }
        #expect(trace["join"]?.outcome == .cancelled)
    }

    @Test("or not at all: cancelled at any moment, what it says is what it did")
    func cancelledAnyTime() async throws {
        try await withDepot { depot async throws in
            for delay in 0..<200 {
                try write(Self.former, to: depot)
                let parts = try parts(in: depot)
                let join = JoinFiles(
                    parts, to: depot.url(of: "film"), name: "join", chunkSize: Self.chunkSize)
                let canceller = Thread {
                    while !join.isExecuting && !join.isFinished {}
                    for _ in 0..<(delay * 40) { _ = join.isCancelled }
                    join.cancel()
                }
                canceller.start()
                await run(parts + [join], depot)
                switch try #require(join.output) {
                case .success:
                    try depot.check("film", holds: Self.joined)
                case .failure(let error):
                    #expect(error is CancellationError)
                    try depot.check("film", holds: Self.former)
                }
                #expect(try depot.contents() == ["film", "part-0", "part-1"])
            }
        }
    }

    @Test("or not at all: nothing is left if a part cannot be read or the folder does not exist")
    func failures() async throws {
        try await withDepot { depot async throws in
            try write(Self.former, to: depot)
            var parts = try parts(in: depot)
            parts[1] = SynchronousOperation { depot.url(of: "nowhere") }
            let unreadable = JoinFiles(parts, to: depot.url(of: "film"), name: "join")
            await run(parts + [unreadable], depot)
            #expect(unreadable.failure != nil)
            try depot.check("film", holds: Self.former)

            let others = try self.parts(in: depot)
            let homeless = JoinFiles(others, to: depot.url(of: "no folder/film"), name: "join")
            await run(others + [homeless], depot)
            #expect(homeless.failure != nil)
            #expect(try depot.contents() == ["film", "part-0", "part-1"])
        }
    }

    @Test("or not at all: if a download failed, the error names it")
    func missingPart() async throws {
        try await withDepot { depot async throws in
            let parts = [SampleFiles.parts[0], SampleFiles.missing].map { depot.download($0) }
            let join = JoinFiles(parts, to: depot.url(of: "film"), name: "join")
            await run(parts + [join], depot)
            let failure = try #require(join.failure as? DependencyFailure)
            #expect(failure.dependency == SampleFiles.missing)
            #expect(try depot.contents() == [SampleFiles.parts[0]])
        }
    }

    @Test("one after the other if they have the same destination")
    func sameDestination() async throws {
        let trace = try await withDepot { depot async throws in
            let parts = try parts(in: depot)
            let joins = (0..<8).map { index in
                JoinFiles(
                    parts, to: depot.url(of: "film"), name: "join \(index)", chunkSize: Self.chunkSize)
            }
            await run(parts + joins, depot)
            for join in joins { #expect(try join.get() == depot.url(of: "film")) }
            try depot.check("film", holds: Self.joined)
            #expect(try depot.contents() == ["film", "part-0", "part-1"])
        }
        #expect(trace.operations.allSatisfy { $0.outcome == .succeeded })
    }

    private func run(_ operations: [Operation], _ depot: Depot) async {
        let queue = depot.queue("", slots: OperationQueue.defaultMaxConcurrentOperationCount)
        for operation in operations { queue.addOperation(operation) }
        for operation in operations { await operation.finished() }
    }
}
