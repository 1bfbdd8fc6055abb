import ArgumentParser

/// Help by topic, beside that of each command.
struct HelpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "help",
        abstract:
            "Shows help of a command, or of a topic: what to do when a queue is stuck, or a run is slow.",
        discussion: """
            opviz help                     the commands
            opviz help lint                what one of them does, and its options
            opviz help stuck               a topic, with examples

            Topics:

            \(HelpTopic.all.map { "\($0.name): \($0.summary)" }.joined(separator: "\n"))
            """)

    @Argument(
        help: "A command, or a topic.",
        completion: .list(
            HelpTopic.all.map(\.name) + Opviz.configuration.subcommands.map { $0._commandName }))
    var subject: [String] = []

    func run() throws {
        try CommandError.reported {
            let text = try Self.text(about: subject)
            try OutputFile.standardOutput.write(Array((text + "\n").utf8))
        }
    }

    /// The help of the command or the topic of that name; without a name that of `opviz`.
    private static func text(about subject: [String]) throws -> String {
        if subject.count == 1, let topic = HelpTopic.all.first(where: { $0.name == subject[0] }) {
            return topic.text
        }
        var command: any ParsableCommand.Type = Opviz.self
        for name in subject {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == name })
            else {
                throw CommandError(
                    .usage,
                    "\(subject.joined(separator: " ")): is neither a command nor a topic; the topics are "
                        + HelpTopic.names)
            }
            command = next
        }
        return Opviz.helpMessage(for: command, columns: Console.width.map { min($0, 100) })
    }
}
