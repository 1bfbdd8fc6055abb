import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite("The strips of timelines whose threads' switches were recorded")
struct ExecutionStripsTests {
    private func svg(_ log: SwitchedLog, _ theme: PictureTheme = .light) -> String {
        TimelinePicture(TraceAnalysis(Trace(log.contents)), theme: theme, width: 900).svg
    }

    private func bars(_ svg: String) -> [DrawnBar] {
        svg.matches(of: /<g class="operation">.*?\n<\/g>/.dotMatchesNewlines()).compactMap {
            DrawnBar(String($0.0))
        }
    }

    @Test(
        "the bar of an execution has the colour of its kind, whether or not the parts are known",
        arguments: PictureTheme.allCases)
    func kind(theme: PictureTheme) {
        let log = SwitchedLog()
        var without = log
        without.events.removeAll { event in
            switch event.body {
            case .leftCPU, .waitedForCPU, .bodyUsed: true
            default: false
            }
        }
        let (bars, plain) = (bars(svg(log, theme)), bars(svg(without, theme)))
        #expect(bars.map(\.fill) == Array(repeating: theme.groupFills[0], count: 4))
        #expect(plain.map(\.fill) == bars.map(\.fill))
        #expect(plain.map(\.width) == bars.map(\.width))
        #expect(bars.allSatisfy { !$0.strip.isEmpty } && plain.allSatisfy(\.strip.isEmpty))
    }

    @Test("the parts in the strip of a bar add up to its width, each to scale")
    func width() throws {
        let analysis = TraceAnalysis(switched())
        let use = try #require(ProcessorUse(analysis.timings))
        let bars = bars(svg(SwitchedLog()))
        try #require(bars.count == 4)
        for (index, bar) in bars.enumerated() {
            let total = bar.strip.values.reduce(0, +)
            #expect(abs(total - bar.width) < 0.1, "\(index): \(total) of \(bar.width)")
            let parts = try #require(use.parts(of: index))
            // Waits for a processor have the fill of blocked time, below their hatch.
            var times: [String: Int64] = [:]
            for part in ExecutionParts.Part.allCases {
                times[PictureTheme.light.color(part), default: 0] += parts[part]
            }
            for (fill, time) in times {
                let expected = bar.width * Double(time) / Double(parts.total)
                let drawn = bar.strip[fill] ?? 0
                #expect(abs(drawn - expected) < 2, "\(index), \(fill): \(drawn) of \(expected)")
            }
        }
    }

    @Test("a strip takes the lower third of its bar, and the name is above it")
    func height() throws {
        let bars = bars(svg(SwitchedLog()))
        #expect(bars.count == 4)
        for drawn in bars {
            let (bar, top) = (drawn.bar, try #require(drawn.stripTop))
            let share = (bar.y + bar.height - top) / bar.height
            #expect((0.2...0.34).contains(share), "\(share)")
            let base = try #require(drawn.nameBase)
            #expect((bar.y + 6...top - 2).contains(base), "\(base)")
        }
    }

    @Test("the legend of a timeline with parts names the kinds, and the parts that occur")
    func legend() {
        let whole = svg(SwitchedLog())
        for name in ["Work", "on CPU", "waiting for a CPU", "blocked", "off thread", "unmeasured"] {
            #expect(whole.contains(">\(name)</text>"), "\(name)")
        }
        let options = TimelineOptions(window: 2_000_000..<5_000_000)
        let window = TimelinePicture(TraceAnalysis(switched()), options).svg
        #expect(window.contains(">Work</text>") && window.contains(">on CPU</text>"))
        #expect(!window.contains(">unmeasured</text>") && !window.contains(">off thread</text>"))
    }

    @Test("a bar of less than three pixels has the colour of its kind and no strip")
    func narrow() throws {
        var log = SwitchedLog()
        log.events.append(LogEvent(time: 20_000_000_000, thread: 11, .leftCPU(afterNanoseconds: 1, .blocked)))
        let options = TimelineOptions(window: 0..<20_000_000_000)
        let bars = bars(TimelinePicture(TraceAnalysis(Trace(log.contents)), options, width: 900).svg)
        let (narrow, wide) = (bars.filter { $0.width < 3 }, bars.filter { $0.width >= 3 })
        #expect(!narrow.isEmpty)
        #expect(narrow.allSatisfy { $0.strip.isEmpty && $0.fill == PictureTheme.light.groupFills[0] })
        #expect(wide.allSatisfy { !$0.strip.isEmpty })
    }
}

/// The bar of an operation as it is in an SVG, with the strip along its lower edge.
private struct DrawnBar {
    struct Rectangle {
        let x, y, width, height: Double
        let fill: String
    }

    let bar: Rectangle
    /// The width of each part, by its fill.
    private(set) var strip: [String: Double] = [:]
    private(set) var stripTop: Double?
    /// The base line of the name, if it is on the bar.
    private(set) var nameBase: Double?

    var fill: String { bar.fill }
    var width: Double { bar.width }

    /// - Parameter group: the elements of one operation.
    init?(_ group: String) {
        let rectangles = group.matches(
            of: /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="(#\w+)"\/>/
        ).map { match in
            let (_, x, y, width, height, fill) = match.output
            return Rectangle(
                x: Self.number(x), y: Self.number(y), width: Self.number(width),
                height: Self.number(height), fill: String(fill))
        }
        // Waits are lower.
        guard let bar = rectangles.max(by: { $0.height < $1.height }) else { return nil }
        self.bar = bar
        for path in group.matches(of: /<path d="([^"]+z)" fill="(#\w+)"\/>/) {
            for stretch in path.1.matches(of: /M[\d.]+ ([\d.]+)h([\d.]+)v/) {
                stripTop = Self.number(stretch.1)
                strip[String(path.2), default: 0] += Self.number(stretch.2)
            }
        }
        guard let name = group.firstMatch(of: /<text x="([\d.]+)" y="([\d.]+)"/) else { return }
        if Self.number(name.1) < bar.x + bar.width { nameBase = Self.number(name.2) }
    }

    private static func number(_ digits: Substring) -> Double { Double(digits) ?? .nan }
}
