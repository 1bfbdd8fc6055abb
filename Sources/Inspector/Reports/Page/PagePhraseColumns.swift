/// Many phrases for a page: each as the number of its shape, which many of them share, and as the operations,
/// times and numbers that fill it in.
struct PagePhraseColumns {
    /// Kinds of words in the list of shapes; other words are names of templates.
    private enum Word {
        static let operation = ":operation"
        static let time = ":time"
        static let number = ":number"
        static let nothing = ":nothing"
        /// The rest of the word is text.
        static let text = "="
    }

    private let selection: PageSelection
    private var numbers: [[String]: Int64] = [:]
    /// All shapes, one after the other: each template's name is followed by its arguments.
    private var words: [String] = []
    private var shapes: [Int64] = []
    private var fillings: [Int64] = []

    init(_ selection: PageSelection) { self.selection = selection }

    /// - Parameter position: of the operation that the phrase is about; others are near it.
    mutating func append(_ phrase: Phrase?, about position: Int) {
        var shape: [String] = []
        add(.phrase(phrase), to: &shape, about: position)
        if let number = numbers[shape] {
            shapes.append(number)
        } else {
            shapes.append(Int64(numbers.count))
            numbers[shape] = Int64(numbers.count)
            words += shape
        }
    }

    private mutating func add(_ argument: Phrase.Argument, to shape: inout [String], about position: Int) {
        switch argument {
        case .operation(let index):
            shape.append(Word.operation)
            // One that is left out is at the place 0.
            let place = selection.position(of: index).map { $0 + 1 } ?? 0
            fillings.append(Int64(place - position - 1))
        case .time(let time):
            shape.append(Word.time)
            fillings.append(time)
        case .number(let number):
            shape.append(Word.number)
            fillings.append(Int64(number))
        case .text(let text): shape.append(Word.text + shown(text, Phrase.longestText))
        case .name(let name): shape.append(Word.text + shown(name, Phrase.longestName))
        case .sentence(let sentence): shape.append(Word.text + MarkupText.visible(sentence))
        case .phrase(nil): shape.append(Word.nothing)
        case .phrase(let phrase?):
            shape.append("\(phrase.template)")
            for argument in phrase.arguments { add(argument, to: &shape, about: position) }
        }
    }

    private func shown(_ text: String, _ columns: Int) -> String {
        MarkupText.visible(TerminalText.shortened(text, toColumns: columns))
    }

    var object: JSONObject {
        var object = JSONObject()
        object.add("words", words)
        object.add("count", shapes.count)
        object.add("shapes", PageColumn.object(shapes))
        object.add("fillingCount", fillings.count)
        object.add("fillings", PageColumn.object(fillings))
        return object
    }
}
