import ArgumentParser
import Foundation
import Inspector

/// A format of a report, by its name.
struct FormatName<Report: Writable>: ExpressibleByArgument {
    let format: OutputFormat

    init?(argument: String) {
        guard let format = Report.renderers.map(\.format).first(where: { $0.name == argument }) else {
            return nil
        }
        self.format = format
    }

    static var allValueStrings: [String] { Report.renderers.map(\.format.name) }
}

/// `--format`.
struct FormatOption<Report: Writable>: ParsableArguments {
    @Option(name: .shortAndLong, help: .format(else: Report.renderers[0].format.name))
    var format: FormatName<Report>?

    /// - Throws: `CommandError` if none was named and the extension is unknown.
    func chosen(forFile name: String) throws -> OutputFormat {
        try format?.format ?? Report.outputFormat(ofFile: name)
    }
}

/// `-o` and `--format`: where to write a report, and in which format.
struct Destination<Report: Writable>: ParsableArguments {
    @OptionGroup var format: FormatOption<Report>

    @Option(name: .shortAndLong, help: .output(), completion: .file())
    var output = "-"

    /// Call this before any work.
    ///
    /// - Throws: `CommandError` if the extension is unknown, or if the output is one of the inputs.
    func open(notOverwriting inputs: String...) throws -> OpenedDestination<Report> {
        for input in inputs { _ = try OutputFile(output, notOverwriting: input) }
        return OpenedDestination(
            file: try OutputFile(output, notOverwriting: inputs[0]),
            format: try format.chosen(forFile: output))
    }
}

/// `-o` and `--theme` of a report that is text on the terminal, and a picture in a file.
struct PictureDestination<Report: Writable & SendableMetatype>: ParsableArguments {
    typealias Picture = RenderedPicture<Report>

    @Option(
        name: .shortAndLong, help: .output(".svg, .png, .pdf or .txt", else: "text"),
        completion: .file(extensions: ["svg", "png", "pdf"]))
    var output: String?

    @OptionGroup var picture: PictureOptions

    /// Without `-o`, the terminal gets the text; with `-o -`, standard output gets the picture.
    var isTerminal: Bool { output == nil }

    var format: OutputFormat {
        get throws {
            guard let output else { return .text }
            return output == "-" ? .svg : try Picture.outputFormat(ofFile: output)
        }
    }

    /// Call this before any work.
    ///
    /// - Throws: `CommandError` if the extension is unknown, or if the output is the input.
    func open(notOverwriting input: String) throws -> OpenedDestination<Picture> {
        OpenedDestination(
            file: try OutputFile(output ?? "-", notOverwriting: input), format: try format)
    }
}

/// The file and the format that were chosen for a report.
struct OpenedDestination<Report: Writable> {
    let file: OutputFile
    let format: OutputFormat

    /// - Parameter isWhole: whether to write everything, however long it is.
    func write(_ report: Report, isWhole: Bool = false) throws {
        try file.write(
            report, as: format,
            WritingStyle(width: Console.width, isColored: Console.showsColors, isWhole: isWhole))
    }
}

extension ArgumentHelp {
    /// The help of every `--format`.
    ///
    /// - Parameter usual: the format for standard output; nil if it writes only files.
    static func format(else usual: String? = nil) -> ArgumentHelp {
        ArgumentHelp("Output format. (default: from the output's name\(usual.map { ", else " + $0 } ?? ""))")
    }

    /// The help of every `-o`.
    ///
    /// - Parameters:
    ///   - forms: the extensions that the file may have, if these are not those of `--format`.
    ///   - usual: what is written without the option, unless the option has a default value.
    static func output(
        _ forms: String? = nil, else usual: String? = nil, isRepeatable: Bool = false
    ) -> ArgumentHelp {
        ArgumentHelp(
            "Output file\(forms.map { ", " + $0 } ?? ""); - is standard output"
                + (isRepeatable ? " (repeatable)." : ".") + (usual.map { " (default: \($0))" } ?? ""))
    }
}

extension Writable {
    /// The format for an output of that name. Standard output gets the usual one.
    ///
    /// - Throws: `CommandError` if the extension is unknown.
    static func outputFormat(ofFile name: String) throws -> OutputFormat {
        if name == "-" { return renderers[0].format }
        guard let format = format(ofFile: name) else {
            throw CommandError(
                .usage,
                Formats.unknownEnding(
                    of: name, renderers.map(\.format), or: renderers.count > 1 ? "give --format" : nil))
        }
        return format
    }
}

extension OutputFile {
    /// Writes a report, and notes what it leaves out.
    ///
    /// - Parameter name: the trace's name for these notes.
    /// - Throws: `CommandError` if the file cannot be created or written, and errors of the renderer.
    func write<Report: Writable>(
        _ report: Report, as format: OutputFormat, _ style: WritingStyle = WritingStyle(),
        of name: String? = nil
    ) throws {
        let rendering = try Report.renderer(of: format).render(report, style)
        for note in rendering.notes {
            Console.report("note: \(name.map { $0 + ": " } ?? "")\(note)")
        }
        if isStandardOutput { Progress.end() }
        var output = try open()
        do {
            try rendering.write { output.write($0) }
        } catch {
            output.discard()
            throw error
        }
        try output.finish()
    }
}

/// Messages about formats, for all commands.
enum Formats {
    /// `run.foo: unknown format; end the name with .svg, .png or .json, or give --format`.
    ///
    /// - Parameter other: another way to name the format, if there is one.
    static func unknownEnding(
        of name: String, _ formats: [OutputFormat], or other: String? = nil
    ) -> String {
        let endings = formats.compactMap { $0.suffixes.first.map { "." + $0 } }
        let list =
            endings.count < 2
            ? endings.joined()
            : endings.dropLast().joined(separator: ", ") + " or " + endings[endings.count - 1]
        return "\(name): unknown format; end the name with \(list)"
            + (other.map { ", or \($0)" } ?? "")
    }
}
