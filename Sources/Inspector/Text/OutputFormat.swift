/// An output format: its name for `--format`, and its file extensions.
package struct OutputFormat: Hashable, Sendable {
    package let name: String
    /// Extensions without the first dot, in lower case. A new file gets the first one.
    package let suffixes: [String]

    package static let text = Self("text", ["txt", "text"])
    package static let markdown = Self("markdown", ["md", "markdown"])
    package static let json = Self("json", ["json"])
    package static let csv = Self("csv", ["csv"])
    package static let jsonLines = Self("jsonl", ["jsonl", "ndjson"])
    package static let html = Self("html", ["html"])
    package static let svg = Self("svg", ["svg"])
    package static let png = Self("png", ["png"])
    package static let pdf = Self("pdf", ["pdf"])
    package static let dot = Self("dot", ["dot", "gv"])
    package static let mermaid = Self("mermaid", ["mmd", "mermaid"])
    package static let speedscope = Self("speedscope", ["speedscope.json"])
    package static let junit = Self("junit", ["xml"])
    /// Annotations for the run of a GitHub workflow, which are printed.
    package static let github = Self("github", [])

    /// For a format that is used in only one place, and is named there.
    package init(_ name: String, _ suffixes: [String]) {
        self.name = name
        self.suffixes = suffixes
    }

    /// The extension of the file's name that belongs to this format, if any. If two formats match, the longer
    /// extension wins.
    package func suffix(of file: String) -> String? {
        let file = file.lowercased()
        return suffixes.first { file.hasSuffix("." + $0) }
    }
}

/// How to write text for people.
package struct WritingStyle: Sendable {
    /// The width in columns; nil to use as many as the names need.
    package var width: Int?
    /// Whether to use terminal colours.
    package var isColored: Bool
    /// Whether to write everything, however long it is.
    package var isWhole: Bool

    package init(width: Int? = 80, isColored: Bool = false, isWhole: Bool = false) {
        self.width = width
        self.isColored = isColored
        self.isWhole = isWhole
    }
}

/// One format of a report, and the function that writes it.
package struct Renderer<Report>: Sendable {
    /// A report in this format, about to be written.
    package struct Rendering {
        /// What this format leaves out or changes, one sentence each.
        package var notes: [String] = []
        /// Produces the bytes, piece by piece.
        package let write: (_ emit: ([UInt8]) -> Void) throws -> Void

        package init(notes: [String] = [], write: @escaping (_ emit: ([UInt8]) -> Void) throws -> Void) {
            self.notes = notes
            self.write = write
        }
    }

    package let format: OutputFormat
    package let render: @Sendable (Report, WritingStyle) throws -> Rendering

    package init(
        _ format: OutputFormat, bytes: @escaping @Sendable (Report, WritingStyle) throws -> [UInt8]
    ) {
        self.format = format
        render = { report, style in Rendering { emit in emit(try bytes(report, style)) } }
    }

    package init(
        _ format: OutputFormat, text: @escaping @Sendable (Report, WritingStyle) throws -> String
    ) {
        self.init(format, bytes: { report, style in Array(try text(report, style).utf8) })
    }

    /// For a document that may be too long to hold in memory.
    package init(
        _ format: OutputFormat, pieces write: @escaping @Sendable (Report, _ emit: ([UInt8]) -> Void) -> Void
    ) {
        self.format = format
        render = { report, _ in Rendering { emit in write(report, emit) } }
    }

    /// For a report that contains another one, which renders it.
    package init(
        _ format: OutputFormat,
        rendering render: @escaping @Sendable (Report, WritingStyle) throws -> Rendering
    ) {
        self.format = format
        self.render = render
    }

    /// For a document that knows what it leaves out only after it was made.
    package init<Made>(
        _ format: OutputFormat, making make: @escaping @Sendable (Report) -> Made,
        notes: @escaping @Sendable (Made) -> [String],
        write: @escaping @Sendable (Made, _ emit: ([UInt8]) -> Void) -> Void
    ) {
        self.format = format
        render = { report, _ in
            let made = make(report)
            return Rendering(notes: notes(made)) { emit in write(made, emit) }
        }
    }
}

/// A report that can be written in one or more formats.
package protocol Writable {
    /// One for each format. The first is the default.
    static var renderers: [Renderer<Self>] { get }
}

extension Writable {
    /// - Throws: what the renderer throws.
    package func bytes(_ format: OutputFormat, _ style: WritingStyle = WritingStyle()) throws -> [UInt8] {
        try [UInt8](pieces: Self.renderer(of: format).render(self, style).write)
    }

    /// The renderer for one of the offered formats.
    package static func renderer(of format: OutputFormat) -> Renderer<Self> {
        guard let renderer = renderers.first(where: { $0.format == format }) else {
            preconditionFailure("\(Self.self) is not written as \(format.name)")
        }
        return renderer
    }

    /// The format for a file of that name; nil if its extension belongs to none.
    package static func format(ofFile name: String) -> OutputFormat? {
        let formats = renderers.map(\.format).compactMap { format in
            format.suffix(of: name).map { (format, length: $0.utf8.count) }
        }
        return formats.max { $0.length < $1.length }?.0
    }
}
