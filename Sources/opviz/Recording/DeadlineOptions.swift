import Inspector
import ProgramRecording

extension Deadline {
    /// - Parameters:
    ///   - deadline: the value of `--deadline`.
    ///   - idle: the value of `--idle`.
    /// - Throws: `CommandError` for what is not a time.
    init(_ deadline: String?, idle: String?) throws {
        self.init(
            after: try deadline.map { try Self.time($0, "--deadline") },
            idle: try idle.map { try Self.time($0, "--idle") })
    }

    private static func time(_ text: String, _ option: String) throws -> Int64 {
        guard let time = DurationFormat.nanoseconds(Substring(text)), time > 0 else {
            throw CommandError(
                .usage,
                "\(option): \(NearestNames.quoted(text)): expected a time with its unit, such as 60s or 2min")
        }
        return time
    }
}
