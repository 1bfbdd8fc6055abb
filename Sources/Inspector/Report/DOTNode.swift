/// The node of one operation: its name, how it ended, how long it executed and what it waited for most.
struct DOTNode {
    /// Longer names are cut in the picture, in columns; the tooltip has more of them.
    static let longestName = 32
    private static let longestTooltip = 300
    /// Shorter waits, in nanoseconds, only clutter the picture, as do those below this share of the execution time.
    private static let smallestWait: Int64 = 10_000
    private static let smallestShare: Int64 = 20

    private let operation: TracedOperation
    private let waits: Waits?
    private let isCritical: Bool

    init(_ operation: TracedOperation, waits: Waits?, isCritical: Bool) {
        self.operation = operation
        self.waits = waits
        self.isCritical = isCritical
    }

    /// The attributes in brackets.
    var attributes: String {
        let ending = DOTStyle.Ending(of: operation)
        let color = isCritical ? DOTStyle.criticalColor : ending.border
        let width = isCritical ? "\(DOTStyle.criticalWidth)" : "1"
        let style = ending.lineStyle == "solid" ? "" : ",\(ending.lineStyle)"
        let double = ending == .failed ? ", peripheries=2" : ""
        return
            "[label=\(label(ending)), tooltip=\(DOTText.quoted(tooltip(ending))), fillcolor=\"\(ending.fill)\", "
            + "color=\"\(color)\", penwidth=\(width), style=\"rounded,filled\(style)\"\(double)]"
    }

    private func label(_ ending: DOTStyle.Ending) -> String {
        var rows = ["<b>\(shortened(operation.displayName))</b>"]
        if operation.displayName != operation.kind { rows.append(muted(shortened(operation.kind))) }
        rows.append(DOTText.markup(duration(ending)))
        if let wait { rows.append(muted(DOTText.markup(wait))) }
        return "<" + rows.joined(separator: "<br/>") + ">"
    }

    /// `12.3 ms`, and the ending where it is not success.
    private func duration(_ ending: DOTStyle.Ending) -> String {
        guard let waits, operation.executing != nil else { return ending.label }
        let time = DurationFormat.text(nanoseconds: waits.execution)
        return ending == .succeeded ? time : "\(ending.label) · \(time)"
    }

    /// `waited 3.2 ms for a slot`: all waits together, and the largest of them by name. Nil when it is nothing much.
    private var wait: String? {
        guard let waits else { return nil }
        let parts = Waits.Part.allCases.filter { $0 != .execution }
        let total: Int64 = parts.reduce(0) { $0.saturatingAdd(waits[$1]) }
        guard let largest = parts.max(by: { waits[$0] < waits[$1] }), waits[largest] > 0 else { return nil }
        guard total >= max(waits.execution / Self.smallestShare, Self.smallestWait) else { return nil }
        let time = DurationFormat.text(nanoseconds: total)
        switch largest {
        case .dependency: return "waited \(time), on dependencies"
        case .suspended: return "waited \(time), suspended"
        case .slot: return "waited \(time), for a slot"
        case .dispatch: return "waited \(time), for a thread"
        default: return "\(time) unknown"
        }
    }

    private func tooltip(_ ending: DOTStyle.Ending) -> String {
        var lines = ["\(operation.displayName) (\(operation.kind), \(operation.id))", ending.label]
        if case .failed(let message)? = operation.outcome { lines[1] += ": \(message)" }
        if let waits {
            for part in Waits.Part.allCases where waits[part] > 0 {
                lines.append("\(part.label) \(DurationFormat.text(nanoseconds: waits[part]))")
            }
        }
        return lines.map { TerminalText.shortened($0, toColumns: Self.longestTooltip) }.joined(
            separator: "; ")
    }

    private func shortened(_ text: String) -> String {
        // Markup around nothing is none that Graphviz understands.
        guard !text.isEmpty else { return "?" }
        return DOTText.markup(TerminalText.shortened(text, toColumns: Self.longestName))
    }

    private func muted(_ markup: String) -> String {
        "<font point-size=\"9\" color=\"\(DOTStyle.mutedText)\">\(markup)</font>"
    }
}
