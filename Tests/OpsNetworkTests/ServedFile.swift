import Foundation
import Ops

/// A file that a server gives, whole or in parts.
final class ServedFile: Sendable {
    struct Version: Sendable {
        var bytes: [UInt8]
        /// Headers that tell the version.
        var headers: [String]

        init(_ bytes: [UInt8], _ headers: String...) { (self.bytes, self.headers) = (bytes, headers) }
    }

    private struct State {
        var version: Version
        /// Bytes of the body of the next answer, after which `atCut` is called and the connection closed.
        var cut: Int?
        var atCut: (@Sendable (ServedConnection) -> Void)?
        var givesParts = true
        var requests: [ServedRequest] = []
    }

    private let state: Locked<State>

    init(_ version: Version) { state = Locked(State(version: version)) }

    var server: LoopbackServer { LoopbackServer { self.answer($0, $1) } }

    /// What was asked for until now: the `Range` headers.
    var ranges: [String?] { state.withLock { $0.requests.map { $0.headers["range"] } } }

    func cutNextAnswer(after count: Int, _ body: @escaping @Sendable (ServedConnection) -> Void = { _ in }) {
        state.withLock { ($0.cut, $0.atCut) = (count, body) }
    }

    func change(to version: Version) { state.withLock { $0.version = version } }

    func stopGivingParts() { state.withLock { $0.givesParts = false } }

    private func answer(_ request: ServedRequest, _ connection: ServedConnection) {
        let (version, cut, atCut, givesParts) = state.withLock { state in
            defer { (state.cut, state.atCut) = (nil, nil) }
            state.requests.append(request)
            return (state.version, state.cut, state.atCut, state.givesParts)
        }
        let size = version.bytes.count
        let isSame =
            request.headers["if-range"].map { tag in version.headers.contains { $0.hasSuffix(tag) } } ?? true
        let start = isSame && givesParts ? request.firstByte : nil
        if let start, start >= size {
            return connection.answer("416 Range Not Satisfiable", ["Content-Range: bytes */\(size)"])
        }
        let body = version.bytes[(start ?? 0)...]
        let range = start.map { ["Content-Range: bytes \($0)-\(size - 1)/\(size)"] } ?? []
        let headers = version.headers + range + ["Content-Length: \(body.count)"]
        connection.send(connection.head(start == nil ? "200 OK" : "206 Partial Content", headers))
        connection.send(body.prefix(cut ?? body.count))
        atCut?(connection)
    }
}

extension ServedRequest {
    fileprivate var firstByte: Int? {
        headers["range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
    }
}

/// Bytes that differ from place to place.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 / 7) &* 31 &+ seed) }
}

/// A folder for one test, removed after it.
func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

extension URL {
    /// The names in this folder.
    var contents: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}
