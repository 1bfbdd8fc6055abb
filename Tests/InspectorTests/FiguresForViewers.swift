import InspectorText
import InspectorTraces

@testable import InspectorAnalysis
@testable import InspectorExport
@testable import InspectorRegression

/// The figures of a run in the files for viewers of other projects, and in a check.
extension FigureLedger {
    mutating func readForViewers(_ analysis: TraceAnalysis, _ turn: Int?) throws {
        if Self.isRead(0, turn) { try readOTLP(ExportedTrace(analysis, run: "run")) }
        if Self.isRead(2, turn) { try readChrome(ExportedTrace(analysis, run: "run")) }
        if Self.isRead(1, turn) { try readCheck(analysis) }
    }

    private mutating func readOTLP(_ exported: ExportedTrace) throws {
        let bytes = [UInt8](pieces: OTLPExport(exported).write)
        let scopes = try ReadObject(bytes).list("resourceSpans").flatMap { $0.list("scopeSpans") }
        let spans = scopes.flatMap { $0.list("spans") }.map { ($0, attributes(of: $0)) }
        add("operations", spans.count, in: "otlp")
        for ending in Self.endings {
            add(ending, spans.count { $1["opviz.operation.outcome"] == ending }, in: "otlp")
        }
        let critical = spans.count { $1["opviz.operation.is_critical"] != nil }
        add("critical operations", critical, in: "otlp")
        var waits: [String: Int64] = [:]
        for (span, attributes) in spans {
            let subject = "operation \(attributes["opviz.operation.id"] ?? "missing")"
            let start = span.text("startTimeUnixNano").flatMap { Int64($0) } ?? 0
            let end = span.text("endTimeUnixNano").flatMap { Int64($0) } ?? 0
            add("\(subject): lifetime", nanoseconds: end - start, in: "otlp")
            var own: [String: Int64] = [:]
            for event in span.list("events") {
                guard let name = event.text("name"), Self.waits[name] != nil,
                    let time = self.attributes(of: event)["opviz.wait.duration_ns"].flatMap({ Int64($0) })
                else { continue }
                own[name, default: 0] += time
                waits[name, default: 0] += time
            }
            for (label, part) in Self.waits {
                add("\(subject): \(part)", nanoseconds: own[label] ?? 0, in: "otlp")
            }
        }
        for (label, part) in Self.waits {
            add("\(part) of all", nanoseconds: waits[label] ?? 0, in: "otlp")
        }
    }

    /// The waits that viewers show: their label and short name.
    private static let waits = Dictionary(
        uniqueKeysWithValues: LifetimeParts.Part.allCases.lazy.filter { $0 != .execution && $0 != .unknown }
            .map { ($0.label, $0.name) })

    private func attributes(of object: ReadObject) -> [String: String] {
        let pairs = object.list("attributes").map { attribute in
            let value = attribute["value"].members.values.first
            return (attribute.text("key") ?? "missing", value as? String ?? "true")
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    private mutating func readChrome(_ exported: ExportedTrace) throws {
        let bytes = [UInt8](pieces: ChromeExport(exported).write)
        var operations: [String: [String: Any]] = [:]
        var executions: [String: Int64] = [:]
        for event in try ReadObject(bytes).list("traceEvents") {
            let arguments = event["args"]
            guard let id = arguments.text(ChromeArguments.identifier.description) else { continue }
            operations[id, default: [:]].merge(arguments.members) { $1 }
            guard event.text("ph") == "X", let time = event.members["dur"] as? Double else { continue }
            executions[id, default: 0] += Int64((time * 1_000).rounded())
        }
        add("operations", operations.count, in: "chrome")
        for ending in Self.endings {
            let count = operations.values.count {
                $0[ChromeArguments.outcome.description] as? String == ending
            }
            add(ending, count, in: "chrome")
        }
        let critical = operations.values.count { $0["critical path"] as? Bool == true }
        add("critical operations", critical, in: "chrome")
        for (id, time) in executions {
            add("operation \(id): execution", nanoseconds: time, in: "chrome")
        }
        add("execution of all", nanoseconds: executions.values.reduce(0, +), in: "chrome")
    }

    private mutating func readCheck(_ analysis: TraceAnalysis) throws {
        let run = TimedRun(name: "run", timings: RunTimings(analysis))
        let check = RegressionCheck(baseline: CheckSide(runs: [run]), current: CheckSide(runs: [run]))
        for metric in try ReadObject(CheckJSON(check).bytes).list("metrics") {
            guard let label = metric.text("metric") else { continue }
            let figure: String
            if let part = LifetimeParts.Part.allCases.first(where: {
                label == "\($0.label) of all operations"
            }) {
                figure = "\(part.name) of all"
            } else if metric.text("kind") == nil {
                figure = label == "critical path length" ? "critical path" : label
            } else {
                continue
            }
            for side in ["baselineNs", "currentNs"] {
                add(figure, nanoseconds: metric.number(side), in: "check.json")
            }
        }
    }
}
