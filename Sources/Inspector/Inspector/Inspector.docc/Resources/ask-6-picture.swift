import Foundation
import Inspector

let trace = try TraceReader(path: "import.json").read()
print("\(trace.header.process): operations \(trace.operations.count), edges \(trace.edges.count)")
for loss in trace.losses { print("missing: \(loss)") }

let analysis = TraceAnalysis(trace)
print("took \(DurationFormat.text(nanoseconds: analysis.makespan))")
print("critical path \(DurationFormat.text(nanoseconds: analysis.criticalPath.length))")

for kind in analysis.kinds {
    let execution = kind[.execution]
    print("\(kind.count) × \(kind.name): p95 \(DurationFormat.text(nanoseconds: execution.p95))")
}

let report = HazardReport(trace, atLeast: .warning)
print(HazardText(report).text(width: 80))

let replay = Replay(analysis)
let drift = replay.drift(of: replay.run())
let faster = replay.run(slots: .limited(8))
print(
    "eight slots: \(DurationFormat.text(nanoseconds: faster.makespan)), if it can be trusted: "
        + "\(drift <= Replay.tolerableDrift)"
)

let graph = try DrawnGraph(analysis)
try DOTGraph(graph).text.write(toFile: "import.dot", atomically: true, encoding: .utf8)
