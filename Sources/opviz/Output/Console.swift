import EventLog
import Foundation
import Inspector

/// The terminal, or the file or pipe that output goes to.
enum Console {
    /// Prints to standard output. It is not an error if the reader has gone away (`opviz … | head`).
    static func print(_ text: String) throws {
        Progress.end()
        try OutputFile.standardOutput.write(Array(text.utf8))
    }

    /// Prints the name of a file that was written.
    static func announce(_ name: String) throws { try print(TerminalText.escaped(name) + "\n") }

    /// Writes a sentence to standard error, safe for a terminal whatever names it contains.
    static func report(_ sentence: String) {
        Progress.end()
        StandardError.write("opviz: \(TerminalText.escaped(sentence))\n")
    }

    /// Reads a trace, and warns about what is missing.
    ///
    /// - Parameters:
    ///   - name: what messages call it; its path by default.
    ///   - showsTasks: whether the command shows tasks as well as operations.
    static func read(_ path: String, as name: String? = nil, showsTasks: Bool = false) throws -> Trace {
        let name = name ?? path
        Progress.begin("reading \(name)")
        let trace = try TraceReader(path: path).read()
        warn(of: trace.notes + trace.losses, in: name)
        noteIfEmpty(trace, in: name, showsTasks: showsTasks)
        Progress.begin("analysing \(name)")
        return trace
    }

    /// Warns about losses, which the trace itself does not show.
    static func warn(of losses: [String], in path: String) {
        for loss in losses { report("warning: \(path): \(loss)") }
    }

    /// Notes that nothing was recorded that a command shows, and what to do.
    static func noteIfEmpty(_ trace: Trace, in path: String, showsTasks: Bool = false) {
        guard trace.operations.isEmpty else { return }
        if trace.tasks.isEmpty {
            noteEmpty(trace.header, in: path)
        } else if !showsTasks {
            report("note: \(path): it contains tasks, but no operations; opviz table shows the tasks")
        }
    }

    /// The same for a log without operations and tasks.
    static func noteEmpty(_ header: LogHeader, in path: String) {
        report(
            "note: \(path): "
                + (!header.host.isEmpty
                    ? "no operations were recorded; check that the program adds them to an "
                        + "InstrumentedQueue, or run it with opviz record"
                    : "it contains no operations; check that it is the trace you meant"))
    }

    /// Whether standard output is a terminal and colours were not disabled (no-color.org).
    static var showsColors: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"]?.isEmpty ?? true
            && environment["TERM"] != "dumb"
    }

    /// The columns of the terminal at standard output; nil if that is not a terminal.
    static var width: Int? { width(of: STDOUT_FILENO) }

    static func width(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }
}
