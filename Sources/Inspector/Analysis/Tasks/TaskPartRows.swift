package import EventLog
package import InspectorText

extension TaskPart {
    /// The words for a part.
    package struct Row: Sendable {
        /// In tables.
        package let label: String
        /// On a terminal, where it must be distinguishable without colour.
        package let glyph: Character
        /// In JSON and CSV, without the unit.
        package let column: String
        /// After a duration.
        package let phrase: String
        /// What the task waits for meanwhile, for a column.
        package let object: String
        /// The same of one task, after a duration: `awaiting its continuation`.
        package let activity: String
        /// Like those of an operation's lifetime for what is alike: an actor has one slot.
        package let color: PictureColor
        /// For tooltips and the glossary, without a full stop.
        package let meaning: String
    }

    package var row: Row { Self.rows[rawValue] }

    private static let rows = [
        Row(
            label: "executor wait", glyph: "-", column: "executor_wait", phrase: "waiting for executors",
            object: "an executor",
            activity: "waiting for its executor",
            color: LifetimeParts.Part.dispatch.row.color,
            meaning: "could run; waited for its executor to run it"),
        Row(
            label: "running", glyph: "█", column: "running", phrase: "running", object: "itself",
            activity: "running",
            color: LifetimeParts.Part.execution.row.color,
            meaning: "a thread ran it"),
        Row(
            label: "awaiting task", glyph: "░", column: "awaiting_task", phrase: "awaiting tasks",
            object: "a task",
            activity: "awaiting a task",
            color: LifetimeParts.Part.dependency.row.color,
            meaning: "awaited the value of another task"),
        Row(
            label: "awaiting group", glyph: ":", column: "awaiting_group", phrase: "awaiting task groups",
            object: "its task group",
            activity: "awaiting its task group",
            color: PictureColor(light: "#E8A0CF", dark: "#8F5A79", terminal: 182),
            meaning: "awaited the next result of a task group, or its end"),
        Row(
            label: "awaiting continuation", glyph: "~", column: "awaiting_continuation",
            phrase: "awaiting continuations",
            object: "its continuation",
            activity: "awaiting its continuation",
            color: PictureColor(light: "#5E3BA3", dark: "#9A86C4", terminal: 140),
            meaning: "awaited a continuation, which other code resumes"),
        Row(
            label: "awaiting actor", glyph: "▒", column: "awaiting_actor", phrase: "awaiting actors",
            object: "its actor",
            activity: "waiting for its actor",
            color: LifetimeParts.Part.slot.row.color,
            meaning: "could run, while its actor ran another task"),
        Row(
            label: "sleeping", glyph: "z", column: "sleeping", phrase: "sleeping", object: "sleep",
            activity: "sleeping",
            color: LifetimeParts.Part.suspended.row.color,
            meaning: "in `Task.sleep`"),
        Row(
            label: "unknown", glyph: "?", column: "unknown", phrase: "unknown", object: "unknown",
            activity: "unknown",
            color: LifetimeParts.Part.unknown.row.color,
            meaning: "time that the log does not explain; always printed"),
    ]
}
