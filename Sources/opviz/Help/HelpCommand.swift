import ArgumentParser
import Inspector

/// Help by topic, in addition to the help of each command.
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

    /// `no command or topic named 'stcuk'; did you mean 'stuck'?`
    private static func unknown(_ subject: [String], in command: any ParsableCommand.Type) -> String {
        let commands = command.configuration.subcommands.map { $0._commandName }
        let topics = command == Opviz.self ? HelpTopic.all.map(\.name) : []
        let near = NearestNames(to: subject[subject.count - 1], among: topics + commands).question
        return "no command or topic named \(NearestNames.quoted(subject.joined(separator: " "))); "
            + (near ?? "the topics are \(HelpTopic.names)")
    }

    /// The help of the command or the topic with that name; without a name, that of `opviz`.
    private static func text(about subject: [String]) throws -> String {
        if subject.count == 1, let topic = HelpTopic.all.first(where: { $0.name == subject[0] }) {
            return topic.text
        }
        var command: any ParsableCommand.Type = Opviz.self
        for name in subject {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == name })
            else {
                throw CommandError(.usage, Self.unknown(subject, in: command))
            }
            command = next
        }
        return Opviz.helpMessage(for: command, columns: Console.width.map { min($0, 100) })
    }
}
