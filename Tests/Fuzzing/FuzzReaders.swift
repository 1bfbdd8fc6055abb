import Foundation
import Inspector

/// Gives bytes to every reader, and what comes out to the analysis, the pictures and the checks. Built by
/// `make fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReaders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = start.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
    // Readers take a file.
    let path = "/dev/shm/opviz-fuzz-\(getpid())"
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return 0 }
    fuzzTrace(path)
    fuzzBaseline(path)
    fuzzHistory(bytes)
    _ = try? Budgets(file: path)
    return 0
}

private func fuzzTrace(_ path: String) {
    let reader = TraceReader(path: path, memoryLimit: .max)
    guard let trace = try? reader.read() else { return }
    let analysis = TraceAnalysis(trace)
    _ = RunSummary(analysis).text()
    let table = TimingTable(analysis.timings, by: .operations).text(width: 80)
    if let graph = try? DrawnGraph(analysis) { _ = DOTGraph(graph).text }
    // By way of events it is the same trace.
    if let contents = try? reader.events() {
        let other = TimingTable(TraceTimings(Trace(contents)), by: .operations).text(width: 80)
        precondition(table == other, "a trace read and one made of its events differ")
        fuzzMerge(contents)
    }
}

/// With itself, as the log of another process.
private func fuzzMerge(_ contents: EventLogContents) {
    var other = contents
    other.header.processID &+= 1
    guard let merge = try? TraceMerge([(path: "one", contents: contents), (path: "other", contents: other)])
    else { return }
    let trace = Trace(merge.contents)
    precondition(trace.operations.count == 2 * Trace(contents).operations.count, "operations were lost")
    let analysis = TraceAnalysis(trace)
    _ = CriticalPathReport(analysis).text()
    if let graph = try? DrawnGraph(analysis) { _ = DOTGraph(graph).text }
}

private func fuzzBaseline(_ path: String) {
    guard let baseline = try? BaselineReader(path: path).read() else { return }
    let side = CheckSide(baseline, file: "baseline.json")
    for isInterleaved in [false, true] {
        let check = RegressionCheck(
            baseline: side, current: side, policy: CheckPolicy(isInterleaved: isInterleaved))
        _ = CheckText(check).text()
        _ = CheckMarkdown(check).text
        _ = CheckJSON(check).bytes
        _ = CheckJUnit(check).text
        precondition(check.verdict != .regressed, "runs regressed against themselves")
    }
}

private func fuzzHistory(_ bytes: [UInt8]) {
    let history = RunHistory(bytes)
    guard !history.entries.isEmpty, let trend = MetricTrend(history, .makespan) else { return }
    _ = TrendText(trend).text(width: 80)
    _ = TrendPicture(trend, heading: "fuzz", theme: .light).svg
}
