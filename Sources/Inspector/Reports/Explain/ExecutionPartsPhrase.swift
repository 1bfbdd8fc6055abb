import InspectorColumns

extension Phrase {
    /// `4.00 ms on CPU, 329 ms blocked`: the parts of an execution that matter, the longest first. Nil if
    /// nothing was measured.
    init?(_ parts: ExecutionParts) {
        // Less than a hundredth of the execution says nothing.
        let shown = ExecutionParts.Part.allCases
            .filter { parts[$0] > 0 && parts[$0] >= parts.total / 100 }
            .sorted { parts[$0] > parts[$1] }
        guard parts.unmeasured < parts.total else { return nil }
        var list: Phrase?
        for part in shown {
            var phrase = Phrase(part.template, .time(parts[part]))
            if !parts.isExact, part == .waitingForCPU || part == .blocked {
                phrase = Phrase(.about, .phrase(phrase))
            }
            list = list.map { Phrase(.andPart, .phrase($0), .phrase(phrase)) } ?? phrase
        }
        guard let list else { return nil }
        self = list
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
