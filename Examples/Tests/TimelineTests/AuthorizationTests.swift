import Foundation
import Inspector
import Loopback
import Ops
import RecordedRun
import Testing

@testable import timeline

@Suite("A timeline is fetched after reauthorization")
struct AuthorizationTests {
    @Test("with a token that has expired, it is refreshed before")
    func expired() async throws {
        let trace = try await trace { recorder in
            try await Run.with(recorder: recorder) { run in
                let fetch = run.fetch(await run.account(token: Token(value: "old", expires: .now)))
                await run.finish(fetch)
                #expect(fetch.failure == nil)
                let posts = try run.posts()
                #expect(posts.map(\.id) == Array(1...12))
                #expect(await run.server.authority.refreshCount == 1)
            }
        }
        let refreshed = try #require(trace.operation(named: "refresh the token")?.finished)
        let reauthorized = try #require(trace.operation(named: "reauthorize")?.finished)
        let fetched = try #require(trace.operation(named: "fetch")?.executing)
        #expect(refreshed.notAfter <= reauthorized.notBefore)
        #expect(reauthorized.notAfter <= fetched.notBefore)
    }

    @Test("with a token that is good for some time yet, that one is used")
    func valid() async throws {
        try await Run.with { run in
            let account = await run.account()
            await run.finish(run.fetch(account), run.fetch(account))
            await run.finish(run.fetch(account))
            #expect(await run.server.authority.refreshCount == 1)
            #expect(await run.visits(of: "/timelines/home") == 3)
        }
    }

    @Test("many that need a new token at once lead to one refresh")
    func manyAtOnce() async throws {
        try await Run.with { run in
            let account = await run.account()
            let fetches = (1...20).map { _ in run.fetch(account) }
            run.start(fetches)
            for fetch in fetches { await fetch.finished() }
            #expect(fetches.allSatisfy { $0.failure == nil })
            #expect(await run.server.authority.refreshCount == 1)
            #expect(await run.visits(of: "/timelines/home") == 20)
        }
    }

    @Test("when the new token is refused, nothing is fetched, and every step says why")
    func refused() async throws {
        let trace = try await trace { recorder in
            try await Run.with(recorder: recorder) { run in
                let fetch = run.fetch(Account(name: "eve", refreshToken: "revoked"))
                await run.finish(fetch)
                let reason = "the server refuses a new token: the refresh token was revoked"
                #expect(fetch.failureText == "reauthorize failed: \(reason)")
                let steps = fetch.children.compactMap { $0 as? AsynchronousOperation }
                let failures = steps.map(\.failureText)
                #expect(
                    failures == [
                        reason, "reauthorize failed: \(reason)", "sign failed: reauthorize failed: \(reason)",
                        "fetch failed: sign failed: reauthorize failed: \(reason)",
                        "decode failed: fetch failed: sign failed: reauthorize failed: \(reason)",
                    ])
                #expect(await run.visits(of: "/timelines/home") == 0)
                let posts = try run.posts()
                #expect(posts == [])
            }
        }
        for name in ["sign", "fetch", "decode", "save"] {
            #expect(trace.didRun(name) == false)
        }
    }

    @Test("many whose new token is refused at once ask for it once")
    func manyRefused() async throws {
        try await Run.with { run in
            let account = Account(name: "eve", refreshToken: "revoked")
            let fetches = (1...20).map { _ in run.fetch(account) }
            run.start(fetches)
            for fetch in fetches { await fetch.finished() }
            #expect(fetches.allSatisfy { $0.failureText.hasSuffix("the refresh token was revoked") })
            #expect(await run.visits(of: "/token") == 1)
        }
    }

    @Test(
        "when there is no new token for another reason, nothing is fetched",
        arguments: [
            ("/token", TimelineServer.Fault.status(500), "answered 500"),
            ("/token", .status(401), "answered 401"),
            ("/token", .status(400), "it does not say why"),
            ("/token", .body("{}"), "keyNotFound"),
            ("/token", .body("no JSON"), "dataCorrupted"),
        ])
    func noToken(path: String, fault: TimelineServer.Fault, reason: String) async throws {
        try await Run.with(faults: [path: fault]) { run in
            let fetch = run.fetch(await run.account())
            await run.finish(fetch)
            let failure = fetch.failureText
            #expect(failure.hasPrefix("reauthorize failed: ") && failure.contains(reason))
            #expect(await run.visits(of: "/timelines/home") == 0)
        }
    }

    @Test("when the server takes too long for a new token, nothing is fetched, and it says so")
    func timeout() async throws {
        try await Run.with(faults: ["/token": .neverAnswers]) { run in
            let timeout = Reauthorize.Timeout(limit: .seconds(10), clock: TestClock())
            let fetch = run.fetch(await run.account(), timeout: timeout)
            await run.finish(fetch)
            #expect(fetch.failureText == "reauthorize failed: timed out after 10.0 seconds")
            #expect(await run.visits(of: "/timelines/home") == 0)
        }
    }

    @Test(
        "a timeline that cannot be fetched or decoded leaves the store as it was, and says where",
        arguments: [
            (TimelineServer.Fault.status(500), "fetch failed: GET "),
            (.body(#"[{"id":1,"author":"ada"}]"#), "decode failed: DecodingError.keyNotFound: Key 'text'"),
            (.body("[{"), "decode failed: DecodingError.dataCorrupted"),
        ])
    func broken(fault: TimelineServer.Fault, failure: String) async throws {
        try await Run.with(faults: ["/timelines/home": fault]) { run in
            try run.store.save([PublishedPost(id: 1, author: "ada", text: "earlier")])
            let fetch = run.fetch(await run.account())
            await run.finish(fetch)
            #expect(fetch.failureText.hasPrefix(failure))
            let posts = try run.posts()
            #expect(posts == [Post(id: 1, author: "ada", text: "earlier")])
        }
    }

    @Test("a token that the server does not know is a failure of the fetch")
    func unknownToken() async throws {
        try await Run.with { run in
            let token = Token(value: "forged", expires: .distantFuture)
            let fetch = run.fetch(await run.account(token: token))
            await run.finish(fetch)
            #expect(fetch.failureText.contains("answered 401"))
            #expect(await run.server.authority.refreshCount == 0)
        }
    }
}
