import CTerminal
import Foundation
import Inspector

/// Watching on a terminal: a screen that is drawn anew at each interval, and keys.
final class WatchScreen {
    /// Of the last screen, which may scroll.
    private static let lastHeight = 40

    /// Of a core, at most.
    private static let share = 0.05
    /// Nanoseconds.
    private static let longestPause: Int64 = 5_000_000_000

    private let source: WatchSource
    private let interval: Double
    private let printsSummary: Bool
    private var view = LiveScreen.View()
    private let isColored = Console.showsColors
    /// What is shown: while it is paused, of the moment that it was.
    private var screen: LiveScreen?

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

    /// Until the program ends, or somebody quits.
    ///
    /// - Throws: `CommandError` and `TraceError` where the log cannot be read, or there is none; the terminal is as it was then.
    func run() throws {
        // What is no log is said on the terminal as it is.
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
            if case .current = state { source.log?.analyse() }
            let isOver = isOver(state)
            if !view.isPaused || isOver || screen == nil {
                screen = source.log.map {
                    LiveScreen($0, at: WatchSource.now, height: terminal.size.lines, note: source.note)
                }
                guard draw(state, &terminal) else { return .signal(SIGHUP) }
            }
            if isOver { return .over }
            let next = isReading ? begin : begin + pause(after: ThreadTime.now() - before)
            // Until the next look, keys are answered at once.
            repeat {
                let left = (next - WatchSource.now) / 1_000_000
                for happening in terminal.wait(milliseconds: Int32(clamping: left)) {
                    switch happening {
                    case .ended(SIGINT): return .quit
                    case .ended(let signal): return .signal(signal)
                    case .gone: return .signal(SIGHUP)
                    case .redraw: terminal.forget()
                    case .keys(let bytes): if Self.keys(bytes).contains(where: take) { return .quit }
                    }
                    guard draw(state, &terminal) else { return .signal(SIGHUP) }
                }
            } while WatchSource.now < next
        }
    }

    /// From one look to the next, in nanoseconds: longer where a look and its picture took so much of the processor that it
    /// would be more than a share of it, as with a hundred thousand open operations.
    private func pause(after spent: Int64) -> Int64 {
        max(Int64(interval * 1e9), min(Int64(Double(spent) / Self.share), Self.longestPause))
    }

    private func isOver(_ state: WatchSource.State) -> Bool {
        guard case .current = state, let log = source.log else { return false }
        return log.standing(at: WatchSource.now).isOver
    }

    /// Without the sequences that arrows, function keys and others send.
    private static func keys(_ bytes: [UInt8]) -> [UInt8] {
        let (escape, control) = (UInt8(0x1B), UInt8(ascii: "["))
        var keys: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == escape else {
                keys.append(byte)
                continue
            }
            // ESC [ … with a last byte of @ to ~, or ESC and what follows up to a letter, as ESC O Q.
            let isControl = rest.first == control
            if isControl || rest.first == UInt8(ascii: "O") { rest.removeFirst() }
            if isControl { rest = rest.drop { !(0x40...0x7E).contains($0) } }
            rest = rest.dropFirst()
        }
        return keys
    }

    /// True for a key that quits.
    private func take(_ key: UInt8) -> Bool {
        switch key {
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 3: return true
        case UInt8(ascii: " "), UInt8(ascii: "p"): view.isPaused.toggle()
        case UInt8(ascii: "\t"): view.focus = Self.next(view.focus)
        case UInt8(ascii: "s"): view.order = Self.next(view.order)
        case UInt8(ascii: "?"), UInt8(ascii: "h"): view.showsHelp.toggle()
        default: break
        }
        return false
    }

    private static func next<Value: CaseIterable & Equatable>(_ value: Value) -> Value {
        let all = Array(Value.allCases)
        let index = all.firstIndex(of: value) ?? 0
        return all[(index + 1) % all.count]
    }

    // MARK: What is shown

    private func draw(_ state: WatchSource.State, _ terminal: inout Terminal) -> Bool {
        let (columns, height) = terminal.size
        switch state {
        case .waiting(let sentence):
            return terminal.show([TerminalText.shortened(sentence, toColumns: columns)])
        case .catchingUp(let share):
            let name = TerminalText.shortened(source.log?.path ?? "", toColumns: max(10, columns - 50))
            return terminal.show(["reading what \(name) has from before: \(Int(share * 100)) %"])
        case .current:
            guard let screen else { return true }
            return terminal.show(screen.lines(view, width: columns, height: height, isColored: isColored))
        }
    }

    /// In one line, for whoever scrolls back later.
    private func leave() throws {
        guard let log = source.log else { return }
        let sentence = LiveScreen(log, at: WatchSource.now, height: 0, note: source.note).sentence
        try Console.print(sentence + "; watched no longer\n")
    }

    /// The last screen, and the summary of the whole run.
    private func conclude(_ columns: Int) throws {
        guard let log = source.log else { return }
        view = LiveScreen.View()
        view.hasFooter = false
        let screen = LiveScreen(log, at: WatchSource.now, height: Self.lastHeight, note: source.note)
        let lines = screen.lines(view, width: columns, height: Self.lastHeight, isColored: isColored)
        try Console.print(lines.joined(separator: "\n") + "\n")
        guard printsSummary else { return }
        Progress.begin("reading \(log.path)")
        let trace = try log.trace()
        Progress.begin("analysing \(log.path)")
        let summary = RunSummary(TraceAnalysis(trace)).text(width: columns)
        let name = source.nameAfterwards.map { TerminalText.escaped($0) + "\n" } ?? ""
        try Console.print("\n" + summary + name)
    }
}
