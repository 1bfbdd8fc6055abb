import FlyingFox
import Foundation
import GRDB
import Inspector
import Ops
import Testing

@testable import quotes

@Suite("A page that does not come as it should")
struct FaultTests {
    /// A server's behaviour, and the resulting message.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedServer.Answer
        /// `URL` stands for the page's.
        let sentence: String

        init(_ description: String, _ answer: ScriptedServer.Answer, _ sentence: String) {
            (testDescription, self.answer, self.sentence) = (description, answer, sentence)
        }
    }

    private static let good = #"{"id": 50, "author": "Ada Lovelace", "text": "…", "readCount": 0}"#

    private static func page(_ quotes: String...) -> ScriptedServer.Answer {
        .whole("[" + quotes.joined(separator: ", ") + "]")
    }

    static let faults = [
        Fault(
            "the server answers 500", .status(.internalServerError),
            "DownloadPage failed: GET URL answered 500 Internal Server Error"),
        Fault(
            "the server breaks off in the middle of the body", .brokenOff(after: "[" + good),
            "DownloadPage failed: GET URL failed: transfer closed with"),
        Fault(
            "no JSON", .whole("<html>"), "ParsePage failed: it is not JSON: Invalid value around character 0."
        ),
        Fault(
            "JSON that ends too early", .whole("[" + good + ","),
            "ParsePage failed: it is not JSON: Unexpected end of file"),
        Fault(
            "an object instead of a list", .whole(#"{"error": "maintenance"}"#),
            "ParsePage failed: the whole is not a list"),
        Fault(
            "a quotation without its author", page(good, #"{"id": 51, "text": "…", "readCount": 0}"#),
            "ParsePage failed: key 'author' is missing in [1]"),
        Fault(
            "a number that is a text",
            page(good, good, #"{"id": "51", "author": "a", "text": "…", "readCount": 0}"#),
            "ParsePage failed: [2].id is not a whole number"),
        Fault(
            "a number that is not whole", page(#"{"id": 51.5, "author": "a", "text": "…", "readCount": 0}"#),
            "ParsePage failed: a number in it is too large, or not whole"),
        Fault(
            "a text that is null", page(#"{"id": 51, "author": "a", "text": null, "readCount": 0}"#),
            "ParsePage failed: [0].text has no value"),
        Fault(
            "a row that the store refuses, after one that it takes",
            page(good, #"{"id": 51, "author": "", "text": "…", "readCount": 0}"#),
            "StorePage failed: SQLite error 19: CHECK constraint failed"),
    ]

    @Test(
        "says where it failed and why, calls its completion once, and leaves the store unchanged",
        arguments: faults)
    func fault(_ fault: Fault) async throws {
        let run = try await PageRun(fault.answer)
        let end = try await run.end()
        let url = run.server.url.appending(path: "quotes/1").absoluteString
        let sentence = fault.sentence.replacing("URL", with: url)
        #expect(end.told.count == 1)
        #expect(end.told.sentences.first?.hasPrefix(sentence) == true, "\(end.told.sentences)")
        #expect(run.page.failure.map { "\($0)" } == end.told.sentences.first)
        #expect(end.isStoreUnchanged)
    }

    @Test("runs no step after the one that failed", arguments: faults)
    func laterSteps(_ fault: Fault) async throws {
        let end = try await PageRun(fault.answer).end()
        let failed = try #require(fault.sentence.split(separator: " ").first.map(String.init))
        let steps = ["DownloadPage", "ParsePage", "StorePage", "CompletePage"]
        let index = try #require(steps.firstIndex(of: failed))
        #expect(end.trace.startedKinds == ["ImportPage"] + steps[...index])
    }

    @Test("fails by its time limit when the server never answers")
    func timeout() async throws {
        let run = try await PageRun(.never)
        run.queue.isSuspended = false
        await run.server.arrivals.next()
        await run.clock.sleeps.next()
        run.clock.ring()
        let end = try await run.end()
        #expect(end.told.sentences == ["DownloadPage failed: timed out after 30.0 seconds"])
        #expect(end.isStoreUnchanged)
        #expect(end.trace.outcomes(of: "ImportPage") == [.failed(message: end.told.sentences[0])])
    }

    @Test("that arrives correctly reaches the completion as it is in the store")
    func success() async throws {
        let run = try await PageRun(.page(1))
        let end = try await run.end()
        #expect(end.told.sentences == ["40 quotes"])
        #expect(try end.told[0].get() == QuoteServer.quotes(onPage: 1))
        // The old one among them was updated.
        #expect(try run.store.allQuotes() == QuoteServer.quotes(onPage: 1))
        #expect(end.trace.operations.allSatisfy { $0.outcome == .succeeded })
    }
}
