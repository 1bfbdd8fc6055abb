import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorComparison
@testable import InspectorReports
@testable import InspectorTraces

@Suite struct ComparisonPageTests {
    private func page(_ before: Trace, _ after: Trace) -> String {
        let page = ComparisonPage(
            before: TraceAnalysis(before), after: TraceAnalysis(after),
            names: (before: "old <b>.json", after: "new.json"))
        return String(decoding: page.html, as: UTF8.self)
    }

    private func run(parse: Int64, download: Int64, last: String) -> Trace {
        trace(limit: 1) {
            op("parse", ready: 0, start: 0, finish: ms(parse))
            op("download", ready: 0, start: ms(parse), finish: ms(parse + download))
            op(last, ready: 0, start: ms(parse + download), finish: ms(parse + download + 10))
        }
    }

    private func values(_ attribute: String, in page: String) -> [Substring] {
        page.matches(of: try! Regex("\(attribute)=\"([^\"]*)\"", as: (Substring, Substring).self))
            .map(\.output.1)
    }

    @Test("the name of each operation in a table leads to its row of the picture")
    func links() {
        let page = page(
            run(parse: 100, download: 300, last: "store"), run(parse: 200, download: 100, last: "save"))
        let targets = values(" href", in: page)
        #expect(targets.count == 4)
        let parts = Set(values(" id", in: page).map { "#\($0)" })
        #expect(targets.allSatisfy { parts.contains(String($0)) }, "\(targets)")
    }

    @Test("what grew and what is new comes first, then what shrank and what is gone")
    func order() throws {
        let page = page(
            run(parse: 100, download: 300, last: "store"), run(parse: 200, download: 100, last: "save"))
        let tables = page.split(separator: "<table>").dropFirst()
        let first = try #require(tables.first)
        #expect(first.contains("Took longer, or are new"))
        #expect(first.contains(">parse</a>") && first.contains(">save</a>") && !first.contains(">store</a>"))
        let second = try #require(tables.dropFirst().first)
        #expect(second.contains(">download</a>") && second.contains(">store</a>"))
    }

    @Test("both timelines have the axis of the longer run")
    func axis() throws {
        let page = page(
            run(parse: 100, download: 300, last: "store"), run(parse: 20, download: 30, last: "store"))
        let timelines = page.split(separator: "what executed when</h2>").dropFirst().map {
            values("<text x", in: String($0)).count
        }
        #expect(timelines.count == 2)
        for section in page.split(separator: "what executed when</h2>").dropFirst() {
            #expect(section.contains(">400 ms</text>"), "\(section)")
        }
    }

    @Test("the page of a comparison runs no program and loads nothing, whatever the traces contain")
    func safe() {
        for page in [
            page(senseless(), run(parse: 1, download: 1, last: "x")), page(senseless(), senseless()),
        ] {
            #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; "))
            #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("<b>"))
            #expect(values("src", in: page).isEmpty)
        }
    }

    @Test("the page draws kinds of more operations than fit, and no name leads to a row that is not there")
    func many() {
        func run(_ length: Int64) -> Trace {
            trace(limit: 4) {
                for number in 0..<300 {
                    let start = ms(Int64(number) * 100)
                    op(
                        "op \(number)", enqueued: start, ready: start, start: start,
                        finish: start + ms(length))
                }
            }
        }
        let page = page(run(10), run(90))
        #expect(values(" href", in: page).isEmpty)
        #expect(page.contains("300 operations are grouped by kind, because there are more than 200."))
        #expect(page.contains("280 more operations"))
    }
}
