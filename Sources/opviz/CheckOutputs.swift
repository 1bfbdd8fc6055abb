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
    private let isStrict: Bool
    private let theme: PictureTheme
    /// What is printed; nil is the verdict alone.
    private let printed: CheckFormat?

    /// - Throws: `CommandError` when the ending of a file names no format, or it is one of the inputs.
    init(
        _ names: [String], _ format: CheckFormat?, _ theme: PictureTheme, notOverwriting inputs: [String],
        isStrict: Bool
    ) throws {
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
            try OutputFile.expectWritable(name)
        }
        self.files = files
        self.inputs = inputs
        self.isStrict = isStrict
        self.theme = theme
        printed = isPrinted || format != nil && !isFormatUsed ? format ?? .text : nil
    }

    /// Either may be nil: what was not asked for.
    func write(_ check: RegressionCheck?, _ budgets: BudgetReport?) throws {
        for (name, format) in files {
            let compared = format == .markdown ? check : nil
            let drawn = try compared.map { try picture($0, name) }
            try OutputFile(name, notOverwriting: "").write(
                bytes(check, budgets, as: format, picture: drawn))
        }
        guard let printed else {
            return try Console.print(
                (check.map { CheckText($0).verdict } ?? "") + (budgets.map { $0.verdict + "\n" } ?? ""))
        }
        try Console.print(
            String(decoding: bytes(check, budgets, as: printed, picture: nil), as: UTF8.self))
    }

    private func bytes(
        _ check: RegressionCheck?, _ budgets: BudgetReport?, as format: CheckFormat, picture: String?
    ) -> [UInt8] {
        let width = Console.width ?? 80
        switch format {
        case .text:
            return Self.joined(check.map { CheckText($0).text(width: width) }, budgets?.text(width: width))
        case .markdown:
            return Self.joined(
                check.map { CheckMarkdown($0, picture: picture).text }, budgets?.markdown)
        case .json: return check.map { CheckJSON($0, budgets).bytes } ?? budgets?.json ?? []
        case .junit: return Array(CheckJUnit(check, budgets, isStrict: isStrict).text.utf8)
        case .github:
            return Array(
                ((check.map { CheckAnnotations($0).text } ?? "") + (budgets?.annotations ?? "")).utf8)
        }
    }

    /// With an empty line between them.
    private static func joined(_ texts: String?...) -> [UInt8] {
        Array(texts.compactMap { $0 }.joined(separator: "\n").utf8)
    }

    /// Draws the check beside the Markdown: `check.svg` beside `check.md`.
    ///
    /// - Returns: the picture's name.
    private func picture(_ check: RegressionCheck, _ name: String) throws -> String {
        let path = (name as NSString).deletingPathExtension + ".svg"
        for input in inputs { _ = try OutputFile(path, notOverwriting: input) }
        try OutputFile(path, notOverwriting: "").write(Array(CheckPicture(check, theme: theme).svg.utf8))
        return (path as NSString).lastPathComponent
    }
}
