import CTerminal
import Foundation
import Inspector

/// Watches on a terminal: a screen that is redrawn at each interval, and keys.
final class WatchScreen {
    /// The height of the last screen, which may scroll.
    private static let lastHeight = 40

    /// The largest share of a core that watching uses.
    private static let share = 0.05
    /// Nanoseconds.
    private static let longestPause: Int64 = 5_000_000_000

    private let source: WatchSource
    private let interval: Double
    private let printsSummary: Bool
    private var view = LiveScreen.View()
    private let isColored = Console.showsColors
    /// The screen that is shown. While watching is paused, it does not change.
    private var screen: LiveScreen?
    /// The log that the screen shows. If the program was restarted, its log has other operations.
    private var shownLog: LiveLog?

    private enum Ending {
        case quit, over
        case signal(Int32)
    }

    /// - Parameter interval: seconds between two looks.
    init(_ source: WatchSource, interval: Double, printsSummary: Bool) {
        self.source = source
        self.interval = interval
        self.printsSummary = printsSummary
    }

    /// Runs until the program ends, or the user quits.
    ///
    /// - Throws: `CommandError` and `TraceError` if the log does not exist or cannot be read; the terminal is
    ///   then restored.
    func run() throws {
        // Report an invalid log before taking over the terminal.
        _ = try source.look(at: WatchSource.now)
        var terminal = try Terminal()
        let ending: Ending
        do {
            defer { terminal.leave() }
            ending = try watch(&terminal)
        }
        switch ending {
        case .quit: try leave()
        case .over: try conclude(terminal.size.columns)
        case .signal(let signal): terminal_die(signal)
        }
    }

    // MARK: The loop

    private func watch(_ terminal: inout Terminal) throws -> Ending {
        while true {
            let (begin, before) = (WatchSource.now, ThreadTime.now())
            let state = try source.look(at: begin)
            let isReading = if case .catchingUp = state { true } else { false }
            let isOver = isOver(state)
            if !view.isPaused || isOver || screen == nil { renew(state, isOver: isOver) }
            guard draw(state, &terminal) else { return .signal(SIGHUP) }
            if isOver { return .over }
            let next = isReading ? begin : begin + pause(after: ThreadTime.now() - before)
            // Until the next look, keys are handled at once.
            repeat {
                let left = (next - WatchSource.now) / 1_000_000
                for happening in terminal.wait(milliseconds: Int32(clamping: left)) {
                    switch happening {
                    case .ended(SIGINT): return .quit
                    case .ended(let signal): return .signal(signal)
                    case .gone: return .signal(SIGHUP)
                    case .redraw: terminal.forget()
                    case .keys(let bytes): if take(ScreenKey.keys(in: bytes), terminal.size) { return .quit }
                    }
                    guard draw(state, &terminal) else { return .signal(SIGHUP) }
                }
            } while WatchSource.now < next
        }
    }

    /// Nanoseconds from one look to the next. Longer if a look and its picture took so much time that they
    /// would exceed their share of the processor, as with a hundred thousand open operations.
    private func pause(after spent: Int64) -> Int64 {
        max(Int64(interval * 1e9), min(Int64(Double(spent) / Self.share), Self.longestPause))
    }

    private func isOver(_ state: WatchSource.State) -> Bool {
        guard case .current = state, let log = source.log else { return false }
        return log.standing(at: WatchSource.now).isOver
    }

    /// True if one of the keys quits.
    private func take(_ keys: [ScreenKey], _ size: (columns: Int, lines: Int)) -> Bool {
        for key in keys {
            guard let screen else {
                // Before the first screen, only keys that quit have an effect.
                if [.character(UInt8(ascii: "q")), .character(3)].contains(key) { return true }
                continue
            }
            guard let next = screen.view(view, after: key, width: size.columns, height: size.lines) else {
                return true
            }
            view = next
        }
        return false
    }

    // MARK: Contents of the screen

    /// Each screen shows one moment. If a new one would come too late, the last one stays.
    private func renew(_ state: WatchSource.State, isOver: Bool) {
        guard case .current = state, let log = source.log else { return }
        let now = WatchSource.now
        if screen != nil, log === shownLog, !isOver, !log.isTimeForScreen(at: now) { return }
        screen = LiveScreen(log, at: now, note: source.note)
        shownLog = log
    }

    private func draw(_ state: WatchSource.State, _ terminal: inout Terminal) -> Bool {
        let (columns, height) = terminal.size
        switch state {
        case .waiting(let sentence):
            return terminal.show([TerminalText.shortened(sentence, toColumns: columns)])
        case .catchingUp(let share):
            let name = TerminalText.shortened(source.log?.path ?? "", toColumns: max(10, columns - 50))
            return terminal.show(["reading the past of \(name): \(Int(share * 100)) %"])
        case .current:
            guard let screen else { return true }
            return terminal.show(screen.lines(view, width: columns, height: height, isColored: isColored))
        }
    }

    /// Leaves one line behind, to find when scrolling back later.
    private func leave() throws {
        guard let log = source.log else { return }
        let sentence = LiveScreen(log, at: WatchSource.now, note: source.note).sentence
        try Console.print(sentence + "; no longer watched\n")
    }

    /// Prints the last screen, and the summary of the whole run.
    private func conclude(_ columns: Int) throws {
        guard let log = source.log else { return }
        view = LiveScreen.View()
        view.hasFooter = false
        let screen = LiveScreen(log, at: WatchSource.now, note: source.note)
        let lines = screen.lines(view, width: columns, height: Self.lastHeight, isColored: isColored)
        try Console.print(lines.joined(separator: "\n") + "\n")
        guard printsSummary else { return }
        Progress.begin("reading \(log.path)")
        let trace = try log.trace()
        Progress.begin("analysing \(log.path)")
        let summary = RunSummary(TraceAnalysis(trace)).text(
            width: columns, path: source.nameAfterwards)
        let name = source.nameAfterwards.map { TerminalText.escaped($0) + "\n" } ?? ""
        try Console.print("\n" + summary + name)
    }
}
