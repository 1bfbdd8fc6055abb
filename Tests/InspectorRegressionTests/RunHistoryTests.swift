import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression
@testable import InspectorText

@Suite struct RunHistoryTests {
    private let day = 24 * 60.0

    @Test func `a line is read back the same`() throws {
        let entry = HistoryEntry(run: timings(), label: hostileName, date: "2026-11-21")
        #expect(!entry.line.contains(UInt8(ascii: "\n")))
        let history = RunHistory(entry.line + [UInt8(ascii: "\n")])
        #expect(history.problems.isEmpty)
        #expect(history.entries.first?.run == entry.run)
        #expect(history.entries.first?.line == entry.line)
    }

    @Test func `without a date, the day of the run is used`() {
        #expect(HistoryEntry(run: timings()).date == "2026-11-21")
    }

    @Test func `a history reports damaged lines, and reads all others`() {
        let line = String(decoding: HistoryEntry(run: timings()).line, as: UTF8.self)
        let other = String(decoding: HistoryEntry(run: timings(minute: 2)).line, as: UTF8.self)
        let text = [
            line, "no JSON", "", line.replacingOccurrences(of: "opviz-history", with: "x"),
            line.replacingOccurrences(of: "\"version\": 1", with: "\"version\": 9"), other,
            line.prefix(90).description,
        ].joined(separator: "\n")
        let history = RunHistory(Array(text.utf8))
        #expect(history.entries.count == 2)
        #expect(history.problems.map(\.line) == [2, 4, 5, 7])
        #expect(history.problems[0].reason == "byte 1: is not JSON: expected a value")
        #expect(history.problems[1].reason.hasSuffix(": expected \"opviz-history\""))
        #expect(history.problems[2].reason.contains("use a newer opviz"))
        #expect(history.problems[3].reason == "incomplete; its writer was interrupted")
    }

    @Test func `any damage leaves the other lines`() {
        let line = HistoryEntry(run: timings()).line
        let good = HistoryEntry(run: timings(minute: 2)).line
        var generator = SplitMix64(seed: 3)
        for _ in 0..<200 {
            var damaged = line
            for _ in 0..<3 {
                damaged[generator.index(below: damaged.count)] = UInt8(truncatingIfNeeded: generator.next())
            }
            let history = RunHistory(damaged + [UInt8(ascii: "\n")] + good + [UInt8(ascii: "\n")])
            #expect(history.entries.contains { $0.line == good })
        }
    }

    @Test func `a run that is there twice counts once, and runs are in the order of their starts`() {
        let (early, late) = (HistoryEntry(run: timings()), HistoryEntry(run: timings(minute: 9)))
        let bytes = [late, early, late].flatMap { $0.line + [UInt8(ascii: "\n")] }
        #expect(RunHistory(bytes).entries == [early, late])
    }

