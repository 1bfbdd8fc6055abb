import ArgumentParser
import Foundation
import Inspector

enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
    case text, markdown, json, junit, github

    /// That of a file, by its name; nil where the ending names none.
    init?(ofFile name: String) {
        switch (name as NSString).pathExtension.lowercased() {
        case "txt", "text": self = .text
        case "md", "markdown": self = .markdown
        case "json": self = .json
        case "xml": self = .junit
        default: return nil
        }
    }
}

/// Where the result of a check goes: any number of files, and standard output.
struct CheckOutputs {
    private let files: [(name: String, format: CheckFormat)]
    private let inputs: [String]
    /// What is printed; nil is the verdict alone.
    private let printed: CheckFormat?

    /// - Throws: `CommandError` when the ending of a file names no format, or it is one of the inputs.
    init(_ names: [String], _ format: CheckFormat?, notOverwriting inputs: [String]) throws {
        var files: [(String, CheckFormat)] = []
        var isPrinted = names.isEmpty
        var isFormatUsed = false
        for name in names {
            guard name != "-" else {
                isPrinted = true
                continue
            }
            if let format = CheckFormat(ofFile: name) {
                files.append((name, format))
            } else if let format {
                files.append((name, format))
                isFormatUsed = true
            } else {
                throw CommandError(
                    .usage,
                    "\(name): the ending names no format; use .txt, .md, .json or .xml, or say --format")
            }
            for input in inputs { _ = try OutputFile(name, notOverwriting: input) }
        }
        self.files = files
        self.inputs = inputs
        printed = isPrinted || format != nil && !isFormatUsed ? format ?? .text : nil
    }

    func write(_ check: RegressionCheck) throws {
        for (name, format) in files {
            let bytes = try bytes(
                of: check, as: format, picture: format == .markdown ? picture(check, name) : nil)
            try OutputFile(name, notOverwriting: "").write(bytes)
        }
        guard let printed else { return try Console.print(CheckText(check).verdict) }
        try Console.print(String(decoding: try bytes(of: check, as: printed, picture: nil), as: UTF8.self))
    }

    private func bytes(of check: RegressionCheck, as format: CheckFormat, picture: String?) throws -> [UInt8]
    {
        switch format {
        case .text: Array(CheckText(check).text(width: Console.width ?? 80).utf8)
        case .markdown: Array(CheckMarkdown(check, picture: picture).text.utf8)
        case .json: CheckJSON(check).bytes
        case .junit: Array(CheckJUnit(check).text.utf8)
        case .github: Array(CheckAnnotations(check).text.utf8)
        }
    }

    /// Draws two runs beside the Markdown, of either side that whose makespan is the median: `check.svg` beside `check.md`.
    ///
    /// - Returns: the picture's name; nil where a side has no traces.
    private func picture(_ check: RegressionCheck, _ name: String) throws -> String? {
        guard let before = check.baseline.medianTrace, let after = check.current.medianTrace else {
            return nil
        }
        let path = (name as NSString).deletingPathExtension + ".svg"
        for input in inputs { _ = try OutputFile(path, notOverwriting: input) }
        let traces = try [before, after].map { path in
            Progress.begin("drawing \(path)")
            return TraceAnalysis(try TraceReader(path: path).read())
        }
        let picture = ComparisonPicture(
            TraceComparison(before: traces[0], after: traces[1]), before: before, after: after)
        try OutputFile(path, notOverwriting: "").write(Array(picture.svg.utf8))
        return (path as NSString).lastPathComponent
    }
}
