import FlyingFox
import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

@testable import quotes

@Suite("A reading")
struct ReadCountTests {
    /// The store, and all results that the completion received.
    private func read(
        of id: Int = 50, _ answer: ScriptedServer.Answer, clock: ManualClock = ManualClock(),
        meanwhile: (IncreaseReadCount, ScriptedServer) async throws -> Void = { _, _ in }
    ) async throws -> (store: QuoteStore, told: [String]) {
        let server = try await ScriptedServer.start(answer)
        let store = try QuoteStore.withAnOldQuote()
        let (reading, results) = try withResults { completion in
            try IncreaseReadCount(
                of: id, at: server.url, session: NetworkSession(), in: store, clock: clock,
                recorder: Recorder(), completion: completion)
        }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(reading)
        try await meanwhile(reading, server)
        let sentences = await results.collected().map { result in
            switch result {
            case .success(let count): "\(count)"
            case .failure(let error):
                "\(error)".replacing(server.url.appending(path: "reads").absoluteString, with: "URL")
            }
        }
        await server.stop()
        #expect(reading.isFinished)
        return (store, sentences)
    }

    @Test("a reading updates the row to what the server answers")
    func success() async throws {
        let (store, told) = try await read(.whole(#"{"id": 50, "readCount": 12}"#))
        #expect(told == ["12"])
        #expect(try store.allQuotes().map(\.readCount) == [12])
        #expect(try store.allQuotes().map(\.author) == ["Anonymous"])
    }

    @Test(
        "that fails says where and why, calls its completion once, and leaves the row unchanged",
        arguments: [
            (
                .status(.internalServerError),
                "PostReading failed: POST URL answered 500 Internal Server Error"
            ),
            (.brokenOff(after: "{"), "PostReading failed: POST URL failed: transfer closed with"),
            (.whole("OK"), "UpdateReadCount failed: it is not JSON: Invalid value around character 0."),
            (.whole("[]"), "UpdateReadCount failed: the whole is not an object"),
            (.whole(#"{"id": 50}"#), "UpdateReadCount failed: key 'readCount' is missing"),
            (
                .whole(#"{"id": 50, "readCount": "many"}"#),
                "UpdateReadCount failed: readCount is not a whole number"
            ),
            (
                .whole(#"{"id": 51, "readCount": 1}"#),
                "UpdateReadCount failed: the server answered for quote 51 instead of 50"
            ),
        ] as [(ScriptedServer.Answer, String)])
    func fault(_ answer: ScriptedServer.Answer, _ sentence: String) async throws {
        let (store, told) = try await read(answer)
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix(sentence) == true, "\(told)")
        #expect(try store.allQuotes().map(\.readCount) == [7])
    }

    @Test("a reading of a missing quote is a failure, and adds no row")
    func missing() async throws {
        let (store, told) = try await read(of: 60, .whole(#"{"id": 60, "readCount": 1}"#))
        #expect(told == ["UpdateReadCount failed: there is no quote 60 in the store"])
        #expect(try store.allQuotes().map(\.id) == [50])
    }

    @Test("a reading fails by its time limit when the server never answers")
    func timeout() async throws {
        let clock = ManualClock()
        let (store, told) = try await read(.never, clock: clock) { _, server in
            await server.arrivals.next()
            await clock.sleeps.next()
            clock.ring()
        }
        #expect(told == ["PostReading failed: timed out after 30.0 seconds"])
        #expect(try store.allQuotes().map(\.readCount) == [7])
    }

    @Test("a reading that is cancelled while the server does not answer finishes without an answer")
    func cancellation() async throws {
        let (store, told) = try await read(.never) { reading, server in
            await server.arrivals.next()
            reading.cancel()
        }
        #expect(told == ["CancellationError()"])
        #expect(try store.allQuotes().map(\.readCount) == [7])
    }
}
