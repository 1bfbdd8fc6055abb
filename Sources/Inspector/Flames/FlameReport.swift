import InspectorColumns

/// What operations calculated, or what blocked them: the trees of their stacks, to be written as a picture,
/// as text, or for other tools.
package struct FlameReport: Sendable {
    let profile: StackProfile
    let tree: FlameTree
    let isBlocked: Bool
    let theme: PictureTheme
    private let scope: FlameTree.Scope

    package init(
        _ profile: StackProfile, _ scope: FlameTree.Scope = .all, isBlocked: Bool = false,
        theme: PictureTheme = .light
    ) {
        self.profile = profile
        self.scope = scope
        self.isBlocked = isBlocked
        self.theme = theme
        tree = FlameTree.of(profile, scope, isBlocked: isBlocked).tree
    }

    /// What a trace without samples needs.
    package static let noSamples =
        "the trace has no samples of the code; record one with opviz record --profile"

    var title: String {
        let program = TerminalText.shortened(profile.timings.trace.header.process)
        let subject =
            switch scope {
            case .all: "operations"
            case .kind, .operation, .operations: TerminalText.shortened(tree.label(0).name, toColumns: 80)
            }
        return "\(program): " + (isBlocked ? "what blocks \(subject)" : "what \(subject) \(verb)")
    }

    private var verb: String { scope == .all ? "calculate" : "calculates" }

    /// `2,345 samples at 499 Hz: 4.69 s on CPU`.
    var figures: String {
        let count = profile.attributed.count { $0.isBlocked == isBlocked && isInScope($0.operation) }
        let words = FlameWords(tree: tree)
        if isBlocked {
            return Prose.counted(count, "stack") + " of blocked threads"
                + (tree.isTime ? ": \(words.amount(tree.total)) blocked" : "")
        }
        let rate = profile.samples.rate > 0 ? " at \(Prose.grouped(profile.samples.rate)) Hz" : ""
        return Prose.counted(count, "sample") + rate
            + (tree.isTime ? ": \(words.amount(tree.total)) on CPU" : "")
            + (unsampled > 0 ? ", \(words.amount(unsampled)) of it in the kernel" : "")
    }

    private func isInScope(_ operation: Int32?) -> Bool {
        guard let operation else { return false }
        switch scope {
        case .all: return true
        case .kind(let kind):
            return Int(profile.timings.trace.operations.store.columns.kinds[Int(operation)]) == kind
        case .operation(let index): return index == Int(operation)
        case .operations(let indices, _): return indices.contains(Int(operation))
        }
    }

    /// What the reader has to know, one sentence each.
    var notes: [String] {
        var notes: [String] = []
        if tree.total == 0 { notes.append(emptiness) }
        let outside = profile.counts(isBlocked: isBlocked).outside
        if scope == .all, outside > 0 {
            notes.append(
                Prose.counted(
                    outside, "sample outside of operations is left out",
                    "samples outside of operations are left out"))
        }
        if profile.samples.lost > 0 {
            notes.append(
                Prose.counted(profile.samples.lost, "sample was lost", "samples were lost")
                    + ": the program was sampled faster than opviz could read")
        }
        if let note = profile.samples.note { notes.append(note) }
        if unsampled > 0 {
            notes.append(
                "in the kernel: time on CPU without samples, because the kernel is never sampled"
                    + (profile.samples.lost > 0 ? "; lost samples are part of it" : ""))
        }
        return notes
    }

    /// The time of the kernel that no sample covers: that of groups themselves, in place of a function.
    private var unsampled: Int64 {
        tree.nodes.indices.reduce(0) { sum, index in
            guard index > 0, tree.label(index).role == .kernel,
                tree.label(Int(tree.nodes[index].parent)).role == .group
            else { return sum }
            return sum.saturatingAdd(tree.nodes[index].own)
        }
    }

    private var emptiness: String {
        if isBlocked, profile.counts(isBlocked: true) == (0, 0) {
            return
                "no stacks of blocked threads were recorded: the system must allow them "
                + "(kernel.perf_event_paranoid at most 1, or CAP_PERFMON)"
        }
        return "no sample is in these operations"
            + (profile.period.map { ": one is taken every \(DurationFormat.text(nanoseconds: $0)) on CPU" }
                ?? "")
    }
}

extension FlameReport: Writable {
    package static var renderers: [Renderer<FlameReport>] {
        [
            Renderer(.text, text: { FlameText(report: $0).text($1) }),
            Renderer(.svg, text: { report, _ in FlamePicture(report: report).svg }),
            Renderer(
                .speedscope, making: \.self, notes: \.notes,
                write: { report, emit in FlameSpeedscope(report: report).write(emit) }),
            Renderer(
                .folded, making: \.self, notes: \.notes,
                write: { report, emit in FoldedStacks(report: report).write(emit) }),
        ]
    }
}
