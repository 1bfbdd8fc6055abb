import Inspector
import Testing

@testable import gallery

@Suite("A journey through the gallery", .timeLimit(.minutes(5)))
@MainActor
struct JourneyTests {
    @Test(
        "a journey ends with the right pictures, and its trace says so of each operation", arguments: 1...10)
    func journey(_: Int) async throws {
        let trace = try await GalleryRun.record { run in
            let journey = Journey(list: run.list, server: run.server)
            await journey.run()
            let faults = try await journey.faults()
            #expect(faults == [])
            #expect(run.cancelled == ["4", "5", "6", "7", "8", "10", "11"])
            #expect(run.filtered == ["0", "1", "2", "3", "6 #2", "7 #2", "8 #2"])
        }
        #expect(trace.operations.count == 15 * 3)
        for name in ["4", "5", "6", "7", "8", "10", "11"] {
            for step in ["download", "grey", "show"] {
                #expect(trace["\(step) \(name)"]?.outcome == .cancelled, "\(step) \(name)")
            }
            #expect(trace["grey \(name)"]?.executing == nil)
        }
        for name in ["7", "11"] { #expect(trace["download \(name)"]?.executing == nil) }
        for operation in trace.operations { #expect(operation.finished?.isExact == true) }
    }

    @Test(
        "a journey that is wild shows nothing wrong, and keeps nothing: five hundred steps", arguments: 1...2)
    func wildJourney(seed: UInt64) async throws {
        var dice = Dice(seed: seed)
        let trace = try await GalleryRun.record { run in
            for _ in 0..<500 {
                let first = Int.random(in: 0..<30, using: &dice)
                switch Int.random(in: 0..<10, using: &dice) {
                case 0:
                    await run.list.settled()
                case 1...2:
                    let row = run.list.visible.randomElement(using: &dice) ?? 0
                    await run.server.change(row)
                    run.list.reload(row)
                case 3...5:
                    for _ in 0..<first { await Task.yield() }
                default:
                    run.list.scroll(to: first..<first + Int.random(in: 1..<5, using: &dice))
                }
            }
            run.list.scroll(to: 10..<14)
            await run.list.settled()
            try await run.expectAllIsWell(rows: 10..<14)
            #expect(run.shown.count + run.cancelled.count == run.list.journal.records.count)
        }
        #expect(trace.operations.allSatisfy { $0.finished?.isExact == true })
    }
}

/// The same numbers for the same seed.
private struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
