/// The screen of a running program: what everything is waiting for, its queues, what is executing and
/// waiting, and what misbehaves.
///
/// For 80 columns and 24 lines, and more if there is room. On a smaller screen, less important parts are left
/// out.
package struct LiveScreen: Sendable {
    /// The largest number of operations in a list that can be scrolled to.
    static let mostRows = 500
    private static let mostQueuesBesideOthers = 8
    private static let mostKindsBesideOthers = 5

    let picture: LivePicture
    /// A note about the log, besides its contents; not safe for a terminal.
    let note: String?

    init(_ picture: LivePicture, note: String? = nil) {
        self.picture = picture
        self.note = note
    }

    /// - Parameter now: as given to the last look.
    package init(_ log: LiveLog, at now: Int64, note: String? = nil) {
        self.init(log.picture(at: now, rows: Self.mostRows), note: note)
    }

    /// At most `height` lines of at most `width` columns, without line breaks.
    package func lines(_ view: View = View(), width: Int, height: Int, isColored: Bool) -> [String] {
        lines(view, width, height).map { isColored ? $0.coloredText(width: width) : $0.text(width: width) }
    }

    /// The screen in one line, safe for a terminal.
    package var sentence: String { LiveHeading(picture, note: note).sentence }

    private func lines(_ view: View, _ width: Int, _ height: Int) -> [ScreenLine] {
        let footer = view.hasFooter ? [Self.footer(view)] : []
        let heading = LiveHeading(picture, note: note)
        var top = heading.lines(isPaused: view.isPaused, width: width)
        let room = height - footer.count
        if view.showsHelp {
            return padded(top.prefix(1) + [ScreenLine()] + Self.help.map { ScreenLine($0) }, to: room)
                + footer
        }
        if let opened = view.opened {
            let details = details(of: opened, width)
            let scrolled = min(view.scrolled, max(0, details.count - (room - 2)))
            return padded(top.prefix(1) + [ScreenLine()] + details.dropFirst(scrolled), to: room) + footer
        }
        // On a screen of a few lines, the first ones are the most important.
        if room < 12 { top = Array(top.prefix(max(1, room / 3))) }
        let sections = sections(view, width)
        var body = ScreenSection.lines(
            sections, cursor: resolved(view.cursor, sections), room: room - top.count - 1)
        if body.isEmpty { body = [ScreenLine(nothing(in: view.focus), .muted)] }
        let lines = top + [ScreenLine()] + body
        return (footer.isEmpty ? Array(lines.prefix(max(0, room))) : padded(lines, to: room)) + footer
    }

    private func padded(_ lines: [ScreenLine], to count: Int) -> [ScreenLine] {
        Array(lines.prefix(max(0, count)))
            + Array(repeating: ScreenLine(), count: max(0, count - lines.count))
    }

    func sections(_ view: View, _ width: Int) -> [ScreenSection] {
        let tables = LiveTables(picture, width: width)
        switch view.focus {
        case .all:
            var queues = tables.queues(view.order)
            queues.most = Self.mostQueuesBesideOthers + 1
            var executors = tables.executors
            executors.most = Self.mostQueuesBesideOthers + 1
            var kinds = tables.kinds
            kinds.most = Self.mostKindsBesideOthers + 1
            return [
                tables.origins, queues, executors, tables.waiting, tables.executing, kinds,
                tables.hazards(isAll: false),
            ]
        case .queues: return [tables.queues(view.order), tables.executors]
        case .executing: return [tables.executing]
        case .waiting: return [tables.origins, tables.waiting]
        case .hazards: return [tables.hazards()]
        case .kinds: return [tables.kinds]
        }
    }

    /// Everything that is known about one operation.
    func details(of operation: UInt64, _ width: Int) -> [ScreenLine] {
        guard let moment = picture.moment, let index = moment.index(of: operation) else {
            return [
                ScreenLine(
                    "This operation is not among the last "
                        + "\(Prose.grouped(LiveOperations.recentCount)) that finished."
                ),
                ScreenLine("To see it, use opviz explain on the log."),
            ]
        }
        return LiveDetails(moment, index, thread: picture.threads[operation]).lines(width: width)
    }

    private func nothing(in focus: View.Focus) -> String {
        switch focus {
        case .all: "Nothing is executing or waiting right now"
        case .queues: "No queues yet"
        case .executing: "Nothing is executing right now"
        case .waiting: "Nothing is waiting right now"
        case .hazards: "No hazards right now"
        case .kinds: "Nothing is known of what threads do"
        }
    }

    // MARK: Keys

    private static func footer(_ view: View) -> ScreenLine {
        if view.showsHelp { return ScreenLine("esc back  q quit", .muted) }
        if view.opened != nil {
            return ScreenLine(
                "esc back  ↑↓ scroll  space \(view.isPaused ? "resume" : "pause")  ? help  q quit", .muted)
        }
        let order =
            view.focus == .all || view.focus == .queues ? "  s sort: \(view.order.rawValue)" : ""
        return ScreenLine(
            "↑↓ select  ⏎ open  tab: \(view.focus.rawValue)\(order)  "
                + "space \(view.isPaused ? "resume" : "pause")  ? help  q quit", .muted)
    }

    private static let help = [
        "↑ ↓, page up and down, home, end   select a line",
        "enter            open the selected operation; esc goes back",
        "tab              next view: all, queues, executing, waiting, hazards, kinds",
        "s                sort queues by waiting, executing, finished or name",
        "space, p         pause the screen, and resume it",
        "?                show this help, and hide it",
        "q, Control-C     quit; the program keeps running", "",
        "Reasons for waiting:",
        "dependency       another operation has not finished",
        "suspended        ready, but its queue is suspended",
        "slot             ready, but all slots of its queue are taken",
        "thread           ready, with a slot free: no thread has started it yet",
    ]
}
