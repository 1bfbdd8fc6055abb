import Foundation
import InspectorAnalysis
import TestTraces
import Testing

@testable import InspectorFlames

@Suite("FlameReport")
struct FlameReportTests {
    /// Two kinds, with all that a picture shows.
    static func run(slower: Int64 = 0) -> SampledRun {
        var run = SampledRun(lost: 3)
        for (index, thread) in [7, 8].enumerated() {
            let start = Int64(index) * 10
            run.execute("DecodePage", name: "page \(index)", start..<start + 100, thread: UInt64(thread))
            let stack = SampledRun.start + ["DecodePage.main()", "decode(_:)"]
            run.sample(stack + ["inflate(_:)"], 40 + slower, at: start, thread: UInt64(thread))
            run.sample(
                stack + ["Array.append(_:)@libswiftCore.so", "malloc@libc.so.6"], 10, at: start + 41 + slower,
                thread: UInt64(thread))
            run.sample(stack + ["read@libc.so.6"], at: start + 60, thread: UInt64(thread), .blocked)
            run.sample(stack + ["png_read@libpng16.so.16"], 5, at: start + 90, thread: UInt64(thread))
            run.leaveCPU(at: start + 60, after: 60, thread: UInt64(thread))
            run.leaveCPU(at: start + 100, after: 15, thread: UInt64(thread))
        }
        run.execute("StorePage", 200..<230, thread: 7)
        run.sample(SampledRun.start + ["StorePage.main()", "<hash>;\u{1B}[31m&\""], 20, at: 200, thread: 7)
        run.sample(["idle"], 4, at: 300, thread: 7)
        return run
    }

