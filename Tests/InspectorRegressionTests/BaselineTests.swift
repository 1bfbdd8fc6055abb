import Foundation
import TestTraces
import Testing

@testable import InspectorRegression
@testable import InspectorTraces

@Suite struct BaselineTests {
    private let baseline = Baseline(
        runs: [
            timings(minute: 1, others: ["Store": 7]), timings(host: "alpha", minute: 5, failed: 1),
            timings(),
        ],
        label: "v1.2", date: "2026-11-21")

    private func read(_ bytes: some Sequence<UInt8>) throws -> Baseline {
        try BaselineReader(path: "b.json").read(Array(bytes))
    }

    @Test("a baseline is a small text with a line for each kind")
    func text() throws {
        try Golden("baseline.json").expect(String(decoding: baseline.bytes, as: UTF8.self))
    }

    @Test("what is written is read back the same, and the same runs in any order give the same bytes")
    func roundTrip() throws {
        #expect(try read(baseline.bytes) == baseline)
        let other = Baseline(runs: baseline.runs.reversed(), label: "v1.2", date: "2026-11-21")
        #expect(other.bytes == baseline.bytes)
        let hostile = Baseline(runs: [
            timings(host: hostileName, process: hostileName, others: [hostileName: 3])
        ])
        #expect(try read(hostile.bytes) == hostile)
        #expect(hostile.date == "2026-11-21")
    }

    @Test("a run is one line if requested")
    func line() throws {
        let run = timings(others: ["a\nb": 3])
        #expect(!run.jsonLine.contains(UInt8(ascii: "\n")))
        #expect(try RunTimings(jsonLine: run.jsonLine) == run)
    }

    @Test("a run that is there twice is one run")
    func twice() { #expect(Baseline(runs: [timings(), timings()]).runs.count == 1) }

    @Test("a baseline keeps those of too many kinds that have the most time, the same in all runs")
    func kinds() throws {
        let others = Dictionary(uniqueKeysWithValues: (0..<1000).map { ("K\($0)", Int64($0 * 1000)) })
        let written = Baseline(runs: [timings(others: others), timings(minute: 1, others: others)])
        let read = try read(written.bytes)
        #expect(read.omittedKinds == 1002 - RunTimings.mostWrittenKinds)
        #expect(read.runs[0].kinds.map(\.name) == read.runs[1].kinds.map(\.name))
        #expect(read.runs[0].kind("K999") != nil && read.runs[0].kind("K0") == nil)
        #expect(
            read.runs[0].delays.reduce(0) { $0 + $1.nanoseconds }
                == written.runs[0].delays.reduce(0) { $0 + $1.nanoseconds })
        #expect(written.bytes.count < 200_000)
    }

    @Test("a newer version is refused in a sentence")
    func newer() throws {
        let text = String(decoding: baseline.bytes, as: UTF8.self)
            .replacing("\"version\": 1", with: "\"version\": 2")
        let error = #expect(throws: TraceError.self) { try read(text.utf8) }
        #expect(error?.code == .newerVersion)
        #expect(
            error?.description
                == "b.json: is a baseline of version 2, but this opviz reads up to version 1; use a "
                + "newer opviz"
        )
    }

    @Test(
        "a baseline's damage is named with its place",
        arguments: [
            ("\"makespanNs\": 100000000", "\"makespanNs\": \"x\"", "expected a whole number, 0 or more"),
            ("\"makespanNs\": 100000000", "\"makespanNs\": -1", "expected a whole number, 0 or more"),
            ("\"host\": ", "\"hots\": ", "expected an object with \"host\""),
            ("\"2026-11-21\"", "\"yesterday\"", "expected a date such as 2026-11-21"),
            ("[10000000,10000000", "[10000000,1", "expected the times of 4 operations"),
            ("\"kind\": \"Fetch\", \"count\"", "\"kind\": \"Parse\", \"count\"", "occurs twice"),
            ("\"runs\": [", "\"runs\": 7, \"x\": [", "expected a list"),
        ])
    func damage(from: String, to: String, reason: String) throws {
        let text = String(decoding: baseline.bytes, as: UTF8.self)
        #expect(text.contains(from))
        let damaged = text.replacing(from, with: to, maxReplacements: 1)
        let error = #expect(throws: TraceError.self) { try read(damaged.utf8) }
        #expect(error?.reason.contains(reason) == true, "\(error?.description ?? "")")
        #expect(error?.offset != nil)
    }

    @Test("any bytes give a baseline or an error, never a trap")
    func anything() {
        let bytes = baseline.bytes
        for end in stride(from: 0, to: bytes.count - 2, by: 7) {
            #expect(throws: TraceError.self) { try read(bytes[..<end]) }
        }
        var generator = SplitMix64(seed: 5)
        for _ in 0..<600 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let position = Int.random(in: damaged.indices, using: &generator)
                damaged[position] = UInt8.random(in: 0...255, using: &generator)
            }
            if let read = try? read(damaged) {
                let check = RegressionCheck(
                    baseline: CheckSide(read, file: "b.json"), current: CheckSide(baseline, file: "c.json"))
                _ = CheckText(check).verdict
                _ = read.bytes
            }
        }
    }

    @Test(
        "a date is accepted only if it is a day of the calendar",
        arguments: [("2026-11-21", true), ("2026-13-01", false), ("26-1-1", false), ("٢٠٢٦-11-21", false)])
    func days(text: String, isDay: Bool) { #expect(Baseline.isDay(text) == isDay) }
}
