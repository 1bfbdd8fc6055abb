import Foundation
import Inspector

/// The outputs of a check: any number of files, and standard output.
struct CheckOutputs {
    private let files: [(name: String, format: OutputFormat)]
    private let inputs: [String]
    private let isStrict: Bool
    private let theme: PictureTheme
    /// The format to print; nil prints only the verdict.
    private let printed: OutputFormat?

    /// - Throws: `CommandError` if the extension of a file is unknown, or if the file is one of the inputs.
    init(
        _ names: [String], _ format: OutputFormat?, _ theme: PictureTheme, notOverwriting inputs: [String],
        isStrict: Bool
    ) throws {
        var files: [(String, OutputFormat)] = []
        var isPrinted = names.isEmpty
        var isFormatUsed = false
        for name in names {
            guard name != "-" else {
                isPrinted = true
                continue
            }
            if let format = CheckOutput.format(ofFile: name) {
                files.append((name, format))
            } else if let format {
                files.append((name, format))
                isFormatUsed = true
            } else {
                files.append((name, try CheckOutput.outputFormat(ofFile: name)))
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

    /// Either may be nil if it was not requested.
    func write(_ check: RegressionCheck?, _ budgets: BudgetReport?) throws {
        for (name, format) in files {
            let compared = format == .markdown ? check : nil
            let drawn = try compared.map { try picture($0, name) }
            try OutputFile(name, notOverwriting: "").write(
                output(check, budgets, picture: drawn), as: format, WritingStyle(width: Console.width))
        }
        guard let printed else {
            return try Console.print(
                (check.map { CheckText($0).verdict } ?? "") + (budgets.map { $0.verdict + "\n" } ?? ""))
        }
        try OutputFile.standardOutput.write(
            output(check, budgets), as: printed, WritingStyle(width: Console.width))
    }

    private func output(
        _ check: RegressionCheck?, _ budgets: BudgetReport?, picture: String? = nil
    ) -> CheckOutput {
        CheckOutput(check, budgets, isStrict: isStrict, picture: picture, theme: theme)
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
