import InspectorColumns

extension ExecutionParts {
    /// Shorter parts than this share of the execution say nothing.
    private static let leastShare: Int64 = 100

    /// The parts that matter, the longest first. Nil if nothing was measured.
    fileprivate var shown: [Part]? {
        guard unmeasured < total else { return nil }
        return Part.allCases.filter { self[$0] > 0 && self[$0] >= total / Self.leastShare }
            .sorted { self[$0] > self[$1] }
    }

    /// Whether a part is known only together with others.
    private func isEstimate(_ part: Part) -> Bool {
        !isExact && (part == .waitingForCPU || part == .blocked)
    }

    /// `4.00 ms on CPU`.
    fileprivate func phrase(_ part: Part) -> Phrase {
        let phrase = Phrase(part.template, .time(self[part]))
        return isEstimate(part) ? Phrase(.about, .phrase(phrase)) : phrase
    }

    /// `4.00 ms on CPU, 329 ms blocked`: the parts that matter, the longest first. Nil if nothing was
    /// measured.
    var text: String? {
        shown.map { parts in
            parts.map { part in
                (isEstimate(part) ? "about " : "") + DurationFormat.text(nanoseconds: self[part])
                    + " \(part.label)"
            }.joined(separator: ", ")
        }
    }

    /// `on CPU 4.00 ms`, for tooltips.
    func words(_ part: Part) -> String {
        "\(part.label) \(isEstimate(part) ? "≈ " : "")\(DurationFormat.text(nanoseconds: self[part]))"
    }
}

extension Phrase {
    /// The same as ``ExecutionParts/text``.
    init?(_ parts: ExecutionParts) {
        guard let shown = parts.shown, let first = shown.first else { return nil }
        self = shown.dropFirst().reduce(parts.phrase(first)) { list, part in
            Phrase(.andPart, .phrase(list), .phrase(parts.phrase(part)))
        }
    }
}

extension ExecutionParts.Part {
    fileprivate var template: Phrase.Template {
        switch self {
        case .onCPU: .onCPU
        case .waitingForCPU: .waitingForCPU
        case .blocked: .blockedTime
        case .offThread: .offThread
        case .unmeasured: .unmeasured
        }
    }
}
