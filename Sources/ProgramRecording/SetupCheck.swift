/// Why something cannot be recorded, and what to do.
package struct RecordingObstacle: Equatable {
    /// Follows the name of a program or source.
    package let reason: String
    /// A command, or a step.
    let remedy: String?
}

/// Whether something can be recorded: a line of `opviz doctor`.
package struct SetupCheck {
    package let what: String
    /// Nil if that is not known.
    package let isPossible: Bool?
    /// Why not; of what is possible, a note.
    package let reason: String?
    package let remedy: String?

    /// It is possible.
    init(_ what: String, _ note: String? = nil) {
        (self.what, isPossible, reason, remedy) = (what, true, note, nil)
    }

    init(_ what: String, _ obstacle: RecordingObstacle?, note: String? = nil) {
        self.what = what
        isPossible = obstacle == nil
        reason = obstacle?.reason ?? note
        remedy = obstacle?.remedy
    }

    init(_ what: String, unknownBecause reason: String) {
        (self.what, isPossible, self.reason, remedy) = (what, nil, reason, nil)
    }
}

extension SetupCheck {
    package static let library = "recording library"
    package static let operations = "operations"
}
