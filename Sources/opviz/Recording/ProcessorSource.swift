import ArgumentParser
import Foundation
import Inspector

/// Where the times come from that threads spend on processors: `--cpu` and `OPVIZ_CPU`.
enum ProcessorSource: String, CaseIterable, ExpressibleByArgument {
    /// The kernel's records of context switches, where it allows them; otherwise the threads' clocks.
    case auto
    /// The same; it is an error if the kernel refuses them.
    case switches
    /// The program's threads read their own clocks.
    case clocks
    case off

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
