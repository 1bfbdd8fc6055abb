/// The colours of endings and of the parts of lifetimes, the same in every picture.
extension PictureTheme {
    package func fill(_ ending: OperationEnding) -> String {
        switch (ending, self) {
        case (.succeeded, .light): "#D9EFE7"
        case (.succeeded, .dark): "#14392E"
        case (.failed, .light): "#F6DCEA"
        case (.failed, .dark): "#4B1E38"
        case (.cancelled, .light): "#E6E6E6"
        case (.cancelled, .dark): "#33373C"
        case (.unfinished, .light): "#FBF5B7"
        case (.unfinished, .dark): "#45400F"
        case (.unobserved, _): background
        }
    }

    package func border(_ ending: OperationEnding) -> String {
        switch (ending, self) {
        case (.succeeded, .light): "#00795A"
        case (.succeeded, .dark): "#2FBF94"
        case (.failed, .light): "#A83276"
        case (.failed, .dark): "#D77BD0"
        case (.cancelled, .light): "#777777"
        case (.cancelled, .dark): "#8D939A"
        case (.unfinished, .light): "#5F5600"
        case (.unfinished, .dark): "#F2E66B"
        case (.unobserved, .light): "#999999"
        case (.unobserved, .dark): "#6B7178"
        }
    }

    /// The colour for a part of a lifetime, the same in every picture.
    package func color(_ part: LifetimeParts.Part) -> String { part.row.color.of(self) }
    /// The colour for a part of the lifetime of a task.
    package func color(_ part: TaskPart) -> String { part.row.color.of(self) }
    /// The fill for a part of an execution; a hatch goes over it with ``executionHatch``.
    package func color(_ part: ExecutionParts.Part) -> String { part.row.color.of(self) }
    /// The lines over a wait for a processor, and the outline of an execution with parts.
    package var executionHatch: String { color(LifetimeParts.Part.execution) }
}

extension TerminalColor {
    package init(_ part: LifetimeParts.Part) { self.init(number: part.row.color.terminal) }
    package init(_ part: ExecutionParts.Part) { self.init(number: part.row.color.terminal) }
    package init(_ part: TaskPart) { self.init(number: part.row.color.terminal) }
}
