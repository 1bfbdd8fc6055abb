import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite("The timeline as SVG")
struct TimelinePictureTests {
    private func svg(_ trace: Trace, _ options: TimelineOptions = TimelineOptions()) -> String {
        TimelinePicture(TraceAnalysis(trace), options).svg
    }

    private func count(_ text: String, in svg: String) -> Int { svg.components(of: text) }

    @Test("the picture of a small run's timeline is as it was", arguments: PictureTheme.allCases)
    func golden(theme: PictureTheme) throws {
        let picture = TimelinePicture(TraceAnalysis(quotes()), theme: theme, width: 900)
        #expect(picture.omission == nil)
        try Golden("timeline-\(theme).svg").expect(picture.svg)
    }

    @Test("the picture of a run in lines is as it was")
    func goldenInLines() throws {
        let picture = TimelinePicture(TraceAnalysis(quotes()), width: 500, isWhole: true)
        #expect(picture.omission == nil)
        try Golden("timeline-lines.svg").expect(picture.svg)
    }

    @Test("a timeline shows each operation of a small run, with its waits and any outcome")
    func everyOperation() {
        let svg = svg(
            trace(limit: 1) {
                op("good", ready: 0, start: 1, finish: 2000)
                op("bad", ready: 0, start: 2000, finish: 3000, outcome: .failed(message: "no <disk>"))
                op("off", ready: 0, finish: 2000, outcome: .cancelled)
                op("stuck", ready: 0, start: 3000)
                op("waiting").after("stuck")
                op("elsewhere", enqueued: nil)
            })
        #expect(count("class=\"operation\"", in: svg) == 5)
        for word in [
            "failed: no &lt;disk&gt;", "cancelled", "never finished", "slot wait", "dependency wait",
        ] {
            #expect(svg.contains(word), "\(word) is missing")
        }
        #expect(svg.contains("1 operation not shown, because the log only names them"))
        #expect(svg.contains("1 slot, 5 operations"))
    }

