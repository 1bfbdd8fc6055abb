import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("A data operation's output is the body of the answer")
struct DataOperationTests {
    @Test("a data operation has the body, and the answer's status and headers, only when it has finished")
    func output() async throws {
        let server = LoopbackServer { _, connection in
            connection.answer("201 Created", ["X-Quote: 7"], body: "hello")
        }
        let operation = DataOperation(server.url())
        #expect(operation.output == nil && operation.response == nil)
        await run(operation)
        #expect(operation.output?.value == Data("hello".utf8))
        #expect(operation.response?.statusCode == 201)
        #expect(operation.response?.value(forHTTPHeaderField: "X-Quote") == "7")
    }

    @Test("the trace has a data operation's kind, name and parent, with no help")
    func trace() async throws {
        final class FetchQuotes: DataOperation, @unchecked Sendable {}
        let server = LoopbackServer(body: "hello")
        let trace = try await recorded { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let group = GroupOperation(name: "page", recorder: recorder)
            group.add(DataOperation(server.url(), name: "plain"))
            group.add(DataOperation(server.url(), name: "given", kind: "Fetch"))
            group.add(FetchQuotes(server.url(), name: "derived"))
            queue.addOperation(group)
            await queue.drained()
        }
        let page = trace.operations.firstIndex { $0.name == "page" }
        for (name, kind) in [("plain", "DataOperation"), ("given", "Fetch"), ("derived", "FetchQuotes")] {
            let operation = try trace.operation(name)
            #expect(operation.kind == kind)
            #expect(operation.parent == page)
            #expect(operation.outcome == .succeeded)
        }
        #expect(trace.operations.count == 4 && trace.losses == [])
    }

    @Test("a data operation sends the method, headers and body of its request")
    func request() async throws {
        let server = LoopbackServer { request, connection in
            connection.answer(body: "\(request.method) \(request.path) \(request.headers["x-page"] ?? "")")
        }
        var request = URLRequest(url: server.url("/quotes?page=2"))
        request.httpMethod = "DELETE"
        request.setValue("two", forHTTPHeaderField: "X-Page")
        let operation = DataOperation(request)
        await run(operation)
        #expect(operation.output?.value == Data("DELETE /quotes?page=2 two".utf8))
    }

    @Test("a data operation takes its request from a dependency: a token becomes a header")
    func requestFromDependency() async throws {
        let server = LoopbackServer { request, connection in
            connection.answer(body: request.headers["authorization"] ?? "none")
        }
        let url = server.url()
        let login = SynchronousOperation { "secret" }
        let request = login.thenSynchronously { token in
            var request = URLRequest(url: url)
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            return request
        }
        let fetch = DataOperation(from: request)
        let length = fetch.thenSynchronously { $0.count }
        await run(length, fetch, request, login)
        #expect(fetch.output?.value == Data("Bearer secret".utf8))
        #expect(length.output?.value == 13)
    }

    @Test("a data operation sends nothing if the operation that makes the request failed")
    func requestFromFailedDependency() async throws {
        let request = SynchronousOperation<URLRequest>(name: "login") {
            throw URLError(.userAuthenticationRequired)
        }
        let fetch = DataOperation(from: request)
        await run(fetch, request)
        let failure = try #require(fetch.failure as? DependencyFailure)
        #expect(failure.dependency == "login")
    }

    @Test("an answer may have no body: 204, and what answers HEAD")
    func noBody() async throws {
        let server = LoopbackServer { request, connection in
            if request.method == "HEAD" {
                connection.send(connection.head("200 OK", ["Content-Length: 1000"]))
            } else {
                connection.send(connection.head("204 No Content"))
            }
        }
        var request = URLRequest(url: server.url())
        request.httpMethod = "HEAD"
        let operations = [DataOperation(request, maximumSize: 10), DataOperation(server.url())]
        await run(operations[0], operations[1])
        #expect(operations.map { $0.output?.value } == [Data(), Data()])
        #expect(operations.map { $0.response?.statusCode } == [200, 204])
        #expect(operations[0].response?.expectedContentLength == 1_000)
    }

    @Test("a body may come in pieces, compressed or without a length")
    func pieces() async throws {
        let server = LoopbackServer { request, connection in
            connection.send(connection.head("200 OK", ["Transfer-Encoding: chunked"]))
            for piece in ["5\r\nhello\r\n", "1\r\n \r\n", "5\r\nworld\r\n", "0\r\n\r\n"] {
                connection.send(piece)
            }
        }
        let operation = DataOperation(server.url())
        await run(operation)
        #expect(operation.output?.value == Data("hello world".utf8))
    }

    @Test("a URL that is not HTTP gives an output without an HTTP answer")
    func notHTTP() async throws {
        let operation = DataOperation(URL(string: "data:text/plain,hello")!)
        await run(operation)
        #expect(operation.output?.value == Data("hello".utf8))
        #expect(operation.response == nil)
    }

    @Test("a separate session sends what its configuration says")
    func configuration() async throws {
        let server = LoopbackServer { request, connection in
            connection.answer(body: request.headers["x-client"] ?? "none")
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Client": "tests"]
        let operation = DataOperation(server.url(), session: NetworkSession(configuration: configuration))
        await run(operation)
        #expect(operation.output?.value == Data("tests".utf8))
    }

    @Test("200 data operations at once finish at every limit, and are freed", arguments: [1, 4, -1])
    func many(limit: Int) async throws {
        let server = LoopbackServer { request, connection in connection.answer(body: request.path) }
        func fetch() async -> [Weak] {
            let queue = InstrumentedQueue(recorder: Recorder())
            queue.maxConcurrentOperationCount = limit
            let operations = (0..<200).map { DataOperation(server.url("/\($0)")) }
            queue.addOperations(operations)
            await queue.drained()
            for (index, operation) in operations.enumerated() {
                #expect(operation.output?.value == Data("/\(index)".utf8))
            }
            return operations.map { Weak(operation: $0) }
        }
        let freed = await fetch()
        #expect(try await eventually { freed.allSatisfy { $0.operation == nil } })
    }
}

private struct Weak {
    weak var operation: Operation?
}
