/// A form in which something is written: what `--format` calls it, and the files that have it.
public struct OutputFormat: Hashable, Sendable {
    public let name: String
    /// Endings of files, without the first dot, in lower case. A new file gets the first.
    public let suffixes: [String]
    public let mediaType: String

    public static let text = Self("text", ["txt", "text"], "text/plain; charset=utf-8")
    public static let markdown = Self("markdown", ["md", "markdown"], "text/markdown; charset=utf-8")
    public static let json = Self("json", ["json"], "application/json")
    public static let csv = Self("csv", ["csv"], "text/csv; charset=utf-8")
    public static let jsonLines = Self("jsonl", ["jsonl", "ndjson"], "application/jsonl")
    public static let html = Self("html", ["html"], "text/html; charset=utf-8")
    public static let svg = Self("svg", ["svg"], "image/svg+xml")
    public static let png = Self("png", ["png"], "image/png")
    public static let pdf = Self("pdf", ["pdf"], "application/pdf")
    public static let dot = Self("dot", ["dot", "gv"], "text/vnd.graphviz")
    public static let mermaid = Self("mermaid", ["mmd", "mermaid"], "text/vnd.mermaid")
    public static let junit = Self("junit", ["xml"], "application/xml")
    /// Annotations of a workflow's run, which are printed.
    public static let github = Self("github", [], "text/plain; charset=utf-8")

    /// For a form that is written in one place alone, and is named there.
    package init(_ name: String, _ suffixes: [String], _ mediaType: String) {
        self.name = name
        self.suffixes = suffixes
        self.mediaType = mediaType
    }

    /// Whether a file of that name has this form. Of two that do, the one with the longer ending is meant.
    package func suffix(of file: String) -> String? {
        let file = file.lowercased()
        return suffixes.first { file.hasSuffix("." + $0) }
    }
}

/// How something is written for people.
public struct WritingStyle: Sendable {
    /// Columns; nil for as wide as the names make it.
    public var width: Int?
    /// With the colours of a terminal.
    public var isColored: Bool
    /// Nothing of it is left out for its length.
    public var isWhole: Bool

    public init(width: Int? = 80, isColored: Bool = false, isWhole: Bool = false) {
        self.width = width
        self.isColored = isColored
        self.isWhole = isWhole
    }
}

/// One form of a report, and what writes it.
public struct Renderer<Report>: Sendable {
    public typealias Notes = @Sendable (Report) -> [String]
    public typealias Write = @Sendable (Report, WritingStyle, _ emit: ([UInt8]) -> Void) throws -> Void

    public let format: OutputFormat
    /// What is not in this form as it is in the report, one sentence each.
    public let notes: Notes
    /// Gives the bytes, piece by piece.
    public let write: Write

    public init(
        _ format: OutputFormat, notes: @escaping Notes = { _ in [] }, streaming write: @escaping Write
    ) {
        self.format = format
        self.notes = notes
        self.write = write
    }

    public init(
        _ format: OutputFormat, notes: @escaping Notes = { _ in [] },
        bytes: @escaping @Sendable (Report, WritingStyle) throws -> [UInt8]
    ) {
        self.init(format, notes: notes, streaming: { report, style, emit in emit(try bytes(report, style)) })
    }

    public init(
        _ format: OutputFormat, notes: @escaping Notes = { _ in [] },
        text: @escaping @Sendable (Report, WritingStyle) throws -> String
    ) {
        self.init(format, notes: notes, bytes: { report, style in Array(try text(report, style).utf8) })
    }
}

/// What can be written, in one form or in several.
public protocol Writable {
    /// One for each form; the first is that where nothing else is asked for.
    static var renderers: [Renderer<Self>] { get }
}

extension Writable {
    /// - Throws: what the renderer throws.
    public func bytes(_ format: OutputFormat, _ style: WritingStyle = WritingStyle()) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try Self.renderer(of: format).write(self, style) { bytes += $0 }
        return bytes
    }

    /// Of one of the formats that are offered.
    public static func renderer(of format: OutputFormat) -> Renderer<Self> {
        guard let renderer = renderers.first(where: { $0.format == format }) else {
            preconditionFailure("\(Self.self) is not written as \(format.name)")
        }
        return renderer
    }

    /// The form of a file of that name; nil where it has the ending of none.
    public static func format(ofFile name: String) -> OutputFormat? {
        let formats = renderers.map(\.format).compactMap { format in
            format.suffix(of: name).map { (format, length: $0.utf8.count) }
        }
        return formats.max { $0.length < $1.length }?.0
    }
}
