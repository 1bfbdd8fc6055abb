import TestTraces
import Testing

@testable import InspectorReports

@Suite("The words above a picture")
struct PictureHeadingTests {
    @Test("a verdict that is long is broken into lines, which say the same")
    func lines() throws {
        let names = (1...3).map { "page \($0) of the catalogue of summer, in colour" }
        let heading = PictureHeading(
            TraceAnalysis(
                trace(lastAlive: 900) {
                    op(names[0]).after(names[2])
                    op(names[1]).after(names[0])
                    op(names[2]).after(names[1])
                }))
        let verdict = try #require(heading.verdict)
        let lines = heading.verdict(columns: 60)
        #expect(lines.count > 1 && lines.allSatisfy { $0.count <= 60 })
        #expect(lines.joined(separator: " ") == verdict)
        #expect(PictureHeading(TraceAnalysis(quotes())).verdict(columns: 60) == [])
    }

    @Test("the heading of a run that hangs has no critical path: it would say how long something waited")
    func hang() {
        let hung = trace(lastAlive: 9_000_000_000) {
            op("page", ready: 0, start: 0)
            op("parse").after("page")
        }
        #expect(PictureHeading(TraceAnalysis(hung)).figures == ["2 operations", "makespan 9.00 s"])
        #expect(PictureHeading(TraceAnalysis(quotes())).figures.count == 4)
    }
}
