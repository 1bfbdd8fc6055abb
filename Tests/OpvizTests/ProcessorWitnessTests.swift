import EventLog
import Foundation
import Inspector
import Testing

@testable import ProgramRecording
@testable import opviz

/// How many operations a run has. Set by `make soak`.
private let operationCount = ProcessInfo.processInfo.environment["OPVIZ_USES"]

@Suite(
    "The parts of executions are what their threads were told", .serialized, .needsCompiler,
    .needs("taskset"), .enabled(if: operationCount != nil, "make soak runs this"))
struct ProcessorWitnessTests {
    /// Nanoseconds by which the parts of each operation differ from what its thread was told.
    private struct Differences {
        /// As a multiple of what is allowed: 1 %, or 120 µs.
        var onCPU: [Double] = []
        /// The executions longer than the interval at which the kernel is asked how long threads waited.
        var waiting: [Int64] = []
        var blocked: [Int64] = []
        var unmeasured: [Double] = []
    }

    private func differences(_ source: ProcessorSource, processors: String) throws -> Differences {
        let count = try #require(operationCount)
        let run = try SwitchedRun(
            ["taskset", "-c", processors, TestProgram.use.path(), count], processorTimes: source)
        let process = try #require(run.processes.first)
        let trace = Trace(process.contents)
        let use = try #require(ProcessorUse(TraceAnalysis(trace).timings))
        var parts: [String: ExecutionParts] = [:]
        for (index, operation) in trace.operations.enumerated() {
            guard let name = operation.name else { continue }
            parts[name] = use.parts(of: index)
        }
        var differences = Differences()
        for line in run.output.split(separator: "\n") {
            let words = line.split(separator: " ")
            let (onCPU, waited, total) = (Int64(words[2])!, Int64(words[3])!, Int64(words[4])!)
            let parts = try #require(parts["use \(words[1])"])
            differences.unmeasured.append(Double(parts.unmeasured) / Double(parts.total))
            guard parts.unmeasured == 0 else { continue }
            differences.onCPU.append(
                Double(abs(parts.onCPU - onCPU)) / max(120_000, 0.01 * Double(onCPU)))
            guard parts.total > 10_000_000 else { continue }
            differences.waiting.append(abs(parts.waitingForCPU - waited))
            differences.blocked.append(abs(parts.blocked - (total - onCPU - waited)))
        }
        return differences
    }

    @Test(
        "parts of executions match what threads were told, on one processor and all, by switches and clocks",
        arguments: [ProcessorSource.switches, .clocks], ["0,1", "0"])
    func parts(source: ProcessorSource, processors: String) throws {
        let found = try differences(source, processors: processors)
        let (waiting, blocked) = (found.waiting.sorted(), found.blocked.sorted())
        let onCPU = found.onCPU.sorted()
        func quantile<Value>(_ sorted: [Value], _ share: Double) throws -> Value {
            try #require(sorted.isEmpty ? nil : sorted[Int(Double(sorted.count - 1) * share)])
        }
        print(
            source, processors, "operations", found.unmeasured.count, "measured", onCPU.count,
            "on CPU p50, p99, of what is allowed", try quantile(onCPU, 0.5), try quantile(onCPU, 0.99),
            "waiting p50, p95", try quantile(waiting, 0.5), try quantile(waiting, 0.95),
            "blocked p50, p95", try quantile(blocked, 0.5), try quantile(blocked, 0.95),
            "unmeasured", found.unmeasured.reduce(0, +) / Double(found.unmeasured.count))
        #expect(try quantile(onCPU, 0.99) <= 1)
        #expect(try quantile(waiting, 0.95) <= 60_000)
        #expect(try quantile(blocked, 0.95) <= 60_000)
        #expect(found.unmeasured.count { $0 > 0 } * 20 <= found.unmeasured.count)
    }
}
