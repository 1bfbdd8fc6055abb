import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A data operation fails if the answer is incomplete or not acceptable")
struct DataOperationFailureTests {
    @Test("a status that is not acceptable is a failure, which says it in a sentence")
    func status() async throws {
        let server = LoopbackServer { _, connection in
            connection.answer("503 Service Unavailable", ["Retry-After: 7"], body: "come back later")
        }
        let operation = DataOperation(server.url("/quotes?token=secret#part"))
        let failure: HTTPFailure = try await failure(of: operation)
        #expect(failure.status == 503 && failure.method == "GET")
        #expect(failure.url == server.url("/quotes?token=secret#part"))
        #expect(failure.retryAfter == .seconds(7))
        #expect(RetryPolicy(delay: .constant(.zero)).delay(after: failure, attempt: 1) == .seconds(7))
        #expect(failure.body == "come back later")
        let sentence = "GET http://127.0.0.1:\(server.port)/quotes?… answered 503 Service Unavailable"
        #expect("\(failure)" == sentence)
        #expect(failure.localizedDescription == sentence)
        #expect(operation.response?.statusCode == 503)
    }

    @Test(
        "a status outside of the acceptable ones is a failure",
        arguments: [
            ("301 Moved Permanently", "X: y"), ("304 Not Modified", "ETag: \"a\""),
            ("400 Bad Request", "X: y"),
            ("401 Unauthorized", "X: y"), ("401 Unauthorized", "WWW-Authenticate: Bearer"),
            ("401 Unauthorized", "WWW-Authenticate: Basic realm=\"quotes\""),
            ("404 Not Found", "X: y"), ("500 Internal Server Error", "X: y"), ("599 What", "X: y"),
        ])
    func statuses(status: String, header: String) async throws {
        let server = LoopbackServer { _, connection in connection.answer(status, [header]) }
        let failure: HTTPFailure = try await failure(of: DataOperation(server.url()))
        #expect("\(failure.status)" == status.prefix(3))
        #expect(failure.retryAfter == nil && failure.body == "")
    }

    @Test("the caller of a data operation says which status codes are acceptable")
    func acceptableStatusCodes() async throws {
        let server = LoopbackServer { request, connection in
            connection.answer(
                "\(request.path.dropFirst()) So", ["WWW-Authenticate: Basic realm=\"q\""], body: "so")
        }
        for status in [304, 401, 404] {
            let operation = DataOperation(server.url("/\(status)"), acceptableStatusCodes: [304, 401, 404])
            await run(operation)
            #expect(operation.output?.value == Data((status == 304 ? "" : "so").utf8))
            #expect(operation.response?.statusCode == status)
        }
        let refused: HTTPFailure = try await failure(
            of: DataOperation(server.url("/200"), acceptableStatusCodes: [404]))
        #expect(refused.status == 200)
    }

    @Test("a failure keeps the beginning of its body, and the rest is not loaded")
    func largeBody() async throws {
        let hungUp = Event()
        let server = LoopbackServer { _, connection in
            connection.send(connection.head("500 Internal Server Error"))
            while connection.send(repeatElement(0x61, count: 65_536)) {}
            hungUp.happen()
        }
        let failure: HTTPFailure = try await failure(of: DataOperation(server.url()))
        #expect(failure.body == String(repeating: "a", count: HTTPFailure.maximumBodySize))
        try await hungUp.wait()
    }

