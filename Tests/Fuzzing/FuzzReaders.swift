import Foundation
import Inspector

/// Gives bytes to every reader, and what comes out to the analysis and the pictures. Built by `make fuzz`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReaders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = start.map { Array(UnsafeBufferPointer(start: $0, count: count)) } ?? []
    if let contents = contents(of: bytes) {
        let analysis = TraceAnalysis(Trace(contents))
        _ = RunSummary(analysis).text
        _ = TimingTable(analysis, by: .operation).text(width: 80)
        _ = DOTGraph(analysis).text
    }
    return 0
}

private func contents(of bytes: [UInt8]) -> EventLogContents? {
    if BinaryLogReader.recognizes(bytes) { return try? BinaryLogReader.read(bytes) }
    if CompactLogReader.recognizes(bytes) { return try? CompactLogReader.read(bytes) }
    // The reader of JSON takes a file.
    let path = "/dev/shm/opviz-fuzz-\(getpid()).json"
    guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { return nil }
    return try? TraceReader(path: path).events()
}
