import Foundation
import Inspector
import Ops
import Testing

@testable import gallery

/// A gallery with a server and a recorder of its own.
@MainActor
struct GalleryRun {
    let server: PictureServer
    let list: ScrollingList

    /// Runs `body`, and reads the trace of it.
    @discardableResult
    static func record(
        filter: Filter = .grey, downloads: Int = 3, _ body: (GalleryRun) async throws -> Void
    ) async throws -> Trace {
        let path = NSTemporaryDirectory() + "gallery-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let server = PictureServer(width: 24, height: 16)
        let list = ScrollingList(
            pictures: try await server.start(), filter: filter, downloads: downloads, recorder: recorder)
        try await body(GalleryRun(server: server, list: list))
        // What was cancelled belongs to the trace, too.
        _ = try await list.leftovers.remaining(besides: list.cells.values)
        await server.stop()
        try recorder.stop()
        return try TraceReader(path: path).read()
    }

    /// The list shows these rows, all but the missing with the right pictures, and has kept nothing else.
    func expectAllIsWell(
        rows: Range<Int>, missing: Set<Int> = [], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let faults = try await Inspection(list: list, server: server).faults(rows: rows, missing: missing)
        #expect(faults == [], sourceLocation: sourceLocation)
    }

    /// The names of the loads whose filter ran, in the order of their beginnings.
    var filtered: [String] { list.journal.filtered.map(\.name) }
    var shown: [String] { list.journal.shown.map(\.name) }
    var cancelled: [String] { list.journal.cancelled.map(\.name) }
}

extension Trace {
    subscript(_ name: String) -> TracedOperation? { operations.first { $0.name == name } }
}

/// Filters that stand still at their first line until they are let go.
struct FilterGate: Sendable {
    private let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let gate = DispatchSemaphore(value: 0)

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    var filter: Filter {
        Filter(name: "grey") { [arrival, gate] bitmap, line in
            if line == 0 {
                arrival.yield()
                gate.wait()
                gate.signal()
            }
            Filter.grey.apply(&bitmap, line)
        }
    }

    /// Returns when `count` filters stand at their first line.
    func isReached(times count: Int) async {
        var count = count
        for await _ in arrivals {
            count -= 1
            if count == 0 { return }
        }
    }

    /// Lets all filters go, those included that come later.
    func open() { gate.signal() }
}