    @Test("an answer that is cut off, broken or missing is a failure, and the trace says what was asked")
    func broken() async throws {
        let server = LoopbackServer { request, connection in
            switch request.path {
            case "/length":
                connection.send(connection.head("200 OK", ["Content-Length: 100"]) + "hello")
            case "/chunks":
                connection.send(connection.head("200 OK", ["Transfer-Encoding: chunked"]) + "5\r\nhello\r\n")
            case "/malformed":
                connection.send(connection.head("200 OK", ["Transfer-Encoding: chunked"]) + "zz\r\nhello\r\n")
            case "/reset":
                connection.send(connection.head("200 OK", ["Content-Length: 100"]) + "hello")
                connection.reset()
            case "/nonsense": connection.send("what do you want?\r\n\r\n")
            default: break
            }
        }
        let paths = ["/length", "/chunks", "/malformed", "/reset", "/nonsense", "/nothing"]
        let trace = try await recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            queue.addOperations(paths.map { DataOperation(server.url($0), name: $0) })
            await queue.drained()
        }
        for path in paths {
            guard case .failed(let message)? = try trace.operation(path).outcome else {
                Issue.record("\(path) did not fail")
                continue
            }
            #expect(message.hasPrefix("GET http://127.0.0.1:\(server.port)\(path) failed: "))
        }
    }

    @Test("a data operation without a server fails with the code of the URL error")
    func refused() async throws {
        let url = URL(string: "http://user:password@127.0.0.1:\(closedPort())/")!
        let failure: TransferFailure = try await failure(of: DataOperation(url))
        #expect(failure.code == .connection && failure.urlErrorCode == .cannotConnectToHost)
        #expect("\(failure)".hasPrefix("GET http://127.0.0.1:") && !"\(failure)".contains("password"))
    }

    @Test(
        "what URLSession cannot load is a failure",
        arguments: ["file:///etc/hostname", "quotes://x/y", "http:///x"])
    func unsupported(url: String) async throws {
        let failure: TransferFailure = try await failure(of: DataOperation(URL(string: url)!))
        #expect(failure.code == .connection)
    }

    @Test("a body larger than allowed ends the transfer, announced or not", arguments: [true, false])
    func tooLarge(isAnnounced: Bool) async throws {
        let hungUp = Event()
        let server = LoopbackServer { _, connection in
            connection.send(connection.head("200 OK", isAnnounced ? ["Content-Length: 100000000"] : []))
            while connection.send(repeatElement(0x61, count: 65_536)) {}
            hungUp.happen()
        }
        let operation = DataOperation(server.url(), maximumSize: 1_000_000)
        let failure: TransferFailure = try await failure(of: operation)
        #expect(failure.code == .tooLarge)
        #expect("\(failure)".contains("1,000,000 are allowed"))
        try await hungUp.wait()
        let small = LoopbackServer(body: "hello")
        let exact = DataOperation(small.url(), maximumSize: 5)
        await run(exact)
        #expect(exact.output?.value?.count == 5)
    }

    @Test("a redirection is followed; a failure behind it names both URLs; a loop ends")
    func redirection() async throws {
        let server = LoopbackServer { request, connection in
            switch request.path {
            case "/old": connection.answer("302 Found", ["Location: /new"], body: "moved")
            case "/gone": connection.answer("302 Found", ["Location: /nowhere"])
            case "/round": connection.answer("302 Found", ["Location: /round"])
            case "/new": connection.answer(body: "hello")
            default: connection.answer("404 Not Found")
            }
        }
        let followed = DataOperation(server.url("/old"))
        await run(followed)
        #expect(followed.output?.value == Data("hello".utf8))
        #expect(followed.response?.url == server.url("/new"))
        let base = "http://127.0.0.1:\(server.port)"
        let gone: HTTPFailure = try await failure(of: DataOperation(server.url("/gone")))
        #expect("\(gone)" == "GET \(base)/gone, redirected to \(base)/nowhere, answered 404 Not Found")
        let round: TransferFailure = try await failure(of: DataOperation(server.url("/round")))
        #expect(round.urlErrorCode == .httpTooManyRedirects)
    }

    @Test("a redirection to another server does not take the token there")
    func redirectedToken() async throws {
        let other = LoopbackServer { request, connection in
            connection.answer(body: request.headers["authorization"] ?? "none")
        }
        let otherURL = other.url()
        let server = LoopbackServer { request, connection in
            switch request.path {
            case "/out": connection.answer("302 Found", ["Location: \(otherURL)"])
            case "/in": connection.answer("302 Found", ["Location: /here"])
            default: connection.answer(body: request.headers["authorization"] ?? "none")
            }
        }
        for (path, expected) in [("/out", "none"), ("/in", "Bearer secret")] {
            var request = URLRequest(url: server.url(path))
            request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
            let operation = DataOperation(request)
            await run(operation)
            #expect(operation.output?.value == Data(expected.utf8))
        }
    }
}
