import Foundation
import Inspector
import Ops
import Testing

@testable import OpsNetwork

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A download resumes an earlier one if the file is still the same")
struct DownloadResumingTests {
    private let bytes = pattern(300_000)

    private func served(_ headers: String...) -> ServedFile {
        var version = ServedFile.Version(bytes)
        version.headers = headers
        return ServedFile(version)
    }

    /// Downloads, and stops within the body: the operation is cancelled when the bytes have come.
    private func downloadPart(_ file: ServedFile, _ url: URL, to destination: URL, after count: Int = 100_000)
        async throws
    {
        let ended = Event()
        file.cutNextAnswer(after: count) { connection in
            connection.waitForEnd()
            ended.happen()
        }
        let operation = DownloadOperation(url, to: destination)
        let received = Locked<Int64>(0)
        operation.onBytes = { bytes, _ in received.withLock { $0 = bytes } }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(operation)
        #expect(try await eventually { received.withLock { $0 } >= count })
        operation.cancel()
        await queue.drained()
        try await ended.wait()
        #expect(operation.output?.error is CancellationError)
    }

    @Test(
        "a cancelled download leaves what came, and the next one asks for the rest",
        arguments: ["ETag: \"a\"", "Last-Modified: Sat, 21 Nov 2026 11:22:33 GMT"])
    func cancelled(version: String) async throws {
        let file = served(version)
        let url = file.server.url()
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            try await downloadPart(file, url, to: destination)
            #expect(try folder.contents == ["map.zip.partial", "map.zip.partial.json"])
            let operation = DownloadOperation(url, to: destination)
            await run(operation)
            #expect(operation.response?.statusCode == 206)
            #expect(file.ranges == [nil, "bytes=100000-"])
            #expect(try Data(contentsOf: destination) == Data(bytes))
            #expect(try folder.contents == ["map.zip"])
        }
    }

    @Test("a resumed download's progress counts bytes, including those of the earlier download")
    func progress() async throws {
        let file = served("ETag: \"a\"")
        let url = file.server.url()
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            try await downloadPart(file, url, to: destination)
            file.cutNextAnswer(after: 50_000) { $0.waitForEnd() }
            let operation = DownloadOperation(url, to: destination)
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.addOperation(operation)
            #expect(try await eventually { operation.progress.completedUnitCount == 150_000 })
            #expect(operation.progress.totalUnitCount == bytes.count)
            operation.cancel()
            await queue.drained()
            #expect(operation.progress.isFinished)
        }
    }

    @Test("every download brings the file further if the server breaks off again and again")
    func brokenOff() async throws {
        let file = served("ETag: \"a\"")
        let url = file.server.url()
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            for _ in 0..<3 {
                file.cutNextAnswer(after: 70_000)
                let cut: TransferFailure = try await failure(of: DownloadOperation(url, to: destination))
                #expect(cut.code == .connection)
            }
            await run(DownloadOperation(url, to: destination))
            #expect(file.ranges == [nil, "bytes=70000-", "bytes=140000-", "bytes=210000-"])
            #expect(try Data(contentsOf: destination) == Data(bytes))
        }
    }

    @Test("a download starts again if the file has changed or the server no longer sends parts")
    func changed() async throws {
        let file = served("ETag: \"a\"")
        let url = file.server.url()
        let newer = pattern(50_000, seed: 5)
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            try await downloadPart(file, url, to: destination)
            file.change(to: .init(newer, "ETag: \"b\""))
            let operation = DownloadOperation(url, to: destination)
            await run(operation)
            #expect(operation.response?.statusCode == 200)
            #expect(try Data(contentsOf: destination) == Data(newer))

            file.change(to: .init(bytes, "ETag: \"c\""))
            try await downloadPart(file, url, to: destination)
            file.stopGivingParts()
            await run(DownloadOperation(url, to: destination))
            #expect(try Data(contentsOf: destination) == Data(bytes))
            #expect(try folder.contents == ["map.zip"])
        }
    }

    @Test("a part of something else, from somewhere else or of another version is thrown away")
    func wrongPart() async throws {
        for (range, tag) in [
            ("0-2/300000", "a"), ("100000-100002/300000", "b"), ("nonsense", "a"), ("*", "a"),
        ] {
            let file = served("ETag: \"a\"")
            let whole = bytes
            let isPart = Event()
            let server = LoopbackServer { request, connection in
                if request.headers["range"] == nil {
                    connection.answer("200 OK", ["ETag: \"a\""], body: whole)
                } else {
                    isPart.happen()
                    connection.answer(
                        "206 Partial Content", ["ETag: \"\(tag)\"", "Content-Range: bytes \(range)"],
                        body: "abc")
                }
            }
            try await withFolder { folder async throws in
                let destination = folder.appendingPathComponent("map.zip")
                try await downloadPart(file, file.server.url(), to: destination)
                try rewriteNote(of: destination, to: server.url())
                await run(DownloadOperation(server.url(), to: destination))
                #expect(isPart.hasHappened)
                #expect(try Data(contentsOf: destination) == Data(whole), "\(range)")
            }
        }
    }

    @Test("a server that sends less than the rest is a failure, and the next download continues from there")
    func lessThanTheRest() async throws {
        let file = served("ETag: \"a\"")
        let less = bytes[100_000..<150_000]
        let server = LoopbackServer { _, connection in
            let range = "Content-Range: bytes 100000-149999/300000"
            connection.answer("206 Partial Content", ["ETag: \"a\"", range], body: less)
        }
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            let url = file.server.url()
            try await downloadPart(file, url, to: destination)
            try rewriteNote(of: destination, to: server.url())
            let failed: TransferFailure = try await failure(
                of: DownloadOperation(server.url(), to: destination))
            #expect(failed.code == .unexpectedAnswer)
            #expect("\(failed)".hasSuffix("it ended after 150,000 of 300,000 bytes"))
            try rewriteNote(of: destination, to: url)
            await run(DownloadOperation(url, to: destination))
            #expect(file.ranges.last == "bytes=150000-")
            #expect(try Data(contentsOf: destination) == Data(bytes))
        }
    }

    @Test("a download finishes if nothing is missing, and starts again if there is too much")
    func nothingLeft() async throws {
        for surplus in [[], [1, 2, 3] as [UInt8]] {
            let file = served("ETag: \"a\"")
            let url = file.server.url()
            try await withFolder { folder async throws in
                let destination = folder.appendingPathComponent("map.zip")
                try await downloadPart(file, url, to: destination)
                try Data(bytes + surplus).write(to: URL(fileURLWithPath: destination.path + ".partial"))
                let operation = DownloadOperation(url, to: destination)
                await run(operation)
                #expect(operation.output?.value == destination)
                #expect(try Data(contentsOf: destination) == Data(bytes))
                #expect(file.ranges.count == (surplus.isEmpty ? 2 : 3))
                #expect(try folder.contents == ["map.zip"])
            }
        }
    }

    @Test("a note that is cut off, or of another URL, is ignored")
    func notes() async throws {
        let file = served("ETag: \"a\"")
        let url = file.server.url("/map")
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            for note in ["", "{\"url\":", "{\"url\":\"http://elsewhere/\",\"validator\":\"\\\"a\\\"\"}"] {
                try await downloadPart(file, url, to: destination)
                try Data(note.utf8).write(to: URL(fileURLWithPath: destination.path + ".partial.json"))
                await run(DownloadOperation(url, to: destination))
                #expect(file.ranges.last == .some(nil))
                #expect(try Data(contentsOf: destination) == Data(bytes))
            }
        }
    }

    @Test("what is left can be discarded, and only its owner can read the part that names the URL")
    func discard() async throws {
        let file = served("ETag: \"a\"")
        let url = file.server.url("/map?token=secret")
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            try DownloadOperation.discardPartialDownload(of: destination)
            try await downloadPart(file, url, to: destination)
            let note = destination.path + ".partial.json"
            let mode = try FileManager.default.attributesOfItem(atPath: note)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            try DownloadOperation.discardPartialDownload(of: destination)
            #expect(try folder.contents == [])
        }
    }

    @Test("a download cancelled before its start opens no file; before the answer, it leaves no file")
    func cancelledEarly() async throws {
        let asked = Event()
        let server = LoopbackServer { _, connection in
            asked.happen()
            connection.waitForEnd()
        }
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            let trace = try await recorded { recorder in
                let queue = InstrumentedQueue(recorder: recorder)
                let (early, late) = (
                    DownloadOperation(server.url(), to: destination, name: "early"),
                    DownloadOperation(server.url(), to: destination, name: "late")
                )
                early.cancel()
                queue.addOperation(early)
                await queue.drained()
                #expect(!asked.hasHappened)
                #expect(try folder.contents == [])
                queue.addOperation(late)
                try await asked.wait()
                late.cancel()
                await queue.drained()
            }
            #expect(try folder.contents == [])
            for name in ["early", "late"] { #expect(try trace.operation(name).outcome == .cancelled) }
        }
    }

    @Test("a download cancelled at any moment again and again is whole in the end")
    func race() async throws {
        let file = served("ETag: \"a\"")
        let url = file.server.url()
        try await withFolder { folder async throws in
            let destination = folder.appendingPathComponent("map.zip")
            for round in 0..<100 {
                let operation = DownloadOperation(url, to: destination)
                let queue = InstrumentedQueue(recorder: Recorder())
                queue.addOperation(operation)
                Thread.detachNewThread {
                    usleep(UInt32(round * 30))
                    operation.cancel()
                }
                await queue.drained()
                let output = try #require(operation.output)
                #expect(output.value == destination || output.error is CancellationError, "\(output)")
            }
            await run(DownloadOperation(url, to: destination))
            #expect(try Data(contentsOf: destination) == Data(bytes))
            #expect(try folder.contents == ["map.zip"])
        }
    }

    private func rewriteNote(of destination: URL, to url: URL) throws {
        let note = PartialFile.Note(url: url.absoluteString, validator: "\"a\"")
        try JSONEncoder().encode(note).write(to: URL(fileURLWithPath: destination.path + ".partial.json"))
    }
}
