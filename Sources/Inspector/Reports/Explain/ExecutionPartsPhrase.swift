import InspectorColumns

extension ExecutionParts {
    /// `4.00 ms on CPU`.
    fileprivate func phrase(_ part: Part) -> Phrase {
        let phrase = Phrase(.ofPart, .time(self[part]), .text(part.label))
        return isEstimate(part) ? Phrase(.about, .phrase(phrase)) : phrase
    }

    /// `on CPU 4.00 ms`, for tooltips.
    func words(_ part: Part) -> String {
        "\(part.label) \(isEstimate(part) ? "≈ " : "")\(DurationFormat.text(nanoseconds: self[part]))"
    }
}

extension Phrase {
    /// The same as ``ExecutionParts/text``, and `unmeasured` if nothing was measured. Nil for an execution
    /// that took no time.
    init?(_ parts: ExecutionParts) {
        guard parts.total > 0 else { return nil }
        guard let shown = parts.shown, let first = shown.first else {
            self = Phrase(.nothingMeasured)
            return
        }
        self = shown.dropFirst().reduce(parts.phrase(first)) { list, part in
            Phrase(.andPart, .phrase(list), .phrase(parts.phrase(part)))
        }
    }
}
