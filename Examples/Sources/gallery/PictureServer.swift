import FlyingFox
import Foundation
import Loopback

/// Serves a picture for each row over HTTP on this machine: `/pictures/N` is that of row N, as PNG. Some can
/// be held back, changed or lost.
actor PictureServer {
    let width: Int
    let height: Int
    private var server: LoopbackServer?
    private var versions: [Int: Int] = [:]
    private var missing: Set<Int> = []
    private var damaged: Set<Int> = []
    private var held: Set<Int> = []
    /// What requests for rows that are held back wait for.
    private var waiting: [AsyncStream<Never>.Continuation] = []
    private var requestCounts: [Int: Int] = [:]
    /// Those that wait for a request.
    private var expectations: [(row: Int, count: Int, met: CheckedContinuation<Void, Never>)] = []

    init(width: Int = 96, height: Int = 64) {
        self.width = width
        self.height = height
    }

    /// Starts to serve; `stop` ends it.
    ///
    /// - Returns: the URL of the pictures, without the row's number.
    func start() async throws -> URL {
        let server = try await LoopbackServer.start { server in
            await server.appendRoute("GET /pictures/:row") { (row: Int) in try await self.answer(row) }
        }
        self.server = server
        return server.url.appending(path: "pictures")
    }

    func stop() async { await server?.stop() }

    // MARK: What it serves

    /// The current picture of `row`.
    func picture(of row: Int) -> Bitmap {
        Bitmap(row: row, version: versions[row, default: 1], width: width, height: height)
    }

    /// From now on, the row has another picture. Requests that have already arrived get the former one.
    func change(_ row: Int) { versions[row, default: 1] += 1 }

    /// From now on, the picture of `row` does not exist.
    func lose(_ row: Int) { missing.insert(row) }

    /// From now on, the picture of `row` is cut off in its middle.
    func damage(_ row: Int) { damaged.insert(row) }

    // MARK: When it answers

    /// From now on, requests for these rows are not answered.
    func hold(_ rows: some Sequence<Int>) { held.formUnion(rows) }

    /// Answers all requests again, those included that wait.
    func release() {
        held = []
        for request in waiting { request.finish() }
        waiting = []
    }

    /// How many requests there were for `row`.
    func requestCount(of row: Int) -> Int { requestCounts[row, default: 0] }

    /// Returns when there were `count` requests for `row`.
    func isAsked(for row: Int, times count: Int = 1) async {
        guard requestCount(of: row) < count else { return }
        await withCheckedContinuation { expectations.append((row, count, $0)) }
    }

    private func answer(_ row: Int) async throws -> HTTPResponse {
        let bitmap = picture(of: row)
        requestCounts[row, default: 0] += 1
        let met = expectations.filter { requestCount(of: $0.row) >= $0.count }
        expectations.removeAll { requestCount(of: $0.row) >= $0.count }
        for expectation in met { expectation.met.resume() }
        if held.contains(row) { await hold() }
        guard !missing.contains(row) else { return .status(.notFound) }
        let png = try bitmap.png()
        return .bytes(damaged.contains(row) ? png.prefix(png.count / 2) : png, type: "image/png")
    }

    /// Returns when all are released, or the server stops.
    private func hold() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        waiting.append(continuation)
        for await _ in stream {}
    }
}
