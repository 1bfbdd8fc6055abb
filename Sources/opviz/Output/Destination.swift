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

/// `-o` and `--format`: where to write a report, and in which format.
struct Destination<Report: Writable>: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Output format. (default: from the output's name, else \(Self.usual.name))"))
    var format: FormatName<Report>?

    @Option(name: .shortAndLong, help: "Output file; - is standard output.", completion: .file())
    var output = "-"

    private static var usual: OutputFormat { Report.renderers[0].format }

    /// Call this before any work.
    ///
    /// - Throws: `CommandError` if the extension is unknown, or if the output is one of the inputs.
    func open(notOverwriting inputs: String...) throws -> Opened {
        for input in inputs { _ = try OutputFile(output, notOverwriting: input) }
        return Opened(
            file: try OutputFile(output, notOverwriting: inputs[0]),
            format: try Self.format(format, ofFile: output))
    }

    struct Opened {
        let file: OutputFile
        let format: OutputFormat

        /// - Parameter isWhole: whether to write everything, however long it is.
        func write(_ report: Report, isWhole: Bool = false) throws {
            try file.write(
                report, as: format,
                WritingStyle(width: Console.width, isColored: Console.showsColors, isWhole: isWhole))
        }
    }

    static func format(_ named: FormatName<Report>?, ofFile name: String) throws -> OutputFormat {
        if let named { return named.format }
        if name == "-" { return usual }
        guard let format = Report.format(ofFile: name) else {
            throw CommandError(
                .usage,
                Formats.unknownEnding(
                    of: name, Report.renderers.map(\.format),
                    or: Report.renderers.count > 1 ? "give --format" : nil))
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
            Console.complain("note: \(name.map { $0 + ": " } ?? "")\(note)")
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