    @Test func `runs of a session are one point of the trend, by their median`() throws {
        let trend = try #require(
            MetricTrend(
                history([[10, 12, 11], [20], [12, 12]]), TimingMetric(kind: "Parse", .part(.execution))))
        #expect(trend.points.map(\.median) == [11e6, 20e6, 12e6])
        #expect(trend.points.map(\.runs) == [3, 1, 2])
        #expect(trend.points[0].shortest == 10e6)
        #expect(trend.points[0].longest == 12e6)
        #expect(trend.points.map(\.label) == ["v0", "v1", "v2"])
        #expect(trend.stretches.count == 1)
        #expect(MetricTrend(history([[10]]), TimingMetric(kind: "Other", .part(.execution))) == nil)
    }

    @Test func `every label of a session is a separate point`() throws {
        // Five versions, one after the other within half an hour, and a sixth on the next day.
        var entries: [HistoryEntry] = []
        for label in 0..<5 {
            for number in 0..<3 {
                let run = timings(minute: Double(label * 6 + number * 2), parse: Double(10 + label))
                entries.append(HistoryEntry(run: run, label: "v\(label)"))
            }
        }
        let next = HistoryEntry(run: timings(minute: day, parse: 20), label: "v5")
        let trend = try #require(
            MetricTrend(
                RunHistory(entries: entries + [next], problems: []),
                TimingMetric(kind: "Parse", .part(.execution))))
        #expect(trend.points.map(\.label) == ["v0", "v1", "v2", "v3", "v4", "v5"])
        #expect(trend.points.map(\.session) == [0, 0, 0, 0, 0, 1] && trend.sessionCount == 2)
        #expect(trend.points.map(\.median) == [10e6, 11e6, 12e6, 13e6, 14e6, 20e6])
        #expect(trend.points.map(\.runs) == [3, 3, 3, 3, 3, 1])
        let text = TrendText(trend).text(width: 80)
        #expect(text.contains("over 6 labels in 2 sessions, 16 runs: no proven change"))
        let svg = TrendPicture(trend, heading: "Parse", theme: .light).svg
        for label in 0..<6 { #expect(svg.contains(">v\(label)</text>")) }
    }

    @Test
    func `a history finds a change between labels of one session, but not one between sessions`() throws {
        let metric = TimingMetric(kind: "Parse", .part(.execution))
        func trend(_ times: (Int, Int) -> Double, sessions: Int, labels: Int) throws -> MetricTrend {
            var entries: [HistoryEntry] = []
            for session in 0..<sessions {
                for label in 0..<labels {
                    let minute = Double(session) * day + Double(label)
                    let run = timings(minute: minute, parse: times(session, label))
                    entries.append(HistoryEntry(run: run, label: "v\(label)"))
                }
            }
            return try #require(MetricTrend(RunHistory(entries: entries, problems: []), metric))
        }
        func noise(_ label: Int) -> Double { Double(label % 3) * 0.1 }
        let bisected = try trend({ $1 < 10 ? 10 + noise($1) : 13 + noise($1) }, sessions: 1, labels: 20)
        #expect(bisected.stretches.map(\.points) == [0..<10, 10..<20])
        // Each session has its own weather: many points of four sessions do not prove a change between them.
        let weather = try trend({ Double(10 + $0) + noise($1) }, sessions: 4, labels: 5)
        #expect(weather.stretches.count == 1 && weather.points.count == 20)
    }

    @Test func `the spread of sessions is that between changes`() throws {
        let steady = (0..<20).map { [10 * exp(Double($0 % 5 - 2) * 0.01)] }
        let slower = steady.map { [$0[0] * 1.5] }
        let metric = TimingMetric(kind: "Parse", .part(.execution))
        let spread = try #require(MetricTrend(history(steady + slower), metric)?.spread)
        #expect(spread.degreesOfFreedom == 38)
        #expect(spread.variance.equals(0.0002 * 40 / 38, digits: 5))
        let estimates = history(steady).sessionSpread(also: [.makespan]).estimates
        #expect(estimates[metric]?.degreesOfFreedom == 19)
        #expect(estimates[.makespan]?.degreesOfFreedom == 19)
    }

    @Test func `one session does not give a spread`() {
        #expect(MetricTrend(history([[10, 11]]), .makespan)?.spread == nil)
    }

    @Test func `other programs and other machines are other histories`() {
        let entries = [
            HistoryEntry(run: timings()), HistoryEntry(run: timings(host: "other", minute: 1)),
            HistoryEntry(run: timings(process: "other", minute: 2)),
        ]
        let history = RunHistory(entries: entries, problems: [])
        #expect(history.of(process: "app", host: "box").entries == [entries[0]])
    }

    @Test func `a trend reads as a sentence, a table and a line of bars`() throws {
        let steady = (0..<12).map { [10 + Double($0 % 3) * 0.1] }
        let slower = (0..<12).map { [13 + Double($0 % 3) * 0.1] }
        let trend = try #require(
            MetricTrend(history(steady + slower), TimingMetric(kind: "Parse", .part(.execution))))
        try Golden("trend.txt").expect(TrendText(trend).text(width: 80))
        try Golden("trend.svg").expect(
            TrendPicture(trend, heading: "execution of Parse · app on box", theme: .light).svg)
    }

    @Test(arguments: PictureTheme.allCases)
    func `hostile names and absurd times make a well-formed picture of bounded size`(theme: PictureTheme)
        throws
    {
        let runs = (0..<3000).map { index in
            let start = Double(index) * day
            return HistoryEntry(
                run: timings(minute: start, others: [hostileName: Int64.max / 4 - Int64(index)]),
                label: hostileName + String(repeating: "x", count: 2000))
        }
        let trend = try #require(
            MetricTrend(
                RunHistory(entries: runs, problems: []), TimingMetric(kind: hostileName, .part(.execution))))
        #expect(trend.omittedPoints == 2000)
        let svg = TrendPicture(trend, heading: hostileName, theme: theme).svg
        #expect(svg.utf8.count < 1_000_000)
        #expect(!svg.contains("<img"))
        #expect(!TrendText(trend).text(width: 80).contains("\u{1B}"))
    }

    /// A session per day. The operations of the kind Parse take these times in milliseconds.
    private func history(_ sessions: [[Double]]) -> RunHistory {
        RunHistory(
            entries: sessions.enumerated().flatMap { session, runs in
                runs.enumerated().map { run, parse in
                    HistoryEntry(
                        run: timings(
                            minute: Double(session) * day + Double(run), fetch: parse, parse: parse),
                        label: "v\(session)")
                }
            }, problems: [])
    }
}
