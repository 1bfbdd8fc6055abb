/// A text about something that people want to do, with commands to copy.
///
/// Each line that begins with `    $ ` is run by a test, and what stands below it up to an empty line is compared with what it
/// printed; a line of `…` alone stands for any lines.
struct HelpTopic {
    let name: String
    /// A line, without a full stop.
    let summary: String
    let text: String

    /// In the order of the list.
    static let all = [start, stuck, slow, compare, ci, elsewhere, settings, words]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// Of all commands but opviz record, without the full stop.
    static let exitCodes = """
        Exit codes: 0 done; 1 lint --strict found something, or check a regression;
        2 check --strict is inconclusive; 64 usage; 65 the trace is damaged or none;
        66 there is no such file; 70 Graphviz failed; 73 the output cannot be created;
        74 reading or writing failed, or there is not the memory
        """
}
