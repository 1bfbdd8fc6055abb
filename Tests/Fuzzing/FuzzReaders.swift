import Foundation
import Inspector

/// Gives bytes to every reader, and what comes out to the analysis and the pictures. Built by `make fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReaders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = start.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
    // Readers take a file.
    let path = "/dev/shm/opviz-fuzz-\(getpid())"
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return 0 }
    let reader = TraceReader(path: path, memoryLimit: .max)
    guard let trace = try? reader.read() else { return 0 }
    let analysis = TraceAnalysis(trace)
    _ = RunSummary(analysis).text()
    let table = TimingTable(analysis.timings, by: .operations).text(width: 80)
    _ = DOTGraph(analysis).text
    // By way of events it is the same trace.
    if let contents = try? reader.events() {
        let other = TimingTable(TraceTimings(Trace(contents)), by: .operations).text(width: 80)
        precondition(table == other, "a trace read and one made of its events differ")
    }
    return 0
}