    static func report(
        _ run: SampledRun = run(), _ scope: FlameTree.Scope = .all, isBlocked: Bool = false
    ) throws -> FlameReport {
        FlameReport(
            try #require(StackProfile(TraceTimings(run.trace))), scope, isBlocked: isBlocked)
    }

    private func text(_ format: String, of report: FlameReport, width: Int = 80) throws -> String {
        let renderer = try #require(FlameReport.renderers.first { $0.format.name == format })
        return String(decoding: try report.bytes(renderer.format, WritingStyle(width: width)), as: UTF8.self)
    }

    @Test("a flame report is written as before", arguments: ["text", "svg", "speedscope", "folded"])
    func goldens(format: String) throws {
        let renderer = try #require(FlameReport.renderers.first { $0.format.name == format })
        try Golden("flame.\(renderer.format.suffixes[0])").expect(try text(format, of: Self.report()))
    }

    @Test("a flame report of what blocks has its time")
    func blocked() throws {
        let folded = try text("folded", of: try Self.report(isBlocked: true))
        #expect(folded == "DecodePage;DecodePage.main();decode(_:);read 50000\n")
        let words = try text("text", of: try Self.report(isBlocked: true))
        #expect(words.contains("2 stacks of blocked threads: 50.0 ms blocked"))
    }

    /// Three functions that wait in the system's libraries.
    private static func waits() -> SampledRun {
        var run = SampledRun()
        run.execute("Work", 0..<200, thread: 7)
        let body = SampledRun.start + ["Work.main()"]
        let wait = ["DispatchSemaphore.wait()@libswiftDispatch.so", "_dispatch_sema4_wait@libdispatch.so"]
        run.sample(body + ["load()"] + wait + ["libc.so.6@libc.so.6"], at: 10, thread: 7, .blocked)
        run.sample(body + ["store()"] + wait + ["libc.so.6@libc.so.6"], at: 50, thread: 7, .blocked)
        run.sample(body + ["libc.so.6@libc.so.6"], at: 90, thread: 7, .blocked)
        run.leaveCPU(at: 10, after: 10, thread: 7)
        run.leaveCPU(at: 50, after: 20, thread: 7)
        run.leaveCPU(at: 90, after: 20, thread: 7)
        run.leaveCPU(at: 200, after: 105, thread: 7)
        return run
    }

    @Test("a flame report of what blocks names who waits, with the first function called in a library")
    func callers() throws {
        let rows = try text("text", of: try Self.report(Self.waits(), isBlocked: true), width: 110)
            .split(separator: "\n")
        #expect(rows.contains { $0.contains(" load() → DispatchSemaphore.wait() ") }, "\(rows)")
        #expect(rows.contains { $0.contains(" store() → DispatchSemaphore.wait() ") })
        #expect(rows.contains { $0.contains(" Work.main() → libc.so.6 ") })
        #expect(!rows.contains { $0.drop { $0 == " " }.hasPrefix("libc.so.6") || $0.contains("_sema4") })
    }

    @Test("a flame report of what blocks is a picture whose boxes of libraries say who called them")
    func callersInPicture() throws {
        let svg = try text("svg", of: try Self.report(Self.waits(), isBlocked: true))
        let titles = svg.matches(of: /<title>(.*?)<\/title>/).map { String($0.1) }
        for title in [
            "DispatchSemaphore.wait() (libswiftDispatch.so), called by load(): ",
            "_dispatch_sema4_wait (libdispatch.so), called by store() → DispatchSemaphore.wait(): ",
            "libc.so.6, called by load() → DispatchSemaphore.wait(): ",
            "libc.so.6, called by Work.main(): ", "load() (app): ",
        ] {
            #expect(titles.contains { $0.hasPrefix(title) }, "\(title) is not in \(titles)")
        }
    }

    @Test("a flame report of what blocks has whole stacks for other tools")
    func wholeStacks() throws {
        let folded = try text("folded", of: try Self.report(Self.waits(), isBlocked: true))
        let stack = "load();DispatchSemaphore.wait();_dispatch_sema4_wait;libc.so.6 "
        #expect(folded.contains(stack), "\(folded)")
    }

    @Test("a flame report of one operation or kind has only its samples")
    func scopes() throws {
        let folded = try text("folded", of: try Self.report(Self.run(), .operation(1)))
        #expect(folded.hasPrefix("page 1;DecodePage.main();decode(_:);inflate(_:) 40\n"))
        let text = try text("text", of: try Self.report(Self.run(), .kind(2)))
        #expect(text.contains("StorePage calculates") && text.contains("20 samples at 1,000 Hz"))
        #expect(!text.contains("inflate"))
    }

    @Test("a flame report says why there is nothing to show")
    func empty() throws {
        var run = SampledRun()
        run.execute("Short", 0..<1, thread: 7)
        run.sample(["idle"], at: 5, thread: 7)
        let words = try text("text", of: try Self.report(run))
        #expect(words.contains("no sample is in these operations: one is taken every 1.00 ms on CPU"))
        #expect(try text("text", of: try Self.report(run, isBlocked: true)).contains("CAP_PERFMON"))
        #expect(try text("svg", of: try Self.report(run)).hasSuffix("</svg>\n"))
        #expect(try text("folded", of: try Self.report(run)) == "")
    }

    @Test("a flame report says that the program was built without frame pointers")
    func withoutCallers() throws {
        var run = SampledRun(withoutCallers: "tool")
        run.execute("Work", 0..<100, thread: 7)
        run.sample(["leaf"], 50, at: 0, thread: 7)
        let words = try text("text", of: try Self.report(run), width: 400)
        #expect(words.contains("functions of tool have no callers"))
    }

    @Test("a flame report is a picture of bounded size, whatever the trace")
    func bounded() throws {
        var run = SampledRun()
        run.execute("Work", 0..<100_000, thread: 7)
        for index in 0..<20_000 {
            let name = String(repeating: "W", count: 300)
            run.sample(["f", "\(name)\(index % 5_000)", "h\(index % 77)"], at: Int64(index), thread: 7)
        }
        run.sample((0..<1_000).map { "deep \($0)" }, 30, at: 30_000, thread: 7)
        let svg = try text("svg", of: try Self.report(run))
        #expect(svg.utf8.count < 4_000_000)
        #expect(svg.contains("smaller functions"))
    }

    @Test("a flame report is JSON for speedscope whose weights and samples correspond")
    func speedscope() throws {
        let file = try JSONSerialization.jsonObject(
            with: Data(try text("speedscope", of: Self.report()).utf8))
        let object = try #require(file as? [String: Any])
        let frames = try #require((object["shared"] as? [String: Any])?["frames"] as? [[String: Any]])
        let profiles = try #require(object["profiles"] as? [[String: Any]])
        #expect(profiles.map { $0["name"] as? String } == ["DecodePage", "StorePage"])
        for profile in profiles {
            let samples = try #require(profile["samples"] as? [[Int]])
            let weights = try #require(profile["weights"] as? [Int])
            #expect(samples.count == weights.count)
            #expect(weights.reduce(0, +) == profile["endValue"] as? Int)
            #expect(samples.joined().allSatisfy(frames.indices.contains))
        }
    }
}
