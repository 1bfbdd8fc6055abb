import Foundation
package import InspectorAnalysis

/// A log in the bytes of a test, read through a file.
package func read(_ bytes: some Collection<UInt8>) throws -> EventLogContents {
    let path = NSTemporaryDirectory() + "opviz-log-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(bytes).write(to: URL(filePath: path))
    do {
        return try TraceReader(path: path).events()
    } catch {
        // The sentence begins with the file's name; tests look at the rest.
        precondition(error.description.hasPrefix(path + ": "))
        throw LogFailure(code: error.code, sentence: String(error.description.dropFirst(path.count + 2)))
    }
}

package struct LogFailure: Error, Equatable {
    package let code: TraceError.Code
    package let sentence: String
}

/// The text of a log, with what a test changes about it.
package func logText(
    format: String = "opviz-trace", version: Int = 1, closed: Bool = true, dropped: Int = 0,
    _ events: String...
) -> String {
    header(format: format, version: version, closed: closed, dropped: dropped)
        + ",\"traceEvents\":[" + events.joined(separator: ",\n") + "]}"
}

package func header(
    format: String = "opviz-trace", version: Int = 1, closed: Bool = true, dropped: Int = 0
) -> String {
    #"{"otherData":{"format":"\#(format)","version":\#(version),"process":"app","pid":"7","host":"box","#
        + #""start":"5","closed":\#(closed),"dropped":"\#(dropped)","lastAlive":"2.500"}"#
}

package func readyEvent(_ id: Int, at time: String = "1.000") -> String {
    #"{"ph":"n","cat":"op","name":"K","id2":{"local":"0x\#(id)"},"pid":7,"tid":1,"ts":\#(time),"#
        + #""args":{"event":"ready"}}"#
}
