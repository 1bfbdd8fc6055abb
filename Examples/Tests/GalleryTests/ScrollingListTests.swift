import Foundation
import Inspector
import Ops
import Testing

@testable import gallery

@Suite("A scrolling list", .timeLimit(.minutes(2)))
@MainActor
struct ScrollingListTests {
    @Test("a scrolling list shows in each row its own picture, grey")
    func shows() async throws {
        let trace = try await GalleryRun.record { run in
            run.list.scroll(to: 0..<6)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 0..<6)
            #expect(run.cancelled == [])
        }
        #expect(trace.losses == [])
        #expect(trace.operations.count == 6 * 3)
        #expect(trace.operations.allSatisfy { $0.outcome == .succeeded })
    }

    @Test("never asks for the picture of a row that left while its download waited for a slot")
    func leavesBeforeDownload() async throws {
        let trace = try await GalleryRun.record(downloads: 1) { run in
            await run.server.hold([0])
            run.list.scroll(to: 0..<2)
            await run.server.isAsked(for: 0)
            run.list.scroll(to: 2..<3)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 2..<3)
            #expect(await run.server.requestCount(of: 1) == 0)
            #expect(run.filtered == ["2"])
            #expect(run.shown == ["2"])
        }
        #expect(trace["download 1"]?.outcome == .cancelled)
        #expect(trace["download 1"]?.executing == nil)
    }

    @Test("a scrolling list ends the download of a row that leaves, and filters nothing")
    func leavesDuringDownload() async throws {
        let trace = try await GalleryRun.record { run in
            await run.server.hold([0])
            run.list.scroll(to: 0..<1)
            await run.server.isAsked(for: 0)
            // The answer never comes: what finishes, finishes because it was cancelled.
            run.list.scroll(to: 1..<2)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 1..<2)
            #expect(run.filtered == ["1"])
        }
        for name in ["download 0", "grey 0", "show 0"] { #expect(trace[name]?.outcome == .cancelled) }
        #expect(trace["grey 0"]?.executing == nil)
        #expect(trace["show 0"]?.executing == nil)
    }

    @Test("never filters the picture of a row that left while its filter waited for a slot")
    func leavesBeforeFilter() async throws {
        let gate = FilterGate()
        let trace = try await GalleryRun.record(filter: gate.filter) { run in
            // Two filters at once.
            run.list.scroll(to: 0..<2)
            await gate.isReached(times: 2)
            run.list.scroll(to: 0..<3)
            await run.list.cells[2]?.load?.operations.first?.finished()
            run.list.scroll(to: 0..<2)
            gate.open()
            await run.list.settled()
            try await run.expectAllIsWell(rows: 0..<2)
            #expect(run.filtered == ["0", "1"])
        }
        #expect(trace["download 2"]?.outcome == .succeeded)
        #expect(trace["grey 2"]?.outcome == .cancelled)
        #expect(trace["grey 2"]?.executing == nil)
    }

    @Test("a scrolling list stops the filter of a row that leaves at the end of the line")
    func leavesDuringFilter() async throws {
        let gate = FilterGate()
        let trace = try await GalleryRun.record(filter: gate.filter) { run in
            run.list.scroll(to: 0..<1)
            await gate.isReached(times: 1)
            run.list.scroll(to: 1..<2)
            gate.open()
            await run.list.settled()
            try await run.expectAllIsWell(rows: 1..<2)
            #expect(run.filtered == ["0", "1"])
            #expect(run.shown == ["1"])
        }
        #expect(trace["grey 0"]?.outcome == .cancelled)
        #expect(trace["grey 0"]?.executing != nil)
    }

    @Test("a scrolling list does not show the finished picture of a row that has left")
    func leavesBeforeShow() async throws {
        let trace = try await GalleryRun.record { run in
            // Nothing is shown meanwhile: this is the main thread, and it is not given up.
            filterAndLeave(run.list)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 1..<2)
            #expect(run.filtered == ["0", "1"])
            #expect(run.shown == ["1"])
        }
        #expect(trace["grey 0"]?.outcome == .succeeded)
        #expect(trace["show 0"]?.outcome == .cancelled)
        #expect(trace["show 0"]?.executing == nil)
    }

    private func filterAndLeave(_ list: ScrollingList) {
        list.scroll(to: 0..<1)
        list.queues.filters.waitUntilAllOperationsAreFinished()
        list.scroll(to: 1..<2)
    }

    @Test("shows the new picture of a row that is loaded again, for any outcome of the old request")
    func reloads() async throws {
        try await GalleryRun.record { run in
            await run.server.hold([0])
            run.list.scroll(to: 0..<1)
            await run.server.isAsked(for: 0)
            await run.server.change(0)
            run.list.reload(0)
            await run.server.isAsked(for: 0, times: 2)
            await run.server.release()
            await run.list.settled()
            try await run.expectAllIsWell(rows: 0..<1)
            #expect(run.cancelled == ["0"])
            #expect(run.shown == ["0 #2"])

            // It has its picture: there is nothing to cancel.
            await run.server.change(0)
            run.list.reload(0)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 0..<1)
            #expect(run.cancelled == ["0"])
        }
    }

    @Test("a scrolling list loads the picture again for a row that comes back")
    func comesBack() async throws {
        try await GalleryRun.record { run in
            await run.server.hold([0])
            run.list.scroll(to: 0..<1)
            await run.server.isAsked(for: 0)
            run.list.scroll(to: 1..<2)
            run.list.scroll(to: 0..<1)
            await run.server.isAsked(for: 0, times: 2)
            await run.server.release()
            await run.list.settled()
            try await run.expectAllIsWell(rows: 0..<1)
            #expect(run.shown == ["0 #2"])
        }
    }

    @Test("a scrolling list shows in the row why its picture is missing, and shows the other pictures")
    func failures() async throws {
        let trace = try await GalleryRun.record { run in
            await run.server.lose(1)
            await run.server.damage(2)
            run.list.scroll(to: 0..<4)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 0..<4, missing: [1, 2])
            #expect(run.filtered == ["0", "2", "3"])
            let reasons = [1, 2].map { run.list.cells[$0]?.content.description ?? "" }
            #expect(reasons[0].hasPrefix("grey 1 failed: download 1 failed: "))
            #expect(reasons[1].hasPrefix("grey 2 failed: not a picture: "))
        }
        #expect(trace["show 1"]?.outcome == .succeeded)
    }

    @Test("a scrolling list shows in every row why its picture is missing when no server runs")
    func noServer() async throws {
        try await GalleryRun.record { run in
            await run.server.stop()
            run.list.scroll(to: 0..<3)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 0..<3, missing: [0, 1, 2])
            #expect(run.filtered == [])
        }
    }

    @Test("a scrolling list keeps nothing when all rows have left, at any stage")
    func keepsNothing() async throws {
        let gate = FilterGate()
        let trace = try await GalleryRun.record(filter: gate.filter) { run in
            run.list.scroll(to: 0..<2)
            await gate.isReached(times: 2)
            await run.server.hold(2..<5)
            run.list.scroll(to: 0..<6)
            for row in 2..<5 { await run.server.isAsked(for: row) }
            run.list.scroll(to: 0..<0)
            gate.open()
            #expect(run.list.leftovers.count == 6 * 4)
            try await run.expectAllIsWell(rows: 0..<0)
            #expect(run.shown == [])
        }
        #expect(trace.operations.allSatisfy { $0.finished != nil })
    }
}
