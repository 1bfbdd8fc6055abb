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
        case (.failed, .dark): "#E07DB4"
        case (.cancelled, .light): "#777777"
        case (.cancelled, .dark): "#8D939A"
        case (.unfinished, .light): "#8A7D00"
        case (.unfinished, .dark): "#D8C83A"
        case (.unobserved, .light): "#999999"
        case (.unobserved, .dark): "#6B7178"
        }
    }

    /// The colour for a part of a lifetime, the same in every picture.
    package func color(_ part: Waits.Part) -> String {
        switch (part, self) {
        case (.dependency, .light): "#CC79A7"
        case (.dependency, .dark): "#CC79A7"
        case (.suspended, .light): "#8C8C8C"
        case (.suspended, .dark): "#7D838A"
        case (.slot, .light): "#E69F00"
        case (.slot, .dark): "#E69F00"
        case (.dispatch, .light): "#F0E442"
        case (.dispatch, .dark): "#F0E442"
        case (.execution, .light): "#0072B2"
        case (.execution, .dark): "#56B4E9"
        case (.unknown, .light): "#D0D0D0"
        case (.unknown, .dark): "#484E55"
        }
    }
}

/// The colours of the parts of executions, the same in every picture: strong on a processor, pale off it, and
/// grey where it is not known.
extension PictureTheme {
    /// The fill. A wait for a processor is hatched on it with ``executionHatch``.
    package func color(_ part: ExecutionParts.Part) -> String {
        switch (part, self) {
        case (.onCPU, _): color(Waits.Part.execution)
        case (.waitingForCPU, .light), (.blocked, .light): "#CFE5F2"
        case (.waitingForCPU, .dark), (.blocked, .dark): "#1E4A63"
        case (.offThread, _): background
        case (.unmeasured, .light): "#A3ABB2"
        case (.unmeasured, .dark): "#6E767E"
        }
    }

    /// The lines over a wait for a processor, and the outline of an execution with parts.
    package var executionHatch: String { color(Waits.Part.execution) }
}

extension TerminalColor {
    package init(_ part: ExecutionParts.Part) {
        switch part {
        case .onCPU, .waitingForCPU, .blocked, .offThread: self.init(Waits.Part.execution)
        case .unmeasured: self.init(number: 248)
        }
    }

    package init(_ part: Waits.Part) {
        switch part {
        case .dependency: self.init(number: 175)
        case .suspended: self.init(number: 244)
        case .slot: self.init(number: 214)
        case .dispatch: self.init(number: 185)
        case .execution: self.init(number: 32)
        case .unknown: self.init(number: 248)
        }
    }
}
