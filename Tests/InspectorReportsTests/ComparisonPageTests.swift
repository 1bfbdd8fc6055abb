import Foundation
import InspectorPageAssets
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorComparison
@testable import InspectorReports
@testable import InspectorTraces

@Suite("ComparisonPage")
struct ComparisonPageTests {
    private func page(_ before: Trace, _ after: Trace) -> String {
        let page = ComparisonPage(
            before: TraceAnalysis(before), after: TraceAnalysis(after),
            names: (before: "old <b>.json", after: "new.json"))
        return String(decoding: page.html, as: UTF8.self)
    }

    private func data(_ before: Trace, _ after: Trace) throws -> [String: Any] {
        try ReportPageTests.data(in: page(before, after), block: "comparison")
    }

    private func run(parse: Int64, download: Int64, last: String) -> Trace {
        trace(limit: 1) {
            op("parse", ready: 0, start: 0, finish: ms(parse))
            op("download", ready: 0, start: ms(parse), finish: ms(parse + download))
            op(last, ready: 0, start: ms(parse + download), finish: ms(parse + download + 10))
        }
    }

    private func column(_ name: String, in data: [String: Any]) throws -> [Int64] {
        let rows = try #require(data["rows"] as? [String: Any])
        return try PageColumnTests.numbers(
            try #require(rows[name] as? [String: Any]), count: try #require(rows["count"] as? Int))
    }

    @Test(
        "what grew and what is new comes first, then what shrank and what is gone, with places in both runs"
    )
    func order() throws {
        let data = try data(
            run(parse: 100, download: 300, last: "store"), run(parse: 200, download: 100, last: "save"))
        let changes = try #require(data["changes"] as? [String])
        #expect(
            try column("change", in: data).map { changes[Int($0)] }
                == ["+ new", "▲ took longer", "− gone", "▼ took less time"])
        #expect(try column("before", in: data) == [0, 1, 3, 2])
        #expect(try column("after", in: data) == [3, 1, 0, 2])
        #expect(try column("difference", in: data) == [ms(310), ms(100), ms(-410), ms(-100)])
        #expect(try column("tookBefore", in: data) == [0, ms(100), ms(410), ms(400)])
        #expect(try column("executedAfter", in: data) == [ms(10), ms(200), 0, ms(100)])
        #expect(
            data["worst"] as? [String] == [
                "save (Work) is new: it took 310 ms", "parse (Work) took longer: 100 ms → 200 ms (+100 ms)",
            ])
    }

    @Test("both runs begin at the left, and have the axis of the longer one")
    func axis() throws {
        let late = trace(limit: 1) {
            op("parse", enqueued: ms(50), ready: ms(50), start: ms(60), finish: ms(90))
        }
        let data = try data(run(parse: 100, download: 300, last: "store"), late)
        #expect(data["starts"] as? [Int] == [0, Int(ms(50))])
        #expect(data["length"] as? Int == Int(ms(410)))
    }

    @Test("the data of both runs are those of their own pages")
    func runs() throws {
        let (before, after) = (
            run(parse: 100, download: 300, last: "store"), run(parse: 20, download: 30, last: "save")
        )
        let html = page(before, after)
        for (block, run) in [("trace-before", before), ("trace", after)] {
            let data = try ReportPageTests.data(in: html, block: block)
            #expect(data as NSDictionary == (try ReportPageTests.data(of: run)) as NSDictionary)
        }
    }

    @Test("a page of two runs runs and loads only what is in it, whatever the traces contain")
    func safe() throws {
        for (before, after) in [
            (senseless(), run(parse: 1, download: 1, last: "x")), (senseless(), senseless()),
        ] {
            let html = page(before, after)
            #expect(html.contains("script-src 'sha256-\(PageHashes.script)'"))
            #expect(html.split(separator: "</script>").count == 5)
            for attribute in [" src=", " style=", "<img", "<b>", "http://", "https://"] {
                #expect(!html.contains(attribute), "\(attribute)")
            }
            _ = try data(before, after)
        }
    }
}
