/// A sentence about operations, or a part of one, as values. The wording is in ``Template``, once. It is
/// filled in here for terminals and JSON, and in the browser for pages.
struct Phrase: Sendable {
    indirect enum Argument: Sendable {
        /// An index into the trace's operations.
        case operation(Int)
        /// Nanoseconds.
        case time(Int64)
        case number(Int)
        /// Text of the program, shortened when it is shown.
        case text(String)
        /// Like `text`, for a queue or a kind; shorter.
        case name(String)
        /// A sentence that this package wrote.
        case sentence(String)
        /// Nil writes nothing.
        case phrase(Phrase?)
        /// Of a pattern: what each operation fills in itself.
        case ofStory(StoryTime)
        case value(StoryValue)
    }

    static let longestText = 1_000
    static let longestName = 200

    let template: Template
    let arguments: [Argument]

    init(_ template: Template, _ arguments: Argument...) { self.init(template, arguments) }

    private init(_ template: Template, _ arguments: [Argument]) {
        self.template = template
        self.arguments = arguments
    }

    /// A pattern with its times and values.
    func filled(time: (StoryTime) -> Int64, value: (StoryValue) -> Argument) -> Phrase {
        Phrase(
            template,
            arguments.map { argument in
                switch argument {
                case .ofStory(let name): .time(time(name))
                case .value(let name): value(name)
                case .phrase(let phrase): .phrase(phrase?.filled(time: time, value: value))
                default: argument
                }
            })
    }

    /// Safe for a terminal.
    func text(_ names: OperationNames) -> String {
        var pieces = template.rawValue.split(separator: "{}", omittingEmptySubsequences: false)[...]
        var text = String(pieces.removeFirst())
        for (argument, piece) in zip(arguments, pieces) { text += Self.text(argument, names) + piece }
        return text
    }

    private static func text(_ argument: Argument, _ names: OperationNames) -> String {
        switch argument {
        case .operation(let index): names[index]
        case .time(let nanoseconds): DurationFormat.text(nanoseconds: nanoseconds)
        case .number(let number): Prose.grouped(number)
        case .text(let text): TerminalText.shortened(text, toColumns: longestText)
        case .name(let name): TerminalText.shortened(name, toColumns: longestName)
        case .sentence(let sentence): sentence
        case .phrase(let phrase): phrase?.text(names) ?? ""
        // A pattern is filled in before it is shown.
        case .ofStory, .value: ""
        }
    }

    /// The operations that it names.
    var operations: [Int] {
        arguments.flatMap { argument -> [Int] in
            switch argument {
            case .operation(let index): [index]
            case .phrase(let phrase): phrase?.operations ?? []
            case .time, .number, .text, .name, .sentence, .ofStory, .value: []
            }
        }
    }
}
