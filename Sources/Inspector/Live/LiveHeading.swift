/// The lines at the top of the screen: the program, its activity, and what is unknown about that.
struct LiveHeading {
    private static let bars = Array("▁▂▃▄▅▆▇█")

    private let picture: LivePicture
    private let note: String?

    /// - Parameter note: text that is not safe for a terminal.
    init(_ picture: LivePicture, note: String?) {
        self.picture = picture
        self.note = note
    }

    func lines(isPaused: Bool, width: Int) -> [ScreenLine] {
        var program = ScreenLine(name, .heading)
        program.append(" (pid \(picture.header.processID)), ")
        let (text, style) = standing
        program.append(text, style)
        if isPaused { program.append("  paused", .waiting) }
        var counts = ScreenLine("\(Prose.grouped(picture.executing)) executing", .executing)
        counts.append(", ")
        counts.append("\(Prose.grouped(picture.waiting)) waiting", picture.waiting > 0 ? .waiting : .plain)
        counts.append(", \(Prose.grouped(picture.finished)) finished")
        if picture.failed > 0 {
            counts.append(", \(Prose.grouped(picture.failed)) of them failed", .critical)
        }
        if picture.cancelled > 0 {
            counts.append(
                ", \(Prose.grouped(picture.cancelled)) \(picture.failed > 0 ? "" : "of them ")cancelled")
        }
        if picture.lost > 0 { counts.append(", \(Prose.grouped(picture.lost)) not known", .loss) }
        let tasks = picture.tasks.map { [ScreenLine($0.sentence)] } ?? []
        return [program, counts] + tasks + [rates(width)] + warnings(width)
    }

    /// The same in one line, for output that is not a terminal.
    var sentence: String {
        let time = DurationFormat.text(nanoseconds: picture.header.lastAlive)
        var parts = [
            "\(Prose.grouped(picture.executing)) executing", "\(Prose.grouped(picture.waiting)) waiting",
            "\(Prose.grouped(picture.finished)) finished",
        ]
        if picture.failed > 0 { parts.append("\(Prose.grouped(picture.failed)) of them failed") }
        if picture.cancelled > 0 {
            parts.append(
                "\(Prose.grouped(picture.cancelled)) \(picture.failed > 0 ? "" : "of them ")cancelled")
        }
        if picture.lost > 0 { parts.append("\(Prose.grouped(picture.lost)) not known") }
        parts.append("\(Prose.grouped(picture.finishedPerSecond)) finished/s")
        var sentence = "\(time): " + parts.joined(separator: ", ")
        if let tasks = picture.tasks { sentence += "; " + tasks.sentence }
        if let origin = picture.origins.first { sentence += "; " + LiveTables.sentence(origin, picture) }
        let gone = standing
        if picture.standing != .running { sentence += "; \(gone.text)" }
        for warning in warnings { sentence += "; \(warning)" }
        return sentence
    }

    private var name: String {
        let name = picture.header.process
        return TerminalText.shortened(name.isEmpty ? "?" : name, toColumns: 30)
    }

    private var standing: (text: String, style: ScreenLine.Style) {
        let time = DurationFormat.text(nanoseconds: picture.header.lastAlive)
        switch picture.standing {
        case .running: return ("running for \(time)", .plain)
        case .silent(let silence):
            return (
                "no sign of life for \(DurationFormat.text(nanoseconds: silence)): its process is stopped",
                .loss
            )
        case .ended: return ("ended after \(time)", .plain)
        case .killed: return ("killed, or ended by _exit, after \(time)", .loss)
        }
    }

    private func rates(_ width: Int) -> ScreenLine {
        let rates =
            "\(Prose.grouped(picture.finishedPerSecond)) finished/s, "
            + "\(Prose.grouped(picture.eventsPerSecond)) events/s"
        var line = ScreenLine(rates)
        let history = picture.history
        let largest = history.max() ?? 0
        guard largest > 0 else { return line }
        let label = "  most \(Prose.grouped(largest))/s"
        let room = width - rates.count - label.count - 2
        guard room >= 5 else { return line }
        let bars = history.suffix(room).map { count in
            count == 0 ? "_" : Self.bars[min(Self.bars.count - 1, count * Self.bars.count / largest)]
        }
        line.append("  " + String(bars), .executing)
        line.append(label, .muted)
        return line
    }

    private func warnings(_ width: Int) -> [ScreenLine] { warnings.map { ScreenLine($0, .loss) } }

    /// What is not known, one sentence each.
    var warnings: [String] {
        var warnings: [String] = []
        if let behind = picture.behind {
            warnings.append(
                "behind by \(DurationFormat.text(nanoseconds: behind)): "
                    + "it writes faster than opviz can read with 5 % of a core"
            )
        }
        warnings += picture.losses
        if let note { warnings.append(note) }
        return warnings.map { TerminalText.shortened($0, toColumns: 200) }
    }
}
