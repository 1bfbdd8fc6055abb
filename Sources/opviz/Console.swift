import EventLog
import Foundation
import Inspector

/// The terminal, or whatever the output goes to.
enum Console {
    /// Prints to standard output. A reader that went away (`opviz … | head`) is no error.
    static func print(_ text: String) throws {
        Progress.end()
        try OutputFile.standardOutput.write(Array(text.utf8))
    }

    /// Prints the name of a file that was written.
    static func announce(_ name: String) throws { try print(TerminalText.escaped(name) + "\n") }

    /// A sentence on standard error, safe for a terminal whatever names are in it.
    static func complain(_ sentence: String) {
        Progress.end()
        StandardError.write("opviz: \(TerminalText.escaped(sentence))\n")
    }

    /// Reads a trace, and warns of what is missing in it.
    ///
    /// - Parameter name: what messages call it; its path by default.
    static func read(_ path: String, as name: String? = nil) throws -> Trace {
        let name = name ?? path
        Progress.begin("reading \(name)")
        let trace = try TraceReader(path: path).read()
        warn(of: trace.notes + trace.losses, in: name)
        noteIfEmpty(trace, in: name)
        Progress.begin("analysing \(name)")
        return trace
    }

    /// What the reader should know of the trace that is not in it.
    static func warn(of losses: [String], in path: String) {
        for loss in losses { complain("warning: \(path): \(loss)") }
    }

    /// That nothing was recorded, and what to check.
    static func noteIfEmpty(_ trace: Trace, in path: String) {
        if trace.operations.isEmpty { noteEmpty(path, isRecorded: !trace.header.host.isEmpty) }
    }

    /// The same, of a log that no trace is made of.
    static func noteIfEmpty(_ contents: EventLogContents, in path: String) {
        if !contents.hasOperations { noteEmpty(path, isRecorded: !contents.header.host.isEmpty) }
    }

    private static func noteEmpty(_ path: String, isRecorded: Bool) {
        complain(
            "note: \(path): "
                + (isRecorded
                    ? "no operations were recorded; check that the program adds them to an "
                        + "InstrumentedQueue, or run it with opviz record"
                    : "it contains no operations; check that it is the trace you meant"))
    }

    /// Standard output is a terminal, and nobody asked for no colours (no-color.org).
    static var showsColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"]?.isEmpty ?? true
            && environment["TERM"] != "dumb"
    }

    /// The columns of the terminal that standard output is; nil where it is none.
    static var width: Int? { width(of: STDOUT_FILENO) }

    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }
}
