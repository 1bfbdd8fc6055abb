/// What every output says of a part of a lifetime, and how it draws it. A new part is a row here, and its
/// time and its sentence in the files that Documentation/Architecture.md lists.
package struct LifetimePartRow: Sendable {
    /// The printed name: `dependency wait`.
    package let label: String
    /// The label's first word, for a context of waits; also the name in JSON, CSV and pages.
    package let name: String
    /// The name in narrow columns, no wider than a duration.
    package let abbreviation: String
    /// On a terminal, where it must be distinguishable without colour.
    package let glyph: Character
    package let color: PictureColor
    /// For tooltips and the glossary, without a full stop.
    package let meaning: String
    /// What an operation waits for meanwhile, as a fragment for a sentence: `2 ms for a slot`.
    package let object: String
    /// What the operations of a chain were doing meanwhile, after a duration: `waiting for slots`.
    package let activity: String
    /// The same of one operation: `waited 2 ms, for a slot`. Empty for other parts than waits.
    package var aside = ""
}

extension LifetimeParts.Part {
    /// In the order of the cases.
    private static let rows = allCases.map(row)

    private static func row(_ part: Self) -> LifetimePartRow {
        switch part {
        case .dependency:
            LifetimePartRow(
                label: "dependency wait", name: "dependency", abbreviation: "depend.", glyph: "░",
                color: PictureColor(light: "#CC79A7", dark: "#CC79A7", terminal: 175),
                meaning: "from enqueue to ready",
                object: "release", activity: "between the last dependency's finish and readiness",
                aside: "on dependencies")
        case .suspended:
            LifetimePartRow(
                label: "suspended wait", name: "suspended", abbreviation: "suspend", glyph: "=",
                color: PictureColor(light: "#8C8C8C", dark: "#7D838A", terminal: 244),
                meaning: "ready, in a suspended queue",
                object: "its queue", activity: "in suspended queues", aside: "suspended")
        case .slot:
            LifetimePartRow(
                label: "slot wait", name: "slot", abbreviation: "slot", glyph: "▒",
                color: PictureColor(light: "#E3BE0C", dark: "#F0DC3C", terminal: 178),
                meaning: "ready, while every slot of `maxConcurrentOperationCount` was taken",
                object: "a slot", activity: "waiting for slots", aside: "for a slot")
        case .dispatch:
            LifetimePartRow(
                label: "dispatch wait", name: "dispatch", abbreviation: "disp.", glyph: "-",
                color: PictureColor(light: "#6A5124", dark: "#B0F7FA", terminal: 137),
                meaning: "had a slot; waited for a thread",
                object: "a thread", activity: "waiting for threads", aside: "for a thread")
        case .execution:
            LifetimePartRow(
                label: "execution", name: "execution", abbreviation: "exec.", glyph: "█",
                color: PictureColor(light: "#0072B2", dark: "#56B4E9", terminal: 32),
                meaning: "from start to finish, also after `main()` has returned",
                object: "itself", activity: "executing")
        case .unknown:
            LifetimePartRow(
                label: "unknown", name: "unknown", abbreviation: "unknown", glyph: "?",
                color: PictureColor(light: "#D0D0D0", dark: "#484E55", terminal: 248),
                meaning: "time that the log does not explain; always printed",
                object: "unknown", activity: "unknown")
        }
    }

    /// Those in which an operation waits, as far as is known what for.
    package static let waits = allCases.filter { !$0.row.aside.isEmpty }

    /// The printed name: `dependency wait`, …, `execution`, `unknown`.
    public var label: String { row.label }
    /// The label's first word, for a context of waits; also the name in JSON, CSV and pages.
    package var name: String { row.name }
    package var row: LifetimePartRow { Self.rows[rawValue] }
}
