public import Inspector

/// What operations did while a test ran: their trace, and what it says.
///
/// Its expectations fail the test that runs, of Swift Testing or of XCTest, in a sentence with the numbers,
/// and leave the trace and its pictures; the sentence says where.
public struct RecordedRun: Sendable {
    /// What messages and files call it.
    public let name: String
    /// What everything else is made of: graphs, timelines and tables too.
    public let analysis: TraceAnalysis
    let files: RunFiles

    /// The operations, edges, queues and marks of the run.
    public var trace: Trace { analysis.trace }
    /// What it is compared by with other runs.
    public var timings: RunTimings { RunTimings(analysis) }

    /// A run that was recorded before. Cost: nearly linear in operations and edges.
    public init(_ trace: Trace, named name: String = "run") {
        self.init(trace, named: name, log: nil)
    }

    /// - Parameter log: the bytes of the trace's file, for who looks at a failure.
    init(_ trace: Trace, named name: String, log: [UInt8]?) {
        let analysis = TraceAnalysis(trace)
        self.name = name
        self.analysis = analysis
        files = RunFiles(name: name, analysis: analysis, log: log)
    }
}

/// Operations did not finish in the time that a recording was given.
public struct StuckRun: Error, CustomStringConvertible {
    /// As far as it came.
    public let run: RecordedRun
    /// How long the recording waited.
    public let timeLimit: Duration
    /// A sentence that says which operation to look at first, and where the trace is.
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
