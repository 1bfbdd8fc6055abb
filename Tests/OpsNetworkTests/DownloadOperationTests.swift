import Foundation
import Inspector
import Ops
import Testing

@testable import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A download puts a whole file in its place, or leaves the place as it was")
struct DownloadOperationTests {
    @Test("a download's output is the destination with the whole file, and the trace has its kind")
    func whole() async throws {
        let bytes = pattern(1_000_000)
        let server = ServedFile(.init(bytes, "ETag: \"a\"")).server
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            try Data("old".utf8).write(to: destination)
            let operation = DownloadOperation(server.url(), to: destination)
            let count = operation.thenSynchronously { try Data(contentsOf: $0).count }
            let trace = try await recorded { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                queue.addOperations([operation, count])
                await queue.drained()
            }
            #expect(operation.output?.value == destination)
            #expect(operation.response?.statusCode == 200)
            #expect(count.output?.value == bytes.count)
            #expect(try Data(contentsOf: destination) == Data(bytes))
            #expect(try folder.contents == ["map.zip"])
            #expect(trace.operations.first?.kind == "DownloadOperation")
        }
    }

    @Test("a download accepts an empty file, one without a length, and one compressed without a request")
    func lengths() async throws {
        let server = LoopbackServer { request, connection in
            switch request.path {
            case "/empty": connection.answer()
            default:
                connection.send(connection.head() + "accepts \(request.headers["accept-encoding"] ?? "")")
            }
        }
        try await withFolder { folder async throws in
            for (path, expected) in [("empty", ""), ("endless", "accepts identity")] {
                let destination = folder.appendingPathComponent(path)
                await run(DownloadOperation(server.url("/\(path)"), to: destination))
                #expect(try Data(contentsOf: destination) == Data(expected.utf8))
            }
            #expect(try folder.contents == ["empty", "endless"])
        }
    }

    @Test("a failure leaves the destination unchanged, and only data that can be resumed")
    func failures() async throws {
        let server = LoopbackServer { request, connection in
            switch request.path {
            case "/missing": connection.answer("404 Not Found", body: "no such map")
            case "/unasked":
                connection.answer("206 Partial Content", ["Content-Range: bytes 0-2/9"], body: "abc")
            case "/cut": connection.send(connection.head("200 OK", ["Content-Length: 100"]) + "hello")
            case "/weak":
                connection.send(
                    connection.head("200 OK", ["Content-Length: 100", "ETag: W/\"a\""]) + "hello")
            default: break
            }
        }
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            try Data("old".utf8).write(to: destination)
            let missing: HTTPFailure = try await failure(
                of: DownloadOperation(server.url("/missing"), to: destination))
            #expect(missing.status == 404 && missing.body == "no such map")
            let unasked: TransferFailure = try await failure(
                of: DownloadOperation(server.url("/unasked"), to: destination))
            #expect(unasked.code == .unexpectedAnswer)
            for path in ["/cut", "/weak", "/nothing"] {
                let cut: TransferFailure = try await failure(
                    of: DownloadOperation(server.url(path), to: destination))
                #expect(cut.code == .connection)
            }
            #expect(try Data(contentsOf: destination) == Data("old".utf8))
            #expect(try folder.contents == ["map.zip"])
        }
    }

    @Test("if the file cannot be written, the failure says which, and why")
    func files() async throws {
        let server = LoopbackServer(body: "hello")
        try await withFolder { folder async throws in
            let nowhere = folder.appendingPathComponent("missing/map.zip")
            let missing: TransferFailure = try await failure(of: DownloadOperation(server.url(), to: nowhere))
            #expect(missing.code == .file && (missing.underlyingError as? POSIXError)?.code == .ENOENT)
            #expect(
                "\(missing)".hasSuffix("cannot create \(nowhere.path).partial: No such file or directory"))

            let full = folder.appendingPathComponent("full.zip")
            try FileManager.default.createSymbolicLink(
                atPath: full.path + ".partial", withDestinationPath: "/dev/full")
            let disk: TransferFailure = try await failure(of: DownloadOperation(server.url(), to: full))
            #expect("\(disk)".hasSuffix("cannot write \(full.path).partial: No space left on device"))
            #expect(!FileManager.default.fileExists(atPath: full.path))

            let occupied = folder.appendingPathComponent("folder")
            try FileManager.default.createDirectory(at: occupied, withIntermediateDirectories: false)
            let taken: TransferFailure = try await failure(of: DownloadOperation(server.url(), to: occupied))
            #expect("\(taken)".hasSuffix("cannot replace \(occupied.path): Is a directory"))
        }
    }

    @Test("a second download to a destination fails at once, and does not disturb the first")
    func sameDestination() async throws {
        let (begun, goOn) = (Event(), Event())
        let server = LoopbackServer { _, connection in
            connection.send(connection.head("200 OK", ["Content-Length: 10"]) + "hello")
            begun.happen()
            goOn.block()
            connection.send("hello")
        }
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            let first = DownloadOperation(server.url(), to: destination)
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.addOperation(first)
            try await begun.wait()
            let second: TransferFailure = try await failure(
                of: DownloadOperation(server.url(), to: destination))
            #expect(second.code == .busy)
            #expect("\(second)".hasSuffix("another download writes to \(destination.path).partial"))
            #expect(throws: POSIXError.self) { try DownloadOperation.discardPartialDownload(of: destination) }
            goOn.happen()
            await queue.drained()
            #expect(try Data(contentsOf: destination) == Data("hellohello".utf8))
            let third = DownloadOperation(server.url(), to: destination)
            await run(third)
            #expect(third.output?.value == destination)
        }
    }

    @Test("many downloads to one destination, one after another, never meet a lock")
    func inTurn() async throws {
        let server = LoopbackServer { request, connection in connection.answer(body: request.path) }
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.maxConcurrentOperationCount = 1
            let operations = (0..<50).map { DownloadOperation(server.url("/\($0)"), to: destination) }
            queue.addOperations(operations)
            await queue.drained()
            for operation in operations { #expect(operation.failure == nil) }
            #expect(try Data(contentsOf: destination) == Data("/49".utf8))
        }
    }

    @Test("the network waits while the disk is behind: of 64 MB, a few are under way")
    func bounded() async throws {
        let size = 64 << 20
        let (sent, goOn) = (Locked<Int?>(nil), Event())
        let server = LoopbackServer { _, connection in
            let bytes = [UInt8](repeating: 0x61, count: size)
            connection.send(connection.head("200 OK", ["Content-Length: \(size)"]))
            let first = connection.sendUntilItStops(bytes)
            sent.withLock { $0 = first }
            connection.send(bytes[first...])
        }
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            // Not the shared session, so that others do not wait.
            let operation = DownloadOperation(server.url(), to: destination, session: NetworkSession())
            let counts = Locked<[Int64]>([])
            operation.onBytes = { received, expected in
                goOn.block()
                counts.withLock { $0.append(received) }
                if expected != Int64(size) { Issue.record("expected \(expected as Any)") }
            }
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.addOperation(operation)
            #expect(try await eventually { sent.withLock { $0 } != nil })
            #expect(try #require(sent.withLock { $0 }) < size / 2)
            goOn.happen()
            await queue.drained()
            #expect(operation.output?.value == destination)
            #expect(try destination.resourceValues(forKeys: [.fileSizeKey]).fileSize == size)
            let all = counts.withLock { $0 }
            #expect(all == all.sorted() && all.last == Int64(size))
        }
    }

    @Test("a download takes its request from a dependency, and is freed")
    func requestFromDependency() async throws {
        let server = LoopbackServer { request, connection in connection.answer(body: request.path) }
        try await withFolder { folder async throws in
            weak var freed: DownloadOperation?
            func download() async throws {
                let url = server.url("/from")
                let request = SynchronousOperation { URLRequest(url: url) }
                let operation = DownloadOperation(from: request, to: folder.appendingPathComponent("map.zip"))
                freed = operation
                await run(operation, request)
                #expect(try Data(contentsOf: operation.get()) == Data("/from".utf8))
            }
            try await download()
            #expect(try await eventually { freed == nil })
        }
    }
}
