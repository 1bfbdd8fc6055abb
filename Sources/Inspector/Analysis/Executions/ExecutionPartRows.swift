/// What every output says of a part of an execution, and how it draws it. A new part is a row here, and its
/// time in the files that Documentation/Architecture.md lists.
package struct ExecutionPartRow: Sendable {
    /// How an area of its colour is filled, so that it can be distinguished without colour.
    package enum Pattern: Sendable { case plain, hatched, outlined }

    /// The printed name, which also follows a duration: `4.00 ms on CPU`.
    package let label: String
    /// The name in JSON and in pages, without the unit.
    package let key: String
    /// The name in tables for programs, without the unit.
    package let column: String
    /// The attribute in OpenTelemetry.
    package let attribute: StaticString
    /// The name in narrow columns, no wider than a duration.
    package let abbreviation: String
    /// On a terminal, where it must be distinguishable without colour.
    package let glyph: Character
    package let color: PictureColor
    package var pattern = Pattern.plain
    /// For tooltips and the glossary, without a full stop.
    package let meaning: String
    /// What more or less of it means for an operation; `{}` is `4.00 ms more`.
    package let change: String
    /// Whether it is known only together with others if the parts are not exact.
    package var isEstimated = false
}

extension ExecutionParts.Part {
    /// In the order of the cases.
    private static let rows = allCases.map(row)

    // Strong on a processor, pale off it, and grey where it is not known.
    private static func row(_ part: Self) -> ExecutionPartRow {
        switch part {
        case .onCPU:
            ExecutionPartRow(
                label: "on CPU", key: "onCPU", column: "on_cpu", attribute: OTLPAttributeNames.onCPU,
                abbreviation: "on CPU", glyph: "█", color: LifetimeParts.Part.execution.row.color,
                meaning: "the operation's thread calculated",
                change: "it used {} CPU time")
        case .waitingForCPU:
            ExecutionPartRow(
                label: "waiting for a CPU", key: "waitingForCPU", column: "waiting_for_cpu",
                attribute: OTLPAttributeNames.waitingForCPU, abbreviation: "for CPU", glyph: "▚",
                color: PictureColor(light: "#CFE5F2", dark: "#1E4A63", terminal: 32), pattern: .hatched,
                meaning: "its thread could run, but other threads had the processors",
                change: "it waited {} for a CPU", isEstimated: true)
        case .blocked:
            ExecutionPartRow(
                label: "blocked", key: "blocked", column: "blocked", attribute: OTLPAttributeNames.blocked,
                abbreviation: "blocked", glyph: "▂",
                color: PictureColor(light: "#CFE5F2", dark: "#1E4A63", terminal: 32),
                meaning:
                    "its thread was in a system call: it slept, or waited for a lock, a file or the network",
                change: "it was blocked for {}", isEstimated: true)
        case .offThread:
            ExecutionPartRow(
                label: "off thread", key: "offThread", column: "off_thread",
                attribute: OTLPAttributeNames.offThread, abbreviation: "off", glyph: "_",
                color: PictureColor(
                    light: PictureTheme.light.background, dark: PictureTheme.dark.background,
                    terminal: 32),
                pattern: .outlined,
                meaning: "no thread was in the operation's body: an asynchronous operation works elsewhere",
                change: "it was off thread for {}")
        case .unmeasured:
            ExecutionPartRow(
                label: "unmeasured", key: "unmeasured", column: "unmeasured",
                attribute: OTLPAttributeNames.unmeasured, abbreviation: "unmeas.", glyph: "▓",
                color: PictureColor(light: "#A3ABB2", dark: "#6E767E", terminal: 248),
                meaning: "nobody recorded what its thread did",
                change: "{} was not measured")
        }
    }

    /// The printed name: `on CPU`, …, `unmeasured`.
    public var label: String { row.label }
    package var row: ExecutionPartRow { Self.rows[rawValue] }
}
