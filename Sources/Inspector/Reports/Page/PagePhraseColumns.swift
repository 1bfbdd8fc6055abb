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
        /// The rest of the word is the name of a time or value of the operation.
        static let value = "$"
    }

    private let selection: PageSelection
    /// The words of all shapes, each once.
    private var texts: [String] = []
    private var numbers: [String: Int32] = [:]
    /// Looked up more often, and without making a name of each time.
    private var templates: [Phrase.Template: Int32] = [:]
    private var times: [StoryTime: Int32] = [:]
    /// By what the program calls it.
    private var textNumbers: [String: Int32] = [:]
    private var shapeNumbers: [[Int32]: Int64] = [:]
    /// All shapes, one after the other: each template's name is followed by its arguments.
    private var words: [Int32] = []
    private var shapes: [Int64] = []
    private var fillings: [Int64] = []

    init(_ selection: PageSelection) { self.selection = selection }

    /// - Parameter position: of the operation that the phrase is about; others are near it.
    mutating func append(_ phrase: Phrase?, about position: Int) {
        shapes.append(numberOfShape(phrase, about: position))
    }

    /// The number of a pattern, which every operation fills in by itself.
    mutating func number(ofPattern phrase: Phrase) -> Int64 { numberOfShape(phrase, about: 0) }

    private mutating func numberOfShape(_ phrase: Phrase?, about position: Int) -> Int64 {
        var shape: [Int32] = []
        add(.phrase(phrase), to: &shape, about: position)
        if let known = shapeNumbers[shape] { return known }
        let number = Int64(shapeNumbers.count)
        shapeNumbers[shape] = number
        words += shape
        return number
    }

    private mutating func add(_ argument: Phrase.Argument, to shape: inout [Int32], about position: Int) {
        switch argument {
        case .operation(let index):
            shape.append(number(Word.operation))
            // One that is left out is at the place 0.
            let place = selection.position(of: index).map { $0 + 1 } ?? 0
            fillings.append(Int64(place - position - 1))
        case .time(let time):
            shape.append(number(Word.time))
            fillings.append(time)
        case .number(let count):
            shape.append(number(Word.number))
            fillings.append(Int64(count))
        case .text(let text): shape.append(number(ofText: text, columns: Phrase.longestText))
        case .name(let name): shape.append(number(ofText: name, columns: Phrase.longestName))
        case .sentence(let sentence): shape.append(number(ofText: sentence, columns: .max))
        case .ofStory(let time): shape.append(number(of: time))
        case .value(let value): shape.append(number(Word.value + value.rawValue))
        case .phrase(nil): shape.append(number(Word.nothing))
        case .phrase(let phrase?):
            shape.append(number(of: phrase.template))
            for argument in phrase.arguments { add(argument, to: &shape, about: position) }
        }
    }

    private mutating func number(_ word: String) -> Int32 {
        if let known = numbers[word] { return known }
        let number = Int32(texts.count)
        texts.append(word)
        numbers[word] = number
        return number
    }

    private mutating func number(of template: Phrase.Template) -> Int32 {
        if let known = templates[template] { return known }
        let number = number("\(template)")
        templates[template] = number
        return number
    }

    private mutating func number(of time: StoryTime) -> Int32 {
        if let known = times[time] { return known }
        let number = number(Word.value + time.word)
        times[time] = number
        return number
    }

    private mutating func number(ofText text: String, columns: Int) -> Int32 {
        if let known = textNumbers[text] { return known }
        let shown = columns == .max ? text : TerminalText.shortened(text, toColumns: columns)
        let number = number(Word.text + MarkupText.visible(shown))
        textNumbers[text] = number
        return number
    }

    var object: JSONObject {
        var object = JSONObject()
        object.add("texts", texts)
        object.add("words", words)
        object.add("count", shapes.count)
        object.add("shapes", PageColumn.object(shapes))
        object.add("fillingCount", fillings.count)
        object.add("fillings", PageColumn.object(fillings))
        return object
    }
}
