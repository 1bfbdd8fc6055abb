/// The names of a page's operations, each once, safe to show and of limited length.
struct PageTexts {
    /// Columns of a name; fewer if many names are long.
    private static let widths = [200, 80, 32]
    private static let mostBytes = 6_000_000

    private(set) var texts: [String] = []
    private var indices: [String: Int] = [:]

    mutating func index(of text: String) -> Int {
        if let known = indices[text] { return known }
        indices[text] = texts.count
        texts.append(text)
        return texts.count - 1
    }

    /// The names of operations, and for each operation the index of its name.
    ///
    /// Linear in operations and in the part of their names that is kept.
    init(namesOf operations: [Int], in trace: Trace) {
        self.init()
        numbers = []
        for width in Self.widths {
            self.init()
            numbers.reserveCapacity(operations.count)
            var bytes = 0
            for index in operations {
                let name = TerminalText.shortened(trace.operations[index].displayName, toColumns: width)
                let known = texts.count
                numbers.append(Int64(self.index(of: MarkupText.visible(name))))
                if texts.count > known { bytes += name.utf8.count }
                if bytes > Self.mostBytes, width != Self.widths.last { break }
            }
            if numbers.count == operations.count {
                self.width = width
                return
            }
        }
    }

    init() {}

    private(set) var numbers: [Int64] = []
    /// The number of columns that longer names are cut to.
    private(set) var width = Self.widths[0]
}
