/// The screen of a running program: what all wait for, its queues, what executes and what waits, and what misbehaves.
///
/// For 80 columns and 24 lines, and more where there is room; for less it leaves out what matters less.
public struct LiveScreen: Sendable {
    /// What is on the screen, as the person in front of it wants it.
    public struct View: Sendable {
        public enum Focus: String, CaseIterable, Sendable { case all, queues, executing, waiting, hazards }
        public enum Order: String, CaseIterable, Sendable { case waiting, executing, finished, name }

        /// The part that gets all of the room.
        public var focus = Focus.all
        /// Of the queues.
        public var order = Order.waiting
        public var isPaused = false
        public var showsHelp = false
        /// A line for the keys; without, the screen is all that it says.
        public var hasFooter = true

        public init() {}
    }

    /// As many rows of a sort as any screen has.
    static let mostRows = 500

    private let picture: LivePicture
    /// What the reader should know of the log that is not in it; unsafe text.
    private let note: String?

    init(_ picture: LivePicture, note: String? = nil) {
        self.picture = picture
        self.note = note
    }

    /// - Parameter now: as given to the last look.
    public init(_ log: LiveLog, at now: Int64, height: Int, note: String? = nil) {
        self.init(log.picture(at: now, rows: min(max(0, height), Self.mostRows)), note: note)
    }

    /// As many lines as the screen has at most, none wider than it, without line breaks.
    public func lines(_ view: View = View(), width: Int, height: Int, isColored: Bool) -> [String] {
        lines(view, width, height).map { isColored ? $0.coloredText(width: width) : $0.text(width: width) }
    }

    /// All of it in one line, safe for a terminal.
    public var sentence: String { LiveHeading(picture, note: note).sentence }

    private func lines(_ view: View, _ width: Int, _ height: Int) -> [ScreenLine] {
        let footer = view.hasFooter ? [Self.footer(view)] : []
        let heading = LiveHeading(picture, note: note)
        var top = heading.lines(isPaused: view.isPaused, width: width)
        let room = height - footer.count
        if view.showsHelp {
            let lines = top.prefix(1) + [ScreenLine()] + Self.help.map { ScreenLine($0) }
            return padded(Array(lines), to: room) + footer
        }
        // On a screen of a few lines, the first ones say most.
        if room < 12 { top = Array(top.prefix(max(1, room / 3))) }
        var body = ScreenSection.lines(sections(view, width), room: room - top.count - 1)
        if body.isEmpty { body = [ScreenLine("nothing of that at the moment", .muted)] }
        let lines = top + [ScreenLine()] + body
        return (footer.isEmpty ? Array(lines.prefix(max(0, room))) : padded(lines, to: room)) + footer
    }

    private func padded(_ lines: [ScreenLine], to count: Int) -> [ScreenLine] {
        Array(lines.prefix(max(0, count)))
            + Array(repeating: ScreenLine(), count: max(0, count - lines.count))
    }

    private func sections(_ view: View, _ width: Int) -> [ScreenSection] {
        let tables = LiveTables(picture, width: width)
        switch view.focus {
        case .all:
            return [
                tables.origins, tables.queues(view.order, limit: 8), tables.waiting, tables.executing,
                tables.hazards(limit: 3, isAll: false),
            ]
        case .queues: return [tables.queues(view.order, limit: Self.mostRows)]
        case .executing: return [tables.executing]
        case .waiting: return [tables.origins, tables.waiting]
        case .hazards: return [tables.hazards(limit: Self.mostRows)]
        }
    }

    // MARK: Keys

    private static func footer(_ view: View) -> ScreenLine {
        ScreenLine(
            "q quit  space \(view.isPaused ? "goes on" : "pauses")  tab shows: \(view.focus.rawValue)  "
                + "s sorts queues by: \(view.order.rawValue)  ? help", .muted)
    }

    private static let help = [
        "q, Control-C   quit; the program runs on", "space, p       pause the screen, and go on",
        "tab            all, or one part with all of the room: queues, executing, waiting, hazards",
        "s              sort queues by what waits, executes, finished a second, or by name",
        "?              this, and back", "",
        "dependency     waits for an operation that has not finished",
        "suspended      ready, and its queue is suspended",
        "slot           ready, and all slots of its queue are taken",
        "thread         ready, with a slot free: no thread has come to it yet",
    ]
}
