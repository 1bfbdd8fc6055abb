import ArgumentParser
import Foundation
import Inspector
import ProgramRecording

/// The choice of a source: `--cpu` and `OPVIZ_CPU`.
extension ProcessorSource: ExpressibleByArgument {
    private static let variable = "OPVIZ_CPU"

    /// - Parameter option: the value of `--cpu`; nil for that of `OPVIZ_CPU`.
    /// - Throws: `CommandError` if the variable has another value.
    static func chosen(_ option: ProcessorSource?) throws -> ProcessorSource {
        if let option { return option }
        guard let value = ProcessInfo.processInfo.environment[variable], !value.isEmpty else { return .auto }
        if let source = ProcessorSource(rawValue: value) { return source }
        let names = allCases.map(\.rawValue)
        let question = NearestNames(to: value, among: names).question
        throw CommandError(
            .usage,
            "\(variable): unknown value \(NearestNames.quoted(value)); "
                + (question ?? "use \(names.joined(separator: ", "))"))
    }
}
