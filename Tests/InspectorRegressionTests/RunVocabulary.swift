import TestTraces

@testable import InspectorAnalysis
@testable import InspectorRegression

/// The timings of a run in the words of a test: four operations `Fetch` and four `Parse` one after the other,
/// and one of each other kind.
///
/// - Parameters:
///   - minute: when the run began.
///   - fetch: milliseconds of each, as `parse`.
func timings(
    host: String = "box", process: String = "app", minute: Double = 0, fetch: Double = 10, parse: Double = 15,
    others: [String: Int64] = [:], dropped: UInt64 = 0, isClosed: Bool = true, failed: Int = 0,
    unfinished: Int = 0
) -> RunTimings {
    let (fetch, parse) = (Int64(fetch * 1e6), Int64(parse * 1e6))
    var kinds = [
        RunTimings.Kind(
            name: "Fetch", count: 4, samples: samples(.execution, Array(repeating: fetch, count: 4))),
        RunTimings.Kind(
            name: "Parse", count: 4, samples: samples(.execution, Array(repeating: parse, count: 4))),
    ]
    for (name, time) in others {
        kinds.append(RunTimings.Kind(name: name, count: 1, samples: samples(.execution, [time])))
    }
    let rest = others.values.reduce(0, +)
    let makespan = 4 * fetch + 4 * parse + rest
    var delays = [
        RunTimings.Delay(kind: "Fetch", part: .execution, nanoseconds: 4 * fetch),
        RunTimings.Delay(kind: "Parse", part: .execution, nanoseconds: 4 * parse),
    ]
    for (name, time) in others {
        delays.append(RunTimings.Delay(kind: name, part: .execution, nanoseconds: time))
    }
    return RunTimings(
        process: process, host: host, start: 1_795_239_140_000_000_000 + Int64(minute * 60e9),
        droppedEvents: dropped, isClosed: isClosed, failed: failed, cancelled: 0, unfinished: unfinished,
        makespan: makespan, criticalPathLength: makespan, totals: [.execution: makespan],
        kinds: kinds.sorted { $0.name < $1.name }, delays: delays.sorted(),
        path: ["Fetch", "Parse"] + others.keys.sorted().prefix(20))
}

private func samples(_ part: LifetimeParts.Part, _ times: [Int64]) -> [LifetimeParts.Part: TimingSamples] {
    TimingSamples(times).map { [part: $0] } ?? [:]
}

/// Runs half a minute apart whose times spread by about 3 %.
func side(
    _ count: Int, seed: UInt64, offset: Double = 0, parse: Double = 15,
    _ change: (Int, Double) -> RunTimings? = { _, _ in nil }
) -> CheckSide {
    var generator = SplitMix64(seed: seed)
    return CheckSide(
        runs: (0..<count).map { index in
            let noise = 1 + Double.random(in: -0.03...0.03, using: &generator)
            let run =
                change(index, noise)
                ?? timings(minute: Double(index) / 2 + offset, fetch: 10 * noise, parse: parse * noise)
            return TimedRun(name: "run\(index).json", timings: run)
        })
}

/// Alternate runs that decode 2 to 12 pages of 25.6 ms one after the other, and then resize one. Their
/// makespans vary widely, but the times of operations are always the same.
///
/// - Parameter resize: milliseconds.
func scatteredSide(resize: Double, isCurrent: Bool, runs: Int = 25, seed: UInt64 = 7) -> CheckSide {
    var generator = SplitMix64(seed: seed)
    let order = RunOrder(pairs: runs, seed: 1)
    let pages = (0..<2 * runs).map { _ in [2, 3, 4, 9, 10, 11, 12].randomElement(using: &generator) ?? 2 }
    let own = pages.indices.filter { order.isCurrent($0) == isCurrent }
    return CheckSide(
        runs: own.enumerated().map { number, place in
            let (decode, resize) = (25_600_000 as Int64, Int64(resize * 1e6))
            let kinds = [("Decode", decode, pages[place]), ("Resize", resize, 1)]
            let makespan = kinds.reduce(0) { $0 + $1.1 * Int64($1.2) }
            let run = RunTimings(
                process: "app", host: "box", start: 1_795_239_140_000_000_000 + Int64(place) * 30_000_000_000,
                droppedEvents: 0, isClosed: true, failed: 0, cancelled: 0, unfinished: 0, makespan: makespan,
                criticalPathLength: resize, totals: [.execution: makespan],
                kinds: kinds.map { name, time, count in
                    RunTimings.Kind(
                        name: name, count: count,
                        samples: samples(.execution, Array(repeating: time, count: count)))
                },
                delays: kinds.map { name, time, count in
                    RunTimings.Delay(kind: name, part: .execution, nanoseconds: time * Int64(count))
                }.sorted(),
                path: ["Decode", "Resize"])
            return TimedRun(name: "run\(number).json", timings: run)
        })
}

/// What a name in a trace may hold, on its way into a page, a terminal and a file of tests.
let hostileName =
    "<img onerror=x> & \"q\" ]]> \u{1B}[31m \u{202E} | * `c` ::error::x, %0A\n:\u{301} é\u{0}\u{FFFF}"
