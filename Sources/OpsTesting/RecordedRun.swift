public import Inspector

/// The operations that ran during a test: their trace, and its analysis.
///
/// A failed expectation fails the current test, of Swift Testing or XCTest, with a sentence that has the
/// numbers. It also keeps the trace and its pictures; the sentence says where.
public struct RecordedRun: Sendable {
    /// The name of the run in messages and files.
    public let name: String
    /// The analysis, from which graphs, timelines and tables are created.
    public let analysis: TraceAnalysis
    let files: RunFiles

    /// The operations, edges, queues and marks of the run.
    public var trace: Trace { analysis.trace }
    /// The times that are compared with other runs.
    public var timings: RunTimings { RunTimings(analysis) }

    /// A run from an existing trace. Cost: nearly linear in operations and edges.
    public init(_ trace: Trace, named name: String = "run") {
        self.init(trace, named: name, log: nil)
    }

    /// - Parameter log: the bytes of the trace's file, to keep for a failure.
    init(_ trace: Trace, named name: String, log: [UInt8]?) {
        let analysis = TraceAnalysis(trace)
        self.name = name
        self.analysis = analysis
        files = RunFiles(name: name, analysis: analysis, log: log)
    }
}

/// The error for operations that did not finish within the recording's time limit.
public struct StuckRun: Error, CustomStringConvertible {
    /// The run so far.
    public let run: RecordedRun
    /// How long the recording waited.
    public let timeLimit: Duration
    /// A sentence with the operation to look at first, and with the location of the trace.
    public let description: String

    init(_ run: RecordedRun, timeLimit: Duration, at place: CallSite) {
        self.run = run
        self.timeLimit = timeLimit
        let finding = HazardReport(run.trace, rules: ["never-finished"]).groups.first?.findings.first
        let reason = finding.map { ": \($0.summary)" } ?? ""
        description =
            "the operations did not finish within \(timeLimit)\(reason)" + run.files.kept(at: place)
    }
}