    @Test("a timeline has the colours of kinds that graphs have, and names the kinds beside them")
    func kinds() throws {
        let trace = trace {
            op("A", kind: "Long", ready: 0, start: 0, finish: 100)
            op("B", kind: "Short", ready: 0, start: 0, finish: 50)
            op("C", kind: "Failing", ready: 0, start: 0, finish: 10, outcome: .failed(message: "no"))
        }
        let fills = PictureTheme.light.groupFills
        let svg = svg(trace)
        // A bar and the legend.
        for fill in fills[..<2] { #expect(count("fill=\"\(fill)\"", in: svg) == 2, "\(fill)") }
        #expect(!svg.contains(fills[2]), "what failed has the colour of its ending")
        #expect(svg.contains(">Long</text>") && svg.contains(">Short</text>"))
        #expect(!svg.contains(">Failing</text>"))
        var options = GraphOptions()
        options.coloring = .kind
        let graph = DOTGraph(try DrawnGraph(TraceAnalysis(trace), options)).text
        #expect(graph.contains("fillcolor=\"\(fills[0])\"") && graph.contains("fillcolor=\"\(fills[1])\""))
    }

    @Test("a timeline of more kinds than colours counts the kinds that share one")
    func manyKinds() {
        let svg = svg(
            trace {
                for index in 0..<12 {
                    op("\(index)", kind: "Kind\(index)", ready: 0, start: 0, finish: 100 - Int64(index))
                }
            })
        #expect(svg.contains(">Kind7</text>") && !svg.contains(">Kind8</text>"))
        #expect(svg.contains(">4 other kinds</text>"))
    }

    @Test("a timeline leads arrows along the edges of the critical path, and only along them")
    func arrows() {
        let svg = svg(
            trace {
                op("A", ready: 0, start: 0, finish: 100)
                op("B", ready: 0, start: 0, finish: 10)
                op("C", ready: 100, start: 100, finish: 200).after("A", "B")
            })
        #expect(count("class=\"critical\"", in: svg) == 1)
        #expect(count("stroke-width=\"2\"", in: svg) == 3, "two bars, and the legend")
    }

    /// Two operations that wait for each other from 200 on; the log ended at 10,000.
    private var stuck: Trace {
        var trace = trace {
            op("first", ready: 0, start: 0, finish: 200)
            op("one", enqueued: 100).after("other")
            op("other", enqueued: 100).after("one")
        }
        trace.header.lastAlive = 10_000_000
        return trace
    }

    @Test("a timeline leaves out the end of a run that stood still, and says how much; a window shows it")
    func standstill() {
        let analysis = TraceAnalysis(stuck)
        let whole = TimelineSelection(analysis, whole: analysis.asDrawn, TimelineOptions())
        #expect(whole.end == 250)
        #expect(whole.omission == "the last 10.0 ms, in which nothing happened, are not drawn")
        let window = TimelineSelection(
            analysis, whole: analysis.asDrawn, TimelineOptions(window: 0..<10_000_000))
        #expect(window.end == 10_000_000 && window.omission == nil)
    }

    @Test("a timeline leaves out nothing of a run that was cut off while it worked")
    func cutOff() {
        var trace = trace {
            op("first", ready: 0, start: 0, finish: 200)
            op("long", ready: 0, start: 0)
        }
        trace.header.isClosed = false
        trace.header.lastAlive = 300
        let analysis = TraceAnalysis(trace)
        let selection = TimelineSelection(analysis, whole: analysis.asDrawn, TimelineOptions())
        #expect(selection.end == 300 && selection.omission == nil)
    }

    @Test("a timeline shades the time for which a queue was suspended")
    func suspensions() {
        let svg = svg(
            trace(limit: 1, suspensions: [100..<200, 300..<400]) {
                op("A", ready: 0, start: 400, finish: 500)
            })
        #expect(count("class=\"suspended\"", in: svg) == 2)
        #expect(svg.contains("queue suspended"))
    }

    @Test("a timeline of no operation, of one, and of operations without any time is a picture")
    func little() {
        #expect(svg(trace {}).contains("No operations."))
        #expect(count("class=\"operation\"", in: svg(trace { op("A", ready: 0, start: 0, finish: 9) })) == 1)
        let instant = svg(
            trace {
                op("A", ready: 0, start: 0, finish: 0)
                op("B", ready: 0, start: 0, finish: 0)
            })
        #expect(count("class=\"operation\"", in: instant) == 2)
    }

    @Test("a timeline of many operations at the same moment is not empty, and says what it omits")
    func moment() {
        let trace = trace {
            for index in 0..<4000 { op("\(index)", enqueued: 5000, ready: 5000, start: 5000, finish: 5000) }
        }
        let picture = TimelinePicture(TraceAnalysis(trace))
        #expect(picture.svg.contains("≈ 4,000 executing"))
        #expect(count("class=\"executing\"", in: picture.svg) == 1)
        #expect(picture.omission?.contains("the trace spans 0 ns: 4,000 operations") == true)
        #expect(!picture.svg.contains("executing at once"))
    }

    @Test("a timeline names operations that never started, which are only a wait")
    func neverStarted() {
        let svg = svg(
            trace(limit: 1, suspensions: [0..<1000], lastAlive: 1000) {
                for index in 0..<29 { op("job \(index)", ready: 0) }
            })
        #expect(count("class=\"operation\"", in: svg) == 29)
        for index in 0..<29 { #expect(svg.contains(">job \(index)</text>"), "job \(index)") }
    }

    @Test("a timeline compares work with slots only if no operation waits for its children")
    func atWork() {
        let flat = svg(trace(limit: 2) { op("A", ready: 0, start: 0, finish: 9) })
        #expect(flat.contains(">executing at once<") && flat.contains(">peak 1 of 2 slots<"))
        #expect(flat.contains(">slots</text>"), "the line is in the legend")
        let nested = svg(
            trace(limit: 2) {
                op("A", ready: 0, start: 0, finish: 9)
                op("B", ready: 0, start: 2, finish: 9).inside("A")
            })
        #expect(nested.contains(">at work at once<") && nested.contains(">without parents of<"))
        #expect(nested.contains(">peak 1<") && !nested.contains(">slots</text>"))
    }

    @Test("a timeline without single operations counts unfinished ones, and has no legend of endings")
    func unfinishedCounts() {
        let picture = TimelinePicture(
            TraceAnalysis(
                trace(lastAlive: 1000) {
                    for index in 0..<250 { op("\(index)", ready: 0, start: 1) }
                    for index in 0..<37 { op("w\(index)", ready: 0) }
                    op("good", ready: 0, start: 0, finish: 1)
                }))
        #expect(picture.omission?.contains("287 never finished, 37 of them never started") == true)
        #expect(!picture.svg.contains(">never finished</text>"))
    }

    @Test("a timeline of absurd times and names is finite, and nothing in it is markup of a name")
    func hostile() {
        let svg = svg(
            trace {
                op("</text><script>alert(1)</script>", enqueued: .min, ready: .max, start: 5, finish: .max)
                op("\u{1B}[2J\u{202E}", enqueued: .max, ready: .min, start: .min, finish: .min)
                op(String(repeating: "long ", count: 2000), ready: 0, start: 9, finish: 10)
            })
        #expect(count("class=\"operation\"", in: svg) == 3)
        #expect(!svg.contains("<script"))
        #expect(!svg.contains("nan") && !svg.contains("inf\""))
        #expect(
            !svg.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        #expect(svg.utf8.count < 20_000)
    }

    @Test("a timeline of many operations is bounded, and says how many are not drawn one by one")
    func many() throws {
        var trace = trace(limit: 4) {
            for index in 0..<20_000 {
                op("item \(index)", ready: 0, start: Int64(index / 4 * 10), finish: Int64(index / 4 * 10 + 9))
            }
        }
        let picture = TimelinePicture(TraceAnalysis(trace))
        let drawn = count("class=\"operation\"", in: picture.svg)
        #expect(drawn == 0, "each is narrower than a pixel")
        #expect(picture.omission?.hasPrefix("20,000 operations are drawn as shares") == true)
        #expect(count("class=\"shares\"", in: picture.svg) == 4)
        #expect(picture.svg.utf8.count < 200_000)
        // All at once: no lanes.
        trace.changeOperations { operations in
            for index in operations.indices { operations[index].executing = TraceMoment(0) }
        }
        let merged = TimelinePicture(TraceAnalysis(trace))
        #expect(merged.omission?.contains("drawn as counts over time") == true)
        #expect(count("class=\"executing\"", in: merged.svg) == 1)
        let window = TimelinePicture(
            TraceAnalysis(trace), TimelineOptions(window: 49_980..<50_000), width: 500)
        #expect(count("class=\"operation\"", in: window.svg) == 8)
        #expect(window.omission == "19,992 operations left out by the filters")
    }

    @Test("a timeline of a window shows no execution before or after it")
    func outside() {
        let svg = svg(
            trace(limit: 1) {
                op("first", ready: 0, start: 0, finish: 100)
                op("second", ready: 0, start: 100, finish: 200)
                op("third", ready: 0, start: 200, finish: 300)
            }, TimelineOptions(window: 110..<190))
        #expect(!svg.contains(">first</text>"))
        #expect(svg.contains(">second</text>") && svg.contains(">third</text>"))
        let fill = PictureTheme.light.groupFills[0]
        // A bar and the legend.
        #expect(count("fill=\"\(fill)\"", in: svg) == 2)
    }

    @Test("in lines, each of thousands of operations has a bar, and nearly all are as wide as their names")
    func lines() throws {
        let trace = trace(limit: 2) {
            for index in 0..<3000 {
                let start = Int64(index / 2) * 1000 + (index >= 2000 ? 10_000_000 : 0)
                op("op \(index)", enqueued: start, ready: start, start: start, finish: start + 900)
            }
        }
        let picture = TimelinePicture(TraceAnalysis(trace), isWhole: true)
        let svg = picture.svg
        #expect(picture.omission == nil)
        let lines = svg.utf8.split(separator: UInt8(ascii: "\n"))
        func names(_ element: String, _ beginning: String, _ end: String) -> Set<String> {
            Set(
                lines.lazy.filter { $0.starts(with: element.utf8) }.map {
                    String(decoding: $0, as: UTF8.self)
                }
                .compactMap { line in
                    guard let from = line.firstRange(of: beginning),
                        let to = line[from.upperBound...].firstRange(of: end)
                    else { return nil }
                    return String(line[from.upperBound..<to.lowerBound])
                })
        }
        let all = Set((0..<3000).map { "op \($0)" })
        #expect(names("<g class=\"operation\"", "<title>", " (") == all)
        // Those at the ends of lines are cut.
        #expect(names("<text", ">", "</text>").intersection(all).count > 2800)
        #expect(count("class=\"shares\"", in: svg) == 0)
        #expect(count(">nothing began or ended for ", in: svg) == 1)
        #expect(!svg.contains("at once</text>"))
    }

    @Test("in lines, times without events take one line, however long, and the last end is seen")
    func idleLines() {
        let run = trace {
            op("first", start: 0, finish: 1)
            op("second", enqueued: 1 << 59, start: 1 << 59, finish: (1 << 59) + 1)
            op("long", start: 5, finish: 1 << 60)
        }
        let svg = TimelinePicture(TraceAnalysis(run), isWhole: true).svg
        #expect(count(">nothing began or ended for ", in: svg) == 2)
        #expect(count("<title>long (", in: svg) == 3)
        let sparse = trace {
            for index in 0..<1000 {
                let start = Int64(index) * 1_000_000_000
                op("op \(index)", enqueued: start, start: start, finish: start + 1000)
            }
        }
        let lines = TimelinePicture(TraceAnalysis(sparse), isWhole: true).svg
        let drawn = count(">without a queue</text>", in: lines) + count(">main</text>", in: lines)
        #expect((100...400).contains(drawn), "\(drawn)")
    }

    @Test("a timeline of as many bars as it may have, with the worst of names, is less than 2 MB")
    func bound() {
        let name = String(repeating: "'<\u{202E}\u{10FFFF}", count: 1000)
        var trace = trace(limit: 55) {
            for index in 0..<2000 {
                let start = Int64(index / 55 * 100)
                op("\(index)", ready: 0, start: start, finish: start + 99, outcome: .failed(message: name))
            }
        }
        trace.changeOperations { operations in
            for index in operations.indices { operations[index].name = name }
        }
        let svg = svg(trace)
        #expect(count("class=\"operation\"", in: svg) == 1200)
        #expect(svg.utf8.count < 2_000_000, "\(svg.utf8.count)")
    }

    @Test("a timeline counts 500 operations at once in an unlimited queue instead of giving each a lane")
    func unlimited() {
        let svg = svg(
            trace {
                for index in 0..<500 { op("item \(index)", ready: 0, start: 1, finish: 1000 + Int64(index)) }
            })
        #expect(svg.contains("≈ 500 executing"))
        #expect(svg.contains("unlimited, 500 operations"))
    }

    @Test("a timeline shows one kind or one queue, and counts the rest")
    func filters() {
        let svg = svg(quotes(), TimelineOptions(queue: "main", kind: "Download"))
        #expect(count("class=\"operation\"", in: svg) == 2)
        #expect(svg.contains("5 operations left out by the filters"))
    }

    @Test("a timeline gives the same bytes twice")
    func deterministic() {
        var generator = SplitMix64(seed: 7)
        let trace = randomGraph(&generator)
        #expect(svg(trace) == svg(trace))
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
