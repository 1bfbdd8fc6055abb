/// A text about a task, with commands to copy.
///
/// A test runs each line that begins with `    $ `, and compares its output with the lines below up to an
/// empty line. A line with only `…` stands for any lines.
struct HelpTopic {
    let name: String
    /// One line, without a full stop.
    let summary: String
    let text: String

    /// In the order of the list of topics.
    static let all = [start, stuck, slow, compare, ci, elsewhere, naming, settings, words, agent]

    static var names: String { all.map(\.name).joined(separator: ", ") }
}
