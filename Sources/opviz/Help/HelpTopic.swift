/// A text about something that people want to do, with commands to copy.
///
/// Each line that begins with `    $ ` is run by a test, and what stands below it up to an empty line is
/// compared with what it printed; a line of `…` alone stands for any lines.
struct HelpTopic {
    let name: String
    /// A line, without a full stop.
    let summary: String
    let text: String

    /// In the order of the list.
    static let all = [start, stuck, slow, compare, ci, elsewhere, settings, words]

    static var names: String { all.map(\.name).joined(separator: ", ") }
}
