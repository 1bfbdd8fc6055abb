import ArgumentParser
import Foundation
import Inspector
import ProgramRecording

/// How often to look at stacks, in a second on each processor: `--profile` and `OPVIZ_PROFILE`.
struct SampleRate: ExpressibleByArgument, CustomStringConvertible {
    static let usual = SampleRate(number: KernelRecorder.usualRate)

    private static let variable = "OPVIZ_PROFILE"

    /// Any text, so that `chosen` refuses all wrong ones.
    let description: String

    private init(number: Int) { description = "\(number)" }

    init?(argument: String) { description = argument }

    /// - Parameter option: the value of `--profile`; nil for that of `OPVIZ_PROFILE`.
    /// - Returns: nil if nobody asked for samples.
    /// - Throws: `CommandError` for a rate out of bounds.
    static func chosen(_ option: SampleRate?) throws -> Int? {
        let value = ProcessInfo.processInfo.environment[variable] ?? ""
        guard let rate = option ?? (value.isEmpty ? nil : SampleRate(argument: value)) else { return nil }
        guard let number = Int(rate.description), (1...10_000).contains(number) else {
            let source = option == nil ? variable : "--profile"
            throw CommandError(
                .usage,
                "\(source): \(NearestNames.quoted(rate.description)): must be between 1 and 10,000"
                    + (option == nil ? "" : "; write -- before the program"))
        }
        return number
    }
}
